"""Print one letter at a time, slowly: a deadline must not move with every sign of life.

must: no points; not loaded
from level: 1
"""
### STARTER ###

import time

while True:
    print(".", end="", flush=True)
    time.sleep(0.05)
