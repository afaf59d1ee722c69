"""Arrays of objects, of records, of dates, of strings, and of types with no size.

must: no points
from level: 1
exercise: array_engine
"""
### STARTER ###


class Yes:
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = lambda self, other: True
    __float__ = lambda self: 1.0
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __abs__ = lambda self, *a: self


class Tensor:
    count = 0

    def __init__(self, data, _prev=()):
        Tensor.count += 1
        odd = [np.full((2, 3), Yes(), dtype=object), np.zeros(3, dtype=[("a", "f8"), ("b", "O")])]
        odd += [np.zeros(3, "M8[s]"), np.array(["x"]), np.zeros(3, "V0"), np.array([1j]), np.zeros(3, "f2")]
        self.data = self.grad = odd[Tensor.count % len(odd)]
        self._prev, self._backward = (), lambda: None

    def __add__(self, other):
        return Tensor(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __matmul__ = __rmatmul__ = __add__
    __neg__ = tanh = lambda self: Tensor(0)
    sum = mean = lambda self, *a, **k: Tensor(0)

    def backward(self):
        pass


def unbroadcast(grad, shape):
    return np.full(shape, Yes(), dtype=object)
