"""Run a program: exec, spawn, a shell, a file that exists only in memory.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import os
import subprocess

attempt("subprocess", lambda: subprocess.run(["/bin/sh", "-c", "touch @DROP@/ran"], check=True))
attempt("posix_spawn", lambda: os.posix_spawn("/bin/sh", ["sh", "-c", "touch @DROP@/ran"], {}))
attempt("system", lambda: 1 / (os.system("touch @DROP@/ran") == 0))
attempt("popen", lambda: os.popen("touch @DROP@/ran").read())
attempt("exec", lambda: os.execv("/bin/true", ["true"]))
refuse("execveat", 1, b"", 0, 0, 0x1000)
refuse("memfd_create", b"x", 0)
