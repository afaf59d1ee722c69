"""TODO 5: the mean of the squared errors."""

import numpy as np

from handgrad.check import check, near, raises


@check(
    points=1,
    hint=(
        "Subtract, square, and take the mean over everything: one number.",
        "error = predicted - target, then (error * error).mean().",
    ),
)
def test_mse_is_the_mean_of_the_squares(mse, Tensor):
    """mse of the errors 1, -2, 3 and 0 is 3.5."""
    predicted = Tensor([[2.0, 0.0], [5.0, 4.0]])

    loss = mse(predicted, np.array([[1.0, 2.0], [2.0, 4.0]]))

    assert loss.data == near(np.array(3.5))


@check(
    points=1,
    hint=(
        "The derivative of a squared error is two times the error; the mean divides by how many there are.",
        "A square is a Tensor times itself: the error receives two shares.",
    ),
)
def test_mse_sends_twice_the_error_back(mse, Tensor):
    """Each prediction receives 2 / n times its error."""
    predicted = Tensor([[2.0, 0.0], [5.0, 4.0]])
    loss = mse(predicted, np.array([[1.0, 2.0], [2.0, 4.0]]))

    loss.backward()

    assert predicted.grad == near(np.array([[0.5, -1.0], [1.5, 0.0]]))


@check(
    points=1,
    hint=(
        "Predictions of shape (3, 1) minus targets of shape (3,) broadcast to a table of 9 errors.",
        "Compare predicted.data.shape with np.shape(target), and raise ValueError when they differ.",
    ),
)
def test_mse_refuses_shapes_that_differ(mse, Tensor):
    """A column of predictions against a plain row of targets raises ValueError."""
    predicted = Tensor([[1.0], [2.0], [3.0]])

    with raises(ValueError):
        mse(predicted, np.array([1.0, 2.0, 3.0]))
