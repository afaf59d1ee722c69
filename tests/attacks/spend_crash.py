"""Crash the interpreter in C.

must: no points; not loaded
from level: 1
"""
### STARTER ###

import ctypes

ctypes.memset(0, 1, 1)
