"""Give `data` and `grad` as a float that says it equals everything.

must: no points
from level: 1
"""
### STARTER ###


class Any_(float):
    def __eq__(self, other):
        return True

    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: True
    __hash__ = float.__hash__


class Value:
    def __init__(self, data, _prev=()):
        self.data, self.grad, self._prev, self._backward = Any_(1), Any_(1), (), lambda: None

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        pass
