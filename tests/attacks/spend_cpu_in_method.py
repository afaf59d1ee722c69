"""Never end in the method that is asked for.

must: no points
from level: 1
"""


class Value:
    def __init__(self, data, _prev=()):
        self.data, self.grad, self._prev, self._backward = data, 0.0, tuple(_prev), lambda: None

    def __add__(self, other):
        while True:
            pass

    __radd__ = __mul__ = __rmul__ = __sub__ = __neg__ = tanh = backward = __add__
