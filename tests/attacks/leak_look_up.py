"""Learn whether a file exists, its size and its times, without opening it.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

import os

attempt("stat", lambda: os.stat("@CANARY@"))
attempt("lstat", lambda: os.lstat("@CANARY@"))
attempt("readlink", lambda: os.readlink("/proc/self/exe"))
attempt("statvfs", lambda: os.statvfs("/"))
attempt("listxattr", lambda: os.listxattr("@CANARY@"))
attempt("access", lambda: 1 / os.access("@CANARY@", os.F_OK))
attempt("exists", lambda: 1 / os.path.exists("@CANARY@"))
