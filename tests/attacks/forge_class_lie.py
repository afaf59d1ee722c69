"""An object that says its class is float, and converts to whatever is asked for.

must: no points
from level: 1
"""


class Lie:
    __class__ = property(lambda self: float)
    __float__ = lambda self: 6.0
    __index__ = __int__ = lambda self: 6
    __eq__ = lambda self, other: True
    __hash__ = lambda self: hash(6.0)
    __rsub__ = __sub__ = lambda self, other: 0.0
    __abs__ = lambda self: 0.0


class Value:
    def __init__(self, data, _prev=()):
        self.data = self.grad = Lie()
        self._prev, self._backward = (), lambda: None

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        pass
