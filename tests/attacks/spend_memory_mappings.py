"""Map memory by the gigabyte through mmap, shared and private.

must: all points
from level: 1
"""
### REFERENCE ###

import mmap

maps = []
for _ in range(100):
    try:
        maps.append(mmap.mmap(-1, 1 << 30))
    except (OSError, MemoryError, ValueError):
        break
if len(maps) > 4:
    print("BROKEN:", len(maps), "GiB")
del maps
