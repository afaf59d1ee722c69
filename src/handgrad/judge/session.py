"""One submission's session with its workers: visible checks in one, hidden checks in another.

A crash, an exit or a hang costs the check that met it: the next one gets a new worker.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol, Self

from handgrad.errors import ToolError
from handgrad.judge.loader import LoadedCheck
from handgrad.judge.proxy import Channel, Frame, Gone, LearnerError, Link
from handgrad.judge.run import Outcome, hidden_seeds, one_line, run_check, seed_of
from handgrad.model import CheckResult, Detail, Exercise, Limits, Place, Status, Submission

FILE_NAME = "solution.py"
MOST_IMPORTS = 400
MOST_LOST = 3  # workers that ended because what started them was killed
HITS_BEFORE_IMPATIENCE = 2
NOT_AGAIN = (
    "your file could be loaded for the visible checks, and then not again for the hidden ones: "
    "does it depend on time or chance?"
)

_IMPORT = re.compile(
    r"(?:^|[\n;:])[ \t\f]*(?:import[ \t]+([^\n;#]+)"
    r"|from[ \t]+([A-Za-z_][\w.]*)[ \t]+import[ \t]*(\([^)]{0,1000}\)|[^\n;#(]+))"
)
_ATTRIBUTE = re.compile(r"\b([A-Za-z_]\w*)\.([A-Za-z_]\w*)")
_DOTTED = re.compile(r"[A-Za-z_][\w.]*")


class Starter(Protocol):
    """Starts workers. The sandbox implements it."""

    @property
    def level(self) -> int:
        """The sandbox level of its workers. Raises ToolError when none can be had."""

    def start(self, limits: Limits, *, imports: tuple[str, ...], probes: tuple[str, ...]) -> Channel:
        """A new worker with `imports` done, locked at `level`, which could open none of `probes`.

        Raises ToolError when that cannot be had.
        """


class Session:
    """Runs checks against one submission. Use as a context manager: leaving it ends the workers."""

    def __init__(
        self,
        exercise: Exercise,
        submission: Submission,
        *,
        starter: Starter,
        secret: bytes = b"",
        stubs: frozenset[str] = frozenset(),
        files: Mapping[str, str] | None = None,
    ) -> None:
        self._exercise = exercise
        self._submission = submission
        self._starter = starter
        self._secret = secret
        self._stubs = stubs
        self._files = {**(files or {}), FILE_NAME: submission.text}
        self._imports = imports_of(submission.text)
        self._links: dict[bool, Link] = {}
        self._hits = 0
        self._in_the_open = False  # whether the file was loaded for visible checks
        self._in_hidden = ""  # why a worker for hidden checks could not load the file: for the instructor
        self.problem = submission.problem
        self.place: Place | None = None
        self.output = ""
        self.notes: tuple[str, ...] = ()
        self.requests = 0
        self.suspects: tuple[str, ...] = ()  # checks that raised by themselves: ask the reference

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers."""
        for hidden in list(self._links):
            self._drop(hidden)

    @property
    def submission_digest(self) -> str:
        """Of the submission's canonical text."""
        return self._submission.digest

    @property
    def seeds(self) -> str:
        """What the hidden checks draw their inputs from."""
        return hidden_seeds(self._secret, self._submission.text)

    @property
    def level(self) -> int:
        """The sandbox level that the workers run at."""
        return self._starter.level

    def load(self) -> None:
        """Load the file now, for the visible checks. `problem` says when it cannot be. Raises ToolError."""
        if not self.problem:
            self._link(False)

    def run(self, loaded: LoadedCheck) -> CheckResult:
        """The result of one check. Raises ToolError when no worker can be had."""
        result, reason = self._attempt(loaded)
        for _ in range(MOST_LOST):
            if reason != "lost":
                break
            result, reason = self._attempt(loaded)  # its worker was taken from it
        if reason == "lost":
            raise ToolError("the process that starts workers ended again and again")
        if reason == "wall" and self._patient():  # the machine may have been busy: a second chance
            result, reason = self._attempt(loaded)
        if reason in ("cpu", "wall"):
            self._hits += 1
        return result

    def _attempt(self, loaded: LoadedCheck) -> tuple[CheckResult, str]:
        check = loaded.check
        link = None if self.problem else self._link(check.hidden)
        if link is None:
            return CheckResult(check, Status.NOT_RUN, self._in_hidden if check.hidden else ""), ""
        seed = seed_of(
            self._exercise.slug,
            check.name,
            hidden=check.hidden,
            secret=self._secret,
            text=self._submission.text,
        )
        before, asked = link.channel.cpu_seconds, link.requests
        self._limit(link, check.name)
        try:
            link.begin(self._exercise.limits.output_bytes)
        except Gone as gone:
            outcome = Outcome(Status.ERROR, str(gone), gone=gone.reason)
        else:
            outcome = run_check(loaded, link, seed=seed, stubs=self._stubs)
        output = self._output(link, outcome)
        self.requests += link.requests - asked
        spent = max(0.0, link.channel.cpu_seconds - before)
        if outcome.suspect:
            self.suspects = (*self.suspects, check.name)
        if outcome.gone:
            self._drop(check.hidden)
        return self._result(loaded, outcome, output, seed, spent, link), outcome.gone

    def _result(
        self, loaded: LoadedCheck, outcome: Outcome, output: str, seed: str, spent: float, link: Link
    ) -> CheckResult:
        frame = outcome.frame or (link.running if outcome.gone else None)
        place = self._place(frame)
        message = outcome.message
        if outcome.status is Status.NOT_STARTED and place is not None:
            message = self._left_placeholder(place) or message
        elif outcome.gone and place is not None:
            message = f"{message}, in line {place.line}"
        if outcome.status is Status.PASSED:
            return CheckResult(loaded.check, Status.PASSED, "", Detail(output=output, seed=seed), spent)
        detail = Detail(
            expression=outcome.expression,
            expected=outcome.expected,
            actual=outcome.actual,
            example=loaded.example,
            exception=outcome.exception,
            place=place,
            output=output,
            graph=outcome.graph,
            seed=seed,
        )
        return CheckResult(loaded.check, outcome.status, message, detail, spent)

    # workers ------------------------------------------------------------------------------------

    def _link(self, hidden: bool) -> Link | None:
        link = self._links.get(hidden)
        if link is not None:
            return link
        if hidden and not self._in_the_open and self._link(False) is None:
            return None  # what is wrong with the file is told before a hidden check has drawn anything
        for chance in range(MOST_LOST):
            link = self._open()
            reason = self._load(link, hidden)
            if not reason:
                self._links[hidden] = link
                self._in_the_open = self._in_the_open or not hidden
                return link
            link.channel.kill()
            if reason == "lost" and chance == MOST_LOST - 1:
                raise ToolError("the process that starts workers ended again and again")
            if reason != "lost" and (reason != "wall" or chance > 0):
                break
            self.problem, self.place = "", None
        if hidden:  # it may know by now what hidden checks asked: nothing that it says is for the learner
            self._in_hidden, self.problem, self.place = self.problem, NOT_AGAIN, None
        return None

    def _open(self) -> Link:
        exercise = self._exercise
        probes = (*(root / "graders" / exercise.slug for root in exercise.roots), exercise.reference_path)
        channel = self._starter.start(
            exercise.limits,
            imports=self._imports,
            probes=tuple(str(path) for path in probes),
        )
        return Link(channel)

    def _load(self, link: Link, hidden: bool) -> str:
        """Load the files; "" when they are there, else why not, with `problem` and `place` set."""
        limits = self._exercise.limits
        self._limit(link)
        try:
            link.begin(limits.output_bytes)
            notes = link.load(self._files, self._exercise.preload)
        except Gone as gone:
            self.problem = f"{gone}, while your file was being loaded"
            self.place = self._place(link.running)
            if self.place is not None:
                self.problem += f", line {self.place.line}"
            self._keep_output(link, hidden)
            return gone.reason
        except LearnerError as error:
            self.place = self._place(error.place)
            self.problem = load_problem(error, self.place)
            self._keep_output(link, hidden)
            return "raised"
        if not hidden:
            self.notes = notes
        self._keep_output(link, hidden)
        return ""

    def _keep_output(self, link: Link, hidden: bool) -> None:
        if not hidden:
            self.output = self._output(link, Outcome(Status.PASSED))

    def _limit(self, link: Link, name: str = "") -> None:
        limits = self._exercise.limits.of(name)
        if self._patient():
            link.channel.limit(limits.cpu_seconds, limits.wall_seconds)
        else:
            short = max(limits.wall_seconds / 4, 5 * limits.impatient_cpu_seconds)
            link.channel.limit(limits.impatient_cpu_seconds, min(short, limits.wall_seconds))

    def _patient(self) -> bool:
        return self._hits < HITS_BEFORE_IMPATIENCE

    def _output(self, link: Link, outcome: Outcome) -> str:
        head = "".join(link.output)
        if outcome.gone or len(head) < self._exercise.limits.output_bytes // 2:
            return head
        try:
            return link.take_output()
        except (Gone, LearnerError):
            return head

    def _drop(self, hidden: bool) -> None:
        link = self._links.pop(hidden, None)
        if link is not None:
            link.close()

    # words --------------------------------------------------------------------------------------

    def _place(self, frame: Frame | None) -> Place | None:
        if frame is None or frame.line < 1:
            return None
        lines = self._files.get(frame.file, "").split("\n")
        text = lines[frame.line - 1].strip() if frame.line <= len(lines) else ""
        return Place(frame.line, text[:200], frame.name)

    def _left_placeholder(self, place: Place) -> str:
        """A sentence when the starter's raise still stands in the middle of written code."""
        lines = self._submission.text.split("\n")
        if place.line > len(lines):
            return ""
        mine = lines[place.line - 1]
        indent = len(mine) - len(mine.lstrip())
        for line in lines[place.line :]:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            if len(line) - len(line.lstrip()) < indent:
                return ""
            return (
                f"the placeholder raise on line {place.line} is still there: "
                "delete it, your code below it never runs"
            )
        return ""


