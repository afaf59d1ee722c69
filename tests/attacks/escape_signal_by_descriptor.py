"""Make the kernel send a signal to the judge: owner and signal of a descriptor, then ask for its events.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import fcntl

for number in range(10):
    attempt("F_SETOWN", lambda: fcntl.fcntl(number, fcntl.F_SETOWN, @JUDGE@))
    attempt("F_SETSIG", lambda: fcntl.fcntl(number, fcntl.F_SETSIG, 9))
    refuse("ioctl", number, 0x8901, 0)
