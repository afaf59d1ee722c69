"""Runs grader files under pytest: `pytest graders/stack --submission PATH`.

A check is an item; the judge is the one that `handgrad check` uses, so the results are equal. Grader files
are compiled by handgrad's loader, never by pytest. Without `--submission` the exercise's own
`exercises/<slug>/solution.py` is judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from handgrad.errors import HandgradError

if TYPE_CHECKING:
    from handgrad.catalog import Course
    from handgrad.judge.loader import LoadedCheck
    from handgrad.judge.session import Session
    from handgrad.model import CheckResult, Exercise, Submission
    from handgrad.sandbox.starter import WorkerStarter


def pytest_addoption(parser: pytest.Parser) -> None:
    """The words that `handgrad check` has, for pytest."""
    group = parser.getgroup("handgrad")
    group.addoption("--submission", metavar="PATH", help="the solution.py or notebook that graders judge")
    group.addoption(
        "--in-process", action="store_true", help="run the learner's code in pytest's own process"
    )
    group.addoption(
        "--require-level",
        type=int,
        default=0,
        metavar="N",
        help="the lowest sandbox level that will do (0-3)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make room for the workers of this run. Settings that lie beside the submission are refused."""
    config.stash[_BENCH] = Bench(config)
    path = config.getoption("--submission")
    if path and config.inipath is not None and config.inipath.parent == Path(path).resolve().parent:
        raise pytest.UsageError(
            f"pytest took its settings from `{config.inipath.name}` beside the submission: write "
            f"`--submission={path}` with an equals sign, or name the settings with `-c FILE`"
        )


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the workers."""
    bench = config.stash.get(_BENCH, None)
    if bench is not None:
        bench.close()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Name what is judged, and what lies beside it and has no say."""
    path = config.getoption("--submission")
    if not path:
        return []
    from handgrad.submission import ignored_beside

    return [f"submission: {path}", *ignored_beside(Path(path))]


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A grader file is ours to collect; every other module is pytest's."""
    slug = _slug_of(module_path)
    if not slug:
        return None
    collector: pytest.Collector = GraderFile.from_parent(parent, path=module_path)
    return collector


def _slug_of(path: Path) -> str:
    folder = path.parent.parent if path.parent.name == "hidden" else path.parent
    in_course = folder.parent.name == "graders" and (folder.parent.parent / "course.toml").is_file()
    return folder.name if in_course else ""


class GraderFile(pytest.File):
    """One grader file: its checks, in order."""

    def collect(self) -> Iterator[pytest.Item]:
        """The file's checks. A fault of the grader stops the run: it is nobody's zero."""
        from handgrad.model import CheckResult, Status

        bench = self.config.stash[_BENCH]
        try:
            checks = bench.checks(self.path)
        except HandgradError as error:
            raise pytest.UsageError(str(error)) from None
        for loaded in checks:
            idle = CheckResult(loaded.check, Status.NOT_RUN)
            title = bench.seen(self.path, idle).check.title
            yield CheckItem.from_parent(self, name=loaded.check.name, loaded=loaded, title=title)


class CheckItem(pytest.Item):
    """One check of one submission."""

    def __init__(self, *, loaded: LoadedCheck, title: str, **rest: Any) -> None:
        super().__init__(**rest)
        self._loaded, self._title = loaded, title
        self.user_properties.append(("points", str(loaded.check.points)))
        self.user_properties.append(("title", title))

    def runtest(self) -> None:
        """Ask the judge."""
        from handgrad.model import Status

        result, problem = self.config.stash[_BENCH].run(self.path, self._loaded)
        if result.status is not Status.PASSED:
            raise NotPassed(result, problem)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What the learner reads; a fault of ours in its own words."""
        if isinstance(excinfo.value, (NotPassed, HandgradError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the check stands, and its title."""
        return self.path, self._loaded.check.line - 1, self._title


class NotPassed(Exception):
    """A check did not pass. The text is what the learner reads: what is wrong with the file, or here."""

    def __init__(self, result: CheckResult, problem: str) -> None:
        lines = [f"{result.status.value}: {result.check.title}", problem or result.message]
        lines += [f"    {line}" for line in (result.detail.example if result.detail else ())]
        lines += [f"hint: {hint}" for hint in result.check.hints[:1]]
        super().__init__("\n".join(line for line in lines if line))


class Bench:
    """The courses, sessions and workers of one pytest run, each made when it is first needed."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._courses: dict[Path, Course] = {}
        self._checks: dict[str, tuple[LoadedCheck, ...]] = {}
        self._sessions: dict[str, Session] = {}
        self._starters: list[WorkerStarter] = []

    def checks(self, path: Path) -> tuple[LoadedCheck, ...]:
        """The checks of one grader file. All of the exercise's are counted first. Raises HandgradError."""
        from handgrad.grade import all_checks

        slug = _slug_of(path)
        if slug not in self._checks:
            self._checks[slug] = all_checks(self._exercise(path))
        return tuple(item for item in self._checks[slug] if item.check.path == path)

    def run(self, path: Path, loaded: LoadedCheck) -> tuple[CheckResult, str]:
        """One check's result as a learner sees it, and what is wrong with the file. Raises HandgradError."""
        slug = _slug_of(path)
        if slug not in self._sessions:
            self._sessions[slug] = self._open(self._exercise(path), self._course(path))
        session = self._sessions[slug]
        return self.seen(path, session.run(loaded)), session.problem

    def seen(self, path: Path, result: CheckResult) -> CheckResult:
        """A result as the course lets a learner see it."""
        from handgrad.report.view import result_for_learner

        names = [item.check.name for item in self._checks[_slug_of(path)]]
        number = 1 + names.index(result.check.name)
        return result_for_learner(result, number, feedback=self._course(path).feedback)

    def close(self) -> None:
        """End every worker."""
        for session in self._sessions.values():
            session.close()
        for starter in self._starters:
            starter.close()

    def _open(self, exercise: Exercise, course: Course) -> Session:
        from handgrad.grade import stubs_of
        from handgrad.judge.session import Session, require_level
        from handgrad.sandbox.starter import open_starter

        level = 0 if self._config.getoption("--in-process") else None
        starter = open_starter(level, exercise.preload)
        self._starters.append(starter)
        require_level(starter, self._config.getoption("--require-level"))
        return Session(
            exercise,
            self._submission(exercise),
            starter=starter,
            secret=course.secret,
            stubs=stubs_of(exercise),
        )

    def _submission(self, exercise: Exercise) -> Submission:
        from handgrad.submission import read_submission

        path = self._config.getoption("--submission")
        return read_submission(Path(path) if path else exercise.solution_path, limits=exercise.limits)

    def _exercise(self, path: Path) -> Exercise:
        return self._course(path).exercise(_slug_of(path))

    def _course(self, path: Path) -> Course:
        from handgrad.catalog import find_course, load_course

        root = find_course(path.parent)
        if root not in self._courses:
            self._courses[root] = load_course(root)
        return self._courses[root]


_BENCH: Final = pytest.StashKey[Bench]()
