"""A scalar autograd engine: numbers that remember how they were made and pass gradients back."""

import math


def nothing():
    """The _backward of a value that was not computed from others."""


class Value:
    """One number, what it was computed from, and the gradient of a result with respect to it."""

    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0  # the derivative of the final result with respect to this value
        self._prev = _prev  # the Values this one was computed from
        self._backward = nothing  # adds this value's share to the grad of each of them

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        """self + other, where other is a Value or a plain number."""
        # TODO 1: wrap `other` in a Value if it is a plain number. Create `out`, the Value of the sum,
        # with both inputs in its `_prev`. Define a function that adds out.grad to the grad of each
        # input, attach it as `out._backward` (no parentheses), and return `out`.
        ### BEGIN SOLUTION
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out
        ### END SOLUTION

    def __mul__(self, other):
        """self * other, where other is a Value or a plain number."""
        # TODO 2: the same pattern as in __add__. The share of each input is the other input's data
        # times out.grad.
        ### BEGIN SOLUTION
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out
        ### END SOLUTION

    def tanh(self):
        """The hyperbolic tangent of self."""
        # TODO 3: the same pattern with one input. Compute the number with math.tanh; the share of the
        # input is (1 - out.data ** 2) times out.grad.
        ### BEGIN SOLUTION
        out = Value(math.tanh(self.data), (self,))

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out
        ### END SOLUTION

    def backward(self):
        """Set the grad of every value that self was computed from to the derivative of self."""
        # TODO 4: sort the graph so that every value comes after all the values that use it (step 2),
        # set the grad of self to 1, and call each value's `_backward` in that order (step 3).
        ### BEGIN SOLUTION
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
        ### END SOLUTION

    # Given: these are built from your + and *, so they need no rule of their own.

    def __radd__(self, other):  # 2 + a
        return self + other

    def __rmul__(self, other):  # 2 * a
        return self * other

    def __neg__(self):  # -a
        return self * -1

    def __sub__(self, other):  # a - b
        return self + (-other)
