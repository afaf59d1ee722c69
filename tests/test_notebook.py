"""Source notebooks: made from statement, reference and graders, the same each time, and alone in the world."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from handgrad.build.notebook import (
    GraderFile,
    check_texts,
    make_notebook,
    read_graders,
    shown_pictures,
)
from handgrad.build.words import grader_words, joined, needed
from handgrad.catalog import load_course
from handgrad.check import near
from handgrad.errors import ExerciseError
from handgrad.judge.run import seed_of
from handgrad.model import Exercise

COURSE = load_course(Path(__file__).parent / "course")
HEADER = "from handgrad.check import *\nfrom handgrad.check import check\n"


def toy(slug: str = "stack") -> tuple[Exercise, str]:
    """An exercise of the toy course and its notebook."""
    exercise = COURSE.exercise(slug)
    return exercise, make_notebook(
        exercise,
        statement=(exercise.folder / "README.md").read_text("utf-8"),
        reference=exercise.reference_path.read_text("utf-8"),
        checks=check_texts(read_graders(exercise)),
    )


def cells(notebook: str) -> list[dict[str, Any]]:
    """The cells, each with its source as one text."""
    found: list[dict[str, Any]] = json.loads(notebook)["cells"]
    return [c | {"source": "".join(c["source"])} for c in found]


def checks_of(text: str, *, hidden: bool = False) -> Any:
    """The checks of a grader text."""
    return check_texts([GraderFile(Path("graders/toy/test_1.py"), text, hidden)])


def text_of(body: str) -> str:
    """The text of a check with this body, messages written in."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (check,) = checks_of(
        f'from handgrad.check import check, near\n@check(points=1, hint="h")\ndef test_x(a):\n    """T."""\n{lines}\n'
    )
    text: str = check.text
    return text


def message_of(body: str, **names: Any) -> str:
    """What the failed assert of a check says."""
    namespace: dict[str, Any] = {}
    exec(joined(needed(["near"], grader_words())) + "\n" + text_of(body), namespace)
    with pytest.raises(AssertionError) as caught:
        namespace["test_x"](**names)
    return str(caught.value)


@pytest.mark.parametrize("slug", [e.slug for e in COURSE.exercises])
def test_a_notebook_runs_where_there_is_no_handgrad(slug: str) -> None:
    """Every cell of it, the reference in place, with the standard library alone."""
    code = "\n\n".join(c["source"] for c in cells(toy(slug)[1]) if c["cell_type"] == "code")

    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr


def test_each_build_has_the_same_bytes() -> None:
    """Nothing of the day, of the machine or of chance is in it."""
    assert toy()[1] == toy()[1]


def test_points_and_names_are_those_of_the_graders() -> None:
    """A graded cell a check, named as the check, in the judge's order."""
    exercise, notebook = toy()
    marks = [c["metadata"].get("nbgrader", {}) for c in cells(notebook)]
    graded = [(m["grade_id"], m["points"]) for m in marks if m.get("grade")]

    assert graded == [(c.name, c.points) for c in check_texts(read_graders(exercise))]
    assert sum(points for _, points in graded) == exercise.points


def test_hidden_checks_stand_between_the_markers() -> None:
    """What nbgrader leaves of a hidden cell is its title."""
    hidden = [c["source"].split("\n") for c in cells(toy()[1]) if "HIDDEN TESTS" in c["source"]]

    assert len(hidden) == 2
    for lines in hidden:
        assert lines[0].startswith("# Hidden check (2 points): ")
        assert (lines[1], lines[-1]) == ("### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS")


def test_visible_and_hidden_checks_draw_what_the_judge_draws() -> None:
    """A visible check's example is the same in the notebook and in the command."""
    exercise, notebook = toy("amounts")
    (check, *_) = [c for c in check_texts(read_graders(exercise)) if "rng" in c.parameters]
    seed = seed_of(exercise.slug, check.name, hidden=False, secret=b"", text="")

    assert f"random.Random({seed!r})" in notebook.replace('\\"', '"')


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("assert a == 6.0", "expected a to be 6.0, got 3"),
        ("assert a == near(6.0)", "expected a to be 6.0, got 3"),
        ("b = 7\nassert a == b", "expected a to be 7, got 3"),
        ('b = {"x": 1}\nassert {"x": a} == b', "expected {\"x\": a} to be {'x': 1}, got {'x': 3}"),
        ('assert str(a) == "6"', "expected str(a) to be \"6\", got '3'"),
        ("assert a > 5", "expected a to be above 5, got 3"),
        ("assert a in (1, 2)", "expected a to be in (1, 2), got 3"),
        ("assert a is None", "expected a to be None, got 3"),
        ("assert not a", "expected not a"),
        ("assert 0 < a < 2", "expected 0 < a < 2"),
        ("for n in (1, 2):\n    assert a == n", "expected a to be 1, got 3"),
    ],
)
def test_a_failed_assert_says_what_was_expected(body: str, said: str) -> None:
    """In the words of the judge, whatever quotes and braces the expression has."""
    assert message_of(body, a=3) == said


def test_the_learners_side_is_asked_once() -> None:
    """As in the judge: a call on the left is not made again for the message."""
    calls: list[int] = []

    message = message_of("assert a() == 6", a=lambda: calls.append(1) or len(calls))

    assert (message, calls) == ("expected a() to be 6, got 1", [1])


