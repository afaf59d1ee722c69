"""Call by the numbers of x32, which a filter of x86-64 numbers may not know.

On x86-64 the process is ended for it.

must: no points; not loaded
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### STARTER ###

syscall(0x40000000 + 2, b"/etc/passwd", 0)
if _machine() != "x86_64":
    raise SystemExit
print("BROKEN: an x32 call was answered")
