"""TODO 2: a value that is used twice receives two contributions."""

from handgrad.check import check, near


@check(
    points=2,
    hint=(
        "a goes into two values, d and c. Ask each of them alone what it sends to a.",
        "What c sends is its adjoint times 1; what d sends is its adjoint times b.",
    ),
)
def test_each_use_contributes(adjoints_shared):
    """At a = 2, b = -3 the sum sends 1 to a, and the product sends -3."""
    a, b = 2.0, -3.0

    table = adjoints_shared(a, b)

    assert table["a_from_c"] == near(1.0)
    assert table["a_from_d"] == near(-3.0)


@check(
    points=1,
    hint=(
        "c is the result; d goes into c alone, and b into d alone.",
        "The adjoints of c and d are 1, and that of b is a times the adjoint of d.",
    ),
)
def test_values_used_once(adjoints_shared):
    """At a = 2, b = -3 the adjoints of c, d and b, each used once at most, are 1, 1 and 2."""
    a, b = 2.0, -3.0

    table = adjoints_shared(a, b)

    assert table["c"] == near(1.0)
    assert table["d"] == near(1.0)
    assert table["b"] == near(2.0)


@check(
    points=2,
    hint=(
        "Both uses of a move c, so both count.",
        "The adjoint of a is the sum of its two contributions: neither replaces the other.",
    ),
)
def test_contributions_are_added(adjoints_shared):
    """At a = 2, b = -3 the adjoint of a is what its two uses send, added: -2."""
    a, b = 2.0, -3.0

    table = adjoints_shared(a, b)

    assert table["a"] == near(-2.0)
