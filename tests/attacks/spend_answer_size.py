"""Answer a request with a list of ten million numbers, a string of a gigabyte, a million objects.

must: no points
from level: 1
"""


class Value:
    count = 0

    def __init__(self, data, _prev=()):
        Value.count += 1
        self._prev, self._backward = (), lambda: None
        kind = Value.count % 3
        self.data = self.grad = [0.0] * 10_000_000 if kind == 0 else "x" * 10**8 if kind == 1 else [object()] * 10**6

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        pass
