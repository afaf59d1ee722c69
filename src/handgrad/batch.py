"""A folder of hand-ins -> one verdict each, on all cores. Nothing in the folder is passed over in silence.

A hand-in has one of these shapes, where DIR is the folder and `slug` the exercise:
`DIR/<learner>/solution.py`, `DIR/<learner>.py`, `DIR/<learner>/<slug>/<slug>.ipynb`; and, for clones of a
course repository, `DIR/<learner>/exercises/<slug>/solution.py`. Which file of a learner's folder counts is
decided in `choice.py`, as for nbgrader.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from handgrad.catalog import Course
from handgrad.choice import (
    NOT_HAND_INS,
    candidates,
    choose,
    files_in,
    holds_work,
    is_archive,
    is_code,
    is_for,
    is_plain,
    link_above,
    linked_away,
    loose_in,
    names_of,
    receipt_path,
    set_aside_earlier,
    taken,
    walk,
    without_made,
)
from handgrad.errors import ToolError, UsageError
from handgrad.files import OURS, refused
from handgrad.model import Exercise, Submission, Verdict
from handgrad.pool import run_pool
from handgrad.submission import brief, not_a_file, read_submission, submitted_at

MOST_NAMED = 5  # files that one sentence names


@dataclass(frozen=True, slots=True)
class HandIn:
    """One learner's file, or the sentence that says why there is none to read, and so no grade."""

    learner: str
    path: Path
    problem: str = ""
    notes: tuple[str, ...] = ()
    submitted_at: str = ""
    ours: bool = False  # the problem is the machine's, not the learner's


@dataclass(frozen=True, slots=True)
class Found:
    """What a folder of submissions holds: the hand-ins by learner, and what is none."""

    hand_ins: tuple[HandIn, ...]
    ignored: tuple[str, ...]


# ---- finding


def find_hand_ins(folder: Path, slug: str, slugs: Collection[str] = ()) -> Found:
    """Every entry of `folder`: a hand-in, or ignored by name. Links are never followed.

    `slugs` are those of all exercises: a file that is named after another one is not taken for this one.
    Raises UsageError when the folder cannot be listed, ToolError when that is the machine's fault.
    """
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: _natural(entry.name))
    except OSError as error:
        if error.errno in OURS:
            raise refused(folder, error) from None
        reason = (error.strerror or "").lower()
        raise UsageError(f"the folder of submissions `{folder}` cannot be read: {reason}") from None
    by_learner: dict[str, list[HandIn]] = {}
    ignored: list[str] = []
    for entry in entries:
        hand_in = _hand_in(entry, slug, {slug, *slugs})
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


def _hand_in(entry: Path, slug: str, slugs: Collection[str]) -> HandIn | None:
    if NOT_HAND_INS.fullmatch(entry.name):
        return None
    if entry.is_symlink():
        return HandIn(entry.stem, entry, linked_away(entry.name))
    if entry.is_dir():
        try:
            return _of_folder(entry, slug, slugs)
        except ToolError as error:  # the others may fare better
            return HandIn(entry.name, entry, str(error), ours=True)
    if is_archive(entry.name):
        return HandIn(entry.stem, entry, f"`{brief(entry.name)}` is an archive: unpack it in this folder")
    return HandIn(entry.stem, entry) if is_code(entry.name) else None


def _of_folder(home: Path, slug: str, slugs: Collection[str]) -> HandIn:
    """As `_in_folder`; where something in it cannot be read, a hand-in that says so.

    Raises ToolError where that is the machine's fault.
    """
    try:
        return _in_folder(home, slug, slugs)
    except OSError as error:
        place = Path(os.fsdecode(error.filename or home)).relative_to(home.parent)
        if error.errno in OURS:
            raise refused(brief(str(place)), error) from None
        reason = (error.strerror or str(error)).lower()
        why = f"`{brief(str(place))}` cannot be read ({reason}): change its permissions"
        return HandIn(home.name, home, why)


