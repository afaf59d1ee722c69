"""TODO 2: the share of each factor is the other factor's data times the upstream gradient."""

from handgrad.check import check


@check(
    points=1,
    hint=(
        "The derivative of a * b by a is b: each factor's share is made of the other one's data.",
        "Multiply that with out.grad, the gradient that arrives, and add it: "
        "`self.grad += other.data * out.grad`.",
        "Two lines with `+=`, one for self and one for other; then attach the function to the new Value.",
    ),
)
def test_multiply_follows_its_rule(Value):
    """a * b is a new Value that knows both inputs, and its _backward adds the other factor times out.grad."""
    a, b = Value(2.0), Value(-3.0)
    out = a * b
    a.grad, b.grad, out.grad = 10.0, 20.0, 5.0

    out._backward()

    assert out.data == -6.0
    assert len(out._prev) == 2
    assert a.grad == -5.0
    assert b.grad == 30.0


@check(
    points=1,
    hint=(
        "The other factor can be a plain number, whole or with a fraction.",
        "Wrap it before you use it, as in __add__: a number has no data and no grad of its own.",
    ),
)
def test_multiply_takes_plain_numbers(Value):
    """a * 2, a * 2.5 and 2 * a work, and a gets its share from each."""
    a = Value(3.0)
    results = [a * 2, a * 2.5, 2 * a]
    for out in results:
        out.grad = 1.0

    for out in results:
        out._backward()

    assert [out.data for out in results] == [6.0, 7.5, 6.0]
    assert a.grad == 6.5
