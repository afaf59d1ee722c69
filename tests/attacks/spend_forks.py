"""Start processes without end.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import os


def bomb():
    while True:
        os.fork()


attempt("fork", bomb)
refuse("fork")
refuse("vfork")
refuse("clone", 17, 0, 0, 0, 0)
