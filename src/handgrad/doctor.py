"""Proves a course sound: graders have tests, too.

The reference passes everything; the starter passes nothing and is not started; each TODO turns something
green; every mistake fails just what it says; every variant passes: in every way that this machine can run a
learner's code, with equal results, and under other seeds. What is wrong comes out as `Problem`s.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from handgrad.catalog import Course
from handgrad.errors import ExerciseError, HandgradError, ToolError
from handgrad.judge.loader import LoadedCheck, load_checks
from handgrad.model import Exercise, Status, Submission
from handgrad.pool import run_pool
from handgrad.submission import canonical

IN_PROCESS: Final = "in-process"
NOTEBOOK: Final = "notebook cell"
PLAIN: Final = "plain subprocess"
CHECK_SECONDS: Final = 10.0  # for one check where the sandbox keeps no time: in this process
SLACK: Final = 10  # how many times the reference's CPU time a limit must allow
DOCTOR: Final = "handgrad doctor"

STRAY: Final = {  # what may lie in each folder of an exercise, by name
    "exercises": r"exercise\.toml|README\.md|solution\.py|starter\.py|explore\.py|.*\.(svg|png|jpg|gif)",
    "solutions": r"solution\.py",
    "graders": r"test_\w+\.py|hidden|mistakes|variants|totals\.toml",
    "hidden": r"test_\w+\.py",
    "mistakes": r"\w+\.py",
    "variants": r"\w+\.py",
}
IGNORED: Final = r"\..*|__pycache__|.*\.pyc"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend: where, what, and the command that mends or shows it."""

    path: str
    line: int
    what: str
    command: str = ""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.what}" + (f" ({self.command})" if self.command else "")


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
    slowest: float = 0.0  # CPU seconds

    def failing(self) -> set[str]:
        """The names of the checks that did not pass."""
        return {name for name, status in self.statuses if status is not Status.PASSED}


@dataclass(frozen=True, slots=True)
class Mistake:
    """What the docstring of a known wrong solution says."""

    sentence: str
    fails: frozenset[str]
    may_fail: frozenset[str]
    same_as: str


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
    jobs: int = 0,
    done: Callable[[int, int], None] = lambda count, total: None,
) -> Findings:
    """Look at everything. `modes` () means all that this machine has; `done` hears how many cases were run.

    `pristine` demands that what is generated equals a rebuild. Raises ToolError when nothing can be run.
    """
    modes = tuple(modes) or available_modes()
    problems = [] if len(exercises) < len(course.exercises) else list(_strangers(course))
    cases: list[Case] = []
    checks: dict[str, tuple[LoadedCheck, ...]] = {}
    for exercise in exercises:
        found = list(look_at(course, exercise, pristine=pristine))
        problems += found
        try:
            checks[exercise.slug] = load_checks(exercise)
            cases += _cases(exercise, modes, seeds)
        except HandgradError:
            continue  # said by look_at already
    count = 0

    def told(_: Outcome) -> None:
        nonlocal count
        count += 1
        done(count, len(cases))

    outcomes = run_pool(_Visit(course), cases, jobs=jobs, done=told)
    for exercise in exercises:
        if exercise.slug in checks:
            mine = [outcome for outcome in outcomes if outcome.case.slug == exercise.slug]
            problems += _judge(course, exercise, checks[exercise.slug], mine)
    counts = {"exercises": len(exercises)}
    for kind in ("mistake", "variant"):
        counts[f"{kind}s"] = len({(c.slug, c.name) for c in cases if c.kind == kind})
    return Findings(tuple(dict.fromkeys(problems)), tuple(modes), counts)


def available_modes() -> tuple[str, ...]:
    """Every way that this machine can run a learner's code, the strongest first."""
    import sys

    from handgrad.sandbox.lock import best_level

    best = best_level()
    levels = [f"level {level}" for level in range(best, 0, -1)]
    plain = [PLAIN] if sys.platform.startswith("linux") else []
    return (*levels, *plain, IN_PROCESS, NOTEBOOK)


# ---- what can be seen without running anything


