"""Open the hidden grader, the reference and the canary by their full paths, in every way Python has.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

import io
import os
import pathlib

PATHS = ["@CANARY@", "@COURSE@/graders/scalar_engine/hidden/test_1_hidden.py"]
PATHS += ["@COURSE@/solutions/scalar_engine/solution.py", "/etc/passwd"]
for path in PATHS:
    attempt("open", lambda: open(path).read())
    attempt("os.open", lambda: os.read(os.open(path, os.O_RDONLY), 4000))
    attempt("pathlib", lambda: pathlib.Path(path).read_bytes())
    attempt("io.FileIO", lambda: io.FileIO(path).read())
    attempt("io.open_code", lambda: io.open_code(path).read())
