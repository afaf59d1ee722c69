"""A class with every kind of damage, on its whole way through nbgrader's real commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from handing_in import CASES, FULL, QUEUE, SLUG, command, hand_in, make_course, scores

BY_HAND, BY_MAKE = "nbgrader autograde", "handgrad autograde"


class Graded:
    """The class after it was graded in one of the two ways."""

    def __init__(self, notebooks: Path, way: str) -> None:
        self.notebooks, self.way = notebooks, way
        for name, case in CASES.items():
            hand_in(notebooks, name, case.write)
        self.done = command(notebooks, *way.split(), SLUG)
        self.said = self.done.stdout + self.done.stderr
        self.scores = scores(notebooks)


@pytest.fixture(scope="module", params=[BY_HAND, BY_MAKE])
def graded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graded]:
    """The toy course released, handed in with every damage, and graded."""
    notebooks = make_course(tmp_path_factory.mktemp("My Course é") / "course")
    done = command(notebooks, "handgrad", "release", SLUG)
    assert done.returncode == 0, done.stdout + done.stderr
    yield Graded(notebooks, request.param)


def test_there_are_enough_kinds_of_damage() -> None:
    """The class holds at least forty, as was promised."""
    assert len(CASES) >= 40


def test_no_submission_stops_the_class(graded: Graded) -> None:
    """Every folder that holds something to grade ends with a row in the gradebook."""
    expected = {name for name, case in CASES.items() if case.score is not None}

    assert graded.scores.keys() == expected


@pytest.mark.parametrize("name", CASES)
def test_each_scores_what_its_code_deserves(graded: Graded, name: str) -> None:
    """Damage to the notebook costs nothing, and gains nothing."""
    assert graded.scores.get(name) == CASES[name].score, graded.said


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.says])
def test_each_thing_mended_is_said(graded: Graded, name: str) -> None:
    """What was moved, mended, ignored or set aside is told of the learner by name."""
    lines = [line for line in graded.said.splitlines() if name in line]

    assert any(CASES[name].says in line for line in lines), lines


def test_the_exit_code_says_that_some_need_a_look(graded: Graded) -> None:
    """0 by nbgrader's own command, which graded all it was given; 1 by ours: some cannot be read."""
    assert graded.done.returncode == (0 if graded.way == BY_HAND else 1), graded.said


def test_nothing_behind_a_link_is_copied(graded: Graded) -> None:
    """A link's target reaches no folder that goes back to learners."""
    copies = [p for part in ("autograded", "feedback") for p in (graded.notebooks / part).rglob("data.csv")]

    assert copies == []


def test_feedback_reaches_everybody_and_gives_nothing_hidden_away(graded: Graded) -> None:
    """A page for each graded learner, without a line of a hidden check, and nothing but pages."""
    done = command(graded.notebooks, graded.way.split()[0], *feedback(graded.way))
    assert done.returncode == 0, done.stdout + done.stderr
    files = [
        p for p in (graded.notebooks / "feedback").rglob("*") if p.is_file() and p.name != "timestamp.txt"
    ]
    pages = {p.parent.parent.name: p.read_text("utf-8") for p in files}

    assert pages.keys() == graded.scores.keys()
    assert {p.suffix for p in files} == {".html"}
    for name, page in pages.items():
        assert "canary-" not in page, name
        assert "HIDDEN TESTS" not in page or name == "markers_in_the_answer"
        assert "[1, 2, 3, 4]" not in page, name
        assert "<script>alert" not in page
        assert len(page) < 2_000_000, name


def feedback(way: str) -> list[str]:
    """The words of the feedback command that goes with a way to grade."""
    return ["generate_feedback", SLUG] if way == BY_HAND else ["feedback", SLUG]


def test_a_score_and_its_reason_stand_on_the_page(graded: Graded) -> None:
    """The wrong answer's page says what was expected, with the learner's own value."""
    page = next((graded.notebooks / "feedback" / "wrong").rglob("*.html")).read_text("utf-8")

    assert f"Score: {QUEUE} / {FULL}" in page
    assert re.search(r"expected .* to be .*3.*, got .*1", page)
