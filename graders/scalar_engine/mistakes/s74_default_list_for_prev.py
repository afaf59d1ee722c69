"""A list as a default argument is made once and shared by all values: use None or a tuple.

fails: test_multiply_follows_its_rule, test_tanh_follows_its_rule, test_consumers_come_first,
       test_equal_numbers_are_different_values, test_minus_works_by_itself, test_tanh_inside_a_graph,
       test_many_paths_take_no_time, test_graphs_leave_each_other_alone, test_any_graph
"""

import math


class Value:
    def __init__(self, data, _prev=[]):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data)
        out._prev.extend([self, other])

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data)
        out._prev.extend([self, other])

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data))
        out._prev.append(self)

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
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
