"""Raise the starter's own NotImplementedError message from everywhere: never more than not started.

must: no points
from level: 1
"""


class Value:
    def __init__(self, data, _prev=()):
        raise NotImplementedError("__add__ is still to be written")
