"""A constant that the compiler would compute for hours.

must: no points; not loaded
from level: 1
"""
### STARTER ###

x = 9**9**9
y = (("a" * 4096) * 4096) * 4096
