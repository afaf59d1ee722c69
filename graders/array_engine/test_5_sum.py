"""TODO 5: what was summed receives the upstream of its sum, stretched."""

import numpy as np

from handgrad.check import check, near


@check(
    points=1,
    hint=(
        "Each element was added once, so each receives the upstream of the total.",
        "self.grad += out.grad: the one number stretches over the whole array, on top of what is there.",
    ),
)
def test_sum_of_everything(Tensor):
    """x.sum() is one number, and its upstream is added to the grad of every element."""
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    out = x.sum()
    x.grad, out.grad = np.full((2, 3), 100.0), np.array(7.0)

    out._backward()

    assert out.data == near(np.array(21.0))
    assert x.grad == near(np.full((2, 3), 107.0))


@check(
    points=1,
    hint=(
        "The sums of the rows have shape (2,): against the rows of x that stretches along the wrong axis.",
        "Put the summed axis back with length 1: np.expand_dims(out.grad, axis) has shape (2, 1).",
    ),
)
def test_sum_over_one_axis(Tensor):
    """x.sum(axis=1): every element of a row receives the upstream of its row."""
    x = Tensor([[1.0, 2.0], [4.0, 5.0]])
    out = x.sum(axis=1)
    out.grad = np.array([1.0, 10.0])

    out._backward()

    assert out.data == near(np.array([3.0, 9.0]))
    assert x.grad == near(np.array([[1.0, 1.0], [10.0, 10.0]]))


@check(
    points=1,
    hint=(
        "With keepdims=True the axis is still there, with length 1.",
        "Expand only where the axis is gone: `if axis is not None and not keepdims`.",
    ),
)
def test_sum_that_keeps_its_axis(Tensor):
    """x.sum(axis=0, keepdims=True) has shape (1, 3), and its upstream needs no new axis."""
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    out = x.sum(axis=0, keepdims=True)
    out.grad = np.array([[1.0, 10.0, 100.0]])

    out._backward()

    assert out.data == near(np.array([[5.0, 7.0, 9.0]]))
    assert x.grad == near(np.array([[1.0, 10.0, 100.0], [1.0, 10.0, 100.0]]))


@check(
    points=1,
    hint=(
        "`axis` can be several axes, and a negative number counts from the end: for three axes -1 is 2.",
        "NumPy's own sum and expand_dims both take a tuple of axes: hand yours through as it is.",
    ),
)
def test_sum_over_several_axes(Tensor):
    """x.sum(axis=(0, -1)) of a (2, 3, 2) array leaves the middle axis."""
    x = Tensor(np.arange(12.0).reshape(2, 3, 2))
    out = x.sum(axis=(0, -1))
    out.grad = np.array([1.0, 10.0, 100.0])

    out._backward()

    assert out.data == near(np.array([14.0, 22.0, 30.0]))
    assert x.grad == near(np.array([[[1.0, 1.0], [10.0, 10.0], [100.0, 100.0]]] * 2))
