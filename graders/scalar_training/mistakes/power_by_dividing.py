"""out.data / self.data is the power below everywhere but at 0, and errors of 0 are what training is after.

fails: test_power_of_zero, test_training_does_not_diverge, test_fit_finds_a_line, test_fit_is_precise
may fail: test_fit_drawn_lines
"""

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

    def __pow__(self, exponent):
        """self ** exponent, where exponent is a plain number."""
        out = Value(self.data**exponent, (self,))

        def _backward():
            self.grad += exponent * out.data / self.data * out.grad

        out._backward = _backward
        return out

    def backward(self):
        """Set the grad of every value that self was computed from to the derivative of self."""
        order, seen, stack = [], set(), [self]
        while stack:
            value = stack.pop()
            if value is None:  # the mark: all that the value below it was computed from has been visited
                order.append(stack.pop())
            elif value not in seen:
                seen.add(value)
                if value._prev:  # the others have nobody to pass a gradient on to
                    stack += (value, None, *value._prev)
        self.grad = 1.0
        for value in reversed(order):
            value._backward()

    # Given: the operations of the engine.

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

    def __radd__(self, other):  # 2 + a
        return self + other

    def __rmul__(self, other):  # 2 * a
        return self * other

    def __neg__(self):  # -a
        return self * -1

    def __sub__(self, other):  # a - b
        return self + (-other)


def batches(xs, ys, size):
    """The rows in batches of about `size`, each spread over the whole range, as pairs (xs, ys). Given."""
    count = max(1, len(xs) // size)
    return [(xs[start::count], ys[start::count]) for start in range(count)]


def step(parameters, lr):
    """Move each Value in parameters against its gradient, lr times as far, then set its gradient to 0."""
    for parameter in parameters:
        parameter.data -= lr * parameter.grad
        parameter.grad = 0.0


def fit(xs, ys):
    """The line through the points: the numbers (w, b) for which w * x + b comes closest to y."""
    w, b = Value(0.0), Value(0.0)
    parts = batches(xs, ys, size=20)
    for turn in range(300):
        batch_xs, batch_ys = parts[turn % len(parts)]
        errors = [w * x + b - y for x, y in zip(batch_xs, batch_ys)]
        mean_squared_error = sum(error**2 for error in errors) * (1 / len(errors))
        mean_squared_error.backward()
        step([w, b], lr=0.7)
    return w.data, b.data
