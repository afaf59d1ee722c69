"""Walk up the frames and change the locals of whoever runs this file.

must: no points
from level: 1
"""
### STARTER ###

import sys

frame = sys._getframe()
while frame is not None:
    for name, value in list(frame.f_locals.items()):
        if type(value) is dict:
            try:
                value.update(dict.fromkeys(list(value), True))
            except Exception:
                pass
        if type(value) is list:
            value[:] = [True] * len(value)
    frame = frame.f_back
