"""The plain records that pass between the parts. They compute totals and decide nothing else.

Named tuples: a frozen dataclass costs four times as much to define, and `check` is to answer at once.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple


class Status(StrEnum):
    """What became of one check."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    NOT_STARTED = "not_started"
    NOT_RUN = "not_run"


class Limits(NamedTuple):
    """What a learner's code may use for one check. Loading the file counts as a check of its own."""

    cpu_seconds: float = 2.0
    impatient_cpu_seconds: float = 0.5  # in force after two checks that ran into `cpu_seconds`
    wall_seconds: float = 10.0
    memory_bytes: int = 768 * 1024 * 1024
    output_bytes: int = 64 * 1024
    json_bytes: int = 1024 * 1024
    array_bytes: int = 16 * 1024 * 1024
    submission_bytes: int = 1024 * 1024
    checks: tuple[tuple[str, float], ...] = ()  # checks that need longer, and the `cpu_seconds` of each

    def of(self, name: str) -> Limits:
        """The limits of one check: where it has its own `cpu_seconds`, all times grow with them."""
        seconds = dict(self.checks).get(name, self.cpu_seconds)
        if seconds == self.cpu_seconds:
            return self
        factor = seconds / self.cpu_seconds
        return self._replace(
            cpu_seconds=seconds,
            impatient_cpu_seconds=factor * self.impatient_cpu_seconds,
            wall_seconds=factor * self.wall_seconds,
        )


class Check(NamedTuple):
    """One question that a grader file asks, without its code."""

    name: str  # the function's name: unique in an exercise
    title: str  # first line of its docstring: what the learner reads
    points: int
    hints: tuple[str, ...]
    hidden: bool
    path: Path
    line: int


class Exercise(NamedTuple):
    """One exercise as its `exercise.toml` and its folders describe it. Paths are computed from the slug."""

    slug: str
    root: Path  # the course root that describes the exercise (the first that has it)
    roots: tuple[Path, ...]  # every root whose graders count
    title: str
    level: str
    summary: str
    points: int
    checks: int
    tags: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    minutes: int = 0
    after: tuple[str, ...] = ()
    reveals: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # further files of the exercise's folder that a learner gets
    limits: Limits = Limits()

    @property
    def folder(self) -> Path:
        """`exercises/<slug>`: exercise.toml, README.md and the starter."""
        return self.root / "exercises" / self.slug

    @property
    def solution_path(self) -> Path:
        """The file a learner edits."""
        return self.folder / "solution.py"

    @property
    def reference_path(self) -> Path:
        """The reference with its solution regions."""
        return self.root / "solutions" / self.slug / "solution.py"

    @property
    def grader_folder(self) -> Path:
        """`graders/<slug>` of the first root: checks, `hidden/`, `mistakes/`, `variants/`."""
        return self.root / "graders" / self.slug


class Submission(NamedTuple):
    """What was handed in, as canonical text (LF, no byte-order mark, no trailing blanks)."""

    learner: str
    text: str  # "" where `problem` says why nothing can be run
    path: Path
    source: str = "file"  # file | notebook | pull request
    problem: str = ""  # one sentence: why the file cannot be graded as it stands ("" = it can)
    notes: tuple[str, ...] = ()  # what was mended or ignored on the way in, one sentence each
    line_offset: int = 0
    submitted_at: str = ""  # ISO 8601 in UTC, "" when nothing tells

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical text, in hex. Equal for a .py file and a notebook with the same code."""
        import hashlib

        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


class Place(NamedTuple):
    """A line of the learner's own file that a result points at."""

    line: int  # counted from 1; 0 = unknown
    text: str  # the line as written, without its indentation
    name: str = ""  # the function it stands in


class Detail(NamedTuple):
    """What only some readers may see of a result: for a hidden check, the instructor alone."""

    expression: str = ""  # the checked expression, as the grader wrote it: `a.grad`
    expected: str = ""
    actual: str = ""
    example: tuple[str, ...] = ()  # the check's arrange and act lines
    exception: str = ""  # `TypeError: ...` as the learner's code raised it
    place: Place | None = None
    output: str = ""  # what the learner's code printed during the check
    graph: str = ""
    seed: str = ""


class CheckResult(NamedTuple):
    """What became of one check. `message` is one sentence in the learner's words."""

    check: Check
    status: Status
    message: str = ""
    detail: Detail | None = None
    cpu_seconds: float = 0.0

    @property
    def points(self) -> int:
        """The points earned: all of the check's, or none."""
        return self.check.points if self.status is Status.PASSED else 0


class Verdict(NamedTuple):
    """All results of one submission for one exercise. Never edited: an override is a row beside it."""

    exercise: str
    learner: str
    results: tuple[CheckResult, ...]
    level: int  # the sandbox level it was made at (0-3)
    grader_digest: str
    submission_digest: str
    versions: tuple[tuple[str, str], ...] = ()
    seeds: str = ""  # what the seeds of the hidden checks begin with, "" when none ran
    message: str = ""  # one sentence about the whole file, "" when there is nothing to say
    notes: tuple[str, ...] = ()
    submitted_at: str = ""
    source: str = ""  # the path as the reader knows it: `exercises/scalar_engine/solution.py`
    place: Place | None = None  # where the whole file fails (a syntax error)
    output: str = ""  # what was printed while the file was loaded
    ungraded: str = ""  # one sentence: why there is no score, our fault or no file to grade ("" = graded)

    @property
    def score(self) -> int:
        """Points earned."""
        return sum(result.points for result in self.results)

    @property
    def max_score(self) -> int:
        """Points possible."""
        return sum(result.check.points for result in self.results)

    @property
    def passed(self) -> bool:
        """True when at least one check ran and all of them passed."""
        if self.ungraded or not self.results:
            return False
        return all(result.status is Status.PASSED for result in self.results)

    @property
    def started(self) -> bool:
        """False for the untouched starter: no check passed and those that ran said NOT_STARTED."""
        idle = (Status.NOT_STARTED, Status.NOT_RUN)
        return bool(self.message) or any(result.status not in idle for result in self.results)


class Audience(StrEnum):
    """For whom a report is written."""

    LEARNER = "learner"
    INSTRUCTOR = "instructor"
