"""A value keeps the name of its operation, and one method looks the rule up."""

import math


class Value:
    def __init__(self, data, _prev=(), _op=None):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_prev)
        self._op = _op

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def _backward(self):
        match self._op, self._prev:
            case "+", (a, b):
                a.grad += self.grad
                b.grad += self.grad
            case "*", (a, b):
                a.grad += b.data * self.grad
                b.grad += a.data * self.grad
            case "tanh", (a,):
                a.grad += (1 - self.data**2) * self.grad

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other), "*")

    def tanh(self):
        return Value(math.tanh(self.data), (self,), "tanh")

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
