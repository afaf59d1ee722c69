"""Training with arrays: layers, a loss and gradient descent, on top of the array engine."""

from itertools import pairwise

import numpy as np


class Linear:
    """A layer: x @ weight + bias, for a batch x with one example in each row."""

    def __init__(self, inputs, outputs, seed=0):
        # TODO 1: make two Tensors. `self.weight` has shape (inputs, outputs) and holds numbers drawn from a
        # normal distribution, divided by the square root of `inputs`; `self.bias` has shape (outputs,) and
        # holds zeros. Draw with np.random.default_rng(seed): the same seed must give the same layer.
        ### BEGIN SOLUTION
        draw = np.random.default_rng(seed)
        self.weight = Tensor(draw.normal(size=(inputs, outputs)) / np.sqrt(inputs))
        self.bias = Tensor(np.zeros(outputs))
        ### END SOLUTION

    def __call__(self, x):
        # TODO 2: one line of mathematics. x may be an array or a Tensor of shape (rows, inputs).
        ### BEGIN SOLUTION
        return x @ self.weight + self.bias
        ### END SOLUTION

    def parameters(self):
        """The Tensors that training may change. Given."""
        return [self.weight, self.bias]


class MLP:
    """Linear layers with tanh between them: MLP([2, 16, 1]) has a layer from 2 to 16 and one from 16 to 1."""

    def __init__(self, sizes, seed=0):
        # TODO 3: put a Linear for each pair of neighbours in `sizes` into the list `self.layers`. Each layer
        # must draw numbers of its own: hand all of them one generator, np.random.default_rng(seed). (A
        # generator may stand wherever a seed may.)
        ### BEGIN SOLUTION
        draw = np.random.default_rng(seed)
        self.layers = [Linear(inputs, outputs, draw) for inputs, outputs in pairwise(sizes)]
        ### END SOLUTION

    def __call__(self, x):
        # TODO 4: send x through the layers, with tanh after each of them but the last.
        ### BEGIN SOLUTION
        for layer in self.layers[:-1]:
            x = layer(x).tanh()
        return self.layers[-1](x)
        ### END SOLUTION

    def parameters(self):
        """The Tensors that training may change, layer by layer. Given."""
        return [parameter for layer in self.layers for parameter in layer.parameters()]


def mse(predicted, target):
    """The mean of the squared errors, as a Tensor without axes. `target` is an array."""
    # TODO 5: subtract, square (a Tensor times itself), and take the mean. First raise a ValueError if the
    # shapes of predicted.data and target differ: (n, 1) minus (n,) would be a table of n times n errors.
    ### BEGIN SOLUTION
    if predicted.data.shape != np.shape(target):
        raise ValueError(f"predicted {predicted.data.shape} and target {np.shape(target)} differ in shape")
    error = predicted - target
    return (error * error).mean()
    ### END SOLUTION


def step(parameters, lr):
    """Move each parameter against its gradient, lr times as far, then set its gradient to zeros."""
    # TODO 6: change the data of each Tensor, and only then reset its grad.
    ### BEGIN SOLUTION
    for parameter in parameters:
        parameter.data -= lr * parameter.grad
        parameter.grad = np.zeros_like(parameter.data)
    ### END SOLUTION


def fit(model, x, y, lr, steps):
    """Train `model` on all rows of x and y, `steps` times. The loss before each step, as a list of floats."""
    # TODO 7: again and again predict, take the mse, call backward on it, and step.
    ### BEGIN SOLUTION
    losses = []
    for _ in range(steps):
        loss = mse(model(x), y)
        loss.backward()
        step(model.parameters(), lr)
        losses.append(float(loss.data))
    return losses
    ### END SOLUTION


def line(rows=100_000):
    """Two columns: x = 0, 1, 2 … and y = x - 1, both divided by 1e5, as in the scalar exercise. Given."""
    x = np.arange(rows, dtype=float)[:, np.newaxis]
    return x / 1e5, (x - 1) / 1e5


def rings(rows=150, seed=0):
    """A disc (class -1) inside a ring (class 1): points (rows, 2) and their classes (rows, 1). Given."""
    draw = np.random.default_rng(seed)
    y = np.where(np.arange(rows) % 2, 1.0, -1.0)
    radius = np.where(y > 0, draw.uniform(1.0, 1.4, rows), draw.uniform(0.0, 0.6, rows))
    angle = draw.uniform(0.0, 2 * np.pi, rows)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1), y[:, np.newaxis]


# Given: the array engine. Once you have passed it, `start` puts your own here.


def unbroadcast(grad, shape):
    """Sum `grad` down to `shape`: over each axis that broadcasting added, and each it stretched.

    An array of shape (3,) that was added to a (2, 3) one was used once per row, so its gradient is the
    sum over the rows. Axes of length 1 stay, with length 1.
    """
    if grad.shape == shape:  # mostly nothing was broadcast
        return grad
    added = grad.ndim - len(shape)
    grad = grad.sum(axis=tuple(range(added)))  # broadcasting adds axes in front, and only there
    stretched = tuple(axis for axis, length in enumerate(shape) if length == 1)
    return grad.sum(axis=stretched, keepdims=True)


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
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data + other.data, (self, other))

        def _backward():
            self.grad += unbroadcast(out.grad, self.data.shape)
            other.grad += unbroadcast(out.grad, other.data.shape)

        out._backward = _backward
        return out

    def __mul__(self, other):
        """self * other, element by element and with broadcasting; other may be a number or an array."""
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data * other.data, (self, other))

        def _backward():
            self.grad += unbroadcast(other.data * out.grad, self.data.shape)
            other.grad += unbroadcast(self.data * out.grad, other.data.shape)

        out._backward = _backward
        return out

    def __matmul__(self, other):
        """self @ other, the matrix product; other may be an array.

        A vector counts as a matrix of one row (on the left) or of one column (on the right). Axes in front of
        the last two are batches: they broadcast.
        """
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data @ other.data, (self, other))

        def _backward():
            left, right, grad = self.data, other.data, out.grad
            if right.ndim == 1:  # NumPy dropped the axis of the one column: put it back
                right, grad = right[:, np.newaxis], np.expand_dims(grad, -1)
            if left.ndim == 1:
                left, grad = left[np.newaxis, :], np.expand_dims(grad, -2)
            to_left = unbroadcast(grad @ right.swapaxes(-1, -2), left.shape)
            to_right = unbroadcast(left.swapaxes(-1, -2) @ grad, right.shape)
            self.grad += to_left.reshape(self.data.shape)
            other.grad += to_right.reshape(other.data.shape)

        out._backward = _backward
        return out

    def sum(self, axis=None, keepdims=False):
        """The sum over all axes, or over `axis`: a number, or a tuple of them."""
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,))

        def _backward():
            grad = out.grad
            if axis is not None and not keepdims:
                grad = np.expand_dims(grad, axis)  # the summed axis again, so that it can stretch
            self.grad += np.broadcast_to(grad, self.data.shape)

        out._backward = _backward
        return out

    def tanh(self):
        """The hyperbolic tangent of each element."""
        out = Tensor(np.tanh(self.data), (self,))

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        """Set the grad of every tensor that self was computed from to the gradient of the sum of self."""
        order, seen = [], set()

        def visit(tensor):
            if tensor not in seen:
                seen.add(tensor)
                for source in tensor._prev:
                    visit(source)
                order.append(tensor)

        visit(self)
        self.grad = np.ones_like(self.data)
        for tensor in reversed(order):
            tensor._backward()

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
