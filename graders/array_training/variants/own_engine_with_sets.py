"""A learner's own engine carried over: sets and a stack; a layer draws uniform numbers."""

import numpy as np


def unbroadcast(grad, shape):
    grad = np.asarray(grad)
    axes = list(range(grad.ndim - len(shape)))
    axes += [len(axes) + i for i, n in enumerate(shape) if n == 1]
    return np.add.reduce(grad, axis=tuple(axes), keepdims=True).reshape(shape)


class Tensor:
    __array_ufunc__ = None

    def __init__(self, data, _prev=()):
        self.data = np.array(data, dtype=float)
        self.grad = np.zeros(self.data.shape)
        self._prev = frozenset(_prev)
        self._backward = lambda: None

    @staticmethod
    def wrap(thing):
        return thing if isinstance(thing, Tensor) else Tensor(thing)

    def __add__(self, other):
        other = Tensor.wrap(other)
        result = Tensor(self.data + other.data, {self, other})

        def rule():
            for source in (self, other):
                source.grad = source.grad + unbroadcast(result.grad, source.data.shape)

        result._backward = rule
        return result

    def __mul__(self, other):
        other = Tensor.wrap(other)
        result = Tensor(self.data * other.data, {self, other})

        def rule():
            for source, factor in ((self, other), (other, self)):
                source.grad = source.grad + unbroadcast(factor.data * result.grad, source.data.shape)

        result._backward = rule
        return result

    def __matmul__(self, other):
        other = Tensor.wrap(other)
        result = Tensor(np.matmul(self.data, other.data), {self, other})

        def rule():
            left = self.data if self.data.ndim > 1 else self.data.reshape(1, -1)
            right = other.data if other.data.ndim > 1 else other.data.reshape(-1, 1)
            batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
            upstream = np.reshape(result.grad, (*batch, left.shape[-2], right.shape[-1]))
            for_left = np.einsum("...ik,...jk->...ij", upstream, right)
            for_right = np.einsum("...ij,...ik->...jk", left, upstream)
            self.grad = self.grad + unbroadcast(for_left, left.shape).reshape(self.data.shape)
            other.grad = other.grad + unbroadcast(for_right, right.shape).reshape(other.data.shape)

        result._backward = rule
        return result

    def sum(self, axis=None, keepdims=False):
        result = Tensor(np.sum(self.data, axis=axis, keepdims=keepdims), {self})
        kept = np.sum(self.data, axis=axis, keepdims=True).shape

        def rule():
            self.grad = self.grad + np.broadcast_to(np.reshape(result.grad, kept), self.data.shape)

        result._backward = rule
        return result

    def tanh(self):
        result = Tensor(np.tanh(self.data), {self})

        def rule():
            self.grad = self.grad + result.grad / np.cosh(self.data) ** 2

        result._backward = rule
        return result

    def backward(self):
        done, ordered, stack = set(), [], [(self, False)]
        while stack:
            tensor, inputs_done = stack.pop()
            if inputs_done:
                ordered.append(tensor)
            elif tensor not in done:
                done.add(tensor)
                stack.append((tensor, True))
                stack.extend((source, False) for source in tensor._prev)
        self.grad = np.ones(self.data.shape)
        while ordered:
            ordered.pop()._backward()

    def mean(self, axis=None, keepdims=False):
        total = self.sum(axis=axis, keepdims=keepdims)
        return total * (np.size(total.data) / np.size(self.data))

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


class Linear:
    def __init__(self, inputs, outputs, seed=0):
        generator = np.random.default_rng(seed)
        bound = np.sqrt(3.0 / inputs)
        self.weight = Tensor(generator.uniform(-bound, bound, (inputs, outputs)))
        self.bias = Tensor([0.0] * outputs)

    def __call__(self, x):
        return self.bias + x @ self.weight

    def parameters(self):
        return [self.weight, self.bias]


class MLP:
    def __init__(self, sizes, seed=0):
        self.layers = [Linear(sizes[i], sizes[i + 1], seed=1000 * seed + i) for i in range(len(sizes) - 1)]

    def __call__(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i + 1 < len(self.layers):
                x = x.tanh()
        return x

    def parameters(self):
        return [parameter for layer in self.layers for parameter in layer.parameters()]


def mse(predicted, target):
    target = np.asarray(target)
    if predicted.data.shape != target.shape:
        raise ValueError(f"{predicted.data.shape} is not {target.shape}")
    difference = predicted - target
    return (difference * difference).sum() * (1.0 / target.size)


def step(parameters, lr):
    for parameter in parameters:
        parameter.data = parameter.data - lr * parameter.grad
    for parameter in parameters:
        parameter.grad = np.zeros(parameter.data.shape)


def fit(model, x, y, lr, steps):
    parameters = model.parameters()
    losses = []
    while len(losses) < steps:
        loss = mse(model(x), y)
        loss.backward()
        losses.append(loss.data.item())
        step(parameters, lr)
    return losses
