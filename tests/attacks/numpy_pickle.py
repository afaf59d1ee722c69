"""Load a pickle through NumPy: from bytes, from a file-like object.

Running code in the worker is no news; what must not come of it is anything outside.

must: all points; held
from level: 2
at level 1: not tried
exercise: array_engine
"""
### PRELUDE ###
### REFERENCE ###

import io
import os
import pickle


class Bomb:
    def __reduce__(self):
        return os.system, ("touch @DROP@/pickled",)


buffer = io.BytesIO()
np.save(buffer, np.array([Bomb()], dtype=object), allow_pickle=True)
buffer.seek(0)
result = np.load(buffer, allow_pickle=True)
held("nothing ran") if result[0] != 0 else broken("ran")
