"""TODO 6: one step of gradient descent, and a clean slate for the next."""

import numpy as np

from handgrad.check import check, near


@check(
    points=1,
    hint=(
        "The gradient points uphill: subtract it.",
        "parameter.data -= lr * parameter.grad",
    ),
)
def test_step_moves_against_the_gradient(step, Tensor):
    """Each parameter moves lr times its gradient, downhill."""
    weight, bias = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([0.0, 10.0])
    weight.grad, bias.grad = np.array([[1.0, -1.0], [0.0, 2.0]]), np.array([5.0, -5.0])

    step([weight, bias], 0.1)

    assert weight.data == near(np.array([[0.9, 2.1], [3.0, 3.8]]))
    assert bias.data == near(np.array([-0.5, 10.5]))


@check(
    points=1,
    hint=(
        "What is left in grad would be added to the next gradient.",
        "After the move, set grad to zeros of the same shape: np.zeros_like(parameter.data).",
    ),
)
def test_step_resets_each_gradient(step, Tensor):
    """After the step each gradient is zeros in the shape of its parameter."""
    weight, bias = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([0.0, 10.0])
    weight.grad, bias.grad = np.array([[1.0, -1.0], [0.0, 2.0]]), np.array([5.0, -5.0])

    step([weight, bias], 0.1)

    assert weight.grad == near(np.zeros((2, 2)))
    assert bias.grad == near(np.zeros(2))


@check(
    points=1,
    hint=(
        "The second step must start from zeros again.",
        "If the parameter moves further the second time, its old gradient was still there.",
    ),
)
def test_step_twice_counts_each_gradient_once(step, Tensor):
    """Two rounds of backward and step move by the two gradients, each once."""
    a = Tensor([2.0, -1.0])

    for _ in range(2):
        (a * a).sum().backward()
        step([a], 0.25)

    assert a.data == near(np.array([0.5, -0.25]))
