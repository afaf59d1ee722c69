"""Raise this process's own limits, and lower the judge's.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import os
import resource

attempt("raise", lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)))
attempt("judge", lambda: resource.prlimit(@JUDGE@, resource.RLIMIT_CPU, (0, 0)))
attempt("parent", lambda: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0)))
refuse("sched_setscheduler", 0, 1, b"\1\0\0\0")
refuse("setpriority", 0, 0, 19)
refuse("sched_setaffinity", 0, 8, b"\1\0\0\0\0\0\0\0")
