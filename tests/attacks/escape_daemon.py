"""Leave a process behind that would change results after the run.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import os
import time


def leave():
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
        open("@DROP@/late", "w").close()
        os._exit(0)


attempt("daemon", leave)
attempt("session", lambda: os.setsid())
