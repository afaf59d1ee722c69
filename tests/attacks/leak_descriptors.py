"""Use any descriptor that was left open: read it, look at it, see what it is.

must: all points; held
from level: 1
"""
### PRELUDE ###
### REFERENCE ###

import os

found = []
for number in range(3, 1024):
    try:
        found.append((number, oct(os.fstat(number).st_mode)))
    except OSError:
        continue
sockets = [mode for _, mode in found if mode.startswith(("0o14", "0o01"))]
if len(found) <= 3 and len(sockets) == len(found):
    held("descriptors", found)
else:
    broken("descriptors", found)
