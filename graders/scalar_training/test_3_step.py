"""TODO 3: one step downhill, and a clean slate for the next."""

from handgrad.check import check, near


@check(
    points=1,
    hint=(
        "The gradient points uphill, so go the other way, lr times as far as it is large.",
        "Change the number inside the Value, `parameter.data -= lr * parameter.grad`: a new Value bound to "
        "the name would leave the model with the old one.",
    ),
)
def test_step_moves_each_parameter(Value, step):
    """step([w, b], 0.1) moves each parameter's data by minus 0.1 times its grad."""
    w, b = Value(1.0), Value(-2.0)
    w.grad, b.grad = 0.5, -4.0

    step([w, b], 0.1)

    assert w.data == near(0.95)
    assert b.data == near(-1.6)


@check(
    points=1,
    hint=(
        "The next backward adds to whatever the grads hold, so they must hold nothing.",
        "Set the grad of each parameter to 0.0 after you have moved it.",
    ),
)
def test_step_resets_each_gradient(Value, step):
    """After step([w, b], 0.1) both gradients are 0 again."""
    w, b = Value(1.0), Value(-2.0)
    w.grad, b.grad = 0.5, -4.0

    step([w, b], 0.1)

    assert w.grad == 0.0
    assert b.grad == 0.0


@check(
    points=1,
    hint=(
        "Follow the numbers: at w = 0 the slope of (w - 3) ** 2 is -6, so w moves to 1.5; there it is -3.",
        "If w ends at 3.75 the first gradient was still there at the second step.",
    ),
)
def test_two_steps_downhill(Value, step):
    """Two rounds of forward, backward and step on (w - 3) ** 2 take w from 0 to 1.5 and to 2.25."""
    w = Value(0.0)

    for _ in range(2):
        loss = (w - 3.0) ** 2
        loss.backward()
        step([w], 0.25)

    assert w.data == near(2.25)
    assert w.grad == 0.0
