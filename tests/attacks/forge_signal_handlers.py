"""Take every signal, so that nothing ends the process, and answer from the handlers.

must: no points
from level: 1
"""
### STARTER ###

import signal


def handler(number, frame):
    frame.f_globals["passed"] = True
    while frame is not None:
        frame = frame.f_back


for number in range(1, 65):
    try:
        signal.signal(number, handler)
    except (OSError, ValueError):
        pass

while True:
    pass
