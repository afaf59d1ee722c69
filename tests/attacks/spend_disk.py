"""Fill the disk.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###


def fill():
    with open("@DROP@/big", "wb") as file:
        for _ in range(10_000):
            file.write(b"x" * 1_000_000)


attempt("write", fill)
