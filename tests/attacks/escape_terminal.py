"""Type into the instructor's terminal.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import os

attempt("/dev/tty", lambda: os.open("/dev/tty", os.O_RDWR))
for number in range(10):
    refuse("ioctl", number, 0x5412, b"x")
