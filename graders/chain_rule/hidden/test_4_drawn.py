"""The same three functions on numbers drawn for each submission."""

from handgrad.check import check, near


@check(
    points=1,
    hint="No number of your table may be written down: each comes from w, x, b and y.",
)
def test_the_table_at_drawn_numbers(adjoints, rng):
    """The backward table is right at numbers nobody has seen before."""
    numbers = [tuple(round(rng.choice((-1, 1)) * rng.uniform(0.5, 4.0), 3) for _ in "wxby") for _ in range(8)]
    errors = [w * x + b - y for w, x, b, y in numbers]
    for_w = [2 * e * x for e, (_, x, _, _) in zip(errors, numbers, strict=True)]
    for_x = [2 * e * w for e, (w, _, _, _) in zip(errors, numbers, strict=True)]

    tables = [adjoints(*point) for point in numbers]

    assert [table["loss"] for table in tables] == near([1.0] * 8)
    assert [table["e"] for table in tables] == near([2 * e for e in errors])
    assert [table["y_hat"] for table in tables] == near([2 * e for e in errors])
    assert [table["y"] for table in tables] == near([-2 * e for e in errors])
    assert [table["p"] for table in tables] == near([2 * e for e in errors])
    assert [table["b"] for table in tables] == near([2 * e for e in errors])
    assert [table["w"] for table in tables] == near(
        [2 * e * n[1] for e, n in zip(errors, numbers, strict=True)]
    )
    assert [table["x"] for table in tables] == near(
        [2 * e * n[0] for e, n in zip(errors, numbers, strict=True)]
    )


@check(
    points=1,
    hint="Where the error is 0 the square is flat: every adjoint but that of the loss itself is 0.",
)
def test_a_line_through_the_point(adjoints, rng):
    """Where the line meets the point nothing pulls: all adjoints are 0, only that of the loss is 1."""
    w, x, b = rng.randint(2, 9) / 2, rng.randint(2, 9) / 2, rng.randint(2, 9) / 2

    table = adjoints(w, x, b, w * x + b)

    assert table["loss"] == near(1.0)
    assert [table[name] for name in ("e", "y_hat", "y", "p", "b", "w", "x")] == near([0.0] * 7)


@check(
    points=1,
    hint="The product sends b times its adjoint to a, the sum its adjoint as it is, whatever the numbers.",
)
def test_contributions_at_drawn_numbers(adjoints_shared, rng):
    """A value used twice adds up its two contributions at numbers nobody has seen before."""
    numbers = [tuple(round(rng.choice((-1, 1)) * rng.uniform(0.5, 4.0), 3) for _ in "ab") for _ in range(8)]

    tables = [adjoints_shared(*pair) for pair in numbers]

    assert [[table["c"], table["d"]] for table in tables] == near([[1.0, 1.0]] * 8)
    assert [table["b"] for table in tables] == near([a for a, _ in numbers])
    assert [table["a_from_c"] for table in tables] == near([1.0] * 8)
    assert [table["a_from_d"] for table in tables] == near([b for _, b in numbers])
    assert [table["a"] for table in tables] == near([b + 1.0 for _, b in numbers])


@check(
    points=1,
    hint="The slope is that between the points h above and h below, for the h you are given, at every point.",
)
def test_slopes_with_drawn_steps(numeric_gradient, cube, rng):
    """The step is the h you are given: the slope of the cube comes out too steep by h squared."""
    points = [(round(rng.uniform(-3.0, 3.0), 3), round(rng.uniform(0.25, 1.0), 3)) for _ in range(8)]

    slopes = [numeric_gradient(cube, [x], h) for x, h in points]

    assert slopes == near([[3 * x**2 + h**2] for x, h in points], abs=1e-9)


@check(
    points=1,
    hint="One slope for each argument, in the order of the arguments, all measured from the same point.",
)
def test_slopes_at_drawn_points(numeric_gradient, loss, rng):
    """With a small step the slopes of the loss are close to its adjoints, argument by argument."""
    w, x, b, y = (round(rng.choice((-1, 1)) * rng.uniform(0.5, 4.0), 3) for _ in "wxby")
    e = w * x + b - y

    slopes = numeric_gradient(loss, [w, x, b, y], 1e-4)

    assert slopes == near([2 * e * x, 2 * e * w, 2 * e, -2 * e], rel=1e-6, abs=1e-6)
