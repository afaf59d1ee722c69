"""Write hidden inputs to a file, and read those of the last worker.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

import os


def store():
    descriptor = os.open("@DROP@/seen", os.O_CREAT | os.O_RDWR)
    os.write(descriptor, b"SEEN")
    os.close(descriptor)


attempt("write", store)
attempt("read", lambda: open("@DROP@/seen").read())
