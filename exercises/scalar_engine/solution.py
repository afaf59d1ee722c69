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
        raise NotImplementedError("Value.__add__ is still to be written")

    def __mul__(self, other):
        """self * other, where other is a Value or a plain number."""
        # TODO 2: the same pattern as in __add__. The share of each input is the other input's data
        # times out.grad.
        raise NotImplementedError("Value.__mul__ is still to be written")

    def tanh(self):
        """The hyperbolic tangent of self."""
        # TODO 3: the same pattern with one input. Compute the number with math.tanh; the share of the
        # input is (1 - out.data ** 2) times out.grad.
        raise NotImplementedError("Value.tanh is still to be written")

    def backward(self):
        """Set the grad of every value that self was computed from to the derivative of self."""
        # TODO 4: sort the graph so that every value comes after all the values that use it (step 2),
        # set the grad of self to 1, and call each value's `_backward` in that order (step 3).
        raise NotImplementedError("Value.backward is still to be written")

    # Given: these are built from your + and *, so they need no rule of their own.

    def __radd__(self, other):  # 2 + a
        return self + other

    def __rmul__(self, other):  # 2 * a
        return self * other

    def __neg__(self):  # -a
        return self * -1

    def __sub__(self, other):  # a - b
        return self + (-other)
