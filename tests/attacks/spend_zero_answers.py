"""Make the judge ask for ever: an object that is its own iterator, its own attribute and its own result.

must: no points
from level: 1
"""


class Value:
    def __init__(self, *a):
        pass

    __getattr__ = lambda self, name: Value()
    __iter__ = __next__ = __call__ = lambda self, *a: Value()
    __getitem__ = lambda self, index: Value()
    __len__ = lambda self: 1 << 62
    __contains__ = lambda self, other: False
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __neg__ = lambda self, *a: Value()
