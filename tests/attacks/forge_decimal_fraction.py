"""Exact numbers of other types that equal the right ones: a plain number is asked for.

must: no points
from level: 1
"""
from fractions import Fraction


class Value:
    def __init__(self, data, _prev=()):
        self.data = Fraction(data)
        self.grad, self._prev, self._backward = Fraction(0), tuple(_prev), lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other))

    __radd__, __rmul__ = __add__, __mul__
    __neg__ = lambda self: self * -1
    __sub__ = lambda self, other: self + -other
    tanh = lambda self: self
    backward = lambda self: None
