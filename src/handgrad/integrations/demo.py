"""`handgrad demo`: a class of twelve invented submissions on its whole way, in a folder of its own.

Works for any course: right answers come from the reference and the variants, wrong ones from the known
mistakes, and the rest is what every class hands in sooner or later.
"""

from __future__ import annotations

import copy
import csv
import json
import shutil
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from handgrad.build.starter import make_starter
from handgrad.catalog import Course, load_course
from handgrad.errors import UsageError
from handgrad.files import refuse_to_replace, required_text, write_safely
from handgrad.integrations.collect import lay_over
from handgrad.model import Exercise

Say = Callable[[str], None]
STAMP: Final = ".handgrad-demo"  # in the folder that is made here, and may be made anew


def demo(course: Course, say: Say, run: Callable[[str, Course, Namespace], int], config: str) -> int:
    """Make the folder `demo/` in the course, hand in twelve answers there, grade them and show the result.

    `run` performs one of the notebook commands; `config` is the text of nbgrader_config.py. Raises UsageError
    when a `demo/` is there that was not made here.
    """
    exercise = _exercise(course)
    folder = course.root / "demo"
    refuse_to_replace(folder, STAMP)
    if folder.exists():
        shutil.rmtree(folder)
    write_safely(folder / STAMP, "`handgrad demo` makes this folder anew each time.\n")
    for part in ("exercises", "solutions", "graders"):
        shutil.copytree(exercise.root / part / exercise.slug, folder / part / exercise.slug)
    shutil.copyfile(course.root / "course.toml", folder / "course.toml")
    (folder / "notebooks").mkdir()
    (folder / "notebooks" / "nbgrader_config.py").write_text(config, encoding="utf-8")
    copied = load_course(folder)
    say("in the folder demo/:")
    everyone: dict[str, Any] = {"only": [], "skip": [], "jobs": None, "require_level": None, "reveal": False}

    def step(name: str, **words: Any) -> int:
        say(f"\n$ handgrad {name} {exercise.slug}" if name != "export" else "\n$ handgrad export")
        return run(name, copied, Namespace(**everyone, **words))

    step("release", slugs=[exercise.slug])
    say(f"\n(12 invented learners hand in `{exercise.slug}`)")
    for line in hand_in(copied.exercise(exercise.slug), folder / "notebooks"):
        say(f"  {line}")
    code = step("autograde", slug=exercise.slug)
    step("feedback", slug=exercise.slug)
    step("export", slugs=[])
    say("")
    for line in _gradebook(folder / "notebooks" / "grades.csv"):
        say(f"  {line}")
    say("\nthe gradebook: demo/notebooks/gradebook.db, and in figures demo/notebooks/grades.csv")
    say(f"a page for each learner: demo/notebooks/feedback/s03/{exercise.slug}/{exercise.slug}.html")
    return 0 if code in (0, 1) else code


def _exercise(course: Course) -> Exercise:
    """The exercise with the most to show among those that need nothing installed."""
    plain = [e for e in course.exercises if not e.preload]
    if not plain:
        raise UsageError("this course has no exercise that a demonstration could use")
    return max(plain, key=lambda e: len(list((e.grader_folder / "mistakes").glob("*.py"))))


def hand_in(exercise: Exercise, notebooks: Path) -> Iterator[str]:
    """Write the twelve submissions; a line that says what each is."""
    reference = required_text(exercise.reference_path)
    release = (notebooks / "release" / exercise.slug / f"{exercise.slug}.ipynb").read_text(encoding="utf-8")
    for number, (what, content) in enumerate(_answers(exercise, reference, release), 1):
        folder = notebooks / "submitted" / f"s{number:02}" / exercise.slug
        folder.mkdir(parents=True)
        if content is not None:
            text = content if isinstance(content, str) else json.dumps(content, indent=1)
            (folder / f"{exercise.slug}.ipynb").write_text(text, encoding="utf-8")
        yield f"s{number:02}  {what}"


def _answers(exercise: Exercise, reference: str, release: str) -> Iterator[tuple[str, Any]]:
    variants = sorted((exercise.grader_folder / "variants").glob("*.py"))
    mistakes = sorted((exercise.grader_folder / "mistakes").glob("*.py"))
    yield "right: the reference", lay_over(release, reference)
    yield "right, in another style", lay_over(release, required_text(variants[0]) if variants else reference)
    for path in mistakes[:: max(1, len(mistakes) // 3)][:3]:
        yield f"wrong: {_first_line(path)}", lay_over(release, required_text(path))
    yield "the starter, untouched", lay_over(release, make_starter(reference))
    yield "ends Python as soon as it is loaded", lay_over(release, "import os\nos._exit(0)\n" + reference)
    yield "loops for ever while it is loaded", lay_over(release, reference + "\nwhile True:\n    pass\n")
    yield "prints without end", lay_over(release, reference + "\nfor n in range(200000):\n    print(n)\n")
    yield (
        "right, with its check cells deleted and the answer cut in two",
        _damaged(lay_over(release, reference)),
    )
    yield "a file that is no notebook", '{"cells": [ the download broke off'
    yield "an empty folder", None


def _damaged(notebook: dict[str, Any]) -> dict[str, Any]:
    """As JupyterLab leaves it when the answer's cell is split, and the checks deleted."""
    cells: list[dict[str, Any]] = []
    for cell in notebook["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("grade"):
            continue
        if not marks.get("solution"):
            cells.append(cell)
            continue
        head, _, tail = cell["source"].partition("\n\n\n")
        for number, part in enumerate((head, tail)):
            half = copy.deepcopy(cell)
            half["source"], half["id"] = part, f"half-{number}"
            cells.append(half)
    notebook["cells"] = cells
    return notebook


def _first_line(path: Path) -> str:
    return required_text(path).lstrip("\"'").split("\n")[0].strip("\"'")


def _gradebook(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in sorted(csv.DictReader(file), key=lambda row: row["student_id"]):
            yield f"{row['student_id']}  {float(row['score']):5.1f} of {float(row['max_score']):.1f}"
