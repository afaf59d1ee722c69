"""Use the judge's own socket to receive or to pass a descriptor.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

import os
import stat

for number in range(3, 64):
    try:
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            continue
    except OSError:
        continue
    refuse("sendmsg", number, 0, 0)
    refuse("sendto", number, b"", 0, 0x4000, 0, 0)
refuse("sendmsg", 1, 0, 0)
