"""Runs one text against an exercise's checks, in each of the ways that this machine has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from handgrad.catalog import Course
from handgrad.errors import ExerciseError, ToolError
from handgrad.files import read_text, required_text
from handgrad.inspection import python_files
from handgrad.judge.loader import LoadedCheck, load_checks
from handgrad.judge.session import HITS_BEFORE_IMPATIENCE
from handgrad.model import CheckResult, Exercise, Limits, Status, Submission
from handgrad.submission import canonical

IN_PROCESS: Final = "in-process"
NOTEBOOK: Final = "notebook cell"
PLAIN: Final = "plain subprocess"


@dataclass(frozen=True, slots=True)
class Case:
    """One text that is run against an exercise's checks in one way."""

    slug: str
    kind: str  # reference | starter | step | mistake | variant
    name: str
    path: Path
    text: str
    mode: str
    seeds: int = 0  # how many further secrets the hidden checks are drawn from


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case: a status a check, and the hidden checks that another seed changed."""

    case: Case
    statuses: tuple[tuple[str, Status], ...]
    message: str = ""  # about the whole file
    ungraded: str = ""
    unsteady: tuple[str, ...] = ()
    slowest: float = 0.0  # CPU seconds of the check that took most of its limit
    slowest_check: str = ""
    seconds: float = 0.0  # CPU seconds of all checks

    def failing(self) -> set[str]:
        """The names of the checks that did not pass."""
        return {name for name, status in self.statuses if status is not Status.PASSED}


def available_modes() -> tuple[str, ...]:
    """Every way that this machine can run a learner's code, the strongest first."""
    import signal
    import sys

    from handgrad.sandbox.lock import best_level

    best = best_level()
    levels = [f"level {level}" for level in range(best, 0, -1)]
    plain = [PLAIN] if sys.platform.startswith("linux") else []
    here = [IN_PROCESS, NOTEBOOK] if hasattr(signal, "setitimer") else []  # without it nothing ends a loop
    return (*levels, *plain, *here)


def cases_of(exercise: Exercise, modes: Sequence[str], seeds: int) -> Iterator[Case]:
    """Everything that is to be run, in every mode; seeds and the steps of the TODOs in the first alone."""
    from handgrad.build.starter import find_regions, make_starter

    path = exercise.reference_path
    reference = required_text(path)
    steps = len(find_regions(reference, name=str(path)))
    texts = [("reference", "", path, reference), ("starter", "", path, make_starter(reference))]
    for kind in ("mistake", "variant"):
        for file in python_files(exercise.grader_folder / f"{kind}s"):
            with suppress(ExerciseError):  # a finding of its own, which costs the others nothing
                texts.append((kind, file.stem, file, read_text(file)))
    for kind, name, file, text in texts:
        for mode in modes:
            further = seeds if mode == modes[0] and kind != "starter" else 0
            yield Case(exercise.slug, kind, name, file, canonical(text), mode, further)
    for step in range(1, steps):
        text = make_starter(reference, filled=step)
        yield Case(exercise.slug, "step", str(step), path, canonical(text), modes[0])


@dataclass(frozen=True, slots=True)
class Visit:
    """The work of one process: keeps a sandbox open for each mode, and each exercise's checks."""

    course: Course

    def open(self, stack: ExitStack) -> Callable[[Case], Outcome]:
        """See `pool.Task`."""
        from functools import cache

        @cache
        def subject(slug: str) -> Subject:
            return Subject.of(self.course, self.course.exercise(slug))

        @cache
        def starter(mode: str, preload: tuple[str, ...]) -> Any:
            return stack.enter_context(_open(mode, preload))

        @cache
        def cells(slug: str) -> list[tuple[str, str, bool]]:
            return notebook_cells(self.course.exercise(slug))

        def work(case: Case) -> Outcome:
            if case.mode == NOTEBOOK:
                return run_as_cells(cells(case.slug), case, self.course.exercise(case.slug).limits)
            one = subject(case.slug)
            try:
                return run_case(one, case, starter(case.mode, one.exercise.preload))
            except ToolError as error:
                return Outcome(case, (), ungraded=str(error))

        return work

    def lost(self, item: Case, code: int | None) -> Outcome:
        """See `pool.Task`."""
        return Outcome(item, (), ungraded=f"the judge itself died of it (code {code})")


@dataclass(frozen=True, slots=True)
class Subject:
    """An exercise with what all its cases share."""

    exercise: Exercise
    checks: tuple[LoadedCheck, ...]
    stubs: frozenset[str]
    secret: bytes

    @staticmethod
    def of(course: Course, exercise: Exercise) -> Subject:
        """Load the checks. Raises ExerciseError."""
        from handgrad.grade import stubs_of

        return Subject(exercise, load_checks(exercise), stubs_of(exercise), course.secret)