def look_at(course: Course, exercise: Exercise, *, pristine: bool = False) -> Iterator[Problem]:
    """Files, counts, markers, words: what is wrong with an exercise as it lies there."""
    yield from _stray(course, exercise)
    yield from _description(course, exercise)
    yield from _starter(course, exercise, pristine)
    try:
        loaded = load_checks(exercise)
    except ExerciseError as error:
        yield _problem_of(error, course)
        return
    yield from _totals(course, exercise, loaded)
    for item in loaded:
        yield from lint(item, _shown(item.check.path, course))
    names = {item.check.name for item in loaded if not item.check.hidden}
    for path in _python_files(exercise.grader_folder / "mistakes"):
        yield from _read_mistake(path, names, course)[1]
    for path in _python_files(exercise.grader_folder / "variants"):
        if not _docstring(path):
            yield Problem(
                _shown(path, course), 1, "has no docstring: say in one line what is different about it"
            )


def _strangers(course: Course) -> Iterator[Problem]:
    known = {exercise.slug for exercise in course.exercises}
    for kind in ("exercises", "solutions", "graders"):
        for root in course.roots:
            for path in sorted((root / kind).glob("*")):
                if (
                    not re.fullmatch(IGNORED, path.name)
                    and path.name not in known
                    and path.name != "README.md"
                ):
                    yield Problem(
                        _shown(path, course),
                        0,
                        f"belongs to no exercise: add `exercises/{path.name}/exercise.toml`, or remove it",
                    )


