"""TODO 2: a sum hands the upstream gradient on, unbroadcast. No check here calls `backward`."""

import numpy as np

from handgrad.check import check, near, read, there


@check(
    points=1,
    hint=(
        "A sum passes the upstream gradient on, unchanged, to both inputs.",
        "In _backward: self.grad += unbroadcast(out.grad, self.data.shape), and the same for other.",
    ),
)
def test_add_passes_the_upstream_on(Tensor):
    """a + b sends the upstream gradient to both inputs."""
    a = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    b = Tensor([[0.5, 0.5, 0.5], [-2.0, -2.0, -2.0]])
    out = a + b
    out.grad = np.array([[1.0, -1.0, 2.0], [3.0, 0.0, 7.0]])

    out._backward()

    assert out.data == near(np.array([[1.5, 2.5, 3.5], [2.0, 3.0, 4.0]]))
    assert a.grad == near(np.array([[1.0, -1.0, 2.0], [3.0, 0.0, 7.0]]))
    assert b.grad == near(np.array([[1.0, -1.0, 2.0], [3.0, 0.0, 7.0]]))


@check(
    points=1,
    hint=(
        "The bias has shape (3,), so its gradient must have shape (3,).",
        "It was added to two rows: its gradient is the sum of the two rows of the upstream.",
        "Use your unbroadcast on out.grad before you add it to a grad.",
    ),
)
def test_add_sums_the_gradient_of_a_bias(Tensor):
    """A bias of shape (3,) added to the rows of a (2, 3) array receives the sum of the rows."""
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    bias = Tensor([10.0, 20.0, 30.0])
    out = x + bias
    out.grad = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    out._backward()

    assert bias.grad == near(np.array([5.0, 7.0, 9.0]))
    assert x.grad == near(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))


@check(
    points=1,
    hint=(
        "Here a (1, 3) row meets a (2, 1) column: both are stretched, each along another axis.",
        "Unbroadcast the share of `other` and that of `self`: either side can be the small one.",
    ),
)
def test_add_stretches_both_sides(Tensor):
    """A (1, 3) row plus a (2, 1) column: each gradient is summed along its own stretched axis."""
    row = Tensor([[1.0, 2.0, 3.0]])
    column = Tensor([[10.0], [20.0]])
    out = row + column
    out.grad = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    out._backward()

    assert row.grad == near(np.array([[5.0, 7.0, 9.0]]))
    assert column.grad == near(np.array([[6.0], [15.0]]))


@check(
    points=1,
    hint=(
        "The small array may also stand on the left.",
        "Unbroadcast the share of `self` too, not only that of `other`.",
    ),
)
def test_add_reduces_the_left_side_too(Tensor):
    """With the small array on the left, its gradient is summed as well."""
    bias = Tensor([10.0, 20.0, 30.0])
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    out = bias + x
    out.grad = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    out._backward()

    assert bias.grad == near(np.array([5.0, 7.0, 9.0]))


@check(
    points=1,
    hint=(
        "In `a + a` the same tensor stands on both sides; each side sends the upstream once.",
        "Add to grad with +=; with = the second line erases what the first one wrote.",
    ),
)
def test_add_of_a_tensor_to_itself_counts_twice(Tensor):
    """a + a sends the upstream twice."""
    a = Tensor([1.0, 2.0, 3.0])
    out = a + a
    out.grad = np.array([1.0, -2.0, 5.0])

    out._backward()

    assert a.grad == near(np.array([2.0, -4.0, 10.0]))


@check(
    points=1,
    hint=(
        "The other operand may be a number, a list or a NumPy array.",
        "Wrap it first: other if isinstance(other, Tensor) else Tensor(other).",
    ),
)
def test_add_wraps_plain_numbers_and_arrays(Tensor):
    """a + 1 and a + array work, and a still receives its gradient."""
    a = Tensor([[1.0, 2.0, 3.0]])
    moved = a + 1
    out = a + np.array([[10.0], [20.0]])
    out.grad = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    out._backward()

    assert moved.data == near(np.array([[2.0, 3.0, 4.0]]))
    assert out.data == near(np.array([[11.0, 12.0, 13.0], [21.0, 22.0, 23.0]]))
    assert a.grad == near(np.array([[5.0, 7.0, 9.0]]))


@check(
    points=1,
    hint=(
        "The upstream array belongs to the result; several inputs may receive it.",
        "`self.grad = out.grad` makes both names mean one array, which += then changes for both.",
    ),
)
def test_rules_leave_the_upstream_alone(Tensor):
    """A rule reads the upstream gradient, and never changes it or keeps it as its own."""
    upstream = there(np.array([[1.0, 2.0], [3.0, 4.0]]))
    a, b = Tensor([[1.0, 1.0], [1.0, 1.0]]), Tensor([[2.0, 2.0], [2.0, 2.0]])
    first, second = a + b, a + a
    first.grad = upstream
    second.grad = np.array([[10.0, 10.0], [10.0, 10.0]])
    first._backward()

    second._backward()

    assert read(upstream) == near(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert a.grad == near(np.array([[21.0, 22.0], [23.0, 24.0]]))
    assert b.grad == near(np.array([[1.0, 2.0], [3.0, 4.0]]))
