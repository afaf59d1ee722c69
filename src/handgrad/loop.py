"""The learner's loop beside checking: hints one at a time, the starter back, the road map, a class kept.

What these functions return is text for the learner; the command prints it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from handgrad.build.starter import cut, make_starter
from handgrad.catalog import Course
from handgrad.errors import ExerciseError, UsageError
from handgrad.files import read_text, write_safely
from handgrad.model import Exercise, Verdict
from handgrad.state import State
from handgrad.submission import canonical, read_submission

STARTER = "starter.py"  # in `exercises/<slug>/` where the reference is not at hand: a student bundle


def starter_text(exercise: Exercise) -> str:
    """The starter: cut from the reference, or as a bundle brings it. Raises UsageError without either."""
    try:
        reference = read_text(exercise.reference_path)
    except OSError:
        try:
            return read_text(exercise.folder / STARTER)
        except OSError:
            raise UsageError(
                f"there is no starter for `{exercise.slug}` here: take `solution.py` from where you got it"
            ) from None
    return make_starter(reference, name=str(exercise.reference_path))


def is_bundle(exercise: Exercise) -> bool:
    """True in a student bundle, which brings the starter and the visible checks, and no reference."""
    return (exercise.folder / STARTER).is_file() and not exercise.reference_path.is_file()


def is_started(exercise: Exercise) -> bool:
    """False when the learner's file is still the starter, True when nothing tells. Looks at text only."""
    own = read_submission(exercise.solution_path)
    if own.problem:
        return True  # whatever it is, it is not the starter
    try:
        return own.text != canonical(cut(read_text(exercise.reference_path)))
    except OSError:
        try:
            return own.text != canonical(read_text(exercise.folder / STARTER))
        except OSError:
            return True
    except ExerciseError:
        return True  # the verdict tells what is wrong with the reference, and of the others it tells theirs


def is_begun(exercise: Exercise, state: State) -> bool:
    """True once the learner's file is no longer the starter, or they said `start`."""
    return exercise.slug in state.read("started") or is_started(exercise)


def remember_start(exercise: Exercise, state: State, *, begun: bool = True) -> None:
    """Keep that the learner said `start`, or forget it. Raises ToolError when the state cannot be written."""
    before = state.read("started")
    after = {slug: True for slug in (*before, exercise.slug) if begun or slug != exercise.slug}
    if after != before:
        state.write("started", after)


# ---- hints


class Hint(NamedTuple):
    """The next hint of one check, and where the ladder stands."""

    check: str  # the check's name, "" when there is nothing to hint at
    number: int
    text: str


def next_hint(exercise: Exercise, verdict: Verdict, state: State, feedback: str = "full") -> Hint:
    """The next hint for the check that a report tells in full; the last one again when all were given."""
    from handgrad.report.wording import first_to_mend

    if feedback != "full":
        return Hint("", 0, f"{exercise.slug}: this course gives no hints")
    if verdict.message:
        return Hint("", 0, f"{exercise.slug}: {verdict.message}")
    failing = first_to_mend(verdict)
    if failing is None:
        return Hint("", 0, f"{exercise.slug}: every check passes, so there is nothing left to hint at")
    hints = failing.check.hints
    given = _count(state, exercise.slug, failing.check.name)
    number = min(given + 1, len(hints))
    last = "\n(that was the last one)" if given >= len(hints) else ""
    title = f"{exercise.slug}: {failing.check.title}"
    return Hint(
        failing.check.name, number, f"{title}\nhint {number} of {len(hints)}: {hints[number - 1]}{last}"
    )


def remember_hint(exercise: Exercise, hint: Hint, state: State) -> None:
    """Count the hint as given. Raises ToolError when the state cannot be written."""
    if not hint.check:
        return
    memory = state.read("hints")
    given = memory.get(exercise.slug)
    counts = given if isinstance(given, dict) else {}
    memory[exercise.slug] = {**counts, hint.check: _count(state, exercise.slug, hint.check) + 1}
    state.write("hints", memory)


def remember_shown(verdict: Verdict, state: State) -> None:
    """Count the first hint of the check that a report told in full: `hint` goes on from there."""
    from handgrad.report.wording import first_to_mend

    told = None if verdict.ungraded or verdict.message else first_to_mend(verdict)
    if told is None or len(told.check.hints) < 2 or _count(state, verdict.exercise, told.check.name):
        return
    memory = state.read("hints")
    given = memory.get(verdict.exercise)
    counts = given if isinstance(given, dict) else {}
    state.write("hints", {**memory, verdict.exercise: {**counts, told.check.name: 1}})


def hints_given(verdict: Verdict, state: State) -> int:
    """How many hints were given for the check that a report tells in full."""
    from handgrad.report.wording import first_to_mend

    told = first_to_mend(verdict)
    return _count(state, verdict.exercise, told.check.name) if told else 0


def _count(state: State, slug: str, name: str) -> int:
    given = state.read("hints").get(slug)
    count = given.get(name) if isinstance(given, dict) else 0
    return count if isinstance(count, int) and count >= 0 else 0


# ---- the road map


