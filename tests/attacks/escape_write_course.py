"""Change the course: grader, reference, the kit itself, start-up files of Python and of the shell.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import os

for path in ("@COURSE@/course.toml", "@CANARY@", os.__file__, "/tmp/sitecustomize.py", "/root/.bashrc", "@DROP@/x"):
    attempt(path, lambda: open(path, "a"))
    attempt(f"remove {path}", lambda: os.remove(path))
    attempt(f"rename {path}", lambda: os.rename(path, path + ".old"))
attempt("link", lambda: os.symlink("/etc/passwd", "@DROP@/link"))
attempt("mode", lambda: os.chmod("@CANARY@", 0o777))
attempt("folder", lambda: os.mkdir("@DROP@/folder"))
