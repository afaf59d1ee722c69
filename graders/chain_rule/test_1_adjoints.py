"""TODO 1: the backward table of loss = (w * x + b - y) ** 2, one local derivative a line."""

from handgrad.check import check, near


@check(
    points=1,
    hint=(
        "The table has one line a value: the four inputs, the three steps between, and the loss.",
        'Return a dict with exactly these keys in any order: "loss", "e", "y_hat", "y", "p", "b", "w", "x".',
    ),
)
def test_every_value_has_an_adjoint(adjoints):
    """The table names every value of the program: loss, e, y_hat, y, p, b, w and x."""
    names = {"loss", "e", "y_hat", "y", "p", "b", "w", "x"}

    table = adjoints(0.5, 2.0, 1.0, 3.0)

    assert sorted(names - table.keys()) == []


@check(
    points=3,
    hint=(
        "Go from the loss down, one line at a time: each adjoint is that of the value it went into, times "
        "how fast that value moves with it.",
        "The square moves 2 * e as fast as e. A difference moves against what is taken away. A product "
        "moves with one factor as fast as the other factor is large.",
        'For example "w" is x times the adjoint of p, and "y" is minus the adjoint of e.',
    ),
)
def test_the_worked_table(adjoints):
    """At w = 0.5, x = 2, b = 1, y = 3 the backward table is the one of the statement."""
    w, x, b, y = 0.5, 2.0, 1.0, 3.0

    table = adjoints(w, x, b, y)

    assert table["loss"] == near(1.0)
    assert table["e"] == near(-2.0)
    assert table["y_hat"] == near(-2.0)
    assert table["y"] == near(2.0)
    assert table["p"] == near(-2.0)
    assert table["b"] == near(-2.0)
    assert table["w"] == near(-4.0)
    assert table["x"] == near(-1.0)


@check(
    points=1,
    hint=(
        "The worked numbers are kind: there the loss, its adjoint and the square of e are all 1.",
        "The adjoint of the loss is 1 whatever the loss is, and the adjoint of e is 2 * e times that.",
    ),
)
def test_other_numbers(adjoints):
    """The rule holds at other numbers too: w = -1.5, x = 3, b = 0.25, y = -2."""
    w, x, b, y = -1.5, 3.0, 0.25, -2.0

    table = adjoints(w, x, b, y)

    assert table["loss"] == near(1.0)
    assert table["e"] == near(-4.5)
    assert table["y_hat"] == near(-4.5)
    assert table["y"] == near(4.5)
    assert table["p"] == near(-4.5)
    assert table["b"] == near(-4.5)
    assert table["w"] == near(-13.5)
    assert table["x"] == near(6.75)
