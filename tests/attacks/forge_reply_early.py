"""Answer the next hundred requests before they are made.

must: no points
from level: 1
"""
### STARTER ###

import json
import struct
import sys

os = sys.modules["os"]
for number in range(1, 101):
    body = json.dumps([number, "ok", True]).encode()
    for descriptor in range(64):
        try:
            os.write(descriptor, struct.pack("<II", len(body), 0) + body)
        except OSError:
            pass
