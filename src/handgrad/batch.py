"""A folder of hand-ins -> one verdict each, on all cores. Nothing in the folder is passed over in silence.

A hand-in has one of these shapes, where DIR is the folder and `slug` the exercise:
`DIR/<learner>/solution.py`, `DIR/<learner>.py`, `DIR/<learner>/<slug>/<slug>.ipynb`; and, for clones of a
course repository, `DIR/<learner>/exercises/<slug>/solution.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from handgrad.catalog import Course
from handgrad.errors import UsageError
from handgrad.model import Exercise, Submission, Verdict
from handgrad.pool import run_pool
from handgrad.submission import read_submission, submitted_at

MOST_NAMED = 5  # files that one sentence names
NOT_HAND_INS = re.compile(r"\..*|__MACOSX|__.*__|.*~|conftest\.py|test_.*\.py|.*_test\.py")


@dataclass(frozen=True, slots=True)
class HandIn:
    """One learner's file, or the sentence that says why there is none to read."""

    learner: str
    path: Path
    problem: str = ""
    notes: tuple[str, ...] = ()
    submitted_at: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What a folder of submissions holds: the hand-ins by learner, and what is none."""

    hand_ins: tuple[HandIn, ...]
    ignored: tuple[str, ...]


# ---- finding


def find_hand_ins(folder: Path, slug: str) -> Found:
    """Every entry of `folder`: a hand-in, or ignored by name. Links are never followed.

    Raises UsageError when the folder cannot be listed.
    """
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: _natural(entry.name))
    except OSError as error:
        reason = (error.strerror or "").lower()
        raise UsageError(f"the folder of submissions `{folder}` cannot be read: {reason}") from None
    by_learner: dict[str, list[HandIn]] = {}
    ignored: list[str] = []
    for entry in entries:
        hand_in = _hand_in(entry, slug)
        if hand_in is None:
            ignored.append(entry.name)
        else:
            by_learner.setdefault(hand_in.learner, []).append(hand_in)
    return Found(tuple(_one(folder, found) for found in by_learner.values()), tuple(ignored))


def select(hand_ins: Sequence[HandIn], only: Sequence[str], skip: Sequence[str]) -> tuple[HandIn, ...]:
    """Those named in `only` (all, if empty) and not in `skip`. Raises UsageError for unknown names."""
    learners = {hand_in.learner for hand_in in hand_ins}
    for name in (*only, *skip):
        if name not in learners:
            import difflib

            close = difflib.get_close_matches(name, learners, 1)
            hint = f"did you mean `{close[0]}`?" if close else f"there are {len(learners)} others"
            raise UsageError(f"nobody called `{name}` handed anything in: {hint}")
    return tuple(h for h in hand_ins if (not only or h.learner in only) and h.learner not in skip)


def _natural(name: str) -> list[tuple[int, int | str]]:
    """So that `s2` comes before `s10`."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name.casefold())
    return [(0, int(part)) if part.isdecimal() and len(part) < 20 else (1, part) for part in parts]


def _hand_in(entry: Path, slug: str) -> HandIn | None:
    if NOT_HAND_INS.fullmatch(entry.name):
        return None
    if entry.is_symlink():
        return HandIn(
            entry.stem, entry, f"`{entry.name}` is a link to another place: hand in the files themselves"
        )
    if entry.is_dir():
        return find_hand_in(entry, slug)
    return HandIn(entry.stem, entry) if entry.suffix.lower() in (".py", ".ipynb") else None


