"""Booleans whose bytes are neither 0 nor 1, and numbers that signal.

must: no points
from level: 1
exercise: array_engine
"""
### STARTER ###


class Tensor:
    def __init__(self, data, _prev=()):
        self.data = np.frombuffer(b"\x02\x80\xff\x03\x00\x01", dtype=bool).reshape(2, 3)
        self.grad = np.frombuffer(b"\x01\x00\x00\x00\x00\x00\xf0\x7f" * 6, dtype="f8").reshape(2, 3)
        self._prev, self._backward = (), lambda: None

    def __add__(self, other):
        return Tensor(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __matmul__ = __rmatmul__ = __add__
    __neg__ = tanh = lambda self: Tensor(0)
    sum = mean = lambda self, *a, **k: Tensor(0)

    def backward(self):
        pass


def unbroadcast(grad, shape):
    return np.frombuffer(b"\x02" * max(1, int(np.prod(shape))), dtype=bool)[: int(np.prod(shape))].reshape(shape)
