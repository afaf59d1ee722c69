"""Open files through io_uring, which asks no filter of system calls.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import ctypes

refuse("io_uring_setup", 8, ctypes.create_string_buffer(256))