def find_hand_in(folder: Path, slug: str, *, any_name: bool = False) -> HandIn:
    """What one learner handed in: at the top, in a folder called `slug`, or in its place in a course.

    With `any_name` a single file of Python at the top will do, whatever it is called. Never chooses among
    several: they are told by name. No link is followed.
    """
    names = ("solution.py", f"{slug}.py", f"{slug}.ipynb")
    places = [*names, *(f"{slug}/{name}" for name in names), f"exercises/{slug}/solution.py"]
    found = [folder / place for place in places if os.path.lexists(folder / place)]
    if len(found) == 1:
        linked = next(
            (p for p in found[0].parents if p != folder and folder in p.parents and p.is_symlink()), None
        )
        if linked is not None:
            return HandIn(
                folder.name,
                found[0],
                f"`{linked.name}` is a link to another place: hand in the files themselves",
            )
        given = submitted_at(found[0].parent)
        return HandIn(folder.name, found[0], notes=_not_read(found[0]), submitted_at=given)
    if found:
        listed = " and ".join(f"`{path.relative_to(folder)}`" for path in found)
        return HandIn(folder.name, folder, f"{listed} were both handed in: keep one of them")
    files = list(_walk(folder))
    others = _code_in(folder) if any_name and not _too_deep(files, slug) else []
    if len(others) == 1:
        return HandIn(folder.name, folder / others[0])
    problem = _which_counts(others) if others else _why_none(folder, slug, files)
    return HandIn(folder.name, folder, problem)


def _not_read(path: Path) -> tuple[str, ...]:
    """A note that names other code in the same folder: which one counts must not be a surprise."""
    others = [name for name in _code_in(path.parent) if name != path.name]
    if not others:
        return ()
    return (f"`{path.name}` was read, and `{others[0]}` beside it was not",)


def _code_in(folder: Path) -> list[str]:
    """The names of files of Python and notebooks in a folder, without those that no learner answers in."""
    try:
        names = sorted(p.name for p in folder.iterdir() if p.suffix.lower() in (".py", ".ipynb"))
    except OSError:
        return []
    return [name for name in names if not NOT_HAND_INS.fullmatch(name)]