def imports_of(text: str) -> tuple[str, ...]:
    """Every module that the text seems to import, and what it may mean by it: `package.name`.

    That is said as `from package import name`, or as `p.name` after `import package as p`: some packages
    load their parts at the first use, when a worker can open nothing any more.
    Found by looking, not by parsing: a parser can be made to take a minute and a gigabyte, and this is the
    judge. A word too many costs nothing, and for one too few the learner is told where it stands.
    """
    names: dict[str, None] = {}
    bound: dict[str, str] = {}
    for found in _IMPORT.finditer(text.replace("\\\n", " ")):
        plain, package, parts = found.groups()
        for words in (part.split() for part in (plain or parts).strip("()").split(",")):
            if not words or not _DOTTED.fullmatch(words[0]):
                continue
            if plain is None:
                names[package] = names[f"{package}.{words[0]}"] = None
            else:
                names[words[0]] = None
                bound[words[-1]] = words[0]
        if len(names) > MOST_IMPORTS:
            break
    for name, part in _ATTRIBUTE.findall(text) if bound else ():
        if name in bound:
            names[f"{bound[name]}.{part}"] = None
    return tuple(names)[:MOST_IMPORTS]


def load_problem(error: LearnerError, place: Place | None) -> str:
    """Why the learner's file cannot be loaded, as one sentence."""
    where = f", line {place.line}" if place else ""
    text = one_line(error.text).rstrip(".")
    match error.kind:
        case "TabError":
            return f"tabs and spaces are mixed{where}: indent with spaces only"
        case "IndentationError" | "SyntaxError":
            return f"{_syntax_words(text)}{where}"
        case "ModuleNotFoundError" | "ImportError" if "not available here" in text or "relative" in text:
            return text  # the line is in it
        case "EOFError" if text.startswith("input()"):
            return f"your file calls input() while it is being loaded{where}, and nobody is here to type"
        case "SystemExit":
            return f"your file ends Python while it is being loaded{where}"
        case "MemoryError":
            return f"your file ran out of memory while it was being loaded{where}"
        case "AssertionError":
            return f"an assert of your own fails while your file is being loaded{where}"
    words = one_line(f"{error.kind}: {text}" if text else error.kind)
    return f"your file raises {words} while it is being loaded{where}"


def _syntax_words(text: str) -> str:
    for mark, words in (
        ("U+00A0", "a no-break space stands where a plain space belongs"),
        ("U+201C", "a curly quote stands where a straight one belongs"),
        ("U+201D", "a curly quote stands where a straight one belongs"),
        ("U+2018", "a curly quote stands where a straight one belongs"),
        ("U+2019", "a curly quote stands where a straight one belongs"),
        ("U+200B", "an invisible character (zero-width space) stands in the code"),
        ("U+FEFF", "an invisible character (byte-order mark) stands in the code"),
    ):
        if mark in text:
            return f"SyntaxError: {words} ({mark})"
    return f"SyntaxError: {text}"


def require_level(starter: Starter, level: int) -> None:
    """Raises ToolError when the starter's workers are locked less than `level` asks for."""
    if starter.level < level:
        raise ToolError(
            f"this machine gives sandbox level {starter.level}, and level {level} is required: "
            "see `handgrad doctor --sandbox`, or accept less with `--require-level`"
        )


__all__ = ["FILE_NAME", "Session", "Starter", "imports_of", "load_problem", "require_level"]
