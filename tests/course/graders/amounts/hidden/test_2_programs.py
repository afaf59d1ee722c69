"""Whole calculations at once."""

from handgrad.check import Program, check, near, run


@check(points=1, hint="Both operations, in any order.")
def test_a_long_calculation_comes_out(Amount, rng):
    """A calculation of many steps gives the right cents at every step."""
    program = Program.random(rng, inputs=3, operations=8, names=("+", "*", "neg"))

    graph = run(program, Amount)

    assert graph.read("cents") == near(program.values())


@check(points=1, hint="An amount that is used twice is multiplied by itself.")
def test_an_amount_times_itself(Amount, rng):
    """a * a is the square."""
    cents = rng.randrange(2, 90)
    a = Amount(cents)

    square = a * a

    assert square.cents == cents * cents
