"""End in a way that would leave a core file, with hidden inputs in it.

must: no points
from level: 1
"""
import ctypes


class Value:
    def __init__(self, data, _prev=()):
        ctypes.string_at(0)
