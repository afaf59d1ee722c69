"""Print tracebacks, warnings and module paths to learn where things lie.

The paths of the standard library are no secret; those of the course are.

must: all points; held
from level: 1
"""
### PRELUDE ###
### REFERENCE ###

import sys
import traceback

text = "".join(traceback.format_stack()) + repr(sys.argv) + repr(sys.path) + repr(sys.orig_argv)
course = "@COURSE@"
print("BROKEN: the course's path" if course in text else "held: no path of the course")
