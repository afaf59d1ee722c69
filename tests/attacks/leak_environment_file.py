"""Read the environment of this process and of the judge from /proc.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

attempt("own", lambda: 1 / len(open("/proc/self/environ", "rb").read() + b"x"))
attempt("judge", lambda: 1 / len(open("/proc/@JUDGE@/environ", "rb").read() + b"x"))
attempt("command line", lambda: open("/proc/@JUDGE@/cmdline").read())
