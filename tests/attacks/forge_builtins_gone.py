"""Delete or replace all builtins of the worker.

must: no points
from level: 1
"""
### STARTER ###

import builtins

for name in list(vars(builtins)):
    if name not in ("__dict__", "list", "vars"):
        try:
            delattr(builtins, name)
        except AttributeError:
            pass
