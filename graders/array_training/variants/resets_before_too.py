"""Gradients are set to zeros before each backward as well, and losses are NumPy numbers."""

import numpy as np


def zero(parameters):
    for parameter in parameters:
        parameter.grad = parameter.data * 0.0


class Linear:
    def __init__(self, inputs, outputs, seed=0):
        draw = np.random.default_rng(seed)
        self.inputs, self.outputs = inputs, outputs
        self.weight = Tensor(draw.normal(0.0, inputs**-0.5, (inputs, outputs)))
        self.bias = Tensor(np.zeros(outputs))

    def __repr__(self):
        return f"Linear({self.inputs}, {self.outputs})"

    def __call__(self, x):
        out = x @ self.weight
        return out + self.bias

    def parameters(self):
        return [self.weight, self.bias]


class MLP:
    def __init__(self, sizes, seed=0):
        draw = np.random.default_rng(seed)
        self.layers = [Linear(a, b, draw) for a, b in zip(sizes, sizes[1:])]

    def __call__(self, x):
        x = self.layers[0](x)
        for layer in self.layers[1:]:
            x = layer(x.tanh())
        return x

    def parameters(self):
        return sum((layer.parameters() for layer in self.layers), [])


def mse(predicted, target):
    if np.shape(predicted.data) != np.shape(target):
        raise ValueError(f"{np.shape(predicted.data)} against {np.shape(target)}")
    return ((predicted - target) ** 2).mean()


def step(parameters, lr):
    for parameter in parameters:
        parameter.data += -lr * parameter.grad
    zero(parameters)


def fit(model, x, y, lr, steps):
    losses = np.zeros(steps)
    for i in range(steps):
        zero(model.parameters())
        loss = mse(model(x), y)
        loss.backward()
        step(model.parameters(), lr)
        losses[i] = loss.data
    return list(losses)


def unbroadcast(grad, shape):
    """Sum `grad` down to `shape`: over each axis that broadcasting added, and each it stretched.

    An array of shape (3,) that was added to a (2, 3) one was used once per row, so its gradient is the
    sum over the rows. Axes of length 1 stay, with length 1.
    """
    added = grad.ndim - len(shape)
    grad = grad.sum(axis=tuple(range(added)))  # broadcasting adds axes in front, and only there
    stretched = tuple(axis for axis, length in enumerate(shape) if length == 1)
    return grad.sum(axis=stretched, keepdims=True)


class Tensor:
    count = 0

    """An array, the gradient of the final result with respect to it, and what it was computed from."""

    __array_ufunc__ = None  # so that `array * tensor` asks our __rmul__; NumPy would go element by element

    def __init__(self, data, _prev=()):
        self.data = np.array(data, dtype=np.float64)  # a copy: the caller's array stays the caller's
        self.grad = np.zeros_like(self.data)  # always in the shape of data
        self.name = None
        self.requires_grad = True
        Tensor.count += 1
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
        self.grad[...] = 1.0
        for tensor in reversed(order):
            tensor._backward()

    def exp(self):
        out = Tensor(np.exp(self.data), (self,))

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, exponent):
        out = Tensor(self.data**exponent, (self,))

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out

    @property
    def T(self):
        out = Tensor(self.data.T, (self,))

        def _backward():
            self.grad += out.grad.T

        out._backward = _backward
        return out

    def zero_grad(self):
        self.grad[...] = 0.0

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
