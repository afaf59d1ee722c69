"""Print fifty megabytes on one line, then answer rightly.

must: all points
from level: 1
"""
### REFERENCE ###

print("x" * 50_000_000)