def _stray(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """Files that nothing reads: a renamed test file is one, and would be missed by nobody."""
    for root in exercise.roots:
        graders = root / "graders" / exercise.slug
        folders = {
            root / "exercises" / exercise.slug: STRAY["exercises"],
            root / "solutions" / exercise.slug: STRAY["solutions"],
            graders: STRAY["graders"],
            **{graders / name: STRAY[name] for name in ("hidden", "mistakes", "variants")},
        }
        for folder, allowed in folders.items():
            for path in sorted(folder.glob("*")):
                name = path.name
                if name in exercise.files or re.fullmatch(f"{IGNORED}|{allowed}", name):
                    continue
                yield Problem(
                    _shown(path, course), 0, "is read by nothing: rename it to `test_….py`, or remove it"
                )


def _description(course: Course, exercise: Exercise) -> Iterator[Problem]:
    path = exercise.folder / "exercise.toml"
    known = {other.slug for other in course.exercises}
    for key, slugs in (("after", exercise.after), ("reveals", exercise.reveals)):
        for slug in slugs:
            if slug not in known:
                line = _line_with(path, key)
                yield Problem(
                    _shown(path, course), line, f"`{key}` names `{slug}`, which is no exercise here"
                )
    statement = exercise.folder / "README.md"
    if not statement.is_file() or not statement.read_text("utf-8").strip():
        yield Problem(_shown(statement, course), 0, "is missing or empty: write the problem in it")
    for name in exercise.files:
        if not (exercise.folder / name).is_file():
            yield Problem(
                _shown(path, course), _line_with(path, "files"), f"`files` names `{name}`, which is missing"
            )


def _starter(course: Course, exercise: Exercise, pristine: bool) -> Iterator[Problem]:
    from handgrad.build.starter import make_starter

    path = exercise.reference_path
    if not path.is_file():
        yield Problem(_shown(path, course), 0, "is missing: write the reference in it")
        return
    try:
        starter = make_starter(path.read_text("utf-8"), name=str(path))
    except (ExerciseError, UnicodeDecodeError) as error:
        yield _problem_of(error, course)
        return
    shown = _shown(exercise.solution_path, course)
    if not exercise.solution_path.is_file():
        yield Problem(shown, 0, "is missing", f"{DOCTOR} --fix")
    elif pristine and exercise.solution_path.read_text("utf-8") != starter:
        yield Problem(shown, 0, "is not the starter cut from the reference", f"{DOCTOR} --fix")


def _totals(course: Course, exercise: Exercise, loaded: Sequence[LoadedCheck]) -> Iterator[Problem]:
    path = exercise.folder / "exercise.toml"
    found = {"checks": len(loaded), "points": sum(item.check.points for item in loaded)}
    for key, said in (("checks", exercise.checks), ("points", exercise.points)):
        if said != found[key]:
            line = _line_with(path, key)
            yield Problem(
                _shown(path, course), line, f"says `{key} = {said}`, and the graders hold {found[key]}"
            )


def lint(item: LoadedCheck, shown: str) -> Iterator[Problem]:
    """What a check's text must keep to: asserts that compare, expected values of the check's own."""
    asserts = [node for node in ast.walk(item.tree) if isinstance(node, ast.Assert)]
    raising = any(
        isinstance(node, ast.With) and any("raises" in ast.dump(i.context_expr) for i in node.items)
        for node in ast.walk(item.tree)
    )
    if not asserts and not raising:
        yield Problem(
            shown, item.check.line, f"`{item.check.name}` asserts nothing: it passes whatever is written"
        )
    theirs = _learners_names(item)
    for node in asserts:
        test = node.test
        if node.msg is not None:
            yield Problem(
                shown, node.lineno, "the assert has a message of its own: leave it out, one is made"
            )
        if (
            not isinstance(test, ast.Compare)
            or len(test.ops) != 1
            or isinstance(test.ops[0], ast.Is | ast.IsNot)
        ):
            continue
        names = sorted({n.id for n in ast.walk(test.comparators[0]) if isinstance(n, ast.Name)} & theirs)
        if names:
            yield Problem(
                shown,
                node.lineno,
                f"the right side reads `{names[0]}`, which comes from the learner's code: "
                "compute what you expect from the check's own numbers",
            )
    for hint in item.check.hints:
        if not hint.strip():
            yield Problem(
                shown, item.check.line, f"`{item.check.name}` has an empty hint: write one sentence"
            )


def _learners_names(item: LoadedCheck) -> set[str]:
    """The variables of a check that hold what the learner's code gave, computed to a fixed point."""
    theirs = {name for name in item.parameters if name != "rng"}

    def reads(node: ast.AST) -> bool:
        return any(isinstance(n, ast.Name) and n.id in theirs for n in ast.walk(node))

    while True:
        before = len(theirs)
        for node in ast.walk(item.tree):
            for target, value in _bindings(node):
                if reads(value):
                    theirs |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
        if len(theirs) == before:
            return theirs


def _bindings(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _pairwise(target, value)
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.AugAssign(target=target, value=value)
        ):
            yield target, value
        case ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            yield from _looped(target, value)
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield target, value


def _pairwise(target: ast.AST, value: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """`a, b = x, y` binds each name to its own value."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def _looped(target: ast.AST, value: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """`for a, b in zip(xs, ys)` binds each name to its own sequence."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "zip":
        yield from _pairwise(target, ast.Tuple(value.args, ast.Load()))
    else:
        yield target, value


def _read_mistake(path: Path, checks: set[str], course: Course) -> tuple[Mistake, list[Problem]]:
    """What a mistake's docstring says, and what is wrong with it."""
    shown = _shown(path, course)
    problems: list[Problem] = []
    lines = _docstring(path).strip().split("\n")
    said = _said("\n".join(lines[1:]))
    if not lines[0].strip():
        problems.append(Problem(shown, 1, "has no docstring: its first line is what a learner should read"))
    if "fails" not in said:
        problems.append(
            Problem(shown, 1, "does not say what it fails: add `fails: name, name`, or `fails: none`")
        )
    fails, may = (_names(said.get(key, "")) for key in ("fails", "may fail"))
    problems += [
        Problem(shown, _line_with(path, name), f"names `{name}`, which is no visible check")
        for name in sorted((fails | may) - checks)
    ]
    same = said.get("same as", "").strip().removesuffix(".py")
    if same and not (path.parent / f"{same}.py").is_file():
        problems.append(
            Problem(shown, _line_with(path, "same as"), f"is the same as `{same}`, which is not there")
        )
    return Mistake(lines[0].strip(), fails & checks, may & checks, same), problems


def _said(text: str) -> dict[str, str]:
    """`key: value` entries of a docstring; a value goes on over indented lines."""
    return {
        found[1]: " ".join(found[2].split())
        for found in re.finditer(r"^(fails|may fail|same as):(.*(?:\n[ \t]+\S.*)*)", text, re.MULTILINE)
    }


def _names(text: str) -> frozenset[str]:
    if re.match(r"none\b", text):
        return frozenset()
    return frozenset(re.findall(r"\w+", text))


# ---- running


def _cases(exercise: Exercise, modes: Sequence[str], seeds: int) -> Iterator[Case]:
    """Everything that is to be run, in every mode; seeds and the steps of the TODOs in the first alone."""
    from handgrad.build.starter import find_regions, make_starter

    path = exercise.reference_path
    reference = path.read_text("utf-8")
    steps = len(find_regions(reference, name=str(path)))
    texts = [("reference", "", path, reference), ("starter", "", path, make_starter(reference))]
    for kind in ("mistake", "variant"):
        files = _python_files(exercise.grader_folder / f"{kind}s")
        texts += [(kind, file.stem, file, file.read_text("utf-8")) for file in files]
    for kind, name, file, text in texts:
        for mode in modes:
            further = seeds if mode == modes[0] and kind != "starter" else 0
            yield Case(exercise.slug, kind, name, file, canonical(text), mode, further)
    for step in range(1, steps):
        text = make_starter(reference, filled=step)
        yield Case(exercise.slug, "step", str(step), path, canonical(text), modes[0])


@dataclass(frozen=True, slots=True)
class _Visit:
    """The work of one process: keeps a sandbox open for each mode."""

    course: Course

    def open(self, stack: ExitStack) -> Callable[[Case], Outcome]:
        """See `pool.Task`."""
        starters: dict[tuple[str, tuple[str, ...]], Any] = {}

        def work(case: Case) -> Outcome:
            exercise = self.course.exercise(case.slug)
            if case.mode == NOTEBOOK:
                return run_as_cells(exercise, case)
            key = (case.mode, exercise.preload)
            if key not in starters:
                starters[key] = stack.enter_context(_open(case.mode, exercise.preload))
            try:
                return run_case(self.course, exercise, case, starters[key])
            except ToolError as error:
                return Outcome(case, (), ungraded=str(error))

        return work

    def lost(self, item: Case, code: int | None) -> Outcome:
        """See `pool.Task`."""
        return Outcome(item, (), ungraded=f"the judge itself died of it (code {code})")


def _open(mode: str, preload: tuple[str, ...]) -> Any:
    from handgrad.sandbox.starter import open_starter

    if mode == IN_PROCESS:
        return open_starter(0)
    if mode == PLAIN:
        return open_starter(preload=preload, plain=True)
    return open_starter(int(mode.removeprefix("level ")), preload)


def run_case(course: Course, exercise: Exercise, case: Case, starter: Any) -> Outcome:
    """All checks once, then the hidden ones under other secrets."""
    from handgrad.grade import stubs_of
    from handgrad.judge.session import Session

    checks = load_checks(exercise)
    submission = Submission("", case.text, case.path)
    stubs = stubs_of(exercise)
    with (
        _own_time(case.mode),
        Session(exercise, submission, starter=starter, secret=course.secret, stubs=stubs) as session,
    ):
        results = [_timed(session.run, item, case.mode) for item in checks]
        message = session.problem
    base = {result.check.name: result.status for result in results}
    unsteady: list[str] = []
    hidden = [item for item in checks if item.check.hidden and "rng" in item.parameters]
    for seed in range(case.seeds if hidden else 0):
        secret = f"doctor {seed}".encode()
        with Session(exercise, submission, starter=starter, secret=secret, stubs=stubs) as again:
            for item in hidden:
                result = again.run(item)
                if (result.status is Status.PASSED) != (base[item.check.name] is Status.PASSED):
                    unsteady.append(f"{item.check.name} (seed {seed})")
    return Outcome(
        case,
        tuple(base.items()),
        message=message,
        unsteady=tuple(unsteady),
        slowest=max((result.cpu_seconds for result in results), default=0.0),
    )


def run_as_cells(exercise: Exercise, case: Case) -> Outcome:
    """The text as the solution cell of the exercise's notebook, each check a cell, in a bare namespace."""
    import contextlib
    import io

    namespace: dict[str, Any] = {"__name__": "__main__"}
    statuses: list[tuple[str, Status]] = []
    message = ""
    for name, text, graded in _notebook_cells(exercise):
        code = case.text if name == "solution" else text
        with contextlib.redirect_stdout(io.StringIO()):
            error = _run_cell(code, namespace)
        if graded:
            statuses.append((name, Status.PASSED if error is None else Status.FAILED))
        elif error is not None:
            message = f"{name}: {type(error).__name__}: {error}"
    return Outcome(case, tuple(statuses), message=message)


def _notebook_cells(exercise: Exercise) -> list[tuple[str, str, bool]]:
    """Name, text and whether it is a check, of each code cell of the notebook."""
    import json

    from handgrad.build.notebook import check_texts, make_notebook, read_graders

    notebook = json.loads(
        make_notebook(
            exercise,
            statement="",
            reference=exercise.reference_path.read_text("utf-8"),
            checks=check_texts(read_graders(exercise)),
        )
    )
    return [
        (marks["grade_id"], "".join(cell["source"]), marks["grade"])
        for cell in notebook["cells"]
        if cell["cell_type"] == "code" and (marks := cell["metadata"].get("nbgrader"))
    ]


def _run_cell(text: str, namespace: dict[str, Any]) -> BaseException | None:
    try:
        with _alarm(CHECK_SECONDS):
            exec(compile(text, "cell", "exec", dont_inherit=True), namespace)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  (whatever a cell raises, the next one is run)
        return error
    return None


class _TooLong(BaseException):
    """Raised by the clock in code that has none to watch it."""


def _timed(run: Callable[[LoadedCheck], Any], item: LoadedCheck, mode: str) -> Any:
    if mode != IN_PROCESS:
        return run(item)
    from handgrad.model import CheckResult

    try:
        with _alarm(CHECK_SECONDS):
            return run(item)
    except _TooLong:
        return CheckResult(item.check, Status.ERROR, "takes too long")


@contextmanager
def _own_time(mode: str) -> Iterator[None]:
    """In this process what is printed must not reach the report."""
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) if mode == IN_PROCESS else contextlib.nullcontext():
        yield


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """End what runs longer than so many CPU seconds, where the system has such a clock."""
    import signal
    import threading

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.5)  # again and again: the learner's code may catch one
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# ---- judging what was run


