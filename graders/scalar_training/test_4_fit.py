"""TODO 4: a line through points, from twenty of them to 100,000."""

from handgrad.check import check, near, read, there


@check(
    points=1,
    hint=(
        "Huge numbers, inf, nan or an OverflowError mean that each step overshoots, and the "
        "next one overshoots further: the training diverges.",
        "Is it the mean of the squared errors? A sum over n rows has n times the slope, and needs an lr n "
        "times smaller.",
        "With the mean, and x between 0 and 1, lr must stay below 0.78; take 0.5. And step must go against "
        "the gradient.",
    ),
)
def test_training_does_not_diverge(fit):
    """Whatever line comes out, w and b stay below 100: the training does not diverge."""
    xs = [i / 20 for i in range(20)]
    ys = [2.0 * x - 0.5 for x in xs]

    w, b = fit(xs, ys)

    assert abs(w) < 100.0
    assert abs(b) < 100.0


@check(
    points=1,
    hint=(
        "Start with w, b = Value(0.0), Value(0.0); then batch, loss, backward, step, over and over, and "
        "return the two numbers w.data and b.data.",
        "20 rows are a single batch, so a pass is a single step here: count steps (300 are enough with "
        "lr = 0.5), not passes over the data.",
        "Both Values belong into the list that step gets, and b into the model: w * x + b.",
    ),
)
def test_fit_finds_a_line(fit):
    """From 20 rows of y = 2 * x - 0.5 fit finds w and b to three digits."""
    xs = [i / 20 for i in range(20)]
    ys = [2.0 * x - 0.5 for x in xs]

    w, b = fit(xs, ys)

    assert w == near(2.0, rel=0.0, abs=1e-3)
    assert b == near(-0.5, rel=0.0, abs=1e-3)


@check(
    points=1,
    hint=(
        "Close, but the loss still falls: take more steps, or larger ones.",
        "300 steps with lr = 0.5, or 250 with lr = 0.7, leave less than 1e-7 of the first error. A loss of "
        "1e-9 is not yet small: the error in b is the root of it.",
    ),
)
def test_fit_is_precise(fit):
    """From 20 rows of y = 0.75 - 1.5 * x fit finds w within 1e-6 and b within 1e-7."""
    xs = [i / 20 for i in range(20)]
    ys = [0.75 - 1.5 * x for x in xs]

    w, b = fit(xs, ys)

    assert w == near(-1.5, rel=0.0, abs=1e-6)
    assert b == near(0.75, rel=0.0, abs=1e-7)


@check(
    points=1,
    hint=(
        "Whoever calls fit still needs their rows, in their order.",
        "Do not sort, shuffle, scale or empty the lists you are given: work on copies, as `batches` does.",
    ),
)
def test_fit_leaves_the_rows_alone(fit):
    """The two lists that fit was given are the same afterwards."""
    rows = [i / 20 for i in range(20)]
    xs, ys = there(list(rows)), there([1.0 - x for x in rows])

    line = fit(xs, ys)

    assert len(line) == 2
    assert read(xs) == rows
    assert read(ys) == [1.0 - x for x in rows]


@check(
    points=2,
    hint=(
        "Too long, or out of memory: one pass over 100,000 rows makes 700,000 values and costs a second or "
        "two, and a step on all rows at once takes a whole pass. 225 such steps are minutes.",
        "Step on small batches: `batches(xs, ys, 1000)` gives 100 steps a pass, so three passes are enough; "
        "with batches of 20 not even one is needed. Each strides over the range and sees the whole line.",
        "If w is 0.99998 and b is 0, the model has no b. If both are a little off, take more steps.",
    ),
)
def test_fit_a_hundred_thousand_rows(fit):
    """From 100,000 rows of y = x - 1, both columns divided by 100,000, fit finds w = 1 and b = -0.00001."""
    xs = [i / 1e5 for i in range(100_000)]
    ys = [(i - 1) / 1e5 for i in range(100_000)]

    w, b = fit(xs, ys)

    assert w == near(1.0, rel=0.0, abs=1e-6)
    assert b == near(-1e-5, rel=0.0, abs=1e-7)