def test_a_word_that_takes_the_learners_name_is_refused() -> None:
    """Or the learner's own function would be gone where it is checked."""
    checks = checks_of(
        HEADER
        + '@check(points=1, hint="h")\ndef test_x(near):\n    """T."""\n    assert near(1) == near(1.0)\n'
        "from handgrad.check import near\n"
    )

    with pytest.raises(ExerciseError, match="import it under another name"):
        make_notebook(
            COURSE.exercise("stack"), statement="", reference="def near(x): return x\n", checks=checks
        )


def test_a_word_can_go_by_another_name() -> None:
    """`import near as close` leaves the learner's `near` alone."""
    checks = checks_of(
        "from handgrad.check import check, near as close\n"
        '@check(points=1, hint="h")\ndef test_x(near):\n    """T."""\n    assert near(1) == close(1.0)\n'
    )
    notebook = make_notebook(
        COURSE.exercise("stack"), statement="", reference="def near(x): return x\n", checks=checks
    )
    namespace: dict[str, Any] = {}

    for c in cells(notebook):
        if c["cell_type"] == "code":
            exec(c["source"], namespace)

    assert namespace["near"](2) == 2


def test_two_helpers_of_one_name_are_refused() -> None:
    """One notebook has one set of names."""
    one = 'from handgrad.check import check\ndef build(): return 1\n@check(points=1, hint="h")\ndef test_{}(a):\n    """T."""\n    assert a == build()\n'
    files = [
        GraderFile(Path("test_1.py"), one.format("x"), False),
        GraderFile(Path("test_2.py"), one.format("y").replace("return 1", "return 2"), False),
    ]

    with pytest.raises(ExerciseError, match="means two things"):
        make_notebook(COURSE.exercise("stack"), statement="", reference="a = 1\n", checks=check_texts(files))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def broken(:", r"test_1.py:1: not Python"),
        ('@check(points=POINTS, hint="h")\ndef test_x(): pass', "must be written as plain values"),
        ('@check(points=1, hint="h")\ndef test_ä(): pass', "letters, digits"),
        (
            '@check(points=1, hint="h")\ndef test_x(): pass\n@check(points=1, hint="h")\ndef test_x(): pass',
            "two checks",
        ),
    ],
)
def test_a_grader_that_cannot_become_cells_is_refused(text: str, said: str) -> None:
    """With the file, the line and what to do."""
    with pytest.raises(ExerciseError, match=said):
        checks_of(text)


def test_the_words_are_those_of_the_modules() -> None:
    """Nothing is kept twice: what is cut out compiles, and reads only what comes with it."""
    words = grader_words()

    for name in (
        "near",
        "raises",
        "calls_of",
        "numeric_gradient",
        "equal",
        "there",
        "read",
        "run",
        "repeat",
        "Program",
    ):
        text = joined(needed([name], words))
        exec(compile(text, name, "exec"), {"__name__": "__main__"})
        assert "handgrad" not in text
        assert not any(isinstance(n, ast.arg) and n.annotation for n in ast.walk(ast.parse(text)))


def test_a_number_of_numpy_counts_as_the_number_it_is() -> None:
    """The judge gets it as a plain number, so the notebook's `near` takes it as one."""
    numpy = pytest.importorskip("numpy")
    namespace: dict[str, Any] = {}
    exec(joined(needed(["near"], grader_words())), namespace)

    assert numpy.float64(2.0) == namespace["near"](2.0)
    assert numpy.array([1.0, 2.0]) == namespace["near"](numpy.array([1.0, 2.0]))
    assert (numpy.array(2.0) == namespace["near"](2.0)) is (numpy.array(2.0) == near(2.0))


def test_pictures_come_along_inside() -> None:
    """A notebook is one file: what the statement shows is in its cell."""
    statement = 'See ![the graph](graph.svg "drawn") and ![far](https://example.org/x.png).'

    assert shown_pictures(statement) == ("graph.svg",)
    notebook = make_notebook(
        COURSE.exercise("stack"),
        statement=statement,
        reference="a = 1\n",
        checks=(),
        pictures={"graph.svg": b"<svg/>"},
    )
    (first, *_) = cells(notebook)
    assert '![the graph](data:image/svg+xml;base64,PHN2Zy8+ "drawn")' in first["source"]
    assert "](https://example.org/x.png)" in first["source"]


def test_cells_for_play_come_last_and_stay_open() -> None:
    """`# %%` parts them; nbgrader knows nothing of them."""
    explore = "# %% [markdown]\n# Try it.\n# %%\nprint(1)\n"

    *_, text, code = cells(
        make_notebook(COURSE.exercise("stack"), statement="", reference="a = 1\n", checks=(), explore=explore)
    )

    assert (text["cell_type"], text["source"]) == ("markdown", "Try it.")
    assert (code["cell_type"], code["source"], code["metadata"]) == ("code", "print(1)", {})


def test_the_words_bring_no_module_into_the_notebook() -> None:
    """Else a learner's forgotten `import math` would pass here, and fail wherever the file is judged."""
    namespace: dict[str, Any] = {}
    exec(joined(needed(["near", "Program", "run", "raises"], grader_words())), namespace)

    assert not {"math", "random", "operator", "builtins", "copy"} & namespace.keys()
