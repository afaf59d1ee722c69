"""Send events of a megabyte each without end: nothing of the judge's may wait for a pause in them.

must: no points; not loaded
from level: 1
"""
### STARTER ###

import sys

frame = sys._getframe()
while frame is not None:
    agent = frame.f_locals.get("self")
    if type(agent).__name__ == "Agent":
        large = "x" * 1_000_000
        while True:
            agent._event(["call", large])
    frame = frame.f_back
