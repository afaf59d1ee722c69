"""Proves a course sound: graders have tests, too.

The reference passes everything; the starter passes nothing and is not started; each TODO turns something
green; every mistake fails just what it says; every variant passes: in every way that this machine can run a
learner's code, with equal results, and under other seeds. What is wrong comes out as `Problem`s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from handgrad.catalog import Course
from handgrad.errors import ExerciseError, HandgradError
from handgrad.files import required_text, write_safely
from handgrad.inspection import Mistake, Problem, listed, look_at, path_text, read_mistake, strangers
from handgrad.judge.loader import LoadedCheck, load_checks
from handgrad.model import Exercise, Status
from handgrad.pool import run_pool
from handgrad.trial import (
    IN_PROCESS,
    NOTEBOOK,
    Case,
    Outcome,
    Visit,
    available_modes,
    cases_of,
    notebook_cells,
)

SLOW_SECONDS: Final = 3.0  # of CPU for all checks of one text
SLACK: Final = 10  # how many times the reference's CPU time a limit must allow


@dataclass(frozen=True, slots=True)
class Findings:
    """What a doctor's visit found, and what it looked at."""

    problems: tuple[Problem, ...]
    modes: tuple[str, ...]
    counts: dict[str, int] = field(default_factory=dict)


def examine(
    course: Course,
    exercises: Sequence[Exercise],
    *,
    modes: Sequence[str] = (),
    seeds: int = 3,
    pristine: bool = False,
    thorough: bool = False,
    jobs: int = 0,
    done: Callable[[int, int], None] = lambda count, total: None,
) -> Findings:
    """Look at everything. `modes` () means all that this machine has; `done` hears how many cases were run.

    `pristine` demands that what is generated equals a rebuild. `thorough` runs every text in every mode;
    without it slow ones, and most in the modes that are much alike, are run less often. Raises ToolError
    when nothing can be run.
    """
    modes = tuple(modes) or available_modes()
    problems = [] if len(exercises) < len(course.exercises) else list(strangers(course))
    cases: list[Case] = []
    checks: dict[str, tuple[LoadedCheck, ...]] = {}
    for exercise in exercises:
        problems += look_at(course, exercise, pristine=pristine)
        try:
            loaded = load_checks(exercise)
            cases += cases_of(exercise, _fit_modes(exercise, modes), seeds)
            checks[exercise.slug] = loaded
        except (HandgradError, OSError):
            continue  # said by look_at already
    outcomes = _run(course, cases, modes, thorough=thorough, jobs=jobs, done=done)
    for exercise in exercises:
        if exercise.slug in checks:
            mine = [outcome for outcome in outcomes if outcome.case.slug == exercise.slug]
            problems += _judge(course, exercise, checks[exercise.slug], mine)
    counts = {"exercises": len(exercises)}
    for kind in ("mistake", "variant"):
        counts[f"{kind}s"] = len({(c.slug, c.name) for c in cases if c.kind == kind})
    return Findings(tuple(dict.fromkeys(problems)), tuple(modes), counts)


def _run(
    course: Course,
    cases: Sequence[Case],
    modes: Sequence[str],
    *,
    thorough: bool,
    jobs: int,
    done: Callable[[int, int], None],
) -> tuple[Outcome, ...]:
    """First everything in the first mode, then what is worth its time in the others."""
    first = [case for case in cases if case.mode == modes[0]]
    others = [case for case in cases if case.mode != modes[0]]
    count, total = 0, len(first) + len(others)

    def told(_: Outcome) -> None:
        nonlocal count
        count += 1
        done(count, total)

    outcomes = run_pool(Visit(course), first, jobs=jobs, done=told)
    if not thorough:
        others = worth_it(others, outcomes, modes)
        total = len(first) + len(others)
    return outcomes + run_pool(Visit(course), others, jobs=jobs, done=told)


def worth_it(others: Sequence[Case], outcomes: Sequence[Outcome], modes: Sequence[str]) -> list[Case]:
    """The reference and the starter in every mode; of the rest, quick ones in one more kind of worker each,
    in this process and as a notebook cell."""
    slow = {(o.case.slug, o.case.kind, o.case.name) for o in outcomes if o.seconds > SLOW_SECONDS}
    workers = [mode for mode in modes[1:] if mode not in (IN_PROCESS, NOTEBOOK)]
    bank: dict[tuple[str, str, str], int] = {}
    kept: list[Case] = []
    for case in others:
        key = (case.slug, case.kind, case.name)
        turn = bank.setdefault(key, len(bank))
        in_turn = case.mode not in workers or case.mode == workers[turn % len(workers)]
        if case.kind not in ("mistake", "variant") or (key not in slow and in_turn):
            kept.append(case)
    return kept


