"""End by a signal that has no name.

must: no points
from level: 1
"""
import os

try:
    os.kill(os.getpid(), 40)
except OSError:
    pass


class Value:
    def __init__(self, data, _prev=()):
        os.kill(os.getpid(), 41)
