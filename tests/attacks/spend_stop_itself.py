"""Stop this process instead of ending it.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import os
import signal

attempt("SIGSTOP", lambda: os.kill(os.getpid(), signal.SIGSTOP))
attempt("SIGKILL", lambda: os.kill(os.getpid(), signal.SIGKILL))
refuse("tkill", os.getpid(), 19)
refuse("tgkill", os.getpid(), os.getpid(), 19)
