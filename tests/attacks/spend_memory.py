"""Ask for fifty gigabytes in one piece, and touch them.

must: no points; not loaded
from level: 1
"""
### STARTER ###

data = bytearray(50 << 30)
