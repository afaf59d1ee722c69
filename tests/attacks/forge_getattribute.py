"""Names that only exist while they are asked for, and answer with the text of the request.

must: no points
from level: 1
"""
import sys


class Value:
    def __init__(self, *a):
        pass

    def __getattribute__(self, name):
        frame = sys._getframe(1)
        numbers = [v for v in frame.f_locals.values() if type(v) is float]
        return numbers[0] if numbers else (lambda *a: self)

    def __setattr__(self, name, value):
        pass

    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = lambda self, other: self
    __neg__ = lambda self: self
