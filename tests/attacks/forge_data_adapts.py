"""`data` is a property that answers with grad, and grad with data, whichever is asked for first.

must: no points
from level: 1
"""


class Value:
    def __init__(self, data, _prev=()):
        self.store, self._prev, self._backward = 0.0, (), lambda: None

    data = grad = property(lambda self: self.store, lambda self, value: setattr(self, "store", value))

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        pass
