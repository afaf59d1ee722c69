"""TODO 2: the three steps of the engine, on graphs of any depth."""

from handgrad.check import Program, calls_of, check, near, repeat, run


@check(
    points=1,
    hint=(
        "Set the grad of the result to 1, then call every _backward, the result first and the inputs last.",
        "A search that lists each value after its inputs gives the order the wrong way round: reverse it.",
    ),
)
def test_squared_error(Value):
    """The loss (w * x + b - y) ** 2 at 0.5, 2, 1, 3 gives the adjoints of your table: -4, -1, -2 and 2."""
    w, x, b, y = Value(0.5), Value(2.0), Value(1.0), Value(3.0)
    loss = (w * x + b - y) ** 2

    loss.backward()

    assert loss.data == near(1.0)
    assert loss.grad == near(1.0)
    assert w.grad == near(-4.0)
    assert x.grad == near(-1.0)
    assert b.grad == near(-2.0)
    assert y.grad == near(2.0)


@check(
    points=1,
    hint=(
        "A value may pass its gradient on only when all the values that use it have passed theirs.",
        "A value taken off your list is not finished yet: it goes into the order after all its inputs. "
        "Put it back below them, with a mark, and append it when you meet the mark.",
        "`stack += (value, None, *value._prev)`: when None comes off, everything above is done, and the "
        "value below it can be appended.",
    ),
)
def test_consumers_come_first(Value):
    """In s + s * a, t * b + t and deeper graphs no value passes its gradient on too early."""
    a, b, p, q = Value(3.0), Value(3.0), Value(2.0), Value(3.0)
    s, t = a**2, b**2
    total, product = p + q, p * q
    results = [s + s * a, t * b + t, (total + product) + total * product]

    for out in results:
        out.backward()

    assert a.grad == near(33.0)
    assert b.grad == near(33.0)
    assert (p.grad, q.grad) == near((25.0, 19.0))


@check(
    points=1,
    hint=(
        "Several paths lead to d here, but it may pass its gradient on only once.",
        "A value can lie in your list of values to visit more than once: look at the set of visited ones "
        "when you take it off, not only when you put it there.",
    ),
)
def test_each_backward_runs_once(Value):
    """Every _backward runs exactly once, however many paths lead to its value."""
    a, b = Value(2.0), Value(-3.0)
    d = a * b
    e = d + a
    g = e * d
    c = g + e

    with calls_of("_backward", d=d, e=e, g=g, c=c) as calls:
        c.backward()

    assert calls == {"d": 1, "e": 1, "g": 1, "c": 1}


@check(
    points=1,
    hint=(
        "x = x + x, forty times over: there are 41 values, but a million million paths.",
        "A search that does not remember where it was walks every path; mark each value as visited.",
    ),
)
def test_many_paths_take_no_time(Value):
    """Forty doublings in a row give a.grad = 2 ** 40, and at once."""
    a = Value(1.0)
    out = repeat(lambda x: x + x, a, 40)

    out.backward()

    assert a.grad == near(2.0**40)


@check(
    points=1,
    hint=(
        "Python stops a function that calls itself about 1,000 levels deep with a RecursionError.",
        "Keep the values still to be visited in a list of your own and take them off its end in a while "
        "loop: a list has no such limit.",
        "A value must come after its inputs: put it back with a mark above it, then its inputs, and "
        "append it to the order when the mark comes off.",
    ),
)
def test_deep_chain(Value):
    """A chain of 5,000 additions is not too deep."""
    a = Value(2.0)
    out = repeat(lambda x: x + 1.0, a, 5_000)

    out.backward()

    assert out.data == near(5_002.0)
    assert a.grad == near(1.0)


@check(
    points=1,
    hint=(
        "The time must grow with the number of values, not with its square.",
        "Keep the visited values in a set: to look one up in a list means to walk the whole list.",
        "`list.pop()` is quick, `list.pop(0)` and `list.insert(0, ...)` move everything: work at the end.",
    ),
)
def test_very_deep_chain(Value):
    """Adding a to itself 100,000 times over gives a.grad = 100,001, and takes less than a second or two."""
    a = Value(1e-5)
    out = repeat(lambda x: x + a, a, 100_000)

    out.backward()

    assert a.grad == near(100_001.0)


@check(
    points=1,
    hint=(
        "If the smaller checks pass, it is the order: some value passed its gradient on too early.",
        "Take a small graph, print the order you made, and look for a value that stands before one it is "
        "used by.",
    ),
)
def test_any_graph(Value, rng):
    """Forty drawn graphs of twenty operations get every gradient right."""
    programs = [Program.random(rng) for _ in range(40)]
    graphs = [run(program, Value) for program in programs]

    for graph in graphs:
        graph[-1].backward()

    for program, graph in zip(programs, graphs, strict=True):
        assert graph.read("grad") == near(program.adjoints())
