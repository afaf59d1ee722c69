"""Submission + Exercise -> Verdict. Whatever is handed in becomes one; a fault of ours never a zero."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from handgrad import __version__
from handgrad.build.starter import cut, starter_messages
from handgrad.catalog import Course
from handgrad.errors import ExerciseError, HandgradError
from handgrad.files import read_text, required_text
from handgrad.judge.loader import LoadedCheck, grader_digest, load_checks
from handgrad.judge.session import Session, Starter, require_level
from handgrad.model import CheckResult, Exercise, Status, Submission, Verdict
from handgrad.submission import few


def grade(
    exercise: Exercise,
    submission: Submission,
    *,
    starter: Starter,
    course: Course,
    require: int = 0,
    checks: Sequence[LoadedCheck] | None = None,
    source: str = "",
    on_result: Callable[[CheckResult], None] | None = None,
) -> Verdict:
    """The verdict of one submission. Never raises for what a learner wrote, nor for a fault of ours.

    `require` is the lowest sandbox level that will do; `checks` a selection of the exercise's checks
    (None: all, and then their number and points must be those of exercise.toml); `source` the path as
    the reader knows it; `on_result` hears of each result as it comes.
    """
    results: list[CheckResult] = []
    session: Session | None = None
    ungraded = ""
    level = 0
    try:
        loaded = all_checks(exercise) if checks is None else tuple(checks)
        level = starter.level  # last: the sandbox may still be getting warm
        require_level(starter, require)
        session = Session(
            exercise, submission, starter=starter, secret=course.secret, stubs=stubs_of(exercise)
        )
        with session:
            for item in loaded:
                results.append(session.run(item))
                if on_result is not None:
                    on_result(results[-1])
        _refuse_suspects(exercise, loaded, session, starter, course)
    except HandgradError as error:
        ungraded, results = str(error), []
    except OSError as error:
        ungraded, results = f"this machine could not run the checks: {error}", []
    return Verdict(
        exercise=exercise.slug,
        learner=submission.learner,
        results=tuple(results),
        level=level,
        grader_digest=_digest(exercise),
        submission_digest=submission.digest,
        versions=versions(exercise.preload),
        seeds=session.seeds if session and any(map(_drew, results)) else "",
        message=session.problem if session else submission.problem,
        notes=(*submission.notes, *few(session.notes if session else ())),
        submitted_at=submission.submitted_at,
        source=source or str(submission.path),
        place=session.place if session else None,
        output=session.output if session else "",
        ungraded=ungraded,
    )


def all_checks(exercise: Exercise) -> tuple[LoadedCheck, ...]:
    """Every check, after counting: a renamed test file must not mean fewer tests. Raises ExerciseError."""
    loaded = load_checks(exercise)
    found = len(loaded), sum(item.check.points for item in loaded)
    if found != (exercise.checks, exercise.points):
        raise ExerciseError(
            f"`{exercise.slug}` promises {exercise.checks} checks worth {exercise.points} points, and "
            f"{found[0]} worth {found[1]} were found: "
            f"mend graders/{exercise.slug} or the totals in exercise.toml"
        )
    return loaded


def visible_checks(exercise: Exercise) -> tuple[LoadedCheck, ...]:
    """The checks that a student bundle holds. Raises ExerciseError when there are none."""
    loaded = tuple(item for item in load_checks(exercise) if not item.check.hidden)
    if not loaded:
        raise ExerciseError(f"`{exercise.slug}` has no visible check in graders/{exercise.slug}")
    return loaded


def stubs_of(exercise: Exercise) -> frozenset[str]:
    """What the starter's own NotImplementedErrors say, by the reference, or in a bundle by the starter.

    Raises ExerciseError when the one or the other is not UTF-8.
    """
    for path in (exercise.reference_path, exercise.folder / "starter.py", exercise.solution_path):
        try:
            text = read_text(path)
        except OSError:
            continue
        except ExerciseError:
            if path == exercise.solution_path:  # the learner's
                continue
            raise
        messages = starter_messages(cut(text) if path == exercise.reference_path else text)
        if messages:
            return messages
    return frozenset()


def versions(preload: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """What made the verdict: handgrad, Python, and the libraries that the exercise uses."""
    found = [("handgrad", __version__), ("python", ".".join(map(str, sys.version_info[:3])))]
    for name in preload:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return tuple(found)


def _drew(result: CheckResult) -> bool:
    return result.check.hidden and result.status is not Status.NOT_RUN


def _digest(exercise: Exercise) -> str:
    try:
        return grader_digest(exercise)
    except OSError:
        return ""


def _refuse_suspects(
    exercise: Exercise,
    loaded: Sequence[LoadedCheck],
    session: Session,
    starter: Starter,
    course: Course,
) -> None:
    """A check that raises by itself on the reference too is the author's fault: ExerciseError."""
    suspects = [item for item in loaded if item.check.name in session.suspects]
    if not suspects or not exercise.reference_path.is_file():
        return
    reference = Submission("", required_text(exercise.reference_path), exercise.reference_path)
    if reference.digest == session.submission_digest:
        item = suspects[0]
        raise ExerciseError(f"{_at(item)}: the check raises on the reference itself; mend the grader")
    with Session(exercise, reference, starter=starter, secret=course.secret) as again:
        for item in suspects:
            if again.run(item).status is not Status.PASSED:
                raise ExerciseError(f"{_at(item)}: the check does not pass on the reference; mend the grader")


def _at(item: LoadedCheck) -> str:
    return f"{item.check.path}:{item.check.line}"


def display_path(path: Path, root: Path) -> str:
    """The path as a reader in the course folder knows it, with forward slashes."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except (ValueError, OSError):
        return str(path)
