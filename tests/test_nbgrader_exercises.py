"""Every exercise of the course goes through nbgrader: released, handed in as notebooks, autograded."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from handing_in import TOP, answered, command, hand_in, saved, scores

from handgrad.catalog import load_course
from handgrad.grade import grade
from handgrad.model import Submission
from handgrad.sandbox.starter import open_starter

COURSE = load_course(TOP)
MISTAKES = {
    "chain_rule": "missing_second_contribution",
    "scalar_engine": "s03_assigns_in_add",
    "scalar_training": "gradients_never_reset",
    "array_engine": "gradient_not_summed",
    "array_training": "gradient_never_reset",
}


def course_with(slug: str, folder: Path) -> Path:
    """A course of its own that holds this exercise; its notebooks folder."""
    for part in ("exercises", "solutions", "graders"):
        shutil.copytree(TOP / part / slug, folder / part / slug)
    (folder / "notebooks").mkdir()
    for name in ("course.toml", "notebooks/nbgrader_config.py"):
        shutil.copyfile(TOP / name, folder / name)
    return folder / "notebooks"


def test_every_exercise_has_its_turn() -> None:
    """A new exercise needs a mistake to be handed in."""
    assert MISTAKES.keys() == {exercise.slug for exercise in COURSE.exercises}


@pytest.mark.parametrize("slug", MISTAKES)
def test_release_and_autograde_give_the_points_of_the_judge(slug: str, tmp_path: Path) -> None:
    """All of them for the reference, none for the starter, and for a mistake what the judge says."""
    exercise = COURSE.exercise(slug)
    reference = exercise.reference_path.read_text("utf-8")
    mistake = (exercise.grader_folder / "mistakes" / f"{MISTAKES[slug]}.py").read_text("utf-8")
    with open_starter(preload=exercise.preload) as starter:
        submission = Submission("wrong", mistake, Path("solution.py"))
        judged = grade(exercise, submission, starter=starter, course=COURSE)
    notebooks = course_with(slug, tmp_path)
    done = command(notebooks, "handgrad", "release", slug, "--reveal")
    assert done.returncode == 0, done.stdout + done.stderr
    for learner, code in (("right", reference), ("starter", None), ("wrong", mistake)):
        hand_in(
            notebooks,
            learner,
            lambda folder, notebook, code=code: saved(  # type: ignore[misc]
                answered(notebook, code) if code else notebook, folder, f"{slug}.ipynb"
            ),
            slug,
        )

    done = command(notebooks, "handgrad", "autograde", slug)

    assert done.returncode == 0, done.stdout + done.stderr
    assert scores(notebooks, slug) == {"right": exercise.points, "starter": 0, "wrong": judged.score}
    assert 0 < judged.score < exercise.points
