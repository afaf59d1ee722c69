"""In x + x one value is used twice: count that the same way when you add and when you subtract.

fails: test_many_paths_take_no_time, test_any_graph
"""

import math


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
        waiting, stack, seen = {}, [self], {self}
        while stack:
            for source in stack.pop()._prev:
                waiting[source] = waiting.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    stack.append(source)
        self.grad = 1.0
        ready = [self]
        while ready:
            value = ready.pop()
            value._backward()
            for source in set(value._prev):
                waiting[source] -= 1
                if waiting[source] == 0:
                    ready.append(source)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)
