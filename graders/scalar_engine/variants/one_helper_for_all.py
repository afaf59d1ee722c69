"""One helper makes every result; each operation passes it a number and a list of shares."""

import math


class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_prev)
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    @classmethod
    def _result(cls, data, shares):
        """A value made from the keys of `shares`, pairs of an input and its local derivative."""
        out = cls(data, [source for source, _ in shares])

        def _backward():
            for source, slope in shares:
                source.grad += slope * out.grad

        out._backward = _backward
        return out

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        return Value._result(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        return Value._result(self.data * other.data, [(self, other.data), (other, self.data)])

    def tanh(self):
        t = math.tanh(self.data)
        return Value._result(t, [(self, 1 - t * t)])

    def backward(self):
        order, seen = [], set()

        def visit(value):
            if value not in seen:
                seen.add(value)
                for source in value._prev:
                    visit(source)
                order.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(order):
            value._backward()

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)
