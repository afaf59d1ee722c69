"""TODO 3: first the product rule in the full shape, then the sum down to the input's shape."""

import numpy as np

from handgrad.check import check, near


@check(
    points=1,
    hint=(
        "The share of each factor is the other factor times the upstream, element by element.",
        "self.grad += unbroadcast(other.data * out.grad, self.data.shape)",
    ),
)
def test_mul_uses_the_other_factor(Tensor):
    """a * b sends the other factor times the upstream to each input."""
    a = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    b = Tensor([[2.0, 0.5, -1.0], [3.0, 1.0, 4.0]])
    out = a * b
    out.grad = np.array([[1.0, -1.0, 2.0], [3.0, 0.0, 7.0]])

    out._backward()

    assert out.data == near(np.array([[2.0, 1.0, -3.0], [12.0, 5.0, 24.0]]))
    assert a.grad == near(np.array([[2.0, -0.5, -2.0], [9.0, 0.0, 28.0]]))
    assert b.grad == near(np.array([[1.0, -2.0, 6.0], [12.0, 0.0, 42.0]]))


@check(
    points=1,
    hint=(
        "Each of the two numbers of the column multiplied three elements.",
        "First the product rule in the full shape, then the sum: unbroadcast(self.data * out.grad, ...).",
    ),
)
def test_mul_by_a_column_sums_after_the_product(Tensor):
    """(2, 3) * (2, 1): the products are formed first, then summed over the stretched axis."""
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    column = Tensor([[10.0], [-1.0]])
    out = x * column
    out.grad = np.array([[1.0, 2.0, 3.0], [-1.0, 0.0, 2.0]])

    out._backward()

    assert column.grad == near(np.array([[14.0], [8.0]]))
    assert x.grad == near(np.array([[10.0, 20.0, 30.0], [1.0, 0.0, -2.0]]))


@check(
    points=1,
    hint=(
        "A tensor without axes holds one number; it multiplied every element of the other.",
        "unbroadcast(..., ()) must give a single number: sum everything.",
    ),
)
def test_mul_by_a_tensor_without_axes(Tensor):
    """A 0-d tensor times a (2, 3) one receives one number: the sum of all products."""
    scale = Tensor(3.0)
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    out = scale * x
    out.grad = np.array([[1.0, 0.0, 2.0], [0.0, -1.0, 1.0]])

    out._backward()

    assert scale.grad == near(np.array(8.0))
    assert x.grad == near(np.array([[3.0, 0.0, 6.0], [0.0, -3.0, 3.0]]))


@check(
    points=1,
    hint=(
        "In `a * a` both factors are the same tensor, and each of them sends a share.",
        "Add to grad with +=; with = the second share erases the first.",
    ),
)
def test_mul_of_a_tensor_with_itself_counts_twice(Tensor):
    """a * a sends two shares to a, and both count."""
    a = Tensor([1.0, -2.0, 3.0])
    out = a * a
    out.grad = np.array([1.0, 2.0, 10.0])

    out._backward()

    assert a.grad == near(np.array([2.0, -8.0, 60.0]))


@check(
    points=1,
    hint=(
        "`array * tensor` asks NumPy first. Without __array_ufunc__ = None it makes an array of Tensors.",
        "Leave the line `__array_ufunc__ = None` in the class: with it Python asks your __rmul__.",
    ),
)
def test_mul_with_an_array_on_the_left(Tensor):
    """array * tensor is one tensor, as tensor * array is."""
    a = Tensor([[1.0, 2.0, 3.0]])
    out = np.array([[2.0], [5.0]]) * a
    out.grad = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    out._backward()

    assert out.data == near(np.array([[2.0, 4.0, 6.0], [5.0, 10.0, 15.0]]))
    assert a.grad == near(np.array([[22.0, 29.0, 36.0]]))