def _in_folder(home: Path, slug: str, slugs: Collection[str]) -> HandIn:
    """The hand-in of one learner's folder, in `<slug>/`, else in `exercises/<slug>/`, else in itself.

    A folder that holds neither code nor an archive is passed by; why nothing was found in it is kept.
    """
    why = ""
    places = [home / slug, home / "exercises" / slug]
    for folder in places:
        linked = link_above(folder, home)
        if linked is not None:
            return HandIn(home.name, folder, linked_away(linked.name))
        files = files_in(folder) if folder.is_dir() else []
        if not files:
            continue
        if not holds_work(files, slug, slugs):
            why = why or choose(folder, slug, files, slugs=slugs).why
            continue
        files = without_made(files, folder / f"{slug}.ipynb", receipt_path(*_course_of(home), slug))
        beside = loose_in(home, slug, slugs)
        top = home / "solution.py"
        if top not in beside and is_plain(top) and not _explained(home, slug, slugs):
            beside.append(top)
        choice = choose(folder, slug, files, slugs=slugs, beside=beside)
        if choice.path is None:
            return HandIn(home.name, folder, choice.why)
        kept = {choice.path, *beside}
        more = [p for p in (top, places[-1] / "solution.py") if p not in kept and is_plain(p)]
        shown = choice.path.relative_to(home).as_posix()
        over = [f"only `{brief(shown)}` is graded, not `{p.relative_to(home).as_posix()}`" for p in more]
        notes = (*taken(choice.path, folder, slug), *choice.notes, *over)
        return HandIn(home.name, choice.path, notes=notes, submitted_at=submitted_at(folder))
    return _loose(home, slug, slugs, why)


def _course_of(home: Path) -> tuple[Path, str]:
    """The course folder in which `collect` may have kept records of a learner's folder, and the learner.

    The folder may be `.` or `..`, and then its path as it was given holds neither.
    """
    full = Path(os.path.abspath(home))  # noqa: PTH100  (no link followed)
    return full.parent.parent, full.name


def _explained(home: Path, slug: str, slugs: Collection[str]) -> bool:
    """Whether a `solution.py` at the top may be for another exercise, which has a folder here, too."""
    others = (name for name in slugs if name != slug)
    return any((home / name).is_dir() or (home / "exercises" / name).is_dir() for name in others)


def _loose(home: Path, slug: str, slugs: Collection[str], why_none: str) -> HandIn:
    """The hand-in of a folder that has none in the exercise's folders; `why_none` if there was something."""
    course, learner = _course_of(home)
    earlier = set_aside_earlier(course, slug, learner)
    if earlier:
        return HandIn(home.name, home, "; ".join(earlier))
    files = files_in(home)
    loose = [p for p in files if p.parent == home]
    mine = [p for p in loose if p.name in names_of(slug) or is_for(p.name, slug, slugs) or is_archive(p.name)]
    linked = [p for name in names_of(slug) if (p := home / name).is_symlink()]
    if linked:
        return HandIn(home.name, home, linked_away(linked[0].name))
    if mine:
        choice = choose(home, slug, mine, slugs=slugs)
        if choice.path is None:
            return HandIn(home.name, home, choice.why)
        notes = (*taken(choice.path, home, slug), *choice.notes)
        return HandIn(home.name, choice.path, notes=notes, submitted_at=submitted_at(home))
    odd = _no_plain_file(home, slug)
    if odd:
        return HandIn(home.name, home, odd)
    if why_none:
        return HandIn(home.name, home / slug, why_none)
    folders = [name for name in names_of(slug) if (home / name).is_dir()]
    if folders:
        return HandIn(home.name, home, f"`{folders[0]}` is a folder: hand in the file itself")
    return HandIn(home.name, home, _why_none(home, slug, files))


