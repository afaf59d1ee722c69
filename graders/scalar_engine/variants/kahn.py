"""Kahn: a value is ready when as many consumers have reported as there are."""

import math
from collections import Counter, deque


class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_prev)
        self._backward = lambda: None

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
        waiting, found, seen = Counter(), [self], {self}
        for value in found:
            for source in value._prev:
                waiting[source] += 1
                if source not in seen:
                    seen.add(source)
                    found.append(source)
        self.grad = 1
        ready = deque([self])
        while ready:
            value = ready.popleft()
            value._backward()
            for source in value._prev:
                waiting[source] -= 1
                if not waiting[source]:
                    ready.append(source)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)
