"""The same by system calls, and the kinds of socket that Python has no name for.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

for family in (1, 2, 10, 16, 17, 38, 40, 44):
    refuse("socket", family, 1, 0)
    refuse("socket", family, 3, 0)
refuse("socketpair", 1, 1, 0, 0)
