"""A failed assert becomes one sentence that a learner can read."""

from __future__ import annotations

import pytest
from judging import exercise_of, loaded, submission

from handgrad.explain import show
from handgrad.judge.session import Session
from handgrad.sandbox.starter import open_starter

FILE = """
class Box:
    def __init__(self, n=None): self.n = n; self.items = [1, 2, 3, 4]; self.none = None; self.self = self
    def __add__(self, o): return Box(self.n + o.n)
    def pair(self): return (self.n, self.n)
    def table(self): return {"a": 1.0, "b": 2.0}
    def close(self): pass
    def push(self, x): self.n = x
"""
SENTENCES = [
    ("a = Box(3.0)", "a.close()", "a.n == 6.0", "with a = 3.0, a.close(): expected a.n to be 6.0, got 3.0"),
    ("a = Box(3.0)", "(a + a).close()", "a.n == 6.5", "with a = 3.0, a + a: expected a.n to be 6.5, got 3.0"),
    (
        "a, b = Box(2), Box(-3)",
        "c = a + b",
        "c.n == near(5.0)",
        "with a = 2, b = -3, c = a + b: expected c.n to be 5.0, got -1",
    ),
    ("x = round(rng.random(), 3)", "a = Box(x)", "a.n == 7", "a = Box(x): expected a.n to be 7, got 0."),
    ("a = Box(1)", "p = a.pair()", "p == (1, 2)", "expected p to be (1, 2), got (1, 1)"),
    ("a = Box(1)", "t = a.table()", 't == near({"a": 1.0, "b": 3.0})', "expected t['b'] to be 3.0, got 2.0"),
    ("a = Box(1)", "i = a.items", "i == [1, 2, 0, 4]", "expected i[2] to be 0, got 3"),
    ("a = Box(1)", "s = a.self", "s == 3", "expected s to be 3, got an object of type Box"),
    ("a = Box(1)", "n = a.none", "n == 0.0", "expected n to be 0.0, got None"),
    ("a = Box(1)", "n = a.n", "n != 1", "expected n not to be 1"),
    ("a = Box(1)", "n = a.n", "n in (2, 3)", "expected n to be one of (2, 3), got 1"),
    ("a = Box(1)", "n = a.n", "n not in (1, 3)", "expected n not to be among (1, 3), got 1"),
    ("a = Box(1)", "n = a.n", "n > 3", "expected n > 3, got 1"),
    ("a = Box(1)", "n = a.none", "n", "expected n to hold, got None"),
    ("a = Box(1)", "n = a.none", "n + 1 == 3", "n is None, as when a `return` is missing (TypeError)"),
    ("a = Box(1)", "n = a.self", "n.self", "a.self is an object of type Box"),
    ("a = Box(1)", "n = a.n", "n is None", "expected n to be None, got 1"),
    ("f = lambda: 1", "n = f()", "n == 2", "with n = f(): expected n to be 2, got 1"),
]


@pytest.mark.parametrize(("arrange", "act", "claim", "sentence"), SENTENCES)
def test_a_failed_assert_reads_as_a_sentence(arrange: str, act: str, claim: str, sentence: str) -> None:
    """What was done, what was expected, what came out."""
    parameters = "Box, rng" if "rng" in arrange else "Box"
    source = f'@check(points=1, hint="x")\ndef test_it({parameters}):\n    """t."""\n'
    source += f"    {arrange}\n\n    {act}\n\n    assert {claim}\n"
    with (
        open_starter(0) as starter,
        Session(exercise_of(), submission(FILE), starter=starter) as session,
    ):
        result = session.run(loaded(source)[0])

    assert sentence in result.message
    assert result.detail.example == (arrange, act)


def test_nothing_raised_is_told() -> None:
    """`raises` that saw nothing says what was expected."""
    source = '@check(points=1, hint="x")\ndef test_it(Box):\n    """t."""\n    a = Box(1)\n\n'
    source += "    with raises(IndexError):\n        a.close()\n"
    with open_starter(0) as starter, Session(exercise_of(), submission(FILE), starter=starter) as session:
        result = session.run(loaded(source)[0])

    assert result.message == "with a = 1, a.close(): expected IndexError to be raised, and nothing was"


def test_a_program_is_shown_with_its_names() -> None:
    """Of a drawn program the first value that differs is named, and the program stands below."""
    source = '@check(points=1, hint="x")\ndef test_it(Box, rng):\n    """t."""\n'
    source += (
        "    program = Program.trace(lambda a, b: a + b, (1.0, 2.0))\n\n    graph = run(program, Box)\n\n"
    )
    source += '    assert graph.read("n") == near([1.0, 2.0, 4.0, 0.0][:3] + [])\n'
    with open_starter(0) as starter, Session(exercise_of(), submission(FILE), starter=starter) as session:
        result = session.run(loaded(source)[0])

    assert result.detail.graph == "a = Box(1.0)\nb = Box(2.0)\nc = a + b"
    assert result.message.startswith("in the program shown below: expected")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([0.5] * 10_000_000, "[0.5, 0.5, 0.5"),
        ((1,) * 10_000_000, "(1, 1, 1"),
        (dict.fromkeys(range(1000000), "x" * 10), "{0: 'xxx"),
        ([[[1] * 1000] * 1000] * 1000, "[[[1, 1"),
        ("y" * 50_000_000, "'yyy"),
    ],
    ids=["list", "tuple", "dict", "nested", "text"],
)
def test_of_a_long_value_only_what_is_shown_is_written_out(value: object, text: str) -> None:
    """The first characters are those of the whole; the rest is not even looked at."""
    asked: list[int] = []

    def describe(part: object) -> str:
        asked.append(len(repr(part)))
        return repr(part)

    shown = show(value, describe)

    assert shown.startswith(text) and len(shown) == 200 and shown.endswith(" …")
    assert asked[0] < 5000


def test_a_value_that_is_short_enough_is_shown_whole() -> None:
    """Nothing is lost where nothing must be cut."""
    value = [1, (2.5, "x"), {"a": [3], "b": ()}, b"y", {4}, None]

    assert show(value) == repr(value)
