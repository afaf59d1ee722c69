"""Numbers of classes made from NumPy's own: only NumPy's exact scalars arrive as numbers.

must: no points
from level: 1
exercise: array_engine
"""
### STARTER ###


class Yes(np.float64):
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0
    __module__ = "numpy"
    item = lambda self: 6.0
    dtype = np.dtype("f8")


class Tensor:
    def __init__(self, data, _prev=()):
        self.data = self.grad = Yes(1.0)
        self._prev, self._backward = (), lambda: None

    def __add__(self, other):
        return Tensor(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __matmul__ = __rmatmul__ = __add__
    __neg__ = tanh = lambda self: Tensor(0)
    sum = mean = lambda self, *a, **k: Tensor(0)

    def backward(self):
        pass


def unbroadcast(grad, shape):
    return Yes(1.0)
