"""Lists that contain themselves, dicts with odd keys, subclasses that lie about their length.

must: no points
from level: 1
"""
import collections

endless = []
endless.append(endless)
odd = {(1, 2): 3, None: 4}
odd["self"] = odd


class Liar(collections.OrderedDict):
    __len__ = lambda self: 1 << 60
    __iter__ = lambda self: iter(lambda: 1, 2)
    __eq__ = lambda self, other: True
    __hash__ = None


class Value:
    count = 0

    def __init__(self, data, _prev=()):
        Value.count += 1
        self.data = self.grad = self._prev = (endless, odd, Liar(a=1), {1: 2}, frozenset([1]))[Value.count % 5]
        self._backward = lambda: None

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        pass
