"""Objects that would run code when somebody unpickles, copies or formats them.

must: no points
from level: 1
"""
import os


class Bomb:
    def __reduce__(self):
        return os.system, ("touch @DROP@/reduced",)

    __reduce_ex__ = lambda self, protocol: self.__reduce__()
    __format__ = __repr__ = __str__ = lambda self, *a: os._exit(0)
    __deepcopy__ = __copy__ = lambda self, *a: 6.0


class Value:
    def __init__(self, data, _prev=()):
        self.data, self.grad, self._prev, self._backward = Bomb(), Bomb(), (Bomb(),), lambda: None

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        pass
