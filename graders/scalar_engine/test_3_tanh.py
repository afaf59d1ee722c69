"""TODO 3: one input, and a rule that is written with the result."""

from math import tanh

from handgrad.check import check, near


@check(
    points=1,
    hint=(
        "The derivative of tanh at x is 1 - tanh(x) ** 2, and tanh(x) is what out holds.",
        "The share is (1 - out.data ** 2) times out.grad, added with `+=`.",
        "The pattern is that of __add__ with one input: `out = Value(math.tanh(self.data), (self,))`; "
        "mind the comma, and `import math` at the top.",
    ),
)
def test_tanh_follows_its_rule(Value):
    """out = a.tanh() knows a, and its _backward adds (1 - out.data ** 2) * out.grad to a.grad."""
    a = Value(0.5)
    out = a.tanh()
    a.grad, out.grad = 10.0, 4.0

    out._backward()

    assert out.data == near(tanh(0.5))
    assert len(out._prev) == 1
    assert a.grad == near(10.0 + 4.0 * (1 - tanh(0.5) ** 2))
