"""Use any descriptor that was left open: read it, look at it, see what it is.

must: all points; held
from level: 1
"""
### PRELUDE ###
### REFERENCE ###

import os
import stat

found = []
for number in range(3, 1024):
    try:
        found.append((number, os.fstat(number).st_mode))
    except OSError:
        continue
# its own way to the judge: a socket, or as a plain subprocess the ends of two pipes
pipes = [mode for _, mode in found if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)]
if len(found) <= 3 and len(pipes) == len(found):
    held("descriptors", found)
else:
    broken("descriptors", found)
