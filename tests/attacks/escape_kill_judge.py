"""Kill the judge, the parent, and everything that may be killed.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import os
import signal

attempt("judge", lambda: os.kill(@JUDGE@, signal.SIGKILL))
attempt("parent", lambda: os.kill(os.getppid(), signal.SIGKILL))
attempt("group", lambda: os.killpg(0, signal.SIGKILL))
attempt("all", lambda: os.kill(-1, signal.SIGKILL))
refuse("rt_sigqueueinfo", @JUDGE@, 9, 0)
refuse("pidfd_open", @JUDGE@, 0)