def _judge(
    course: Course, exercise: Exercise, loaded: Sequence[LoadedCheck], outcomes: Sequence[Outcome]
) -> Iterator[Problem]:
    visible = {item.check.name for item in loaded if not item.check.hidden}
    with_points = {item.check.name for item in loaded if item.check.points}
    for outcome in outcomes:
        path = _shown(outcome.case.path, course)
        command = _command(course, outcome.case)
        if outcome.ungraded:
            yield Problem(path, 0, f"could not be run ({outcome.case.mode}): {outcome.ungraded}")
            continue
        if outcome.case.kind == "reference":
            yield from _must_pass(outcome, path, command)
            yield from _fast_enough(exercise, outcome, path)
        elif outcome.case.kind == "variant":
            yield from _must_pass(outcome, path, command)
        elif outcome.case.kind == "starter":
            yield from _must_wait(outcome, with_points, path, command)
        elif outcome.case.kind == "mistake":
            mistake, _ = _read_mistake(outcome.case.path, visible, course)
            yield from _must_fail(outcome, mistake, visible, path, command)
        for name in outcome.unsteady:
            yield Problem(
                path,
                0,
                f"another seed changes the verdict of `{name}`: make the check's inputs tell",
                command,
            )
    yield from _steps(course, exercise, outcomes)
    yield from _differences(course, outcomes)


