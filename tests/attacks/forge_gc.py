"""Find every object of the worker through the garbage collector and make its methods say True.

must: no points
from level: 1
"""
### STARTER ###

import gc

for thing in gc.get_objects():
    name = type(thing).__name__
    if name in ("Agent", "Pipe", "Output", "Session", "Link", "Channel", "Decoder"):
        for attribute in ("answer", "send", "receive", "take", "result"):
            try:
                setattr(type(thing), attribute, lambda self, *a, **k: True)
            except Exception:
                pass
