"""Rules are lambdas that call a method which adds."""

import math


class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_prev)
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def receive(self, share):
        self.grad = self.grad + share

    def __add__(self, other):
        other = Value(other) if isinstance(other, (int, float)) else other
        out = Value(self.data + other.data, (self, other))
        out._backward = lambda: (self.receive(out.grad), other.receive(out.grad))
        return out

    def __mul__(self, other):
        other = Value(other) if isinstance(other, (int, float)) else other
        out = Value(self.data * other.data, (self, other))
        out._backward = lambda: (self.receive(other.data * out.grad), other.receive(self.data * out.grad))
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))
        out._backward = lambda: self.receive((1.0 - out.data * out.data) * out.grad)
        return out

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
