"""Arithmetic, and being told."""

from handgrad.check import calls_of, check, near, numeric_gradient, repeat


@check(points=1, hint="The cents of both are added.")
def test_plus_adds_the_cents(Amount):
    """a + b has the cents of both."""
    a, b = Amount(5), Amount(7)

    total = a + b

    assert total.cents == 12


@check(points=1, hint="Wrap a plain number in an Amount before you use it.")
def test_a_plain_number_can_stand_on_either_side(Amount):
    """a + 3 and 3 + a both work."""
    a = Amount(5)

    totals = [a + 3, 3 + a]

    assert [total.cents for total in totals] == [8, 8]


@check(points=2, hint="The sum of an amount and itself is twice the amount, again and again.")
def test_doubling_ten_times(Amount):
    """Ten doublings make 1024 of 1."""
    a = Amount(1)

    total = repeat(lambda x: x + x, a, 10)

    assert total.cents == 1024


@check(points=1, hint="The cents of both are multiplied.")
def test_times_multiplies_the_cents(Amount):
    """a * b has the product."""
    a, b = Amount(5), Amount(7)

    product = a * b

    assert product.cents == 35


@check(points=2, hint="Remember which amounts you have told already.")
def test_every_part_is_told_once(Amount):
    """settle tells each part once, even one that is used twice."""
    a, b = Amount(1), Amount(2)
    c = a + b
    d = c * a

    with calls_of("paid", a=a, b=b, c=c, d=d) as calls:
        d.settle()

    assert calls == {"a": 1, "b": 1, "c": 1, "d": 1}


@check(points=1, hint="Multiply by 1 + rate.")
def test_a_year_adds_the_rate(grown):
    """Two per cent of 250 are 5."""
    start = 250.0

    end = grown(start, 0.02)

    assert end == near(255.0)


@check(points=2, hint="How fast it grows with the rate is the start itself.")
def test_growth_is_steeper_for_larger_sums(grown):
    """The slope in the rate is the start."""
    start = 40.0

    slope = numeric_gradient(lambda rate: grown(start, rate), 0.03)

    assert slope == near(40.0, rel=1e-6)
