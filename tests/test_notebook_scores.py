"""The same work gets the same points in a released notebook's kernel and from the judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handgrad.build.notebook import check_texts, make_notebook, read_graders
from handgrad.build.starter import make_starter
from handgrad.catalog import load_course
from handgrad.grade import grade
from handgrad.model import Exercise, Status, Submission
from handgrad.sandbox.starter import open_starter

COURSE = load_course(Path(__file__).parent / "course")


def works(exercise: Exercise) -> dict[str, str]:
    """Reference, starter, every known mistake and every variant."""
    reference = exercise.reference_path.read_text("utf-8")
    found = {"reference": reference, "starter": make_starter(reference)}
    for kind in ("mistakes", "variants"):
        for path in sorted((exercise.grader_folder / kind).glob("*.py")):
            found[f"{kind}/{path.stem}"] = path.read_text("utf-8")
    return found


def kernel_says(notebook: str, text: str) -> dict[str, bool]:
    """Which graded cells pass when all cells are run in their order, errors or not, as stock nbgrader does."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    passed: dict[str, bool] = {}
    for cell in json.loads(notebook)["cells"]:
        if cell["cell_type"] != "code":
            continue
        marks = cell["metadata"].get("nbgrader", {})
        try:
            exec(
                compile(text if marks.get("solution") else "".join(cell["source"]), "cell", "exec"), namespace
            )
            error = False
        except Exception:
            error = True
        if marks.get("grade"):
            passed[marks["grade_id"]] = not error
    return passed


@pytest.mark.parametrize("slug", [exercise.slug for exercise in COURSE.exercises])
def test_honest_work_scores_the_same_in_a_kernel(slug: str) -> None:
    """Check for check, for all work whose outcome is known."""
    exercise = COURSE.exercise(slug)
    notebook = make_notebook(
        exercise,
        statement="",
        reference=exercise.reference_path.read_text("utf-8"),
        checks=check_texts(read_graders(exercise)),
    )
    differ = {}
    with open_starter(None) as starter:
        for name, text in works(exercise).items():
            submission = Submission("somebody", text, Path("solution.py"))
            verdict = grade(exercise, submission, starter=starter, course=COURSE)
            judged = {r.check.name: r.status is Status.PASSED for r in verdict.results}
            if judged != kernel_says(notebook, text):
                differ[name] = judged

    assert differ == {}
