"""Write to the descriptors of standard output and error until they take no more.

must: all points
from level: 1
"""
### REFERENCE ###

import os

for descriptor in (1, 2):
    for _ in range(200):
        try:
            os.write(descriptor, b"x" * 1_000_000)
        except OSError:
            break
