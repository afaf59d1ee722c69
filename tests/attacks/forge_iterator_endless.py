"""`_prev` is an iterator that never ends, and `in` never comes to an answer.

must: no points
from level: 1
"""
import itertools


class Value:
    def __init__(self, data, _prev=()):
        self.data, self.grad, self._backward = data, 0.0, lambda: None
        self._prev = itertools.count()

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        pass
