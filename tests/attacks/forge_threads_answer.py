"""Threads that write answers while the main thread does its work.

must: no points
from level: 1
"""
### STARTER ###

import json
import os
import struct
import threading


def spam():
    number = 0
    while True:
        number += 1
        body = json.dumps([number, "ok", 6.0]).encode()
        for descriptor in range(3, 10):
            try:
                os.write(descriptor, struct.pack("<II", len(body), 0) + body)
            except OSError:
                pass


for _ in range(4):
    try:
        threading.Thread(target=spam, daemon=True).start()
    except RuntimeError:
        pass
