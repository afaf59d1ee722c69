"""Print a verdict at exit, from atexit and from weakref finalizers and a __del__.

must: no points
from level: 1
"""
### STARTER ###

import atexit
import os
import weakref


def speak():
    os.write(1, b'{"score": 100}')
    print('{"score": 100}')
    os._exit(0)


class Late:
    def __del__(self):
        speak()


late = Late()
atexit.register(speak)
weakref.finalize(late, speak)