def _which_counts(names: Sequence[str]) -> str:
    listed = " and ".join(f"`{name}`" for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{listed}{more} were handed in, and none is called `solution.py`: rename the one that counts"


def _too_deep(files: Sequence[Path], slug: str) -> Path | None:
    return next((file for file in files if file.name in ("solution.py", f"{slug}.ipynb")), None)


def _why_none(folder: Path, slug: str, files: Sequence[Path]) -> str:
    """The sentence for a folder without a hand-in: empty, nested too deep, or under another name."""
    wanted = f"`solution.py` or `{slug}/{slug}.ipynb`"
    if not files:
        return f"no {wanted} was handed in: the folder is empty"
    nested = _too_deep(files, slug)
    if nested:
        return f"`{nested.relative_to(folder)}` lies too deep: move it up to {wanted}"
    code = [f for f in files if f.suffix.lower() in (".py", ".ipynb")]
    if code:
        return f"`{code[0].relative_to(folder)}` has another name: rename it to {wanted}"
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return f"no {wanted} was handed in, only `{files[0].relative_to(folder)}`{more}"


def _walk(folder: Path, most: int = 1000) -> Iterator[Path]:
    """Files below `folder`, at most `most` of them, no deeper than six levels, no link followed."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not NOT_HAND_INS.fullmatch(f))
        if len(Path(place).relative_to(folder).parts) >= 6:
            folders.clear()
        for name in sorted(names):
            if not name.startswith("."):
                most -= 1
                yield Path(place, name)
            if most <= 0:
                return


def _one(folder: Path, found: Sequence[HandIn]) -> HandIn:
    if len(found) == 1:
        return found[0]
    listed = " and ".join(f"`{hand_in.path.relative_to(folder).as_posix()}`" for hand_in in found)
    return HandIn(found[0].learner, found[0].path, f"{listed} were both handed in: keep one of them")


def read_hand_in(hand_in: HandIn, exercise: Exercise) -> Submission:
    """The submission of a hand-in; never raises for what is in it."""
    if hand_in.problem:
        return Submission(hand_in.learner, "", hand_in.path, problem=hand_in.problem)
    submission = read_submission(hand_in.path, learner=hand_in.learner, limits=exercise.limits)
    problem = "; ".join((submission.problem, *hand_in.notes)) if submission.problem else ""
    notes = submission.notes + hand_in.notes
    return submission._replace(problem=problem, notes=notes, submitted_at=hand_in.submitted_at)


# ---- grading


def grade_many(
    exercise: Exercise,
    hand_ins: Sequence[HandIn],
    *,
    course: Course,
    jobs: int = 0,
    level: int | None = None,
    require_level: int = 0,
    done: Callable[[Verdict], None] = lambda verdict: None,
) -> tuple[Verdict, ...]:
    """One verdict a hand-in, in their order. `done` is called in the caller's process as each one comes.

    `jobs` processes (0: one a core), each with a sandbox of its own at `level` (None: the best there is).
    A hand-in with which a grading process dies twice is ungraded; the others go on. Raises ToolError when
    the sandbox gives less than `require_level`, ExerciseError when the graders cannot be used.
    """
    task = _Task(Grading(exercise, course, level, require_level))
    return run_pool(task, hand_ins, jobs=jobs, done=done)


@dataclass(frozen=True, slots=True)
class Grading:
    """What a grading process needs to begin: the task that grades submissions read elsewhere."""

    exercise: Exercise
    course: Course
    level: int | None
    require_level: int

    def open(self, stack: ExitStack) -> Callable[[Submission], Verdict]:
        """Start the sandbox, which `stack` will close; what grades one submission in it."""
        grade_one = self.begin(stack)
        return lambda submission: grade_one(submission, submission.path.name)

    def lost(self, submission: Submission, code: int | None) -> Verdict:
        """The verdict when the grading process itself died of a submission, twice."""
        dead = self.dead(submission.learner, submission.path.name, code)
        return dead._replace(submitted_at=submission.submitted_at)

    def begin(self, stack: ExitStack) -> Callable[[Submission, str], Verdict]:
        """As `open`; what it gives grades a submission under the path that its reader knows."""
        from handgrad.sandbox.starter import open_starter

        starter = stack.enter_context(open_starter(self.level, preload=self.exercise.preload))
        from handgrad.grade import all_checks, grade
        from handgrad.judge.session import require_level

        require_level(starter, self.require_level)
        checks = all_checks(self.exercise)  # once; and broken graders are told once, not a hand-in each

        def grade_one(submission: Submission, source: str) -> Verdict:
            return grade(
                self.exercise, submission, starter=starter, course=self.course, checks=checks, source=source
            )

        return grade_one

    def dead(self, learner: str, source: str, code: int | None) -> Verdict:
        """No grade, because the grading process ended with `code` twice."""
        return Verdict(
            exercise=self.exercise.slug,
            learner=learner,
            results=(),
            level=0,
            grader_digest="",
            submission_digest="",
            source=source,
            ungraded=f"the grading process died twice (code {code}): grade this one again by itself",
        )


@dataclass(frozen=True, slots=True)
class _Task:
    """Grades hand-ins, which the process reads itself."""

    grading: Grading

    @staticmethod
    def source(hand_in: HandIn) -> str:
        """The hand-in's path as whoever called reads it."""
        path = hand_in.path
        return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else str(path)

    def open(self, stack: ExitStack) -> Callable[[HandIn], Verdict]:
        """Start the sandbox, which `stack` will close; what grades one hand-in in it."""
        grade_one = self.grading.begin(stack)
        return lambda hand_in: grade_one(read_hand_in(hand_in, self.grading.exercise), self.source(hand_in))

    def lost(self, hand_in: HandIn, code: int | None) -> Verdict:
        """The verdict when the grading process itself died of a hand-in, twice."""
        dead = self.grading.dead(hand_in.learner, self.source(hand_in), code)
        return dead._replace(submitted_at=hand_in.submitted_at)
