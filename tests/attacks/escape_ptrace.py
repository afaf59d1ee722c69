"""Trace the judge, the parent and oneself; read and write their memory.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import os

for process in (@JUDGE@, os.getppid(), os.getpid()):
    refuse("ptrace", 16, process, 0, 0)
    refuse("process_vm_readv", process, 0, 0, 0, 0, 0)
    refuse("process_vm_writev", process, 0, 0, 0, 0, 0)
    refuse("process_madvise", process, 0, 0, 0, 0)
    refuse("pidfd_getfd", process, 0, 0)
refuse("ptrace", 0, 0, 0, 0)
