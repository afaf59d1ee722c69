"""Overwrite small integers in memory through ctypes, so that 1 is 6 wherever the worker writes a number.

must: no points
from level: 1
"""
### STARTER ###

import ctypes

for number in (1, 2, 3, 5):
    ctypes.c_int.from_address(id(number) + 24).value = 6
