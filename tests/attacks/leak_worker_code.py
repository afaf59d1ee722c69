"""Read the source of the worker's own modules, and of what was imported with them.

They are public; what must not be there is a grader or a judge.

must: all points; held
from level: 1
"""
### PRELUDE ###
### REFERENCE ###

import linecache
import sys

names = [name for name in sys.modules if name.startswith(("handgrad.judge", "handgrad.grade", "grader_", "test_"))]
lines = [name for name in linecache.cache if "test_" in name or "grader" in name]
print(f"BROKEN: {names} {lines}" if names or lines else "held: no judge here")