def _open(mode: str, preload: tuple[str, ...]) -> Any:
    from handgrad.sandbox.starter import open_starter

    if mode == IN_PROCESS:
        return open_starter(0)
    if mode == PLAIN:
        return open_starter(preload=preload, plain=True)
    return open_starter(int(mode.removeprefix("level ")), preload)


def run_case(subject: Subject, case: Case, starter: Any) -> Outcome:
    """All checks once, then the hidden ones that draw numbers under other secrets."""
    from handgrad.judge.session import Session

    submission = Submission("", case.text, case.path)

    def session(secret: bytes) -> Session:
        return Session(subject.exercise, submission, starter=starter, secret=secret, stubs=subject.stubs)

    patience = _Patience(subject.exercise.limits)
    with _quiet(case.mode), session(subject.secret) as first:
        run = _timed(first.run, patience) if case.mode == IN_PROCESS else first.run
        results = [run(item) for item in subject.checks]
        message = first.problem
    base = {result.check.name: result.status for result in results}
    unsteady: list[str] = []
    drawing = [item for item in subject.checks if item.check.hidden and "rng" in item.parameters]
    for seed in range(case.seeds if drawing else 0):
        with session(f"doctor {seed}".encode()) as again:
            for item in drawing:
                passed = again.run(item).status is Status.PASSED
                if passed != (base[item.check.name] is Status.PASSED):
                    unsteady.append(f"{item.check.name} (seed {seed})")
    limits = subject.exercise.limits
    slowest = max(results, key=lambda r: r.cpu_seconds / limits.of(r.check.name).cpu_seconds, default=None)
    return Outcome(
        case,
        tuple(base.items()),
        message=message,
        unsteady=tuple(unsteady),
        slowest=slowest.cpu_seconds if slowest else 0.0,
        slowest_check=slowest.check.name if slowest else "",
        seconds=sum(result.cpu_seconds for result in results),
    )


def run_as_cells(cells: Sequence[tuple[str, str, bool]], case: Case, limits: Limits) -> Outcome:
    """The text as the solution cell of the exercise's notebook, each check a cell, in a bare namespace."""
    import contextlib
    import io

    patience = _Patience(limits)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    statuses: list[tuple[str, Status]] = []
    message = ""
    for name, text, graded in cells:
        code = case.text if name == "solution" else text
        with contextlib.redirect_stdout(io.StringIO()):
            error = _run_cell(code, namespace, patience, name)
        if graded:
            statuses.append((name, Status.PASSED if error is None else Status.FAILED))
        elif error is not None:
            message = f"{name}: {type(error).__name__}: {error}"
    return Outcome(case, tuple(statuses), message=message)


def notebook_cells(exercise: Exercise) -> list[tuple[str, str, bool]]:
    """Name, text and whether it is a check, of each code cell of the notebook."""
    import json

    from handgrad.build.notebook import check_texts, make_notebook, read_graders

    notebook = json.loads(
        make_notebook(
            exercise,
            statement="",
            reference=required_text(exercise.reference_path),
            checks=check_texts(read_graders(exercise)),
        )
    )
    return [
        (marks["grade_id"], "".join(cell["source"]), marks["grade"])
        for cell in notebook["cells"]
        if cell["cell_type"] == "code" and (marks := cell["metadata"].get("nbgrader"))
    ]


def _run_cell(text: str, namespace: dict[str, Any], patience: _Patience, name: str) -> BaseException | None:
    try:
        with patience.alarm(name):
            exec(compile(text, "cell", "exec", dont_inherit=True), namespace)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  (whatever a cell raises, the next one is run)
        return error
    return None


def _timed(
    run: Callable[[LoadedCheck], CheckResult], patience: _Patience
) -> Callable[[LoadedCheck], CheckResult]:
    def timed(item: LoadedCheck) -> CheckResult:
        try:
            with patience.alarm(item.check.name):
                return run(item)
        except _TooLong:
            return CheckResult(item.check, Status.ERROR, "takes too long")

    return timed


class _TooLong(BaseException):
    """Raised by the clock in code that has none to watch it."""


class _Patience:
    """The time of a check where the sandbox keeps none, in this process: as much as a worker would get."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._hits = limits, 0

    @contextmanager
    def alarm(self, name: str) -> Iterator[None]:
        """End the check when it runs longer. Only the main thread can be interrupted so."""
        import signal
        import threading

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        patient = self._hits < HITS_BEFORE_IMPATIENCE
        limits = self._limits.of(name)
        seconds = limits.cpu_seconds if patient else limits.impatient_cpu_seconds
        before = signal.signal(signal.SIGPROF, self._ring)
        signal.setitimer(signal.ITIMER_PROF, seconds, 0.5)  # again and again: code may catch the first
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    def _ring(self, *_: Any) -> None:
        self._hits += 1
        raise _TooLong


@contextmanager
def _quiet(mode: str) -> Iterator[None]:
    """In this process what is printed must not reach the report."""
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) if mode == IN_PROCESS else contextlib.nullcontext():
        yield
