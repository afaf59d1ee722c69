"""A trace function that makes every call in the worker return 6.0, and rewrites its frames.

must: no points
from level: 1
"""
### STARTER ###

import sys


def trace(frame, event, argument):
    for name in ("value", "result", "reply", "kind"):
        if name in frame.f_locals:
            frame.f_locals[name] = 6.0
    return trace


frame = sys._getframe()
while frame is not None:
    frame.f_trace = trace
    frame = frame.f_back
sys.settrace(trace)
sys.setprofile(trace)
