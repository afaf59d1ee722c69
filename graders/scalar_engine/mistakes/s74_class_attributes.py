"""Set the attributes on self in __init__: a grad that stands on the class is shared by all values.

fails: test_add_follows_its_rule, test_add_takes_plain_numbers, test_multiply_follows_its_rule,
       test_multiply_takes_plain_numbers, test_tanh_follows_its_rule, test_worked_example,
       test_value_used_twice_receives_both, test_consumers_come_first,
       test_equal_numbers_are_different_values, test_minus_works_by_itself, test_tanh_inside_a_graph,
       test_many_paths_take_no_time, test_graphs_leave_each_other_alone, test_any_graph
"""

import math


class Value:
    grad = 0.0

    def __init__(self, data, _prev=()):
        self.data = data
        self._prev = tuple(_prev)
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            Value.grad += out.grad
            Value.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def _backward():
            Value.grad += other.data * out.grad
            Value.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))

        def _backward():
            Value.grad += (1 - out.data**2) * out.grad

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
