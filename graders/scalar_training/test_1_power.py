"""TODO 1: the rule of a power, tested without backward."""

from handgrad.check import check, near


@check(
    points=1,
    hint=(
        "The pattern is that of __mul__ with one input: compute, remember the input, attach the rule.",
        "The derivative of a ** n is n * a ** (n - 1); multiply it with out.grad, and add it with `+=`.",
        "Give the new Value its input, `Value(..., (self,))`, attach the rule with "
        "`out._backward = _backward` (no parentheses), and return out.",
    ),
)
def test_power_follows_its_rule(Value):
    """a ** 2 is a new Value that knows its input, and its _backward adds 2 * a * out.grad to a.grad."""
    a = Value(3.0)
    out = a**2
    a.grad, out.grad = 10.0, 5.0

    out._backward()

    assert out.data == near(9.0)
    assert [source in out._prev for source in (a,)] == [True]
    assert a.grad == near(40.0)


@check(
    points=1,
    hint=(
        "The exponent can be any plain number: negative, or with a fraction.",
        "One rule serves them all: exponent * self.data ** (exponent - 1). A loop that multiplies does not.",
    ),
)
def test_any_exponent(Value):
    """4 ** 3, 4 ** -1 and 4 ** 0.5 give 64, 0.25 and 2, with the slopes 48, -0.0625 and 0.25."""
    inputs = [Value(4.0), Value(4.0), Value(4.0)]
    results = [a**exponent for a, exponent in zip(inputs, (3, -1, 0.5), strict=True)]
    for out in results:
        out.grad = 1.0

    for out in results:
        out._backward()

    assert [out.data for out in results] == near([64.0, 0.25, 2.0])
    assert [a.grad for a in inputs] == near([48.0, -0.0625, 0.25])


@check(
    points=1,
    hint=(
        "An error of exactly 0 is what training works towards, so 0 ** 2 must have a slope.",
        "Dividing out.data by self.data works everywhere but at 0: use self.data ** (exponent - 1).",
    ),
)
def test_power_of_zero(Value):
    """0 ** 2 has the slope 0 and 0 ** 1 the slope 1; a negative number has powers too: (-2) ** 3."""
    inputs = [Value(0.0), Value(0.0), Value(-2.0)]
    results = [a**exponent for a, exponent in zip(inputs, (2, 1, 3), strict=True)]
    for out in results:
        out.grad = 1.0

    for out in results:
        out._backward()

    assert [out.data for out in results] == near([0.0, 0.0, -8.0])
    assert [a.grad for a in inputs] == near([0.0, 1.0, 12.0])
