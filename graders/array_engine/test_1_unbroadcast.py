"""TODO 1: a gradient is summed down to the shape of the array it belongs to."""

import numpy as np

from handgrad.check import check, near


@check(
    points=1,
    hint=(
        "Adding a (3,) array to a (2, 3) one uses it once per row.",
        "Every use sends its own gradient, and gradients of one thing add up: sum over the rows.",
        "Broadcasting adds axes in front: sum over the first grad.ndim - len(shape) axes.",
    ),
)
def test_unbroadcast_sums_over_added_axes(unbroadcast):
    """A gradient is summed over the axes that broadcasting added in front."""
    upstream = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    share = unbroadcast(upstream, (3,))

    assert share == near(np.array([5.0, 7.0, 9.0]))


@check(
    points=1,
    hint=(
        "Adding a (2, 1) array to a (2, 3) one uses each of its two numbers three times.",
        "No axis was added here: one of length 1 was stretched. It must be summed, and it must stay.",
        "Sum with keepdims=True over each axis where `shape` has a 1.",
    ),
)
def test_unbroadcast_sums_over_stretched_axes(unbroadcast):
    """A gradient is summed over the axes of length 1 that broadcasting stretched."""
    upstream = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    share = unbroadcast(upstream, (2, 1))

    assert share == near(np.array([[6.0], [15.0]]))


@check(
    points=1,
    hint=(
        "Both kinds can happen at once: to meet (2, 3, 4), (3, 1) gains an axis and stretches its last.",
        "First sum the added axes away; then the rest has as many axes as `shape`, and you can compare them.",
    ),
)
def test_unbroadcast_handles_added_and_stretched_axes_together(unbroadcast):
    """An axis added in front and one stretched are both summed."""
    upstream = np.arange(24.0).reshape(2, 3, 4)

    share = unbroadcast(upstream, (3, 1))

    assert share == near(np.array([[60.0], [92.0], [124.0]]))


@check(
    points=1,
    hint="Where nothing was broadcast there is nothing to sum: the gradient keeps all its numbers.",
)
def test_unbroadcast_leaves_a_fitting_gradient_alone(unbroadcast):
    """A gradient that has the shape already comes back with the same numbers."""
    upstream = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    share = unbroadcast(upstream, (2, 3))

    assert share == near(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))


@check(
    points=1,
    hint=(
        "An array without axes holds one number, and that number was used for every element.",
        "All axes are added ones: summing over them gives a single number.",
    ),
)
def test_unbroadcast_reaches_an_array_without_axes(unbroadcast):
    """For shape () everything is summed into one number."""
    upstream = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    share = unbroadcast(upstream, ())

    assert share == near(np.array(21.0))
