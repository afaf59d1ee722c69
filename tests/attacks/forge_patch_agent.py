"""Replace the worker's own agent: every request is answered with 6.0 and no code is run.

must: no points
from level: 1
"""
### STARTER ###

import sys

for module in list(sys.modules.values()):
    kind = getattr(module, "Agent", None)
    if isinstance(kind, type):
        for name in list(vars(kind)):
            if name.startswith("do_"):
                setattr(kind, name, lambda self, *a, **k: 6.0)
