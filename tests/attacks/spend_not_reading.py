"""Answer, but never read again, so that whoever sends must wait.

must: no points
from level: 1
"""
### STARTER ###

import sys

for module in list(sys.modules.values()):
    kind = getattr(module, "Pipe", None)
    if isinstance(kind, type):
        import time

        kind.receive = lambda self: time.sleep(3600)
