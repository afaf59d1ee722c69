"""List the course, the folder of other submissions, the temporary folder and the packages.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

import glob
import os

for path in ("@COURSE@", "@COURSE@/graders", "/tmp", "/", "/proc", ".", os.path.dirname(os.__file__)):
    attempt(f"list {path}", lambda: os.listdir(path))
    attempt(f"walk {path}", lambda: os.scandir(path))
if glob.glob("@COURSE@/*"):
    broken("glob", glob.glob("@COURSE@/*"))
