"""Reverse-mode differentiation on NumPy arrays: the graph of the scalar engine, with array rules."""

import numpy as np


def unbroadcast(grad, shape):
    """Sum `grad` down to `shape`: over each axis that broadcasting added, and each it stretched.

    An array of shape (3,) that was added to a (2, 3) one was used once per row, so its gradient is the
    sum over the rows. Axes of length 1 stay, with length 1.
    """
    # TODO 1: sum over the axes that broadcasting added in front of `shape`, then over those where `shape`
    # has length 1 (keep these, with length 1). What comes back has exactly the shape `shape`.
    raise NotImplementedError("unbroadcast is still to be written")


class Tensor:
    """An array, the gradient of the final result with respect to it, and what it was computed from."""

    __array_ufunc__ = None  # so that `array * tensor` asks our __rmul__; NumPy would go element by element

    def __init__(self, data, _prev=()):
        self.data = np.array(data, dtype=np.float64)  # a copy: the caller's array stays the caller's
        self.grad = np.zeros(self.data.shape)  # always in the shape of data
        self._prev = tuple(_prev)  # the Tensors this one was computed from
        self._backward = lambda: None  # adds this tensor's share to the grad of each of them

    def __repr__(self):
        return f"Tensor({self.data.tolist()}, grad={self.grad.tolist()})"

    def __add__(self, other):
        """self + other, element by element and with broadcasting; other may be a number or an array."""
        # TODO 2: wrap `other` in a Tensor if it is none. Create `out`, with both inputs in its `_prev`, and
        # its `_backward`, which adds each input's share to that input's grad. Each share must have the
        # shape of its input: unbroadcast it.
        raise NotImplementedError("Tensor.__add__ is still to be written")

    def __mul__(self, other):
        """self * other, element by element and with broadcasting; other may be a number or an array."""
        # TODO 3: the same pattern. The share of each input is the other input's data times out.grad: build
        # that product first, then unbroadcast it.
        raise NotImplementedError("Tensor.__mul__ is still to be written")

    def __matmul__(self, other):
        """self @ other, the matrix product; other may be an array.

        A vector counts as a matrix of one row (on the left) or of one column (on the right). Axes in front of
        the last two are batches: they broadcast.
        """
        # TODO 4: begin with two matrices: the share of A is G @ B.T and that of B is A.T @ G, where G is
        # out.grad. Then vectors (put the axis back that NumPy dropped), then batches (swap the last two
        # axes instead of .T, and unbroadcast).
        raise NotImplementedError("Tensor.__matmul__ is still to be written")

    def sum(self, axis=None, keepdims=False):
        """The sum over all axes, or over `axis`: a number, or a tuple of them."""
        # TODO 5: every element that was summed receives the upstream gradient of its sum. Where an axis is
        # gone, put it back with length 1 (np.expand_dims); broadcasting then does the rest.
        raise NotImplementedError("Tensor.sum is still to be written")

    def tanh(self):
        """The hyperbolic tangent of each element."""
        # TODO 6: the rule of the scalar engine, on whole arrays: (1 - out.data ** 2) times out.grad.
        raise NotImplementedError("Tensor.tanh is still to be written")

    def backward(self):
        """Set the grad of every tensor that self was computed from to the gradient of the sum of self."""
        # TODO 7: sort the graph as in the scalar engine, start with ones in the shape of this tensor's data,
        # and call each `_backward` once, consumers before what they consumed.
        raise NotImplementedError("Tensor.backward is still to be written")

    # Given: these are built from your sum, +, * and @, so they need no rule of their own.

    def mean(self, axis=None, keepdims=False):
        """The mean over all axes, or over `axis`."""
        total = self.sum(axis, keepdims)
        return total * (total.data.size / self.data.size)  # one over how many elements went into each sum

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rmatmul__(self, other):
        return Tensor(other) @ self

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other
