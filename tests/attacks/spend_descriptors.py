"""Open descriptors until there are no more.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

import os

attempt("dup", lambda: [os.dup(1) for _ in range(10)])
attempt("pipe", lambda: [os.pipe() for _ in range(10)])
attempt("open", lambda: [os.open("/dev/null", os.O_RDONLY) for _ in range(10)])