def remember(verdicts: Sequence[Verdict], state: State) -> None:
    """Keep the marks of the learner's own files. Raises ToolError when the state cannot be written."""
    before = state.read("progress")
    after = dict(before)
    for verdict in verdicts:
        if not verdict.ungraded:
            after[verdict.exercise] = {
                "score": verdict.score,
                "of": verdict.max_score,
                "passed": verdict.passed,
                "digest": verdict.submission_digest,
            }
    if after != before:
        state.write("progress", after)


def road_map(course: Course, state: State) -> str:
    """One line an exercise: its mark in words, its name, its level, its title."""
    if not course.exercises:
        return "this course has no exercises yet"
    memory = state.read("progress")
    marks = [_mark(exercise, memory.get(exercise.slug), state) for exercise in course.exercises]
    wide = max(len(mark) for mark in marks)
    slug_wide = max(len(exercise.slug) for exercise in course.exercises)
    lines = [
        f"{mark:<{wide}}  {exercise.slug:<{slug_wide}}  {exercise.level:<6}  {exercise.title}"
        for mark, exercise in zip(marks, course.exercises, strict=True)
    ]
    passed = sum(mark.startswith("passed") and "changed" not in mark for mark in marks)
    return "\n".join([course.title, "", *lines, "", f"{passed} of {len(marks)} exercises passed"])


def current(course: Course, state: State) -> Exercise | None:
    """Where the learner is: the first exercise that was begun and does not pass, else the first open one."""
    open_ones = [exercise for exercise in course.exercises if not _passed(state, exercise.slug)]
    begun = [exercise for exercise in open_ones if is_begun(exercise, state)]
    return next(iter([*begun, *open_ones, *course.exercises]), None)


def _mark(exercise: Exercise, known: object, state: State) -> str:
    if not is_started(exercise):
        return "started" if is_begun(exercise, state) else "not started"
    if not isinstance(known, dict):
        return "started, not checked yet"
    score = f"{known.get('score')} of {known.get('of')}"
    mark = f"passed {score}" if known.get("passed") is True else f"{score} points"
    changed = known.get("digest") != read_submission(exercise.solution_path).digest
    return f"{mark}, changed since" if changed else mark


# ---- beginning and beginning again


def reset(exercise: Exercise, state: State) -> str:
    """Put the starter back and the learner's file aside. When it raises, nothing was changed."""
    starter = starter_text(exercise)
    path = exercise.solution_path
    if not path.is_file():
        write_safely(path, starter)
        return f"{exercise.slug}: the starter is back"
    if not is_started(exercise):
        return f"{exercise.slug}: nothing to reset, this is the starter"
    kept = state.keep(exercise)
    write_safely(path, starter)
    return f"{exercise.slug}: the starter is back, and your file is kept as {shown(kept, exercise)}"


def shown(path: Any, exercise: Exercise) -> str:
    """A path as it reads from the course folder."""
    return path.relative_to(exercise.root).as_posix() if path.is_relative_to(exercise.root) else str(path)


def start(
    course: Course,
    exercise: Exercise,
    state: State,
    judge: Callable[[Exercise], Verdict],
    *,
    given: bool = False,
    afresh: str = "`reset`, then `start --given`",
) -> str:
    """Begin an exercise. Where it goes on from one that the learner passed, their own class is carried over.

    `given` keeps the class that the starter brings, and `afresh` is how to ask for it later. Nothing is
    overwritten: a file that was begun stays.
    """
    path = shown(exercise.solution_path, exercise)
    if exercise.solution_path.is_file() and is_started(exercise):
        return f"{exercise.slug}: you have begun already: {path}"
    starter = starter_text(exercise)
    carried, why_not = ("", "") if given else _carried(course, exercise, starter, judge)
    write_safely(exercise.solution_path, carried or starter)
    lines = [
        f"{exercise.slug}: {exercise.title}",
        f"read {shown(exercise.folder / 'README.md', exercise)}, then edit {path}",
    ]
    if carried:
        lines.append(f"your own class is in there ({afresh}, brings the given one)")
    elif why_not:
        lines.append(why_not)
    missing = [s for s in exercise.after if s in {e.slug for e in course.exercises} and not _passed(state, s)]
    if missing:
        lines.append(f"it comes after {', '.join(missing)}")
    return "\n".join(lines)


def _passed(state: State, slug: str) -> bool:
    known = state.read("progress").get(slug)
    return isinstance(known, dict) and known.get("passed") is True


def _carried(
    course: Course, exercise: Exercise, starter: str, judge: Callable[[Exercise], Verdict]
) -> tuple[str, str]:
    """The starter with the learner's own class in it, or "" and a sentence that says why not."""
    here = {e.slug: e for e in course.exercises}
    for slug in reversed(exercise.reveals):
        if slug not in here or not is_started(here[slug]):
            continue
        verdict = judge(here[slug])
        if verdict.ungraded:
            why = f"your `{slug}` was not checked: {verdict.ungraded}"
            return "", f"the class in it is the given one, since {why}"
        if not verdict.passed:
            return "", f"the class in it is the given one, since your `{slug}` does not pass yet"
        from handgrad.build.carry import carry, without_todos

        own = read_submission(here[slug].solution_path).text
        with suppress(UsageError):  # of what it grew from no copy is at hand: its comments come along
            own = without_todos(own, starter_text(here[slug]))
        carried = carry(starter, own)
        if carried != starter:
            return carried, ""
    return "", ""
