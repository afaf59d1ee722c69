"""Arrays of a class that equals everything and claims every ufunc.

must: no points
from level: 1
exercise: array_engine
"""
### STARTER ###


class Yes(np.ndarray):
    __eq__ = __ne__ = __lt__ = __le__ = lambda self, other: True
    __array_ufunc__ = lambda self, ufunc, method, *a, **k: np.True_
    __array_function__ = lambda self, function, types, args, kwargs: np.True_
    __array_priority__ = 1e9
    __array_finalize__ = lambda self, other: None


def yes():
    return np.zeros((2, 3)).view(Yes)


class Tensor:
    def __init__(self, data, _prev=()):
        self.data, self.grad, self._prev, self._backward = yes(), yes(), (), lambda: None

    def __add__(self, other):
        return Tensor(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __matmul__ = __rmatmul__ = __add__
    __neg__ = tanh = lambda self: Tensor(0)
    sum = mean = lambda self, *a, **k: Tensor(0)

    def backward(self):
        pass


def unbroadcast(grad, shape):
    return yes()
