"""A weight that training may change is a Tensor: a plain array has no gradient.

fails: test_linear_has_a_weight_and_a_bias, test_linear_draws_from_its_seed,
    test_linear_draws_numbers_of_the_right_size, test_linear_multiplies_and_adds,
    test_linear_passes_gradients_on, test_mlp_layers_draw_numbers_of_their_own,
    test_mlp_has_tanh_between_its_layers, test_mlp_gradients_agree_with_finite_differences,
    test_fit_takes_one_step, test_fit_goes_downhill, test_fit_finds_the_line, test_fit_finds_a_plane,
    test_fit_tells_a_disc_from_a_ring, test_fit_gives_the_same_losses_again, test_fit_leaves_the_data_alone
"""

import numpy as np


class Linear:
    def __init__(self, inputs, outputs, seed=0):
        draw = np.random.default_rng(seed)
        self.weight = draw.normal(size=(inputs, outputs)) / inputs**0.5
        self.bias = np.zeros(outputs)

    def __call__(self, x):
        return x @ self.weight + self.bias

    def parameters(self):
        return [self.weight, self.bias]


class MLP:
    def __init__(self, sizes, seed=0):
        draw = np.random.default_rng(seed)
        self.layers = []
        for i in range(len(sizes) - 1):
            self.layers.append(Linear(sizes[i], sizes[i + 1], draw))

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = layer(x).tanh()
        return self.layers[-1](x)

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


def mse(predicted, target):
    if predicted.data.shape != np.shape(target):
        raise ValueError("the shapes differ")
    error = predicted - target
    return (error * error).mean()


def step(parameters, lr):
    for p in parameters:
        p.data -= lr * p.grad
        p.grad = np.zeros_like(p.data)


def fit(model, x, y, lr, steps):
    losses = []
    for _ in range(steps):
        loss = mse(model(x), y)
        loss.backward()
        step(model.parameters(), lr)
        losses.append(float(loss.data))
    return losses


def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad


class Tensor:
    __array_ufunc__ = None

    def __init__(self, data, _prev=()):
        self.data = np.array(data, dtype=np.float64)
        self.grad = np.zeros_like(self.data)
        self._prev = tuple(_prev)
        self._backward = lambda: None

    def __repr__(self):
        return f"Tensor({self.data.tolist()}, grad={self.grad.tolist()})"

    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data + other.data, (self, other))

        def _backward():
            self.grad += unbroadcast(out.grad, self.data.shape)
            other.grad += unbroadcast(out.grad, other.data.shape)

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data * other.data, (self, other))

        def _backward():
            self.grad += unbroadcast(other.data * out.grad, self.data.shape)
            other.grad += unbroadcast(self.data * out.grad, other.data.shape)

        out._backward = _backward
        return out

    def __matmul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data @ other.data, (self, other))

        def _backward():
            a, b, g = self.data, other.data, out.grad
            if b.ndim == 1:
                b, g = b[:, None], np.expand_dims(g, -1)
            if a.ndim == 1:
                a, g = a[None, :], np.expand_dims(g, -2)
            to_a = unbroadcast(g @ np.swapaxes(b, -1, -2), a.shape)
            to_b = unbroadcast(np.swapaxes(a, -1, -2) @ g, b.shape)
            self.grad += to_a.reshape(self.data.shape)
            other.grad += to_b.reshape(other.data.shape)

        out._backward = _backward
        return out

    def sum(self, axis=None, keepdims=False):
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,))

        def _backward():
            g = out.grad
            if axis is not None and not keepdims:
                g = np.expand_dims(g, axis)
            self.grad += np.ones_like(self.data) * g

        out._backward = _backward
        return out

    def tanh(self):
        out = Tensor(np.tanh(self.data), (self,))

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def backward(self):
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
