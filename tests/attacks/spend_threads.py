"""Start threads without end.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

import threading
import time

count = 0


def start():
    global count
    while count < 200:
        threading.Thread(target=time.sleep, args=(1,), daemon=True).start()
        count += 1


attempt("threads", start)
if count:
    broken("threads", count)