def _no_plain_file(home: Path, slug: str) -> str:
    """The sentence for a pipe, a link or the like that lies where a hand-in belongs, "" for none."""
    for folder in (home / slug, home / "exercises" / slug, home):
        for path in (folder / name for name in names_of(slug)):
            mode = path.lstat().st_mode if os.path.lexists(path) else stat.S_IFREG
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                return not_a_file(path.relative_to(home).as_posix(), mode)
    return ""


def find_hand_in(folder: Path, slug: str, *, any_name: bool = False) -> HandIn:
    """What lies in a folder that holds one hand-in and nothing else, as a host lays it out.

    The folder may be called anything, and is no link: who calls has looked.
    With `any_name` a single file of Python at the top will do, whatever it is called.
    """
    found = _of_folder(folder, slug, {slug})
    if not any_name or not found.problem or any(p.name in names_of(slug) for p in walk(folder)):
        return found
    others = candidates([p for p in sorted(folder.iterdir()) if is_plain(p)], slug, {slug})
    if len(others) == 1:
        return HandIn(folder.name, others[0])
    return HandIn(folder.name, folder, _which_counts(others)) if others else found


def _which_counts(files: Sequence[Path]) -> str:
    listed = " and ".join(f"`{brief(path.name)}`" for path in files[:MOST_NAMED])
    more = f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
    return f"{listed}{more} were handed in, and none is called `solution.py`: rename the one that counts"


def _why_none(home: Path, slug: str, files: Sequence[Path]) -> str:
    """The sentence for a folder without a hand-in: empty, nested too deep, or under another name."""
    wanted = f"`solution.py` or `{slug}/{slug}.ipynb`"
    if not files:
        return f"no {wanted} was handed in: the folder is empty"
    nested = [f for f in files if f.name in names_of(slug)]
    if nested:
        return f"`{brief(str(nested[0].relative_to(home)))}` lies too deep: move it up to {wanted}"
    code = [f for f in files if is_code(f.name)]
    if code:
        return f"`{brief(str(code[0].relative_to(home)))}` has another name: rename it to {wanted}"
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return f"no {wanted} was handed in, only `{brief(str(files[0].relative_to(home)))}`{more}"


def _one(folder: Path, found: Sequence[HandIn]) -> HandIn:
    if len(found) == 1:
        return found[0]
    listed = " and ".join(f"`{hand_in.path.relative_to(folder).as_posix()}`" for hand_in in found)
    return HandIn(found[0].learner, found[0].path, f"{listed} were both handed in: keep one of them")


def read_hand_in(hand_in: HandIn, exercise: Exercise) -> Submission:
    """The submission of a hand-in; never raises for what is in it.

    Raises ToolError where it is the machine that cannot read it.
    """
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
        why = f"the grading process died twice (code {code}): grade this one again by itself"
        return self.without_a_grade(learner, source, why)

    def without_a_grade(self, learner: str, source: str, why: str) -> Verdict:
        """No points and no zero."""
        return Verdict(
            exercise=self.exercise.slug,
            learner=learner,
            results=(),
            level=0,
            grader_digest="",
            submission_digest="",
            source=source,
            ungraded=why,
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

        def verdict_of(hand_in: HandIn) -> Verdict:
            if hand_in.problem:
                return self.grading.without_a_grade(hand_in.learner, self.source(hand_in), hand_in.problem)
            try:
                submission = read_hand_in(hand_in, self.grading.exercise)
            except ToolError as error:  # the others may fare better
                return self.grading.without_a_grade(hand_in.learner, self.source(hand_in), str(error))
            return grade_one(submission, self.source(hand_in))

        return verdict_of

    def lost(self, hand_in: HandIn, code: int | None) -> Verdict:
        """The verdict when the grading process itself died of a hand-in, twice."""
        dead = self.grading.dead(hand_in.learner, self.source(hand_in), code)
        return dead._replace(submitted_at=hand_in.submitted_at)
