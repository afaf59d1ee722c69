"""Methods are functions that are put on the class after it is made."""

import math


class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_prev)
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)


def wrapped(thing):
    return thing if isinstance(thing, Value) else Value(thing)


def plus(left, right):
    right = wrapped(right)
    total = Value(left.data + right.data, (left, right))

    def send():
        left.grad += total.grad
        right.grad += total.grad

    total._backward = send
    return total


def times(left, right):
    right = wrapped(right)
    product = Value(left.data * right.data, (left, right))

    def send():
        left.grad += right.data * product.grad
        right.grad += left.data * product.grad

    product._backward = send
    return product


def squash(value):
    result = Value(math.tanh(value.data), (value,))

    def send():
        value.grad += (1 - result.data**2) * result.grad

    result._backward = send
    return result


def differentiate(root):
    sequence, known = [], set()

    def explore(value):
        if value not in known:
            known.add(value)
            for source in value._prev:
                explore(source)
            sequence.append(value)

    explore(root)
    root.grad = 1.0
    for value in sequence[::-1]:
        value._backward()


Value.__add__, Value.__mul__, Value.tanh, Value.backward = plus, times, squash, differentiate
