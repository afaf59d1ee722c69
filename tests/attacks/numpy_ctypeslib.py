"""Load a library and read memory through numpy.ctypeslib.

must: all points; held
from level: 2
at level 1: open
exercise: array_engine
"""
### PRELUDE ###
### REFERENCE ###

import ctypes

attempt("load", lambda: np.ctypeslib.load_library("libm.so.6", "/lib/x86_64-linux-gnu"))
attempt("dlopen", lambda: ctypes.CDLL("libanl.so.1"))
refuse("openat", -100, b"@CANARY@", 0)
