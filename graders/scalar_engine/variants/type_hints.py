"""Annotated throughout."""

from __future__ import annotations

import math
from typing import Callable, Iterable, Union

Number = Union[int, float]


class Value:
    """A number in a graph."""

    data: float
    grad: float
    _prev: tuple[Value, ...]
    _backward: Callable[[], None]

    def __init__(self, data: Number, _prev: Iterable[Value] = ()) -> None:
        self.data = float(data)
        self.grad = 0.0
        self._prev = tuple(_prev)
        self._backward = lambda: None

    def __repr__(self) -> str:
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other: Value | Number) -> Value:
        right: Value = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + right.data, (self, right))

        def _backward() -> None:
            self.grad += out.grad
            right.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other: Value | Number) -> Value:
        right: Value = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * right.data, (self, right))

        def _backward() -> None:
            self.grad += right.data * out.grad
            right.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self) -> Value:
        out = Value(math.tanh(self.data), (self,))

        def _backward() -> None:
            self.grad += (1.0 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def backward(self) -> None:
        order: list[Value] = []
        seen: set[Value] = set()

        def visit(value: Value) -> None:
            if value not in seen:
                seen.add(value)
                for source in value._prev:
                    visit(source)
                order.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(order):
            value._backward()

    def __radd__(self, other: Number) -> Value:
        return self + other

    def __rmul__(self, other: Number) -> Value:
        return self * other

    def __neg__(self) -> Value:
        return self * -1

    def __sub__(self, other: Value | Number) -> Value:
        return self + (-other)
