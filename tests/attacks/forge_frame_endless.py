"""Announce a short frame and send its bytes one a second, for ever.

must: no points
from level: 1
"""
### STARTER ###

import struct
import sys
import time

os = sys.modules["os"]
descriptors = list(range(3, 64))
while True:
    for descriptor in descriptors[:]:
        try:
            os.write(descriptor, struct.pack("<II", 1000, 0) if len(descriptors) > 3 else b" ")
        except OSError:
            descriptors.remove(descriptor)
    descriptors = descriptors[:2]
    time.sleep(1)
