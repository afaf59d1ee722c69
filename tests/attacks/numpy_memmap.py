"""Map files with NumPy, to read and to write.

must: all points; held
from level: 2
at level 1: open
exercise: array_engine
"""
### PRELUDE ###
### REFERENCE ###

attempt("memmap", lambda: bytes(np.memmap("@CANARY@", dtype="u1", mode="r")))
attempt("fromfile", lambda: np.fromfile("@CANARY@", dtype="u1").tobytes())
attempt("loadtxt", lambda: np.loadtxt("@CANARY@", dtype=str, delimiter="\0"))
attempt("genfromtxt", lambda: np.genfromtxt("@CANARY@", dtype=str, delimiter="\0"))
attempt("save", lambda: np.save("@DROP@/x.npy", np.zeros(3)))
attempt("tofile", lambda: np.zeros(3).tofile("@DROP@/x"))
