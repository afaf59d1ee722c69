"""A class with every kind of damage, on its whole way through nbgrader's real commands.

Each way is one test with a subtest a claim: the class is graded once, whatever runs the tests in parallel.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from handing_in import CASES, FULL, QUEUE, SLUG, command, hand_in, make_course, scores

BY_HAND, BY_MAKE = "nbgrader", "handgrad"


def graded_class(folder: Path, way: str) -> tuple[Path, str]:
    """The toy course released, handed in with every damage, and graded; where it is, and what was said."""
    notebooks = make_course(folder / "My Course é")
    done = command(notebooks, "handgrad", "release", SLUG)
    assert done.returncode == 0, done.stdout + done.stderr
    for name, case in CASES.items():
        hand_in(notebooks, name, case.write)
    done = command(notebooks, way, "autograde", SLUG)
    # Ours answers 1 because some cannot be read; nbgrader's own command graded all that it was given.
    assert done.returncode == (0 if way == BY_HAND else 1), done.stdout + done.stderr
    return notebooks, done.stdout + done.stderr


def test_there_are_enough_kinds_of_damage() -> None:
    """The class holds at least forty, as was promised."""
    assert len(CASES) >= 40


@pytest.mark.parametrize("way", [BY_HAND, BY_MAKE])
def test_a_class_with_every_damage(way: str, tmp_path: Path, subtests: pytest.Subtests) -> None:
    """None stops the class; damage costs nothing and gains nothing; each thing mended is said by name."""
    notebooks, said = graded_class(tmp_path, way)

    table = scores(notebooks)

    with subtests.test("every folder that holds something to grade has a row"):
        assert table.keys() == {name for name, case in CASES.items() if case.score is not None}
    for name, case in CASES.items():
        with subtests.test(name):
            lines = [line for line in said.splitlines() if name in line]
            assert table.get(name) == case.score, lines
            assert not case.says or any(case.says in line for line in lines), lines
    with subtests.test("what was set aside is said in the notebook, however often it was looked through"):
        copy = notebooks / "autograded/link_to_a_secret" / SLUG / f"{SLUG}.ipynb"
        assert "`data.csv` is a link to another place, and was set aside" in copy.read_text("utf-8")
    with subtests.test("nothing behind a link is copied"):
        assert not list((notebooks / "autograded").rglob("data.csv"))
    check_feedback(notebooks, way, set(table), subtests)


def check_feedback(notebooks: Path, way: str, graded: set[str], subtests: pytest.Subtests) -> None:
    """A page for each, with points and reasons, and nothing hidden."""
    done = command(notebooks, way, "generate_feedback" if way == BY_HAND else "feedback", SLUG)
    assert done.returncode == 0, done.stdout + done.stderr
    files = [p for p in (notebooks / "feedback").rglob("*") if p.is_file() and p.name != "timestamp.txt"]
    pages = {p.parent.parent.name: p.read_text("utf-8") for p in files}

    with subtests.test("a page for everybody, and nothing but pages"):
        assert pages.keys() == graded
        assert {p.suffix for p in files} == {".html"}
    with subtests.test("nothing hidden is given away"):
        for name, page in pages.items():
            assert "canary-" not in page, name
            assert "HIDDEN TESTS" not in page or name == "markers_in_the_answer"
            assert "SECRET" not in page, name
            assert "<script>alert" not in page, name
            assert len(page) < 2_000_000, name
    with subtests.test("a score and its reason stand on the page"):
        assert f"Score: {QUEUE} / {FULL}" in pages["wrong"]
        assert re.search(r"expected .* to be .*3.*, got .*1", pages["wrong"])