def _fit_modes(exercise: Exercise, modes: Sequence[str]) -> tuple[str, ...]:
    """Without the notebook where none can be made: look_at has said why."""
    try:
        if NOTEBOOK in modes:
            notebook_cells(exercise)
    except (ExerciseError, OSError):
        return tuple(mode for mode in modes if mode != NOTEBOOK)
    return tuple(modes)


# ---- judging what was run


def _judge(
    course: Course, exercise: Exercise, loaded: Sequence[LoadedCheck], outcomes: Sequence[Outcome]
) -> Iterator[Problem]:
    visible = {item.check.name for item in loaded if not item.check.hidden}
    with_points = {item.check.name for item in loaded if item.check.points}
    for outcome in outcomes:
        path = path_text(outcome.case.path, course)
        command = _command(course, outcome.case)
        luck: frozenset[str] = frozenset()  # the checks that a mistake passes with some numbers
        if outcome.ungraded:
            yield Problem(path, 0, f"could not be run ({outcome.case.mode}): {outcome.ungraded}")
            continue
        if outcome.case.kind == "reference":
            yield from _must_pass(outcome, path, command)
            yield from fast_enough(exercise, outcome, path)
        elif outcome.case.kind == "variant":
            yield from _must_pass(outcome, path, command)
        elif outcome.case.kind == "starter":
            yield from _must_wait(outcome, with_points, path, command)
        elif outcome.case.kind == "mistake":
            mistake, _ = read_mistake(outcome.case.path, loaded, course)
            luck = mistake.may_fail
            yield from _must_fail(outcome, mistake, visible, path, command)
        for name in outcome.unsteady:
            if name.partition(" ")[0] in luck:
                continue
            yield Problem(
                path,
                0,
                f"another seed changes the verdict of `{name}`: make the check's inputs tell",
                command,
            )
    yield from _steps(course, exercise, outcomes)
    yield from _differences(course, loaded, outcomes)


def _command(course: Course, case: Case) -> tuple[str, ...]:
    """The words that show what became of a text, where one command can."""
    if case.kind not in ("mistake", "variant"):
        return ()
    how = ("--in-process",) if case.mode == IN_PROCESS else ()
    return ("check", case.slug, "--submission", path_text(case.path, course), *how)


def _must_pass(outcome: Outcome, path: str, command: tuple[str, ...]) -> Iterator[Problem]:
    failing = sorted(outcome.failing())
    if outcome.message:
        yield Problem(path, 0, f"does not load ({outcome.case.mode}): {outcome.message}", command)
    elif failing:
        yield Problem(
            path, 0, f"must pass everything, and fails {listed(failing)} ({outcome.case.mode})", command
        )


def fast_enough(exercise: Exercise, outcome: Outcome, path: str) -> Iterator[Problem]:
    """The reference must leave so much of the limit that a slower machine or a slower right answer fits."""
    name, own = outcome.slowest_check, dict(exercise.limits.checks)
    if outcome.slowest * SLACK > exercise.limits.of(name).cpu_seconds:
        key = f"limits.checks.{name}" if name in own else "limits.cpu_seconds"
        yield Problem(
            path,
            0,
            f"needs {outcome.slowest:.2f} s of CPU for `{name}`, and a limit must be {SLACK} times that: "
            f"raise `{key}` above {outcome.slowest * SLACK:.1f}",
        )


def _must_wait(
    outcome: Outcome, with_points: set[str], path: str, command: tuple[str, ...]
) -> Iterator[Problem]:
    """The starter earns nothing, and every check says that it waits for a TODO."""
    earned = sorted(n for n, status in outcome.statuses if status is Status.PASSED and n in with_points)
    if earned:
        yield Problem(
            path, 0, f"the starter passes {listed(earned)} ({outcome.case.mode}): it must earn nothing"
        )
    if outcome.case.mode == NOTEBOOK:
        return
    other = sorted(n for n, s in outcome.statuses if s not in (Status.NOT_STARTED, Status.PASSED))
    if other:
        yield Problem(
            path,
            0,
            f"the starter is not told as not started by {listed(other)} ({outcome.case.mode})",
            command,
        )


