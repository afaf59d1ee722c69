"""A base class that finds parameters by itself, and layers that are called through it."""

import numpy as np


class Module:
    def parameters(self):
        found = []
        for value in vars(self).values():
            if isinstance(value, Tensor):
                found.append(value)
            elif isinstance(value, Module):
                found.extend(value.parameters())
            elif isinstance(value, list):
                for item in value:
                    found.extend(item.parameters())
        return found

    def __call__(self, x):
        return self.forward(x if isinstance(x, Tensor) else Tensor(x))


class Linear(Module):
    def __init__(self, inputs, outputs, seed=0):
        draw = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(seed)
        self.weight = Tensor(draw.standard_normal((inputs, outputs)) * (1 / inputs) ** 0.5)
        self.bias = Tensor(np.zeros((outputs,)))

    def forward(self, x):
        return (x @ self.weight) + self.bias


class MLP(Module):
    def __init__(self, sizes, seed=0):
        draw = np.random.default_rng(seed)
        self.layers = []
        inputs = sizes[0]
        for outputs in sizes[1:]:
            self.layers.append(Linear(inputs, outputs, draw))
            inputs = outputs

    def forward(self, x):
        *hidden, last = self.layers
        for layer in hidden:
            x = layer(x).tanh()
        return last(x)


def mse(predicted, target):
    shape = np.shape(target)
    if shape != predicted.data.shape:
        raise ValueError("shapes")
    error = predicted - Tensor(target)
    return (error * error).mean()


def step(parameters, lr):
    for parameter in parameters:
        np.subtract(parameter.data, lr * parameter.grad, out=parameter.data)
        parameter.grad[...] = 0.0


def fit(model, x, y, lr, steps):
    x, history = Tensor(x), []
    for _ in range(steps):
        loss = mse(model(x), y)
        loss.backward()
        step(model.parameters(), lr)
        history.append(float(loss.data))
    return history


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
        self.grad = np.zeros_like(self.data)  # always in the shape of data
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
