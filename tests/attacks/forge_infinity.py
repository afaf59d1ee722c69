"""Infinities in data and in grad, which are close to nothing but themselves.

must: no points
from level: 1
"""


class Value:
    def __init__(self, data, _prev=()):
        self.data, self.grad, self._prev, self._backward = float("inf"), float("-inf"), (), lambda: None

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        pass
