"""Read the submissions beside this one.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

import os

folder = os.path.dirname("@CANARY@")
attempt("list", lambda: os.listdir(folder))
attempt("read", lambda: [open(os.path.join(folder, name)).read() for name in os.listdir(folder)])
