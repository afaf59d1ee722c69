"""Small functions do the work; the activation can be chosen; a bias is a row until it is stored."""

import numpy as np


from itertools import pairwise


def tanh(x):
    return x.tanh()


def drawn(shape, generator):
    return generator.normal(scale=1 / np.sqrt(shape[0]), size=shape)


def square(x):
    return x * x


class Linear:
    def __init__(self, inputs, outputs, seed=0):
        self.weight = Tensor(drawn((inputs, outputs), np.random.default_rng(seed)))
        self.bias = Tensor(np.zeros((1, outputs)).ravel())

    def __call__(self, x):
        return affine(x, self.weight, self.bias)

    def parameters(self):
        return [self.weight, self.bias]


def affine(x, weight, bias):
    return x @ weight + bias


class MLP:
    def __init__(self, sizes, seed=0, activation=tanh):
        generator = np.random.default_rng(seed)
        self.activation = activation
        self.layers = [Linear(*pair, seed=generator) for pair in pairwise(sizes)]

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = self.activation(layer(x))
        return self.layers[-1](x)

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


def check_shapes(a, b):
    if a != b:
        raise ValueError(f"{a} is not {b}")


def mse(predicted, target):
    check_shapes(predicted.data.shape, np.shape(target))
    return square(predicted + -1.0 * np.asarray(target)).mean()


def step(parameters, lr):
    def moved(parameter):
        return parameter.data - lr * parameter.grad

    for parameter in parameters:
        parameter.data = moved(parameter)
        parameter.grad = np.zeros_like(parameter.data)


def loss_of(model, x, y):
    return mse(model(x), y)


def fit(model, x, y, lr, steps):
    def one_step():
        loss = loss_of(model, x, y)
        loss.backward()
        step(model.parameters(), lr)
        return float(loss.data)

    return [one_step() for _ in range(steps)]


def unbroadcast(grad, shape):
    if grad.shape == shape:
        return grad
    extra = grad.ndim - len(shape)
    return grad.sum(
        axis=tuple(range(extra)) + tuple(extra + i for i in range(len(shape)) if shape[i] == 1)
    ).reshape(shape)


class Tensor:
    __array_ufunc__ = None

    def __init__(self, data, _prev=(), _shares=()):
        self.data = np.array(data, dtype=np.float64)
        self._grad = None
        self._prev = tuple(_prev)
        self._shares = tuple(_shares)

    @property
    def grad(self):
        return np.zeros(self.data.shape) if self._grad is None else self._grad

    @grad.setter
    def grad(self, value):
        self._grad = value

    def _backward(self):
        for source, share in zip(self._prev, self._shares):
            source.grad = source.grad + unbroadcast(share(np.asarray(self.grad)), source.data.shape)

    def __add__(self, other):
        other = _wrap(other)
        return Tensor(self.data + other.data, (self, other), (lambda g: g, lambda g: g))

    def __mul__(self, other):
        other = _wrap(other)
        return Tensor(
            self.data * other.data, (self, other), (lambda g: g * other.data, lambda g: g * self.data)
        )

    def __matmul__(self, other):
        other = _wrap(other)
        a, b = self.data, other.data
        rows, columns = np.atleast_2d(a), b if b.ndim > 1 else b.reshape(-1, 1)

        def full(g):
            g = g if b.ndim > 1 else g[..., None]
            return g if a.ndim > 1 else np.expand_dims(g, -2)

        def left(g):
            return unbroadcast(full(g) @ columns.swapaxes(-1, -2), rows.shape).reshape(a.shape)

        def right(g):
            return unbroadcast(rows.swapaxes(-1, -2) @ full(g), columns.shape).reshape(b.shape)

        return Tensor(a @ b, (self, other), (left, right))

    def sum(self, axis=None, keepdims=False):
        def back(g):
            if axis is not None and not keepdims:
                g = np.expand_dims(g, axis)
            return np.broadcast_to(g, self.data.shape)

        return Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,), (back,))

    def tanh(self):
        y = np.tanh(self.data)
        return Tensor(y, (self,), (lambda g: g * (1 - y * y),))

    def backward(self):
        ordered, seen = [], set()

        def walk(tensor):
            seen.add(id(tensor))
            for source in tensor._prev:
                if id(source) not in seen:
                    walk(source)
            ordered.insert(0, tensor)

        walk(self)
        self.grad = np.ones_like(self.data)
        for tensor in ordered:
            tensor._backward()

    def mean(self, axis=None, keepdims=False):
        total = self.sum(axis, keepdims)
        return total * (total.data.size / self.data.size)

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


def _wrap(other):
    return other if isinstance(other, Tensor) else Tensor(other)