def _command(course: Course, case: Case) -> str:
    path = _shown(case.path, course)
    how = " --in-process" if case.mode == IN_PROCESS else ""
    return (
        f"handgrad check {case.slug} --submission {path}{how}" if case.kind in ("mistake", "variant") else ""
    )


def _must_pass(outcome: Outcome, path: str, command: str) -> Iterator[Problem]:
    failing = sorted(outcome.failing())
    if outcome.message:
        yield Problem(path, 0, f"does not load ({outcome.case.mode}): {outcome.message}", command)
    elif failing:
        yield Problem(
            path, 0, f"must pass everything, and fails {_listed(failing)} ({outcome.case.mode})", command
        )


def _fast_enough(exercise: Exercise, outcome: Outcome, path: str) -> Iterator[Problem]:
    if outcome.slowest * SLACK > exercise.limits.cpu_seconds:
        yield Problem(
            path,
            0,
            f"needs {outcome.slowest:.2f} s of CPU for one check, and a limit must be {SLACK} times that: "
            f"raise `limits.cpu_seconds` above {outcome.slowest * SLACK:.1f}",
        )


def _must_wait(outcome: Outcome, with_points: set[str], path: str, command: str) -> Iterator[Problem]:
    """The starter earns nothing, and every check says that it waits for a TODO."""
    earned = sorted(n for n, status in outcome.statuses if status is Status.PASSED and n in with_points)
    if earned:
        yield Problem(
            path, 0, f"the starter passes {_listed(earned)} ({outcome.case.mode}): it must earn nothing"
        )
    if outcome.case.mode == NOTEBOOK:
        return
    other = sorted(n for n, s in outcome.statuses if s not in (Status.NOT_STARTED, Status.PASSED))
    if other:
        yield Problem(
            path,
            0,
            f"the starter is not told as not started by {_listed(other)} ({outcome.case.mode})",
            command,
        )


