"""The same questions with numbers and graphs drawn for each submission."""

from math import tanh

from handgrad.check import Program, calls_of, check, near, run


@check(
    points=1,
    hint="The worked example must come out right for any two numbers, not only for 2 and -3.",
)
def test_example_with_other_numbers(Value, rng):
    """c = a * b + a is right for other numbers too."""
    x, y = rng.uniform(0.5, 3.0), rng.uniform(-3.0, -0.5)
    a, b, p, q = Value(2.0), Value(-3.0), Value(x), Value(y)
    d = p * q
    unused = d * d
    results = [a * b + a, d + p]

    for out in results:
        out.backward()

    assert [out.data for out in results] == near([-4.0, x * y + x])
    assert a.grad == -2.0
    assert b.grad == 2.0
    assert p.grad == near(y + 1.0)
    assert q.grad == near(x)
    assert unused.grad == 0.0


@check(
    points=1,
    hint="A value receives one contribution from each of its uses: add them all, with `+=`.",
)
def test_repeated_use_with_other_numbers(Value, rng):
    """Values used two and three times collect every contribution."""
    x, y, z = (rng.uniform(0.5, 3.0) for _ in range(3))
    a, b, c, d = Value(3.0), Value(x), Value(y), Value(z)
    results = [a * a, b * b * b, c + c + c, d.tanh() * d]

    for out in results:
        out.backward()

    assert a.grad == near(6.0)
    assert b.grad == near(3 * x**2)
    assert c.grad == near(3.0)
    assert d.grad == near(tanh(z) + z * (1 - tanh(z) ** 2))


@check(
    points=1,
    hint="The visited set must stop a value from entering the list a second time, on every path.",
)
def test_each_backward_runs_once_with_other_numbers(Value, rng):
    """Every _backward runs exactly once in a larger graph too."""
    x, y = rng.uniform(0.5, 1.2), rng.uniform(0.5, 1.2)
    a, b = Value(x), Value(y)
    d = a * b
    e = d + d
    f = e * e
    g = f + d
    h = d.tanh()
    c = h * g - f

    with calls_of("_backward", d=d, e=e, f=f, g=g, h=h, c=c) as calls:
        c.backward()

    assert calls == {"d": 1, "e": 1, "f": 1, "g": 1, "h": 1, "c": 1}


@check(
    points=1,
    hint="Numbers, minus and tanh all go through your three rules: look at the wrapping and at out.grad.",
)
def test_formula_with_other_numbers(Value, rng):
    """A longer formula with plain numbers, minus and tanh gets data and gradients right."""
    x, y = rng.uniform(0.2, 1.0), rng.uniform(-1.0, -0.2)
    program = Program.trace(lambda a, b: (2 * a - b.tanh() * (a - 3) + 1.5).tanh() * (4 + -b), (x, y))
    graph = run(program, Value)

    graph[-1].backward()

    assert graph.read("data") == near(program.values())
    assert graph.read("grad") == near(program.adjoints())


@check(
    points=1,
    hint="Every value must come after all the values that use it: sort first, reverse, then walk.",
)
def test_any_graph_drawn_anew(Value, rng):
    """Forty other graphs of twenty operations get every gradient right."""
    programs = [Program.random(rng) for _ in range(40)]
    total = Program.total(programs)
    graph = run(total, Value)

    graph[-1].backward()

    assert graph.read("data") == near(total.values())
    assert graph.read("grad") == near(total.adjoints())
