"""Each operation is a subclass whose _backward is a method."""

import math


class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_prev)

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def _backward(self):
        pass

    def __add__(self, other):
        return Sum(self, other if isinstance(other, Value) else Value(other))

    def __mul__(self, other):
        return Product(self, other if isinstance(other, Value) else Value(other))

    def tanh(self):
        return Tanh(self)

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


class Sum(Value):
    def __init__(self, a, b):
        super().__init__(a.data + b.data, (a, b))

    def _backward(self):
        for source in self._prev:
            source.grad += self.grad


class Product(Value):
    def __init__(self, a, b):
        super().__init__(a.data * b.data, (a, b))

    def _backward(self):
        a, b = self._prev
        a.grad += b.data * self.grad
        b.grad += a.data * self.grad


class Tanh(Value):
    def __init__(self, a):
        super().__init__(math.tanh(a.data), (a,))

    def _backward(self):
        (a,) = self._prev
        a.grad += (1 - self.data**2) * self.grad
