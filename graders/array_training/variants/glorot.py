"""Another way to draw weights, by inputs and outputs together; the loss is printed now and then."""

import heapq
import itertools
import numpy as np


class Linear:
    def __init__(self, inputs, outputs, seed=0):
        draw = np.random.default_rng(seed)
        spread = np.sqrt(2 / (inputs + outputs))
        self.weight = Tensor(spread * draw.normal(size=(inputs, outputs)))
        self.bias = Tensor(np.zeros(outputs))

    def __call__(self, x):
        return x @ self.weight + self.bias

    def parameters(self):
        return [self.weight, self.bias]


class MLP:
    def __init__(self, sizes, seed=0):
        seeds = np.random.SeedSequence(seed).spawn(len(sizes) - 1)
        self.layers = [Linear(m, n, s) for m, n, s in zip(sizes[:-1], sizes[1:], seeds)]

    def __call__(self, x):
        return self.run(self.layers, x)

    def run(self, layers, x):
        first, *rest = layers
        return self.run(rest, first(x).tanh()) if rest else first(x)

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


def mse(predicted, target):
    if predicted.data.shape != np.shape(target):
        raise ValueError("predicted and target differ in shape")
    error = target - predicted
    return (error * error).mean()


def step(parameters, lr):
    for p in parameters:
        p.data, p.grad = p.data - lr * p.grad, np.zeros_like(p.grad)


def fit(model, x, y, lr, steps):
    losses = []
    for i in range(steps):
        loss = mse(model(x), y)
        loss.backward()
        step(model.parameters(), lr)
        losses.append(float(loss.data))
        if i % 100 == 0:
            print(f"step {i}: loss {losses[-1]:.6f}")
    return losses


birthdays = itertools.count()


def unbroadcast(grad, shape):
    def wanted(axis):
        position = axis - (np.ndim(grad) - len(shape))
        return position < 0 or shape[position] == 1

    axes = tuple(filter(wanted, range(np.ndim(grad))))
    return np.sum(grad, axis=axes).reshape(shape)


class Tensor:
    __array_ufunc__ = None
    __array_priority__ = 1000

    def __init__(self, data, _prev=(), _rule=None):
        self.data = np.asarray(data, dtype=np.float64)
        self.grad = np.zeros(np.shape(self.data))
        self._prev = list(_prev)
        self._backward = _rule or (lambda: None)
        self.birthday = next(birthdays)

    def _make(self, data, sources, shares):
        out = Tensor(data, sources)

        def _backward():
            for source, share in zip(sources, shares(out.grad)):
                source.grad = source.grad + unbroadcast(share, source.data.shape)

        out._backward = _backward
        return out

    def __add__(self, other):
        other = as_tensor(other)
        return self._make(self.data + other.data, (self, other), lambda g: (g, g))

    def __mul__(self, other):
        other = as_tensor(other)
        return self._make(self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data))

    def __matmul__(self, other):
        other = as_tensor(other)
        a, b = self.data, other.data
        left = a if a.ndim > 1 else a[None]
        right = b if b.ndim > 1 else b[:, None]
        product = left @ right
        out = Tensor(product.reshape((a @ b).shape), (self, other))

        def _backward():
            g = np.asarray(out.grad).reshape(product.shape)
            self.grad = self.grad + unbroadcast(g @ np.moveaxis(right, -1, -2), left.shape).reshape(a.shape)
            other.grad = other.grad + unbroadcast(np.moveaxis(left, -1, -2) @ g, right.shape).reshape(b.shape)

        out._backward = _backward
        return out

    def sum(self, axis=None, keepdims=False):
        axes = range(self.data.ndim) if axis is None else np.atleast_1d(axis)
        gone = {int(a) % self.data.ndim for a in axes}
        shape = [1 if i in gone else n for i, n in enumerate(self.data.shape)]
        return self._make(
            self.data.sum(axis=axis, keepdims=keepdims),
            (self,),
            lambda g: (
                np.tile(np.reshape(g, shape), [n if i in gone else 1 for i, n in enumerate(self.data.shape)]),
            ),
        )

    def tanh(self):
        e = np.exp(2 * self.data)
        t = (e - 1) / (e + 1)
        return self._make(t, (self,), lambda g: (g - g * t * t,))

    def backward(self):
        self.grad = self.grad * 0 + 1
        heap, known = [(-self.birthday, self)], {id(self)}
        while heap:
            _, tensor = heapq.heappop(heap)
            tensor._backward()
            for source in tensor._prev:
                if id(source) not in known:
                    known.add(id(source))
                    heapq.heappush(heap, (-source.birthday, source))

    def mean(self, axis=None, keepdims=False):
        total = self.sum(axis, keepdims)
        return total * (total.data.size / self.data.size)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rmatmul__(self, other):
        return as_tensor(other) @ self

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other


def as_tensor(thing):
    if isinstance(thing, Tensor):
        return thing
    return Tensor(thing)
