"""The student bundle: the same bytes each time, and enough to work with where nothing is installed."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from handgrad.build.bundle import make_bundle
from handgrad.catalog import load_course
from handgrad.errors import ExerciseError
from handgrad.inspection import look_at
from handgrad.integrations.releasing import build, when_to_publish

COURSE = load_course(Path(__file__).parent / "course")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy's bundle, unpacked."""
    folder = tmp_path_factory.mktemp("a learner's")
    zipfile.ZipFile(io.BytesIO(build(COURSE, COURSE.exercise("stack")).bundle)).extractall(folder)
    return folder / "stack"


def check(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`python3 -m handgrad check` as a learner types it, on a Python with nothing installed."""
    command = [sys.executable, "-S", "-m", "handgrad", "check", *words]
    return subprocess.run(command, cwd=folder, env={"PYTHONSAFEPATH": ""}, capture_output=True, text=True)


def test_two_builds_have_the_same_bytes() -> None:
    """No times, no order of a disk."""
    files = {"b": b"2", "a": b"1"}

    assert make_bundle("x", files) == make_bundle("x", dict(reversed(files.items())))
    assert build(COURSE, COURSE.exercise("stack")).bundle == build(COURSE, COURSE.exercise("stack")).bundle


def test_the_starter_waits_in_a_bundle(unpacked: Path) -> None:
    """Nothing installed, no network: the command says what to do first."""
    done = check(unpacked, "stack")

    assert done.returncode == 1, done.stderr
    assert "TODO" in done.stdout


def test_a_right_answer_passes_in_a_bundle_and_hears_of_hidden_checks(unpacked: Path) -> None:
    """All visible checks, and that others run when it is handed in."""
    answer = unpacked / "exercises/stack/solution.py"
    starter = answer.read_bytes()
    answer.write_bytes(COURSE.exercise("stack").reference_path.read_bytes())

    done = check(unpacked)
    answer.write_bytes(starter)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "visible checks 6/6; hidden ones run when you hand in" in done.stdout


def test_nothing_but_the_learners_part_is_in_it() -> None:
    """No reference, no hidden check, no mistake, no variant, and no tool for instructors."""
    archive = zipfile.ZipFile(io.BytesIO(build(COURSE, COURSE.exercise("stack")).bundle))
    names = {name.removeprefix("stack/") for name in archive.namelist()}

    assert {n.split("/")[0] for n in names} == {
        "README.md",
        "course.toml",
        "exercises",
        "graders",
        "handgrad",
    }
    assert not [
        n for n in names if "hidden" in n or "solutions" in n or "mistakes" in n or "integrations/" in n
    ]


def test_two_graders_of_one_name_are_refused(tmp_path: Path) -> None:
    """One would silently take the other's place; doctor says so before."""
    source = next((COURSE.root / "graders" / "stack").glob("test_*.py"))
    folder = tmp_path / "graders" / "stack"
    folder.mkdir(parents=True)
    text = source.read_text(encoding="utf-8").replace("def test_", "def test_more_")
    (folder / source.name).write_text(text, encoding="utf-8")
    (folder / "totals.toml").write_text("points = 9\nchecks = 6\n", encoding="utf-8")
    course = load_course(COURSE.root, [tmp_path])

    with pytest.raises(ExerciseError, match="another root has a file of this name"):
        build(course, course.exercise("stack"))
    told = [str(problem) for problem in look_at(course, course.exercise("stack"))]
    assert f"{folder / source.name}: another root has a file of this name: give it its own" in told


def test_an_answer_waits_until_it_gives_nothing_away() -> None:
    """A starter that holds another exercise's answer is announced as such."""

    class Revealing:
        slug, reveals = "later", ("stack", "elsewhere")

    assert when_to_publish([Revealing()], COURSE) == [  # type: ignore[list-item]
        "publish `later` only after `stack` is closed: its starter holds that answer"
    ]
