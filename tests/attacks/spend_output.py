"""Print four megabytes in 20,000 lines, then answer rightly.

must: all points
from level: 1
"""
### REFERENCE ###

for _ in range(20_000):
    print("x" * 200)