def _must_fail(
    outcome: Outcome, mistake: Mistake, visible: set[str], path: str, command: str
) -> Iterator[Problem]:
    failing = outcome.failing()
    mode = outcome.case.mode
    if not failing:
        yield Problem(path, 1, f"passes everything ({mode}): add a check that catches it", command)
        return
    missing = sorted(mistake.fails - failing)
    extra = sorted((failing & visible) - mistake.fails - mistake.may_fail)
    if missing:
        yield Problem(path, 1, f"says that it fails {_listed(missing)}, and passes there ({mode})", command)
    if extra:
        yield Problem(path, 1, f"fails {_listed(extra)}, too ({mode}): add to `fails:`", command)


def _steps(course: Course, exercise: Exercise, outcomes: Sequence[Outcome]) -> Iterator[Problem]:
    """Each TODO turns something green, and nothing red again."""
    from handgrad.build.starter import find_regions

    path = exercise.reference_path
    regions = find_regions(path.read_text("utf-8"))
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
                _shown(path, course),
                region.begin,
                f"filling in `{region.method}` turns no check green: add one that needs nothing later",
            )
        if after - before:
            yield Problem(
                _shown(path, course),
                region.begin,
                f"filling in `{region.method}` turns {_listed(sorted(after - before))} red",
            )


def _differences(course: Course, outcomes: Sequence[Outcome]) -> Iterator[Problem]:
    """The same text must fare the same in every mode. A notebook only tells passed from not."""
    first: dict[tuple[str, str], Outcome] = {}
    for outcome in outcomes:
        case = outcome.case
        if outcome.ungraded or case.kind == "step":
            continue
        base = first.setdefault((case.kind, case.name), outcome)
        may: frozenset[str] = frozenset()
        if case.kind == "mistake":
            may = _read_mistake(case.path, {name for name, _ in outcome.statuses}, course)[0].may_fail
        here, there = _comparable(outcome, case.mode), _comparable(base, case.mode)
        if case.mode == NOTEBOOK:  # its hidden checks draw from other seeds
            here = {name: status for name, status in here.items() if case.kind != "mistake" or name in there}
        differing = sorted(n for n in here if n not in may and here[n] != there.get(n))
        if differing:
            yield Problem(
                _shown(case.path, course),
                0,
                f"{case.kind}: {_listed(differing)} differs between {base.case.mode} and {case.mode}",
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
    from handgrad.state import write_safely

    for exercise in exercises:
        starter = make_starter(exercise.reference_path.read_text("utf-8"), name=str(exercise.reference_path))
        path = exercise.solution_path
        if path.is_file() and path.read_bytes() == starter.encode():
            continue
        kept = f", what was there is kept as {_shown(keep(exercise), course)}" if path.is_file() else ""
        write_safely(path, starter)
        yield f"{_shown(path, course)}: cut anew from the reference{kept}"


# ---- words


def _listed(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"`{name}`" for name in names[:most]) + more


def _shown(path: Path, course: Course) -> str:
    """The path as it reads from the folder that the command was called in."""
    for folder in (Path.cwd(), course.root):
        if path.is_absolute() and path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.as_posix()


def _problem_of(error: Exception, course: Course) -> Problem:
    """`path:line: what` out of an ExerciseError's sentence."""
    found = re.match(r"(.+?\.(?:py|toml)):(?:(\d+):)? ?(.*)", str(error), re.DOTALL)
    if not found:
        return Problem(course.root.name, 0, str(error))
    return Problem(_shown(Path(found[1]), course), int(found[2] or 0), found[3])


def _python_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.py"))


def _docstring(path: Path) -> str:
    try:
        return ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    except (SyntaxError, UnicodeDecodeError):
        return ""


def _line_with(path: Path, word: str) -> int:
    """The first line that has `word` in it, 0 when none has."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return 0
    return next(
        (number for number, line in enumerate(lines, 1) if re.search(rf"\b{re.escape(word)}\b", line)), 0
    )
