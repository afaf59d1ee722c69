"""TODO 1: a sum knows its inputs, and its rule hands the upstream gradient to both."""

from handgrad.check import check


@check(
    points=1,
    hint=(
        "A sum hands its own gradient on to both inputs, on top of what they hold already.",
        "The rule is `self.grad += out.grad`, and the same for other; it reads out.grad when it runs.",
        "Give the new Value its inputs, `Value(..., (self, other))`, define _backward below it, "
        "attach it with `out._backward = _backward` (no parentheses), and return out.",
    ),
)
def test_add_follows_its_rule(Value):
    """a + b is a new Value that knows both inputs, and its _backward adds out.grad to each of them."""
    a, b = Value(2.0), Value(-3.0)
    out = a + b
    a.grad, b.grad, out.grad = 10.0, 20.0, 5.0

    out._backward()

    assert out.data == -1.0
    assert len(out._prev) == 2
    assert a.grad == 15.0
    assert b.grad == 25.0


@check(
    points=1,
    hint=(
        "The other operand can be a plain number, whole or with a fraction.",
        "Wrap it before you use it: `other = other if isinstance(other, Value) else Value(other)`.",
    ),
)
def test_add_takes_plain_numbers(Value):
    """a + 2, a + 2.5, 2 + a and sum([a, a]) work, and a gets its share from each."""
    a = Value(3.0)
    results = [a + 2, a + 2.5, 2 + a, sum([a, a])]
    for out in results:
        out.grad = 1.0

    for out in results:
        out._backward()

    assert [out.data for out in results] == [5.0, 5.5, 5.0, 6.0]
    assert a.grad == 4.0
