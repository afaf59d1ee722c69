"""Replace struct, so that the lengths of frames are wrong.

must: no points
from level: 1
"""
### STARTER ###

import struct
import sys


class Wrong:
    size = 8

    def pack(self, *a):
        return b"\x04\0\0\0\0\0\0\0"

    def unpack(self, data):
        return 4, 0


struct.pack = lambda *a: b"\0" * 8
for module in list(sys.modules.values()):
    if hasattr(module, "HEADER"):
        module.HEADER = Wrong()
