"""The same questions with numbers, graphs and lines drawn for each submission."""

from handgrad.check import Program, check, near, repeat, run


@check(
    points=1,
    hint="One rule for every base and exponent: exponent * self.data ** (exponent - 1) * out.grad.",
)
def test_power_at_drawn_numbers(Value, rng):
    """Powers have the right data and slope for numbers nobody has seen before."""
    bases = [round(rng.uniform(0.5, 3.0), 3) for _ in range(6)] + [
        -round(rng.uniform(0.5, 3.0), 3) for _ in "ab"
    ]
    exponents = [*(round(rng.uniform(-3.0, 3.0), 2) for _ in range(4)), 1, -2, 2, 3]
    upstream = round(rng.uniform(0.5, 3.0), 3)
    inputs = [Value(base) for base in bases]
    results = [a**n for a, n in zip(inputs, exponents, strict=True)]
    for out in results:
        out.grad = upstream

    for out in results:
        out._backward()

    assert [out.data for out in results] == near([x**n for x, n in zip(bases, exponents, strict=True)])
    slopes = [n * x ** (n - 1) for x, n in zip(bases, exponents, strict=True)]
    assert [a.grad for a in inputs] == near([slope * upstream for slope in slopes])


@check(
    points=1,
    hint="Every value must come after all the values that use it: sort first, reverse, then walk.",
)
def test_any_graph_drawn_anew(Value, rng):
    """Forty other graphs of twenty operations get every gradient right."""
    programs = [Program.random(rng) for _ in range(40)]
    graphs = [run(program, Value) for program in programs]

    for graph in graphs:
        graph[-1].backward()

    for program, graph in zip(programs, graphs, strict=True):
        assert graph.read("grad") == near(program.adjoints())


@check(
    points=1,
    hint="Deep graphs of any operations: nothing in backward may call itself, or look through a list.",
)
def test_very_deep_chain_of_two_operations(Value):
    """A chain of 40,000 products and sums is neither too deep nor too long."""
    factor = 1.0 - 7e-6
    a = Value(0.75)
    out = repeat(lambda x: x * factor + 1.0, a, 20_000)

    out.backward()

    assert a.grad == near(factor**20_000, rel=1e-6)


@check(
    points=1,
    hint="Every parameter moves by minus lr times its own gradient, and every gradient is 0 afterwards.",
)
def test_step_with_drawn_numbers(Value, step, rng):
    """step treats any number of parameters alike."""
    numbers = [round(rng.uniform(-2.0, 2.0), 3) for _ in range(7)]
    slopes = [round(rng.uniform(-5.0, 5.0), 3) for _ in range(7)]
    lr = round(rng.uniform(0.01, 0.5), 3)
    parameters = [Value(number) for number in numbers]
    for parameter, slope in zip(parameters, slopes, strict=True):
        parameter.grad = slope

    step(parameters, lr)

    moved = [number - lr * slope for number, slope in zip(numbers, slopes, strict=True)]
    assert [parameter.data for parameter in parameters] == near(moved)
    assert [parameter.grad for parameter in parameters] == [0.0] * 7


@check(
    points=1,
    hint="fit may know nothing of the line: it starts anew each time, and takes enough steps for any.",
)
def test_fit_drawn_lines(fit, rng):
    """fit finds two lines nobody has seen before, one after the other."""
    sizes = [[round(rng.uniform(0.5, 3.0), 3) for _ in "wb"] for _ in range(2)]
    lines = [[w * sign, b * rng.choice((-1, 1))] for (w, b), sign in zip(sizes, (1, -1), strict=True)]
    xs = [i / 20 for i in range(20)]

    found = [fit(list(xs), [w * x + b for x in xs]) for w, b in lines]

    assert found == near(lines, rel=0.0, abs=1e-6)


@check(
    points=1,
    hint="Between 20 rows and 100,000 everything must work: count steps, and use every batch.",
)
def test_fit_of_some_thousand_rows(fit):
    """fit finds a line in a few thousand rows, too."""
    xs = [i / 3_500 for i in range(3_500)]
    ys = [1.25 - 2.5 * x for x in xs]

    w, b = fit(xs, ys)

    assert w == near(-2.5, rel=0.0, abs=1e-6)
    assert b == near(1.25, rel=0.0, abs=1e-6)
