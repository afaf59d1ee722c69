"""Import this file from itself, and from a thread of import locks.

must: all points
from level: 1
"""
### REFERENCE ###
import sys

import solution

print("held:", solution is sys.modules["solution"])
