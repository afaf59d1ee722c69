"""Rules are module functions, attached with functools.partial."""

import math
from functools import partial


def sum_rule(a, b, out):
    a.grad += out.grad
    b.grad += out.grad


def product_rule(a, b, out):
    a.grad += b.data * out.grad
    b.grad += a.data * out.grad


def tanh_rule(a, out):
    a.grad += (1 - out.data * out.data) * out.grad


class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_prev)
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    @staticmethod
    def _wrap(thing):
        return thing if isinstance(thing, Value) else Value(thing)

    def __add__(self, other):
        other = self._wrap(other)
        out = Value(self.data + other.data, (self, other))
        out._backward = partial(sum_rule, self, other, out)
        return out

    def __mul__(self, other):
        other = self._wrap(other)
        out = Value(self.data * other.data, (self, other))
        out._backward = partial(product_rule, self, other, out)
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))
        out._backward = partial(tanh_rule, self, out)
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
