"""Integers of 10, 4300, 4301 and 100,000 digits where a number is expected.

must: no points
from level: 1
"""


class Value:
    count = 0

    def __init__(self, data, _prev=()):
        Value.count += 1
        digits = (10, 4299, 4300, 4301, 100_000)[Value.count % 5]
        self.data, self.grad = 10**digits, -(10**digits)
        self._prev, self._backward = (), lambda: None

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        pass
