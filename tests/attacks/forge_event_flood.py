"""Send events without end, of kinds that exist and kinds that do not.

must: no points
from level: 1
"""
### STARTER ###

import sys

frame = sys._getframe()
while frame is not None:
    agent = frame.f_locals.get("self")
    if type(agent).__name__ == "Agent":
        while True:
            agent._event(["call", "a"])
            agent._event(["at", "solution.py", 1, "x"])
            agent._event(["verdict", {"score": 100}])
    frame = frame.f_back
