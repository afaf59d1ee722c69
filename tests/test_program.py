"""Programs: drawn so that mistakes show, differentiated by two ways that agree, and added up."""

from __future__ import annotations

import random

import pytest

from handgrad.check import near, numeric_gradient
from handgrad.program import METHOD_LIMIT, Constant, Program, Step

SEEDS = range(30)


def drawn(seed: int, operations: int = 20) -> Program:
    """A program as the checks draw it."""
    return Program.random(random.Random(seed), operations=operations)


def forward(program: Program) -> list[float]:
    """All derivatives of all values at once: row k holds those of value k (Baydin et al. 2018, section 3.1)."""
    rows = [{position: 1.0} for position in range(len(program))]
    for row, slopes in zip(rows[len(program.inputs) :], program._slopes(program.values()), strict=True):
        for source, slope in slopes:
            for seed, derivative in rows[source].items():
                row[seed] = row.get(seed, 0.0) + slope * derivative
    return [rows[-1].get(seed, 0.0) for seed in range(len(program))]


@pytest.mark.parametrize("seed", SEEDS)
def test_adjoints_are_what_differences_say(seed: int) -> None:
    """By a little change of each input, computed with floats alone."""
    program = drawn(seed)

    slopes = numeric_gradient(lambda *x: Program(x, program.steps).values()[-1], program.inputs)

    assert program.adjoints()[:3] == near(slopes, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_both_sweeps_agree(seed: int) -> None:
    """Backward, as the checks expect it, and forward, which shares no idea with it."""
    program = Program.total([drawn(seed), drawn(seed + 1000, 5)])

    assert program.adjoints() == near(forward(program))


def test_the_adjoint_of_another_result_can_be_asked_for() -> None:
    """What stands after it has no influence on it."""
    program = Program.trace(lambda a, b: (a * b) + b, (2.0, 5.0))

    assert program.adjoints(2) == [5.0, 2.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("step", "slopes"),
    [
        (Step("/", (0, 1)), [1 / 4, -3 / 16]),
        (Step("**", (0, Constant(2))), [6.0, 0.0]),
        (Step("-", (Constant(7.0), 1)), [0.0, -1.0]),
        (Step("**", (0, 1)), [4 * 3.0**3, 3.0**4 * 1.0986122886681098]),
    ],
)
def test_operations_beyond_the_drawn_ones_have_slopes_too(step: Step, slopes: list[float]) -> None:
    """An author may trace any formula."""
    assert Program((3.0, 4.0), (step,)).adjoints()[:2] == near(slopes)


def test_an_operation_without_a_rule_is_named() -> None:
    """An author reads which one."""
    with pytest.raises(ValueError, match="`@`"):
        Program((3.0, 4.0), (Step("@", (0, 1)),))._slopes([3.0, 4.0, 12.0])


@pytest.mark.parametrize("seed", SEEDS)
def test_every_drawn_value_leads_to_the_result(seed: int) -> None:
    """Else a mistake in it would not show."""
    program = drawn(seed)

    used = {a for step in program.steps for a in step.arguments}
    assert used == set(range(len(program) - 1))


@pytest.mark.parametrize("seed", SEEDS)
def test_drawn_numbers_keep_to_what_a_statement_promises(seed: int) -> None:
    """No method gets a large argument, nothing grows beyond a thousand, and no value is taken from itself."""
    program = drawn(seed)
    values = program.values()

    methods = [values[int(str(s.arguments[0]))] for s in program.steps if s.name.startswith(".")]
    assert max(map(abs, methods), default=0.0) <= METHOD_LIMIT
    assert max(map(abs, values + program.adjoints())) < 1e3
    assert not [s for s in program.steps if s.name == "-" and s.arguments[0] == s.arguments[1]]


def test_the_same_seed_draws_the_same_program() -> None:
    """A failing example stays put while it is mended."""
    assert drawn(5) == drawn(5)
    assert drawn(5) != drawn(6)


def test_a_total_is_the_sum_and_keeps_every_adjoint() -> None:
    """Many graphs can be judged in one walk."""
    parts = [drawn(seed, operations=5) for seed in range(3)]

    total = Program.total(parts)

    assert total.values()[-1] == near(sum(part.values()[-1] for part in parts))
    inputs = [x for part in parts for x in part.adjoints()[:3]]
    others = [x for part in parts for x in part.adjoints()[3:]]
    assert total.adjoints() == near([*inputs, *others, 1.0, 1.0])


def test_a_program_reads_as_a_learner_would_write_it() -> None:
    """One assignment a line, numbers and methods among them."""
    program = Program.trace(lambda a: -(a.tanh() * 2), (0.5,))

    assert program.lines("Value") == ("a = Value(0.5)", "b = a.tanh()", "c = b * 2", "d = -c")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_drawing_found_out_is_what_computing_gives(seed: int) -> None:
    """A drawn program, and the total of some, keep their values and adjoints: the same as of its steps alone."""
    parts = [drawn(seed), drawn(seed + 1000, 5), drawn(seed + 2000, 12)]
    for program in (*parts, Program.total(parts)):
        afresh = Program(program.inputs, program.steps)

        assert program.values() == afresh.values()
        assert program.adjoints() == near(afresh.adjoints())
        assert program.adjoints(3) == afresh.adjoints(3)


def test_a_total_of_what_was_not_drawn_is_computed() -> None:
    """One part of which nothing is known, and nothing is known of the whole."""
    traced = Program.trace(lambda a: a * a, (3.0,))

    total = Program.total([drawn(1), traced])

    assert total.values() == Program(total.inputs, total.steps).values()
    assert total.adjoints() == Program(total.inputs, total.steps).adjoints()


@pytest.mark.parametrize(
    ("inputs", "operations", "names"),
    [(4, 2, "+*"), (3, 1, "+"), (2, 5, ["neg", ".tanh"]), (0, 5, "+"), (1, 5, "")],
)
def test_what_cannot_be_drawn_is_refused(inputs: int, operations: int, names: list[str]) -> None:
    """Instead of drawing for ever, in a check that nothing limits."""
    with pytest.raises(ValueError, match="cannot lead"):
        Program.random(random.Random(0), inputs=inputs, operations=operations, names=names)


@pytest.mark.parametrize(
    ("inputs", "operations", "names"), [(4, 3, "+*"), (1, 3, ["neg", ".tanh"]), (1, 2, "+"), (2, 3, "-")]
)
def test_the_least_that_can_be_drawn_is(inputs: int, operations: int, names: list[str]) -> None:
    """As many operations as join the inputs; a chain of one input alone."""
    program = Program.random(random.Random(0), inputs=inputs, operations=operations, names=names)

    assert (len(program.inputs), len(program.steps)) == (inputs, operations)
