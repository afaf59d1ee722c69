"""An engine of operations as classes, with slots; layers in a tuple."""

from functools import partial
import numpy as np


class Add:
    def forward(self, a, b):
        return a + b

    def backward(self, grad):
        return grad, grad


class Multiply:
    def forward(self, a, b):
        self.factors = a, b
        return a * b

    def backward(self, grad):
        a, b = self.factors
        return b * grad, a * grad


class Matmul:
    def forward(self, a, b):
        self.shapes = a.shape, b.shape
        self.a = a.reshape(1, *a.shape) if a.ndim == 1 else a
        self.b = b.reshape(*b.shape, 1) if b.ndim == 1 else b
        self.full = self.a @ self.b
        return a @ b

    def backward(self, grad):
        grad = np.reshape(grad, self.full.shape)
        to_a = unbroadcast(grad @ self.b.swapaxes(-2, -1), self.a.shape)
        to_b = unbroadcast(self.a.swapaxes(-2, -1) @ grad, self.b.shape)
        return to_a.reshape(self.shapes[0]), to_b.reshape(self.shapes[1])


class Sum:
    def __init__(self, axis, keepdims):
        self.axis, self.keepdims = axis, keepdims

    def forward(self, x):
        self.shape = x.shape
        self.kept = x.sum(axis=self.axis, keepdims=True).shape
        return x.sum(axis=self.axis, keepdims=self.keepdims)

    def backward(self, grad):
        return (np.ones(self.shape) * np.reshape(grad, self.kept),)


class Tanh:
    def forward(self, x):
        self.y = 2 / (1 + np.exp(-2 * x)) - 1
        return self.y

    def backward(self, grad):
        return (grad * (1 + self.y) * (1 - self.y),)


def unbroadcast(grad, shape):
    padded = (1,) * (np.ndim(grad) - len(shape)) + tuple(shape)
    for axis, (have, want) in enumerate(zip(np.shape(grad), padded)):
        if have != want:
            grad = np.sum(grad, axis=axis, keepdims=True)
    return np.reshape(grad, shape)


class Node:
    __slots__ = ("_backward", "_prev")


class Tensor(Node):
    __slots__ = ("_data", "_grad")
    __array_ufunc__ = None

    def __init__(self, data, _prev=()):
        self._data = np.array(data, dtype="float64")
        self._grad = np.zeros_like(self._data)
        self._prev = tuple(_prev)
        self._backward = bool

    @property
    def data(self):
        return self._data

    @data.setter
    def data(self, value):
        self._data = np.array(value, dtype="float64")

    @property
    def grad(self):
        return self._grad

    @grad.setter
    def grad(self, value):
        self._grad = np.array(value, dtype="float64")

    @property
    def shape(self):
        return self._data.shape

    def _share(self, operation, inputs):
        for tensor, share in zip(inputs, operation.backward(self._grad)):
            tensor._grad += unbroadcast(share, tensor.shape)

    @classmethod
    def _apply(cls, operation, *inputs):
        inputs = [x if isinstance(x, cls) else cls(x) for x in inputs]
        out = cls(operation.forward(*(x._data for x in inputs)), inputs)
        out._backward = partial(out._share, operation, inputs)
        return out

    def __add__(self, other):
        return self._apply(Add(), self, other)

    def __mul__(self, other):
        return self._apply(Multiply(), self, other)

    def __matmul__(self, other):
        return self._apply(Matmul(), self, other)

    def sum(self, axis=None, keepdims=False):
        return self._apply(Sum(axis, keepdims), self)

    def tanh(self):
        return self._apply(Tanh(), self)

    def mean(self, axis=None, keepdims=False):
        total = self.sum(axis, keepdims)
        return total * (total.data.size / self.data.size)

    def backward(self):
        waiting = {}

        def count(node):
            for source in node._prev:
                waiting[source] = waiting.get(source, 0) + 1
                if waiting[source] == 1:
                    count(source)

        count(self)
        self._grad = np.ones(self.shape)
        ready = [self]
        while ready:
            node = ready.pop()
            node._backward()
            for source in node._prev:
                waiting[source] -= 1
                if not waiting[source]:
                    ready.append(source)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rmatmul__(self, other):
        return self._apply(Matmul(), other, self)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)


class Linear:
    __slots__ = ("bias", "weight")

    def __init__(self, inputs: int, outputs: int, seed=0) -> None:
        rng = np.random.default_rng(seed)
        self.weight = Tensor(rng.normal(size=(inputs, outputs)) * inputs**-0.5)
        self.bias = Tensor(np.zeros(outputs))

    def __call__(self, x):
        return Tensor._apply(Add(), Tensor._apply(Matmul(), x, self.weight), self.bias)

    def parameters(self):
        return [self.weight, self.bias]


class MLP:
    def __init__(self, sizes, seed=0) -> None:
        rng = np.random.default_rng(seed)
        self.layers = tuple(Linear(m, n, rng) for m, n in zip(sizes, sizes[1:]))

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = layer(x).tanh()
        return self.layers[-1](x)

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


def mse(predicted, target):
    target = Tensor(target)
    if predicted.shape != target.shape:
        raise ValueError("shapes differ")
    error = predicted - target
    return (error * error).mean()


def step(parameters, lr):
    for p in parameters:
        p.data[...] = p.data - lr * p.grad
        p.grad = np.zeros(p.shape)


def fit(model, x, y, lr, steps):
    losses = []
    for _ in range(steps):
        loss = mse(model(x), y)
        loss.backward()
        step(model.parameters(), lr)
        losses.append(loss.data.item())
    return losses


if __name__ == "__main__":
    print(fit(Linear(1, 1), [[1.0]], [[2.0]], 0.1, 3))
