"""An array of eight bytes whose shape says a petabyte, and one that says nothing in every direction.

must: no points
from level: 1
exercise: array_engine
"""
### STARTER ###


class Tensor:
    count = 0

    def __init__(self, data, _prev=()):
        Tensor.count += 1
        shape = (1 << 30, 1 << 17) if Tensor.count % 2 else (0,) * 30
        self.data = self.grad = np.broadcast_to(np.float64(1.0), shape)
        self._prev, self._backward = (), lambda: None

    def __add__(self, other):
        return Tensor(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __matmul__ = __rmatmul__ = __add__
    __neg__ = tanh = lambda self: Tensor(0)
    sum = mean = lambda self, *a, **k: Tensor(0)

    def backward(self):
        pass


def unbroadcast(grad, shape):
    return np.broadcast_to(np.float64(1.0), (1 << 30, 1 << 17))
