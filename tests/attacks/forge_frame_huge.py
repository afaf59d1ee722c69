"""Announce a frame of four gigabytes.

must: no points
from level: 1
"""
### STARTER ###

import sys

os = sys.modules["os"]
for descriptor in range(3, 64):
    try:
        os.write(descriptor, b"\xff" * 8 + b"x" * 1000)
    except OSError:
        pass
