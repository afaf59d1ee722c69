"""The first files of a course and of an exercise: sound from the start, and meant to be written over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from handgrad.build.starter import make_starter
from handgrad.catalog import Course
from handgrad.errors import UsageError
from handgrad.files import write_safely

SLUG = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def new_exercise(course: Course, slug: str) -> tuple[Path, ...]:
    """Write a small exercise called `slug` that `doctor` finds sound; the paths, in reading order.

    Raises UsageError when the name will not do or is taken.
    """
    if not SLUG.fullmatch(slug):
        raise UsageError(
            f"`{slug}` will not do as a name: use small letters, digits and `_`, as in `two_layers`"
        )
    for kind in ("exercises", "solutions", "graders"):
        if (course.root / kind / slug).exists():
            raise UsageError(f"`{kind}/{slug}` is there already: choose another name")
    return _write(course.root, exercise_files(slug))


def new_course(folder: Path) -> tuple[Path, ...]:
    """Write an empty course into a folder that holds none. Raises UsageError when it holds one."""
    if (folder / "course.toml").exists():
        raise UsageError(f"`{folder}` is a course already")
    files = {"course.toml": _COURSE.format(title=_title(folder.resolve().name)), ".gitignore": _IGNORE}
    return _write(folder, {name: text for name, text in files.items() if not (folder / name).exists()})


def missing_ignores(folder: Path) -> tuple[str, ...]:
    """The lines that keep what is generated out of commits, and are not in the folder's `.gitignore`."""
    try:
        text = (folder / ".gitignore").read_text("utf-8", errors="replace")
    except OSError:
        text = ""
    there = {line.strip().strip("/") for line in text.splitlines()}
    return tuple(line for line in _IGNORE.splitlines() if line.strip("/") not in there)


def _write(folder: Path, files: Mapping[str, str]) -> tuple[Path, ...]:
    for name, text in files.items():
        write_safely(folder / name, text)
    return tuple(folder / name for name in files)


def _title(name: str) -> str:
    words = re.sub(r"[\W_]+", " ", name).strip() or "course"
    return words[:1].upper() + words[1:]


def exercise_files(slug: str) -> dict[str, str]:
    """The files of a new exercise by path: a function that doubles a number, with everything around it."""
    reference = _REFERENCE
    return {
        f"exercises/{slug}/exercise.toml": _EXERCISE.format(title=_title(slug)),
        f"exercises/{slug}/README.md": _STATEMENT.format(title=_title(slug)),
        f"solutions/{slug}/solution.py": reference,
        f"graders/{slug}/test_1_{slug}.py": _VISIBLE,
        f"graders/{slug}/hidden/test_2_{slug}.py": _HIDDEN,
        f"graders/{slug}/mistakes/adds_two.py": _MISTAKE,
        f"graders/{slug}/variants/adds_to_itself.py": _VARIANT,
        f"exercises/{slug}/solution.py": make_starter(reference),
    }


_COURSE = """\
format = 1
title = "{title}"
feedback = "full"    # full | rule | score (an exam: no hints, no values)
require_level = 2    # the sandbox level that a grade needs
"""

# What the commands write into a course: builds, archives with hidden checks, what learners hand in, grades.
_IGNORE = """\
__pycache__/
.ipynb_checkpoints/
.handgrad/
/dist/
/demo/
/web/dist/
/grades.csv
/notebooks/source/
/notebooks/release/
/notebooks/submitted/
/notebooks/autograded/
/notebooks/feedback/
/notebooks/exchange/
/notebooks/gradebook.db*
/notebooks/grades.csv
/notebooks/.nbgrader.log
"""

_EXERCISE = """\
format = 1
title = "{title}"
level = "easy"                     # easy | medium | hard
tags = []
summary = "Write a function that doubles a number."
goals = ["write a function", "read what a failing check says"]    # after this you can ...
minutes = 5
points = 3                         # both totals are compared with the graders
checks = 2
"""

_STATEMENT = """\
# {title}

Write `double(number)`, which gives twice the number.

| number | result |
|-------:|-------:|
|      3 |      6 |
|     -1 |     -2 |
"""

_REFERENCE = '''\
"""A function that doubles."""


def double(number):
    """Twice the number."""
    # TODO 1: multiply the number by two and return the product.
    ### BEGIN SOLUTION
    return 2 * number
    ### END SOLUTION
'''

_VISIBLE = '''\
"""One example that a learner sees."""

from handgrad.check import check


@check(points=1, hint=("What is twice three?", "Multiply by two, and return the product."))
def test_double_of_three(double):
    """double(3) is 6."""
    number = 3

    result = double(number)

    assert result == 6
'''

_HIDDEN = '''\
"""More numbers, drawn for each submission: a title and a hint here give no number away."""

from handgrad.check import check


@check(points=2, hint="It must hold for every number, negative ones among them.")
def test_double_of_any_number(double, rng):
    """double works for any whole number."""
    number = rng.choice([n for n in range(-1000, 1000) if n != 2])

    result = double(number)

    assert result == 2 * number
'''

_MISTAKE = '''\
"""Adding two is not the same as multiplying by two.

fails: test_double_of_three
"""


def double(number):
    return number + 2
'''

_VARIANT = '''\
"""Adds the number to itself."""


def double(number):
    return number + number
'''