def _must_fail(
    outcome: Outcome, mistake: Mistake, visible: set[str], path: str, command: tuple[str, ...]
) -> Iterator[Problem]:
    failing = outcome.failing()
    mode = outcome.case.mode
    if not failing:
        yield Problem(path, 1, f"passes everything ({mode}): add a check that catches it", command)
        return
    missing = sorted(mistake.fails - failing)
    extra = sorted((failing & visible) - mistake.fails - mistake.may_fail)
    if missing:
        yield Problem(path, 1, f"says that it fails {listed(missing)}, and passes there ({mode})", command)
    if extra:
        yield Problem(path, 1, f"fails {listed(extra)}, too ({mode}): add to `fails:`", command)


def _steps(course: Course, exercise: Exercise, outcomes: Sequence[Outcome]) -> Iterator[Problem]:
    """Each TODO turns something green, and nothing red again."""
    from handgrad.build.starter import find_regions

    path = exercise.reference_path
    regions = find_regions(required_text(path))
    first = outcomes[0].case.mode if outcomes else ""
    mine = [o for o in outcomes if o.case.mode == first and not o.ungraded]
    steps = {int(o.case.name): o for o in mine if o.case.kind == "step"}
    for outcome in mine:
        if outcome.case.kind in ("starter", "reference"):
            steps[0 if outcome.case.kind == "starter" else len(regions)] = outcome
    for number, region in enumerate(regions, 1):
        if number not in steps or number - 1 not in steps:
            continue
        before, after = steps[number - 1].failing(), steps[number].failing()
        if not before - after:
            yield Problem(
                path_text(path, course),
                region.begin,
                f"filling in `{region.method}` turns no check green: add one that needs nothing later",
            )
        if after - before:
            yield Problem(
                path_text(path, course),
                region.begin,
                f"filling in `{region.method}` turns {listed(sorted(after - before))} red",
            )


def _differences(
    course: Course, loaded: Sequence[LoadedCheck], outcomes: Sequence[Outcome]
) -> Iterator[Problem]:
    """The same text must fare the same in every mode. A notebook only tells passed from not."""
    first: dict[tuple[str, str], Outcome] = {}
    for outcome in outcomes:
        case = outcome.case
        if outcome.ungraded or case.kind == "step":
            continue
        base = first.setdefault((case.kind, case.name), outcome)
        may: frozenset[str] = frozenset()
        if case.kind == "mistake":
            may = read_mistake(case.path, loaded, course)[0].may_fail
        here, there = _comparable(outcome, case.mode), _comparable(base, case.mode)
        if case.mode == NOTEBOOK:  # its hidden checks draw from other seeds
            here = {name: status for name, status in here.items() if case.kind != "mistake" or name in there}
        differing = sorted(n for n in here if n not in may and here[n] != there.get(n))
        if differing:
            yield Problem(
                path_text(case.path, course),
                0,
                f"{case.kind}: {listed(differing)} differs between {base.case.mode} and {case.mode}",
                _command(course, case),
            )


def _comparable(outcome: Outcome, mode: str) -> dict[str, Any]:
    if mode == NOTEBOOK:
        return {name: status is Status.PASSED for name, status in outcome.statuses}
    return dict(outcome.statuses)


# ---- mending


def fix(course: Course, exercises: Sequence[Exercise], keep: Callable[[Exercise], Path]) -> Iterator[str]:
    """Write what is generated anew; a learner's file that stands there is kept first. Says what was done."""
    from handgrad.build.starter import make_starter

    for exercise in exercises:
        try:
            starter = make_starter(required_text(exercise.reference_path), name=str(exercise.reference_path))
        except ExerciseError:
            continue  # a finding: look_at says what is wrong with the reference
        path = exercise.solution_path
        if path.is_file() and path.read_bytes() == starter.encode():
            continue
        kept = f", what was there is kept as {path_text(keep(exercise), course)}" if path.is_file() else ""
        write_safely(path, starter)
        yield f"{path_text(path, course)}: cut anew from the reference{kept}"
