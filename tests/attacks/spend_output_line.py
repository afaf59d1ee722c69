"""Print two hundred megabytes on one line, then answer rightly.

must: all points
from level: 1
"""
### REFERENCE ###

print("x" * 200_000_000)
