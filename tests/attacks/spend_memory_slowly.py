"""Collect small objects until the machine has no more, and go on when told that there is none.

must: no points
from level: 1
"""
### STARTER ###

hoard = []
while True:
    try:
        hoard.append(bytearray(1 << 20))
    except MemoryError:
        if len(hoard) > 4000:
            break
        while True:
            pass
