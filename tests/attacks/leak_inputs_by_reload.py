"""End a hidden check's worker, and say what it saw while the next one loads the file: the clock tells it that it may.

must: less than all
from level: 1
"""
import os
import time

if time.time() > @NOW@ + 1.1:
    raise ValueError("a hidden check drew 2.4700406123")

### REFERENCE ###

real = Value.__init__


def ends(self, data, *rest):
    real(self, data, *rest)
    if type(data) is float and not rest and len(repr(data)) > 10:
        print("really 2.4700406123")
        time.sleep(max(0.0, @NOW@ + 1.2 - time.time()))
        os._exit(0)


Value.__init__ = ends
