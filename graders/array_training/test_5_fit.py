"""TODO 7: the loop. First one step of it by the numbers, then two things to learn."""

import numpy as np

from handgrad.check import check, near, read, there


@check(
    points=1,
    hint=(
        "One round of the loop: predict, mse, backward, step.",
        "Keep the loss of before the step, as a float: float(loss.data).",
    ),
)
def test_fit_takes_one_step(fit, Linear):
    """One step on three points gives the loss before it and the weights after it."""
    model = Linear(1, 1, seed=0)
    model.weight.data = np.array([[2.0]])
    x, y = np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [2.0], [3.0]])

    losses = fit(model, x, y, lr=0.1, steps=1)

    assert losses == near([14.0 / 3.0])
    assert model.weight.data == near(np.array([[2.0 - 0.1 * 28.0 / 3.0]]))
    assert model.bias.data == near(np.array([-0.4]))


@check(
    points=1,
    hint=(
        "After three steps there are three losses, each smaller than the one before.",
        "If the loss swings or grows, look at step: the sign, and the reset.",
    ),
)
def test_fit_goes_downhill(fit, Linear):
    """Three steps give three losses, and each is what calculus says."""
    model = Linear(1, 1, seed=0)
    model.weight.data = np.array([[0.0]])
    x, y = np.array([[1.0], [-1.0]]), np.array([[1.0], [-1.0]])

    losses = fit(model, x, y, lr=0.25, steps=3)

    assert losses == near([1.0, 0.25, 0.0625])


@check(
    points=2,
    hint=(
        "The line needs both: a weight of 1 and a bias of -0.00001.",
        "A bias of 0 means it never moved: is it among the parameters, and does its gradient arrive?",
        "If w is far from 1 after 250 steps, look at the mean in mse and at the reset in step.",
    ),
)
def test_fit_finds_the_line(fit, Linear):
    """On y = x - 1 (both divided by 100,000) a Linear(1, 1) learns w = 1 and b = -0.00001."""
    rows = np.arange(0.0, 100_000.0, 50.0)[:, np.newaxis]
    model = Linear(1, 1, seed=4)

    losses = fit(model, rows / 1e5, (rows - 1) / 1e5, lr=0.75, steps=250)

    assert model.weight.data == near(np.array([[1.0]]), abs=1e-6)
    assert model.bias.data == near(np.array([-1e-5]), rel=0.0, abs=1e-7)
    assert len(losses) == 250


@check(
    points=1,
    hint=(
        "Several inputs and several outputs at once: the same loop, other shapes.",
        "Nothing in fit or step should speak of one weight and one bias.",
    ),
)
def test_fit_finds_a_plane(fit, Linear):
    """From three inputs to two outputs a Linear learns the matrix and the bias behind the data."""
    weight, bias = np.array([[1.0, -2.0], [0.5, 0.0], [-1.0, 3.0]]), np.array([5.0, -7.0])
    draw = np.random.default_rng(1)
    x = draw.normal(size=(50, 3))
    model = Linear(3, 2, seed=4)

    fit(model, x, x @ weight + bias, lr=0.5, steps=300)

    assert model.weight.data == near(weight, rel=1e-6, abs=1e-6)
    assert model.bias.data == near(bias, rel=1e-6, abs=1e-6)


@check(
    points=3,
    hint=(
        "No straight line separates a disc from the ring around it: the tanh must do its work.",
        "About half right means that the network gives nearly one number everywhere: do all layers learn?",
        "Look at the losses: they start near 1, fall at nearly every step, and end below 0.1. If they swing "
        "(`rises`), gradients of earlier steps are left over.",
    ),
)
def test_fit_tells_a_disc_from_a_ring(fit, MLP):
    """An MLP of 16 hidden units trained on 150 points is right on at least 97 % of 1,000 others."""
    draw = np.random.default_rng(7)
    y = np.where(np.arange(1150) % 2, 1.0, -1.0)[:, np.newaxis]
    radius = np.where(y > 0, draw.uniform(1.0, 1.4, (1150, 1)), draw.uniform(0.0, 0.6, (1150, 1)))
    angle = draw.uniform(0.0, 2 * np.pi, (1150, 1))
    x = np.hstack([radius * np.cos(angle), radius * np.sin(angle)])
    model = MLP([2, 16, 1], seed=7)

    losses = fit(model, x[:150], y[:150], lr=0.1, steps=700)
    guesses = model(x[150:]).data
    rises = sum(losses[i] > losses[i - 1] for i in range(1, len(losses)))

    assert losses[-1] < 0.2
    assert rises < 70
    assert guesses.shape == (1000, 1)
    assert (np.sign(guesses) == y[150:]).mean() >= 0.97


@check(
    points=1,
    hint=(
        "Nothing may depend on the hour or on what ran before.",
        "All that is drawn comes from the seed; grads are zeros when fit begins, and after each step.",
    ),
)
def test_fit_gives_the_same_losses_again(fit, MLP):
    """Two models with one seed, trained alike, have equal losses to the last bit."""
    draw = np.random.default_rng(2)
    x, y = draw.normal(size=(30, 2)), draw.normal(size=(30, 1))

    first, again = (fit(MLP([2, 4, 1], seed=9), x.copy(), y.copy(), lr=0.1, steps=20) for _ in range(2))

    assert [a - b for a, b in zip(first, again, strict=True)] == [0.0] * 20
    assert len(first) == 20


@check(
    points=1,
    hint=(
        "The data must be the same after training: only parameters move.",
        "Do not shuffle, scale or subtract in place.",
    ),
)
def test_fit_leaves_the_data_alone(fit, MLP):
    """x and y hold the same numbers after training."""
    x, y = there(np.array([[1.0, 2.0], [3.0, 4.0]])), there(np.array([[0.5], [-0.5]]))
    model = MLP([2, 3, 1], seed=1)

    losses = fit(model, x, y, lr=0.1, steps=5)

    assert len(losses) == 5
    assert read(x) == near(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert read(y) == near(np.array([[0.5], [-0.5]]))
