"""Sums written as loops over positions, type hints, a label, and prints: slow and right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def unbroadcast(grad: Array, shape: tuple[int, ...]) -> Array:
    """Add each number of grad at the place it was stretched from."""
    result = np.zeros(shape)
    skipped = grad.ndim - len(shape)
    for position in np.ndindex(*grad.shape):
        place = tuple(0 if n == 1 else p for p, n in zip(position[skipped:], shape))
        result[place] += grad[position]
    return result


class Tensor:
    __array_ufunc__ = None
    data: Array
    grad: Array

    def __init__(self, data: Any, _prev: Iterable[Tensor] = (), label: str = "") -> None:
        self.data = np.array(data, dtype=np.float64)
        self.grad = np.zeros_like(self.data)
        self.label = label
        self._prev: list[Tensor] = []
        for source in _prev:
            if not any(source is known for known in self._prev):
                self._prev.append(source)
        self._backward: Callable[[], None] = lambda: None

    def __repr__(self) -> str:
        return f"<{self.label or 'tensor'} {self.data.shape}>"

    def __add__(self, other: Any) -> Tensor:
        if not isinstance(other, Tensor):
            other = Tensor(other, label="constant")
        out = Tensor(self.data + other.data, [self, other], label="+")

        def add_backward() -> None:
            grad = np.asarray(out.grad)
            self.grad[...] += unbroadcast(grad, self.data.shape)
            other.grad[...] += unbroadcast(grad, other.data.shape)

        out._backward = add_backward
        return out

    def __mul__(self, other: Any) -> Tensor:
        if not isinstance(other, Tensor):
            other = Tensor(other, label="constant")
        out = Tensor(self.data * other.data, [self, other], label="*")

        def multiply_backward() -> None:
            self.grad[...] += unbroadcast(np.asarray(other.data * out.grad), self.data.shape)
            other.grad[...] += unbroadcast(np.asarray(self.data * out.grad), other.data.shape)

        out._backward = multiply_backward
        return out

    def __matmul__(self, other: Any) -> Tensor:
        if not isinstance(other, Tensor):
            other = Tensor(other, label="constant")
        out = Tensor(self.data @ other.data, [self, other], label="@")

        def matmul_backward() -> None:
            if self.data.ndim == other.data.ndim == 1:
                self.grad[...] += other.data * out.grad
                other.grad[...] += self.data * out.grad
            elif self.data.ndim == 1:
                grad = out.grad[..., np.newaxis, :]
                self.grad[...] += unbroadcast(
                    (grad @ other.data.swapaxes(-1, -2))[..., 0, :], self.data.shape
                )
                other.grad[...] += unbroadcast(self.data[:, np.newaxis] * grad, other.data.shape)
            elif other.data.ndim == 1:
                grad = out.grad[..., np.newaxis]
                self.grad[...] += unbroadcast(grad * other.data, self.data.shape)
                other.grad[...] += unbroadcast((self.data.swapaxes(-1, -2) @ grad)[..., 0], other.data.shape)
            else:
                self.grad[...] += unbroadcast(out.grad @ other.data.swapaxes(-1, -2), self.data.shape)
                other.grad[...] += unbroadcast(self.data.swapaxes(-1, -2) @ out.grad, other.data.shape)

        out._backward = matmul_backward
        return out

    def sum(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), [self], label="sum")

        def sum_backward() -> None:
            axes = range(self.data.ndim) if axis is None else (axis if isinstance(axis, tuple) else (axis,))
            grad = np.array(out.grad)
            if not keepdims:
                for a in sorted(a % self.data.ndim for a in axes):
                    grad = np.expand_dims(grad, a)
            self.grad[...] += grad

        out._backward = sum_backward
        return out

    def tanh(self) -> Tensor:
        out = Tensor(np.tanh(self.data), [self], label="tanh")

        def tanh_backward() -> None:
            self.grad[...] += (1 - np.tanh(self.data) ** 2) * out.grad

        out._backward = tanh_backward
        return out

    def backward(self) -> None:
        topo: list[Tensor] = []
        visited: set[int] = set()

        def build(v: Tensor) -> None:
            if id(v) in visited:
                return
            visited.add(id(v))
            for child in v._prev:
                build(child)
            topo.append(v)

        build(self)
        print("walking", len(topo), "tensors")
        self.grad = np.full(self.data.shape, 1.0)
        for v in topo[::-1]:
            v._backward()

    def mean(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """The mean, by a loop over nothing: the sum over how many there were."""
        out = self.sum(axis, keepdims)
        return out * (out.data.size / self.data.size)

    def __radd__(self, other: Any) -> Tensor:
        return self + other

    def __rmul__(self, other: Any) -> Tensor:
        return self * other

    def __rmatmul__(self, other: Any) -> Tensor:
        return Tensor(other) @ self

    def __neg__(self) -> Tensor:
        return self * -1.0

    def __sub__(self, other: Any) -> Tensor:
        return self + -other

    def __rsub__(self, other: Any) -> Tensor:
        return -self + other


if __name__ == "__main__":
    print(Tensor([1.0, 2.0]) + 1)
