"""TODO 4: sort, start with 1, and let every value pass its gradient on once, after all that used it."""

from math import tanh

from handgrad.check import Program, calls_of, check, near, repeat, run


@check(
    points=1,
    hint=(
        "Work it through by hand first: c = d + a sends 1 to d and 1 to a, then d = a * b sends "
        "b to a and a to b.",
        "Start with `self.grad = 1.0`; then call _backward on every value, the result first.",
        "The search lists every value after its inputs: walk that list with `for v in reversed(order)`.",
    ),
)
def test_worked_example(Value):
    """c = a * b + a at a = 2, b = -3 gives a.grad = -2 and b.grad = 2."""
    a, b = Value(2.0), Value(-3.0)
    c = a * b + a

    c.backward()

    assert c.data == -4.0
    assert c.grad == 1.0
    assert a.grad == -2.0
    assert b.grad == 2.0


@check(
    points=1,
    hint=(
        "In a * a both operands are the same Value: it receives two contributions, and both count.",
        "Look for a line in a _backward that assigns with `=` where it should add with `+=`.",
    ),
)
def test_value_used_twice_receives_both(Value):
    """a * a gives a.grad = 2 * 3 at a = 3, and b + b gives b.grad = 2."""
    a, b = Value(3.0), Value(3.0)
    square, double = a * a, b + b

    for out in (square, double):
        out.backward()

    assert a.grad == 6.0
    assert b.grad == 2.0


@check(
    points=1,
    hint=(
        "Several paths lead to d here, but it may pass its gradient on only once.",
        "Keep a set of visited values: a value that is in it is not visited again.",
        "Mark it, visit its _prev, then append it, all three inside the same `if v not in seen:`.",
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
        "A value knows its whole gradient only when all the values that use it have passed theirs on.",
        "Calling _backward during the search is too early: first make the whole list, then walk it.",
        "In the search append a value after the loop over its _prev, not before; then reverse the list.",
    ),
)
def test_consumers_come_first(Value):
    """In d + d * a and e * b + e no value passes its gradient on before it has all of it."""
    a, b, p, q = Value(3.0), Value(3.0), Value(2.0), Value(3.0)
    d, e, s, t = a * a, b * b, p + q, p * q
    first, second, third = d + d * a, e * b + e, (s + t) + s * t

    for out in (first, second, third):
        out.backward()

    assert a.grad == 33.0
    assert b.grad == 33.0
    assert p.grad == 25.0
    assert q.grad == 19.0


@check(
    points=1,
    hint=(
        "Two values with the same number are still two values of the graph.",
        "The visited set must hold the values themselves, or id(v); never v.data or a name.",
    ),
)
def test_equal_numbers_are_different_values(Value):
    """In (a + b) * (b + a) both sums hold the same number, and each passes its gradient on."""
    a, b, p, q = Value(1.0), Value(2.0), Value(1.0), Value(2.0)
    results = [(a + b) * (b + a), (p + q) * (p + q)]

    for out in results:
        out.backward()

    assert a.grad == 6.0
    assert b.grad == 6.0
    assert p.grad == 6.0
    assert q.grad == 6.0


@check(
    points=1,
    hint=(
        "-b is b * -1, and a - b is a + (-b): the given methods call yours.",
        "The derivative of a - b by b is -1; if the given methods were changed, put them back.",
    ),
)
def test_minus_works_by_itself(Value):
    """-(a - b) follows from your + and *, with the signs right, and p * q does so below zero."""
    a, b, p, q = Value(-2.0), Value(-3.0), Value(-2.0), Value(-3.0)
    results = [-(a - b), p * q]

    for out in results:
        out.backward()

    assert [out.data for out in results] == [-1.0, 6.0]
    assert a.grad == -1.0
    assert b.grad == 1.0
    assert p.grad == -3.0
    assert q.grad == -2.0


@check(
    points=1,
    hint=(
        "The input of a tanh can be used elsewhere too, and the result of a tanh can be scaled.",
        "The rule of tanh needs both: `+=` on self.grad, and the factor out.grad.",
    ),
)
def test_tanh_inside_a_graph(Value):
    """3 * a.tanh() and b.tanh() + b give the right gradients at 0.5."""
    a, b = Value(0.5), Value(0.5)
    results = [a.tanh() * 3, b.tanh() + b]

    for out in results:
        out.backward()

    assert a.grad == near(3 * (1 - tanh(0.5) ** 2))
    assert b.grad == near(1 - tanh(0.5) ** 2 + 1)


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

    assert a.grad == 2.0**40


@check(
    points=1,
    hint=(
        "Only what the result was made from takes part; everything else keeps the gradient it has.",
        "Every Value needs its own data, grad and _prev, set on self in __init__.",
        "Sort anew in each backward(), starting from self, with an empty list and an empty set.",
    ),
)
def test_graphs_leave_each_other_alone(Value):
    """backward() reaches the values its result was made from, and no others."""
    a, b, x, y, lone = Value(2.0), Value(-3.0), Value(5.0), Value(7.0), Value(4.0)
    d = a * b
    unused = d * 5.0
    results = [d + a, x * y, lone]

    for out in results:
        out.backward()

    assert a.grad == -2.0
    assert b.grad == 2.0
    assert x.grad == 7.0
    assert y.grad == 5.0
    assert lone.grad == 1.0
    assert unused.grad == 0.0


@check(
    points=1,
    hint=(
        "If the smaller checks pass, it is the order: some value passed its gradient on too early.",
        "Compare with the list of the worked example: every value after its inputs, then reversed.",
        "Neither the order of a breadth-first search nor that of calling while you walk is right "
        "for every graph.",
    ),
)
def test_any_graph(Value, rng):
    """Drawn graphs, six small ones and forty of twelve operations, get every gradient right."""
    programs = [Program.random(rng, operations=6) for _ in range(6)]
    programs.append(Program.total([Program.random(rng, operations=12) for _ in range(40)]))
    graphs = [run(program, Value) for program in programs]

    for graph in graphs:
        graph[-1].backward()

    for program, graph in zip(programs, graphs, strict=True):
        assert graph.read("grad") == near(program.adjoints())
