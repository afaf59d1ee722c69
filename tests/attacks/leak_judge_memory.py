"""Read the judge's memory through /proc.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###


def read():
    with open("/proc/@JUDGE@/maps") as maps:
        start = int(maps.readline().split("-")[0], 16)
    with open("/proc/@JUDGE@/mem", "rb", 0) as memory:
        memory.seek(start)
        return memory.read(16)


attempt("memory", read)
