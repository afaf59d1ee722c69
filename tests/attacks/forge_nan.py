"""NaN in data and in grad: a comparison that is never true must not be taken for one that is never false.

must: no points
from level: 1
"""


class Value:
    def __init__(self, data, _prev=()):
        self.data = self.grad = float("nan")
        self._prev, self._backward = (), lambda: None

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        pass
