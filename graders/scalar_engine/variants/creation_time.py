"""Newest first: a value is always younger than what it was made from."""

import itertools
import math


class Value:
    _clock = itertools.count()

    def __init__(self, data, _prev=()):
        self.data, self.grad = data, 0.0
        self._prev = tuple(_prev)
        self._backward = lambda: None
        self._born = next(Value._clock)

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        found = {self}
        frontier = [self]
        while frontier:
            new = set(frontier.pop()._prev) - found
            found |= new
            frontier += new
        self.grad = 1.0
        for value in sorted(found, key=lambda value: value._born, reverse=True):
            value._backward()

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)
