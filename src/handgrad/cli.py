"""The command `handgrad`: the only module that prints, reads argv and exits.

Answering soon matters here: each command imports what it needs itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from handgrad.errors import HandgradError, UsageError
from handgrad.options import whole

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from handgrad.catalog import Course
    from handgrad.judge.loader import LoadedCheck
    from handgrad.model import CheckResult, Exercise, Submission, Verdict
    from handgrad.sandbox.launch import Launched
    from handgrad.sandbox.starter import WorkerStarter

PASSED, NOT_PASSED, MISUSE, UNGRADED, INTERRUPTED = 0, 1, 2, 3, 130
FORMATS = ("terminal", "json", "junit", "html", "markdown", "gradescope", "classroom50", "csv")
MAKE = (
    "check",
    "watch",
    "hint",
    "reset",
    "progress",
    "start",
    "release",
    "grade",
    "new",
    "doctor",
)  # targets
OF_ONE = ("gradescope", "classroom50")  # formats that hold the result of one learner
NAMED = 10  # hand-ins that a summary names
LONG_SECONDS = 1.0  # a wait of which a line that stays is said


def main(argv: Sequence[str] | None = None, early: Launched | None = None) -> int:
    """Run one command and return its exit code: 0 passed, 1 not, 2 misuse, 3 our fault, 130 Ctrl-C.

    `early` is a sandbox that gets warm already, for the command to use or leave.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a narrow encoding must not end a report
    try:
        code = _run(words, early)
        sys.stdout.flush()
    except UsageError as error:
        return _complain(error, MISUSE)
    except HandgradError as error:
        return _complain(error, UNGRADED)
    except KeyboardInterrupt:
        return _complain("stopped", INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has gone: say no more, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return NOT_PASSED
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not error.filename:
            return _complain("the folder that you are in is no longer there: go to another one", UNGRADED)
        place = f"`{error.filename}`: " if error.filename else ""
        return _complain(f"{place}{(error.strerror or str(error)).lower()}", UNGRADED)
    except Exception as error:  # noqa: BLE001  (it gets a sentence, and the exit code of our faults)
        return _own_fault(error)
    return code


def _own_fault(error: Exception) -> int:
    """For what nobody thought of. Python would answer 1, and that means that not everything passed."""
    how = "set PYTHONDEVMODE=1 to see where"
    if sys.flags.dev_mode:
        import traceback

        traceback.print_exception(error)
        how = "the traceback above says where"
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return _complain(
        f"a fault of handgrad's own, not of your work (`{what}`): {how}, and report it", UNGRADED
    )


def _complain(sentence: object, code: int) -> int:
    from handgrad.report.escape import terminal

    sys.stdout.flush()
    print(f"handgrad: {terminal(str(sentence))}", file=sys.stderr)
    return code


def _run(words: list[str], early: Launched | None) -> int:
    first = words[0] if words else ""
    if first in COMMANDS:
        with _starter_of(early) as starter:
            arguments = _parser(first).parse_args(words[1:])
            arguments.early = starter
            return COMMANDS[first].run(arguments)
    if first in ("", "-h", "--help", "help"):
        print(_help())
        return PASSED if first else MISUSE
    if first == "--version":
        from handgrad import __version__

        print(f"handgrad {__version__}")
        return PASSED
    import difflib

    close = difflib.get_close_matches(first, COMMANDS, 1)
    hint = f"did you mean `{close[0]}`?" if close else f"`{spoken('--help')}` lists the commands"
    raise UsageError(f"there is no command `{first}`: {hint}")


def _starter_of(early: Launched | None) -> AbstractContextManager[WorkerStarter | None]:
    if early is None:
        return nullcontext()
    from handgrad.sandbox.starter import ZygoteStarter

    return ZygoteStarter(early)


def spoken(command: str, *words: str) -> str:
    """A command as it can be typed where this one was called from, for the course that this one was for."""
    words = (*words, *_course_words(sys.argv[1:]))
    if os.environ.get("MAKELEVEL") and command in MAKE:
        return _as_target(command, words)
    name = Path(sys.argv[0]).name
    if name.startswith("handgrad"):
        return " ".join(["handgrad", command, *words])
    return " ".join([Path(sys.executable or "python3").name, "-m", "handgrad", command, *words])


def _course_words(argv: Sequence[str]) -> list[str]:
    """`--course` and `--root` of a command line, each with its value in one word."""
    from shlex import quote

    said, rest = [], list(argv)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name in ("--course", "--root") and (equals or rest):
            said.append(f"{name}={quote(value if equals else rest.pop(0))}")
    return said


def _as_target(command: str, words: Sequence[str]) -> str:
    """The same for make: `make check EX=stack SUBMISSION=work.py ARGS=--in-process`."""
    from shlex import quote

    said, options, rest = ["make", command], [], list(words)
    while rest:
        word = rest.pop(0)
        if word == "--submission" and rest:
            said.append(f"SUBMISSION={quote(rest.pop(0))}")
        elif word.startswith("-"):
            options.append(word)
        else:
            said.append(f"EX={word}")
    return " ".join([*said, *([f"ARGS={quote(' '.join(options))}"] if options else [])])


# ---- what the command line says


class Command(NamedTuple):
    """One command: what `--help` says of it, its options, and what it does."""

    group: str
    summary: str
    options: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]
    more: str = ""


def _help() -> str:
    lines = [
        "usage: handgrad COMMAND [words]",
        "",
        "handgrad checks what you write in exercises/<slug>/solution.py, and says in words what is wrong.",
        f"Begin in the course folder with:  {spoken('check')}",
    ]
    wide = max(len(name) for name in COMMANDS)
    for group in dict.fromkeys(command.group for command in COMMANDS.values()):
        lines += ["", f"{group}:"]
        lines += [f"  {n:<{wide}}  {c.summary}" for n, c in COMMANDS.items() if c.group == group]
    lines += [
        "",
        "handgrad COMMAND --help says more. A slug is the name of an exercise: its folder in exercises/.",
        "Exit codes: 0 everything passed, 1 not, 2 words it cannot use, 3 it could not judge, 130 Ctrl-C.",
    ]
    return "\n".join(lines)


def _parser(name: str) -> ArgumentParser:
    from argparse import ArgumentParser, RawDescriptionHelpFormatter

    command = COMMANDS[name]
    parser = ArgumentParser(
        prog=f"handgrad {name}",
        description=f"{command.summary[:1].upper()}{command.summary[1:]}.\n{command.more}".rstrip(),
        formatter_class=lambda prog: RawDescriptionHelpFormatter(prog, width=100),  # asks no terminal
        allow_abbrev=False,
    )
    command.options(parser)
    course = parser.add_argument_group("the course")
    course.add_argument("--course", metavar="DIR", help="the course folder (default: the one you are in)")
    course.add_argument(
        "--root", metavar="DIR", action="append", default=[], help="a folder that adds checks or exercises"
    )
    return parser


def _plain(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--plain", action="store_true", help="no colour, no moving text: for screen readers and logs"
    )


def _brief(parser: ArgumentParser) -> None:
    parser.add_argument("--brief", action="store_true", help="only what to mend first, and the score")


def _level(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--require-level",
        type=int,
        choices=range(4),
        metavar="N",
        help="refuse to judge below sandbox level N (0 to 3)",
    )


def _report(parser: ArgumentParser) -> None:
    from handgrad.model import Audience

    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="terminal",
        help="how to report (default: terminal); json is one object a line",
    )
    parser.add_argument("--output", metavar="FILE", help="write the report to a file")
    parser.add_argument(
        "--audience",
        choices=[str(audience) for audience in Audience],
        default=str(Audience.LEARNER),
        help="an instructor sees the details of hidden checks, too",
    )


def _slugs(parser: ArgumentParser) -> None:
    parser.add_argument(
        "slugs", nargs="*", metavar="SLUG", help="an exercise (default: all that you started)"
    )


def _slug(parser: ArgumentParser) -> None:
    parser.add_argument("slug", metavar="SLUG", help="the exercise")


def _some_slug(parser: ArgumentParser) -> None:
    parser.add_argument("slug", nargs="?", metavar="SLUG", help="the exercise (default: the one you are at)")


def _course(arguments: Namespace) -> Course:
    from handgrad.catalog import find_course, load_course

    if arguments.course is None:
        return load_course(find_course(Path.cwd()), [Path(root) for root in arguments.root])
    if not (Path(arguments.course) / "course.toml").is_file():
        raise UsageError(f"there is no `course.toml` in `{arguments.course}`: name the course folder itself")
    return load_course(Path(arguments.course), [Path(root) for root in arguments.root])


# ---- check


def _check_options(parser: ArgumentParser) -> None:
    _slugs(parser)
    parser.add_argument("--all", action="store_true", help="exercises that you did not start, too")
    parser.add_argument(
        "--submission", metavar="PATH", help="another file, notebook or folder, for one exercise"
    )
    parser.add_argument(
        "-k", dest="name", metavar="NAME", help="only checks with this in their name or title"
    )
    _report(parser)
    _plain(parser)
    _brief(parser)
    parser.add_argument(
        "--in-process", action="store_true", help="without a sandbox, so that your own debugger works"
    )
    _level(parser)


def _check(arguments: Namespace) -> int:
    course = _course(arguments)
    chosen, others = _chosen(course, arguments)
    if not chosen:
        print(_nothing_started(course))
        return NOT_PASSED
    verdicts = _verdicts(course, chosen, arguments)
    _emit(_rendered(verdicts, arguments, course), arguments.output)
    if not arguments.submission and not arguments.name:
        _remember(course, verdicts, hinted=arguments.format == "terminal" and course.feedback == "full")
    if arguments.format == "terminal" and not arguments.name:
        _say_hidden(chosen, verdicts)
    if others and arguments.format == "terminal":
        print()
        if all(verdict.passed for verdict in verdicts):
            order = [exercise.slug for exercise in course.exercises]
            ahead = [e for e in others if order.index(e.slug) > order.index(chosen[-1].slug)]
            print(f"next: `{spoken('start', (ahead or others)[0].slug)}`")
        print(f"not started: {', '.join(exercise.slug for exercise in others)}")
    if any(verdict.ungraded for verdict in verdicts):
        return UNGRADED
    return PASSED if all(verdict.passed for verdict in verdicts) else NOT_PASSED


def _say_hidden(chosen: Sequence[Exercise], verdicts: Sequence[Verdict]) -> None:
    """In a bundle a full score is not the last word: the hidden checks are elsewhere."""
    from handgrad.loop import is_bundle
    from handgrad.model import Status

    for exercise, verdict in zip(chosen, verdicts, strict=True):
        if is_bundle(exercise) and verdict.results:
            passed = sum(result.status is Status.PASSED for result in verdict.results)
            total = len(verdict.results)
            print(f"\n{exercise.slug}: visible checks {passed}/{total}; hidden ones run when you hand in")


def _chosen(course: Course, arguments: Namespace) -> tuple[list[Exercise], list[Exercise]]:
    """The exercises to check, and those left out because they were not started."""
    named = list({(e := course.exercise(word)).slug: e for word in arguments.slugs}.values())
    if arguments.submission:
        named = named or list(course.exercises)
        if len(named) != 1:
            raise UsageError(
                "`--submission` takes one exercise: "
                f"`{spoken('check', named[0].slug if named else 'SLUG', '--submission', 'PATH')}`"
            )
        if not os.path.lexists(arguments.submission):
            raise UsageError(f"there is no file `{arguments.submission}`: look at the path")
    if named or arguments.all:
        return named or list(course.exercises), []
    from handgrad.loop import is_begun
    from handgrad.state import State

    state = State(course.root)
    started = [exercise for exercise in course.exercises if is_begun(exercise, state)]
    return started, [exercise for exercise in course.exercises if exercise not in started]


def _nothing_started(course: Course) -> str:
    from handgrad.loop import shown

    if not course.exercises:
        return f"this course has no exercises yet: `{spoken('new', 'SLUG')}` makes one"
    first = course.exercises[0]
    lines = [
        f"{first.slug}: not started",
        f"read {shown(first.folder / 'README.md', first)}, write the first TODO in",
        f"{shown(first.solution_path, first)}, save it, and say `{spoken('check')}` again",
    ]
    others = ", ".join(exercise.slug for exercise in course.exercises[1:])
    return "\n".join([*lines, f"not started either: {others}"] if others else lines)


def _starter(arguments: Namespace, exercises: Sequence[Exercise]) -> WorkerStarter:
    from handgrad.sandbox.starter import open_starter

    preload = tuple(dict.fromkeys(name for exercise in exercises for name in exercise.preload))
    early: WorkerStarter | None = getattr(arguments, "early", None)
    if early is not None and early.preload == preload:
        return early
    return open_starter(0 if getattr(arguments, "in_process", False) else None, preload)


def _verdicts(course: Course, exercises: Sequence[Exercise], arguments: Namespace) -> list[Verdict]:
    """One verdict an exercise, in order; a sandbox for each set of modules that exercises ask for.

    Where one cannot be opened (NumPy is missing), only the exercises that need it are ungraded.
    """
    from handgrad.errors import ToolError

    verdicts: dict[str, Verdict] = {}
    for preload in dict.fromkeys(exercise.preload for exercise in exercises):
        group = [exercise for exercise in exercises if exercise.preload == preload]
        try:
            with _starter(arguments, group) as starter:
                verdicts |= {e.slug: _verdict(course, e, starter, arguments) for e in group}
        except ToolError as error:
            verdicts |= {e.slug: _ungraded(e, error) for e in group}
    return [verdicts[exercise.slug] for exercise in exercises]


def _ungraded(exercise: Exercise, error: HandgradError) -> Verdict:
    from handgrad.model import Verdict

    source = _from_here(exercise.solution_path)
    return Verdict(exercise.slug, "", (), 0, "", "", source=source, ungraded=str(error))


def _verdict(
    course: Course,
    exercise: Exercise,
    starter: WorkerStarter,
    arguments: Namespace,
    on_result: Callable[[CheckResult], None] | None = None,
) -> Verdict:
    with _awaited(f"checking {exercise.slug} ...", arguments):
        submission, source = _submission(exercise, getattr(arguments, "submission", None))
        from handgrad.grade import grade

        return grade(
            exercise,
            submission,
            starter=starter,
            course=course,
            require=getattr(arguments, "require_level", None) or 0,
            checks=_selection(exercise, getattr(arguments, "name", None), course.feedback),
            source=source,
            on_result=on_result,
        )


class _awaited:  # noqa: N801  (used as a word: `with _awaited(...)`)
    """Says on a terminal what it waits for: at once, in a line that goes when it ends.

    Where nothing may move it is a line that stays, said only when the wait is long.
    """

    def __init__(self, text: str, arguments: Namespace) -> None:
        elsewhere = getattr(arguments, "output", None)
        read = getattr(arguments, "format", "terminal") == "terminal" and not elsewhere
        self.text = text if read and sys.stdout.isatty() else ""
        self.moving = not arguments.plain and os.environ.get("TERM") != "dumb"
        self.before: Any = None

    def __enter__(self) -> None:
        if self.text and self.moving:
            print(self.text, end="", flush=True)
        elif self.text:
            self._say_later()

    def __exit__(self, *_: object) -> None:
        if self.text and self.moving:
            print("\r" + " " * len(self.text), end="\r", flush=True)
        elif self.before is not None:
            import signal

            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self.before)

    def _say_later(self) -> None:
        import signal

        stream = sys.stdout  # under --in-process the learner's code has another one
        try:
            self.before = signal.signal(signal.SIGALRM, lambda *_: print(self.text, file=stream, flush=True))
        except (AttributeError, ValueError):  # Windows, and a thread that hears no signals
            print(self.text, flush=True)
        else:
            signal.setitimer(signal.ITIMER_REAL, LONG_SECONDS)


def _submission(exercise: Exercise, named: str | None) -> tuple[Submission, str]:
    """What is to be checked, and its path as whoever reads the report knows it.

    In a folder the file is looked for, and which one was taken is noted.
    """
    path = Path(named or exercise.solution_path)
    if not named or path.is_symlink() or not path.is_dir():
        from handgrad.submission import read_submission

        return read_submission(path, limits=exercise.limits), _from_here(path)
    from handgrad.batch import find_hand_in, read_hand_in

    hand_in = find_hand_in(path, exercise.slug, any_name=True)
    submission = read_hand_in(hand_in, exercise)._replace(learner="")
    if hand_in.path == path:
        return submission, path.name
    inside = hand_in.path.relative_to(path).as_posix()
    if not hand_in.notes and not hand_in.problem:
        submission = submission._replace(notes=(f"`{inside}` was taken", *submission.notes))
    return submission, inside


def _selection(exercise: Exercise, name: str | None, feedback: str) -> list[LoadedCheck] | None:
    """The checks that `-k` asks for; in a bundle, which has no hidden ones, those that are there."""
    from handgrad.loop import is_bundle

    if not name and not is_bundle(exercise):
        return None
    from handgrad.grade import visible_checks
    from handgrad.judge.loader import load_checks

    loaded = list(visible_checks(exercise) if is_bundle(exercise) else load_checks(exercise))
    if not name:
        return loaded
    word = name.casefold()
    found = [c for c in loaded if word in c.check.name.casefold() or word in c.check.title.casefold()]
    if not found:
        names = ", ".join(item.check.name for item in loaded)
        there = "" if feedback == "score" else f": there are {names}"
        raise UsageError(f"no check of `{exercise.slug}` has `{name}` in its name{there}")
    return found


def _from_here(path: Path) -> str:
    """The path as it reads from the folder that the command was called in."""
    here = Path.cwd()
    full = path if path.is_absolute() else here / path
    return full.relative_to(here).as_posix() if full.is_relative_to(here) else str(path)


def _rendered(verdicts: Sequence[Verdict], arguments: Namespace, course: Course) -> str:
    from handgrad.model import Audience
    from handgrad.report import FORMATS as RENDERERS

    options: dict[str, Any] = {"feedback": course.feedback}
    if arguments.format == "terminal":
        from handgrad.report.terminal import use_color

        on_terminal = not arguments.output and sys.stdout.isatty()
        plain = arguments.plain or not on_terminal
        options |= {
            "plain": plain,
            "brief": getattr(arguments, "brief", False),
            "color": use_color(os.environ, is_terminal=on_terminal, plain=arguments.plain),
            "encoding": "utf-8" if arguments.output else sys.stdout.encoding or "utf-8",
            "hint_command": spoken("hint", "{slug}"),
            "selected": bool(getattr(arguments, "name", None)),
            "hints_given": _hints_given(verdicts, arguments, course),
        }
    return RENDERERS[arguments.format](verdicts, audience=Audience(arguments.audience), **options)


def _hints_given(verdicts: Sequence[Verdict], arguments: Namespace, course: Course) -> dict[str, int]:
    """How many hints the learner has seen for the check that a report tells in full; of another file none."""
    if getattr(arguments, "submission", None) or getattr(arguments, "folder", None):
        return {}
    from handgrad.loop import hints_given
    from handgrad.state import State

    return {verdict.exercise: hints_given(verdict, State(course.root)) for verdict in verdicts}


def _emit(text: str, output: str | None) -> None:
    if output is None:
        print(text, end="" if text.endswith("\n") else "\n")
        return
    from handgrad.files import write_safely

    write_safely(Path(output), text)


def _remember(course: Course, verdicts: Sequence[Verdict], *, hinted: bool = False) -> None:
    """Keep the marks, and which hints the report gave; where that cannot be, one line says so."""
    from handgrad.errors import ToolError
    from handgrad.loop import remember, remember_shown
    from handgrad.state import State

    state = State(course.root)
    try:
        remember(verdicts, state)
        for verdict in verdicts if hinted else ():
            remember_shown(verdict, state)
    except ToolError as error:
        print(f"handgrad: your marks were not kept: {error}", file=sys.stderr)


# ---- grade


def _grade_options(parser: ArgumentParser) -> None:
    _slug(parser)
    parser.add_argument(
        "folder", metavar="DIR", help="holds <learner>/solution.py, <learner>.py or notebooks"
    )
    parser.add_argument(
        "--jobs", type=whole(1), default=0, metavar="N", help="processes (default: one a core)"
    )
    parser.add_argument("--csv", metavar="FILE", help="write the grades as a table, too")
    parser.add_argument(
        "--only", metavar="ID", action="append", default=[], help="only this learner; repeatable"
    )
    parser.add_argument(
        "--skip", metavar="ID", action="append", default=[], help="not this learner; repeatable"
    )
    _report(parser)
    _plain(parser)
    _level(parser)


def _grade(arguments: Namespace) -> int:
    from handgrad.batch import find_hand_ins, grade_many, select

    if arguments.format in OF_ONE:
        raise UsageError(
            f"`--format {arguments.format}` is the result of one learner, not of a folder: "
            f"`{spoken('check', arguments.slug, '--submission PATH', f'--format {arguments.format}')}`"
        )
    course = _course(arguments)
    exercise = course.exercise(arguments.slug)
    found = find_hand_ins(Path(arguments.folder), exercise.slug, [e.slug for e in course.exercises])
    hand_ins = select(found.hand_ins, arguments.only, arguments.skip)
    if found.ignored:
        from handgrad.report.escape import one_line

        print(f"not hand-ins, left aside: {one_line(', '.join(found.ignored))}", file=sys.stderr)
    if not found.hand_ins:
        raise UsageError(f"there is no hand-in in `{arguments.folder}`: look at the path")
    if not hand_ins:
        whom = "whom `--only` names" if arguments.only else "who handed something in"
        raise UsageError(f"`--skip` leaves out everybody {whom}: nobody is left to grade")
    with _progress(len(hand_ins), arguments.plain) as done:
        counted = _counted(done, len(hand_ins))
        verdicts = grade_many(
            exercise,
            hand_ins,
            course=course,
            jobs=arguments.jobs,
            require_level=course.require_level
            if arguments.require_level is None
            else arguments.require_level,
            done=counted,
        )
    _emit(_rendered(verdicts, arguments, course), arguments.output)
    if arguments.csv:
        _emit(_rendered(verdicts, _as_csv(arguments), course), arguments.csv)
    unreadable = [v.learner for v in verdicts if _unreadable(v)]
    missing = [h.learner for h in hand_ins if h.problem and not h.ours]
    ungraded = sum(bool(verdict.ungraded) for verdict in verdicts) - len(missing)
    print(_tally(verdicts, unreadable, missing, ungraded), file=sys.stderr)
    return UNGRADED if ungraded else NOT_PASSED if unreadable or missing else PASSED


def _counted(done: Callable[[int, int], None], total: int) -> Callable[[Verdict], None]:
    count = 0

    def told(_: Verdict) -> None:
        nonlocal count
        count += 1
        done(count, total)

    return told


def _as_csv(arguments: Namespace) -> Namespace:
    from argparse import Namespace

    return Namespace(**{**vars(arguments), "format": "csv"})


def _unreadable(verdict: Verdict) -> bool:
    """True when there was no text to grade: a broken file."""
    import hashlib

    return not verdict.ungraded and verdict.submission_digest == hashlib.sha256(b"").hexdigest()


def _tally(
    verdicts: Sequence[Verdict], unreadable: Sequence[str], missing: Sequence[str], ungraded: int
) -> str:
    passed = sum(verdict.passed for verdict in verdicts)
    parts = [f"{len(verdicts)} hand-in{'s' if len(verdicts) != 1 else ''}: {passed} passed everything"]
    if unreadable:
        parts.append(f"{len(unreadable)} cannot be read ({_named(unreadable)})")
    if missing:
        parts.append(f"{len(missing)} without a file to grade ({_named(missing)})")
    if ungraded:
        parts.append(f"{ungraded} ungraded")
    return ", ".join(parts)


def _named(learners: Sequence[str]) -> str:
    from handgrad.report.escape import one_line

    return ", ".join(map(one_line, learners[:NAMED])) + (", ..." if len(learners) > NAMED else "")


class _progress:  # noqa: N801  (used as a word: `with _progress(...) as done`)
    """Says how far it is: a bar where rich is installed and someone watches, else a line at times."""

    def __init__(self, total: int, plain: bool) -> None:
        self.total, self.plain = total, plain or not sys.stderr.isatty()
        self.bar: Any = None

    def __enter__(self) -> Callable[[int, int], None]:
        if not self.plain:
            try:
                from rich.console import Console
                from rich.progress import Progress
            except ImportError:
                pass
            else:
                self.bar = Progress(console=Console(stderr=True), transient=True)
                self.task = self.bar.add_task("", total=self.total or None)
                self.bar.start()
        return self.done

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def done(self, count: int, total: int) -> None:
        if self.bar is not None:
            self.bar.update(self.task, completed=count, total=total)
        elif count == total or count % max(1, total // 20) == 0:
            print(f"{count} of {total}", file=sys.stderr, flush=True)


# ---- the learner's loop


def _judge(course: Course, arguments: Namespace) -> Callable[[Exercise], Verdict]:
    def judge(exercise: Exercise) -> Verdict:
        with _starter(arguments, [exercise]) as starter:
            return _verdict(course, exercise, starter, arguments)

    return judge


def _at(course: Course, slug: str | None) -> Exercise:
    """The exercise that is named, or the first on the road map that does not pass yet."""
    if slug:
        return course.exercise(slug)
    from handgrad.loop import current
    from handgrad.state import State

    exercise = current(course, State(course.root))
    if exercise is None:
        raise UsageError("this course has no exercises yet")
    return exercise


def _hint(arguments: Namespace) -> int:
    course = _course(arguments)
    exercise = _at(course, arguments.slug)
    verdict = _judge(course, arguments)(exercise)
    if verdict.ungraded:
        return _complain(verdict.ungraded, UNGRADED)
    _print_hint(course, exercise, verdict)
    return PASSED


def _print_hint(course: Course, exercise: Exercise, verdict: Verdict) -> None:
    from handgrad.errors import ToolError
    from handgrad.loop import next_hint, remember_hint
    from handgrad.state import State

    state = State(course.root)
    hint = next_hint(exercise, verdict, state, course.feedback)
    print(hint.text, flush=True)
    try:
        remember_hint(exercise, hint, state)
    except ToolError as error:
        print(f"handgrad: that this hint was given is not remembered: {error}", file=sys.stderr)


def _reset(arguments: Namespace) -> int:
    from handgrad.loop import reset
    from handgrad.state import State

    course = _course(arguments)
    exercise = course.exercise(arguments.slug)
    print(reset(exercise, State(course.root)))
    _remember_start(course, exercise, begun=False)
    return PASSED


def _remember_start(course: Course, exercise: Exercise, *, begun: bool) -> None:
    from handgrad.errors import ToolError
    from handgrad.loop import remember_start
    from handgrad.state import State

    try:
        remember_start(exercise, State(course.root), begun=begun)
    except ToolError as error:
        print(f"handgrad: where you are is not remembered: {error}", file=sys.stderr)


def _road_map(arguments: Namespace) -> int:
    from handgrad.loop import road_map
    from handgrad.state import State

    course = _course(arguments)
    print(road_map(course, State(course.root)))
    return PASSED


def _start_options(parser: ArgumentParser) -> None:
    _slug(parser)
    parser.add_argument("--given", action="store_true", help="with the class that is given, not your own")
    _plain(parser)


def _start(arguments: Namespace) -> int:
    from handgrad.loop import start
    from handgrad.state import State

    course = _course(arguments)
    exercise = course.exercise(arguments.slug)
    judge = _judge(course, arguments)
    slug = exercise.slug
    afresh = f"`{spoken('reset', slug)}`, then `{spoken('start', slug, '--given')}`"
    print(start(course, exercise, State(course.root), judge, given=arguments.given, afresh=afresh))
    _remember_start(course, exercise, begun=True)
    from handgrad.sandbox.launch import missing

    if sentence := missing(exercise.preload):
        print(sentence)
    print(f"then say `{spoken('check', exercise.slug)}`")
    return PASSED


# ---- watch


def _watch(arguments: Namespace) -> int:
    from handgrad.errors import ToolError
    from handgrad.watch import keyboard

    course = _course(arguments)
    first = exercise = _at(course, arguments.slug)
    moving = sys.stdout.isatty() and not arguments.plain and os.environ.get("TERM") != "dumb"
    with keyboard() as read_key:
        while True:
            try:
                key = _watch_one(course, exercise, arguments, read_key, moving)
            except ToolError as error:
                if exercise is first:
                    raise
                print(f"\n{exercise.slug}: {error}\n\nn next, r try again, q quit", flush=True)
                key = _one_of("nrq", read_key)
            if key == "q":
                return PASSED
            if key == "n":
                slugs = [other.slug for other in course.exercises]
                exercise = course.exercises[(slugs.index(exercise.slug) + 1) % len(slugs)]


def _one_of(keys: str, read_key: Callable[[float], str]) -> str:
    from handgrad.watch import POLL_SECONDS

    while True:
        if (key := read_key(POLL_SECONDS)) and key in keys:
            return key


def _watch_one(
    course: Course,
    exercise: Exercise,
    arguments: Namespace,
    read_key: Callable[[float], str],
    moving: bool,
) -> str:
    """Check one exercise at every save, until `n` or `q` is pressed; which of them it was."""
    from handgrad.watch import SAVED, Left, events, leave_if_asked, signature

    with _starter(arguments, [exercise]) as starter:

        def judged() -> Verdict:
            return _verdict(course, exercise, starter, arguments, lambda _: leave_if_asked(read_key))

        def show() -> None:
            print("\x1b[2J\x1b[H" if moving else "\n", end="")
            verdict = judged()
            print(_rendered([verdict], arguments, course), end="")
            print(_watch_line(exercise), flush=True)
            _remember(course, [verdict], hinted=course.feedback == "full")

        known = signature(exercise.solution_path)
        try:
            show()
            for event in events(exercise.solution_path, read_key, known=known):
                if event in ("n", "q"):
                    return event
                if event == "h":
                    verdict = judged()
                    if verdict.ungraded:
                        print(f"{exercise.slug}: {verdict.ungraded}", flush=True)
                    else:
                        _print_hint(course, exercise, verdict)
                elif event in (SAVED, "r"):
                    show()
        except Left as left:
            return left.key
    return "q"


def _watch_line(exercise: Exercise) -> str:
    import time

    clock = time.strftime("%H:%M:%S")
    return (
        f"\n{exercise.slug} checked at {clock}, and again at each save: n next, h hint, r run again, q quit"
    )


def _watch_options(parser: ArgumentParser) -> None:
    _some_slug(parser)
    _plain(parser)
    _brief(parser)
    parser.set_defaults(format="terminal", output=None, audience="learner")


# ---- beginning a course or an exercise


def _new_options(parser: ArgumentParser) -> None:
    parser.add_argument("slug", metavar="SLUG", help="the name, as in two_layers")


def _new(arguments: Namespace) -> int:
    from handgrad.scaffold import new_exercise

    course = _course(arguments)
    for path in new_exercise(course, arguments.slug):
        print(_from_here(path))
    print(f"\nwrite over these, and prove them with `{spoken('doctor', arguments.slug)}`")
    print(
        f"when the reference is written, `{spoken('doctor', arguments.slug, '--fix')}` cuts the starter anew"
    )
    return PASSED


def _init_options(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder of the new course")


def _init(arguments: Namespace) -> int:
    from handgrad.scaffold import missing_ignores, new_course

    folder = Path(arguments.folder)
    for path in new_course(folder):
        print(_from_here(path))
    if missing := missing_ignores(folder):
        ignore = _from_here(folder / ".gitignore")
        print(f"\n{ignore} was left as it is: add these lines, so that no commit takes in what is generated")
        print("\n".join(missing))
    here = folder.resolve() == Path.cwd().resolve()
    print(f"\nnow say `{spoken('new', 'SLUG', *([] if here else _course_words(['--course', str(folder)])))}`")
    return PASSED


# ---- doctor


def _doctor_options(parser: ArgumentParser) -> None:
    parser.add_argument("slugs", nargs="*", metavar="SLUG", help="only these exercises")
    parser.add_argument("--fix", action="store_true", help="write anew what is generated; your file is kept")
    parser.add_argument("--pristine", action="store_true", help="every starter must be as generated")
    parser.add_argument(
        "--seeds", type=whole(0), default=3, metavar="N", help="further seeds for hidden checks (default: 3)"
    )
    parser.add_argument("--quick", action="store_true", help="in the best sandbox alone")
    parser.add_argument("--thorough", action="store_true", help="every text in every way there is")
    parser.add_argument("--sandbox", action="store_true", help="only say what sandbox this machine gives")
    parser.add_argument(
        "--jobs", type=whole(1), default=0, metavar="N", help="processes (default: one a core)"
    )
    _plain(parser)


def _doctor(arguments: Namespace) -> int:
    if arguments.sandbox:
        from handgrad.sandbox.lock import describe

        print("\n".join(describe()))
        return PASSED
    from handgrad.doctor import examine, fix
    from handgrad.state import State
    from handgrad.trial import available_modes

    course = _course(arguments)
    exercises = [course.exercise(slug) for slug in dict.fromkeys(arguments.slugs)] or list(course.exercises)
    if arguments.fix:
        for line in fix(course, exercises, State(course.root).keep):
            print(line)
    with _progress(0, arguments.plain) as bar:
        findings = examine(
            course,
            exercises,
            modes=available_modes()[: 1 if arguments.quick else None],
            seeds=arguments.seeds,
            pristine=arguments.pristine,
            thorough=arguments.thorough,
            jobs=arguments.jobs,
            done=bar,
        )
    for problem in findings.problems:
        print(problem.told(spoken))
    counts = findings.counts
    looked = ", ".join(f"{number} {what if number != 1 else what[:-1]}" for what, number in counts.items())
    ways = f"run as: {', '.join(findings.modes)}"
    if not arguments.thorough and len(findings.modes) > 1:
        ways += " (slow texts in the first alone, similar ways in turn; --thorough: all in all)"
    print(f"{looked}; {ways}; {arguments.seeds} further seeds", file=sys.stderr)
    if findings.problems:
        print(f"{len(findings.problems)} to mend", file=sys.stderr)
        return NOT_PASSED
    print("sound")
    return PASSED


# ---- the table of commands


def _hint_options(parser: ArgumentParser) -> None:
    _some_slug(parser)
    _plain(parser)


def _reset_options(parser: ArgumentParser) -> None:
    _slug(parser)
    _plain(parser)


# ---- notebooks


def _notebook_command(name: str, summary: str, more: str = "") -> Command:
    """A command of `integrations.notebooks`, which student bundles go without."""

    def known() -> Any:
        try:
            from handgrad.integrations import notebooks
        except ModuleNotFoundError:
            raise UsageError(f"`{name}` works in the course folder, not in a student bundle") from None
        return notebooks.COMMANDS[name]

    def progress(text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r{text:<40}\r", end="", file=sys.stderr, flush=True)

    def say(text: str) -> None:
        from handgrad.report.escape import terminal

        print(terminal(text))

    def run(arguments: Namespace) -> int:
        code: int = known().run(_course(arguments), arguments, say, progress)
        return code

    return Command("teaching", summary, lambda parser: known().options(parser), run, more)


# ---- pull requests and other hosts


def _host_command(name: str, summary: str, more: str = "") -> Command:
    """A command of `integrations.ci_commands`, which student bundles go without."""

    def known() -> Any:
        try:
            from handgrad.integrations import ci_commands
        except ModuleNotFoundError:
            raise UsageError(f"`{name}` works in the course folder, not in a student bundle") from None
        return ci_commands.COMMANDS[name]

    def options(parser: ArgumentParser) -> None:
        known().options(parser)
        if name == "ci":
            _level(parser)

    def run(arguments: Namespace) -> int:
        outcome = known().run(arguments)
        print(outcome.text, end="", flush=True)
        from handgrad.files import write_safely

        for path, content in outcome.files:
            write_safely(path, content)
        for path, text in outcome.additions:
            with path.open("a", encoding="utf-8") as file:
                file.write(text)
        print(outcome.done, end="")
        code: int = outcome.exit_code
        return code

    return Command("teaching", summary, options, run, more)


# ---- the page


def _page_options(parser: ArgumentParser) -> None:
    parser.add_argument("--serve", action="store_true", help="serve it, on this machine and to it alone")
    parser.add_argument(
        "--port",
        type=whole(0, 65535),
        default=8000,
        metavar="N",
        help="where to serve (default: 8000; 0: a free one)",
    )
    parser.add_argument(
        "--output", metavar="DIR", help="the folder to build, or to build anew (default: web/dist)"
    )
    parser.add_argument(
        "--reveal", action="store_true", help="with the exercises whose starters hold an earlier one's answer"
    )
    parser.add_argument("--numpy-wheel", metavar="FILE", help="NumPy for Pyodide (default: $NUMPY_WHEEL)")
    _plain(parser)


def _page(arguments: Namespace) -> int:
    try:
        from handgrad.build.page import build_page, open_server
    except ModuleNotFoundError:
        raise UsageError("`page` works in the course folder, not in a student bundle") from None
    course = _course(arguments)
    folder = Path(arguments.output) if arguments.output else course.root / "web" / "dist"
    wheel = arguments.numpy_wheel or os.environ.get("NUMPY_WHEEL", "")
    built = build_page(course, folder, reveal=arguments.reveal, numpy_wheel=wheel)
    size = f"{built.bytes / 1e6:.1f} MB, {built.compressed_bytes / 1e6:.1f} MB compressed"
    print(f"{_from_here(built.folder)} ({size})")
    for slug in built.closed:
        print(f"{slug} is only named there, since it holds an earlier answer: `--reveal` puts it in")
    if not arguments.serve:
        print("any web server can serve this folder; `--serve` does so on this machine")
        return PASSED
    server = open_server(folder, port=arguments.port)
    print(f"http://127.0.0.1:{server.server_address[1]}/ (this machine only; Ctrl-C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        server.server_close()
    return PASSED


COMMANDS: dict[str, Command] = {
    "check": Command(
        "learning",
        "check your work and say what to mend first",
        _check_options,
        _check,
        "\nWithout a slug it checks every exercise that you started, and names the others.",
    ),
    "watch": Command(
        "learning",
        "check again each time you save",
        _watch_options,
        _watch,
        "\nKeys: n next exercise, h hint, r run again, q quit.",
    ),
    "hint": Command("learning", "the next hint for the first check that fails", _hint_options, _hint),
    "progress": Command("learning", "the road map with your marks", _plain, _road_map),
    "start": Command("learning", "begin an exercise, taking your own class along", _start_options, _start),
    "reset": Command("learning", "the starter back; your own file is kept", _reset_options, _reset),
    "grade": Command(
        "teaching",
        "grade a folder of hand-ins on all cores",
        _grade_options,
        _grade,
        "\nDIR holds <learner>/solution.py, <learner>.py or <learner>/<slug>/<slug>.ipynb. Every entry is\n"
        "accounted for. It answers 0 when every hand-in got a verdict, 1 when some cannot be read or it\n"
        "is not plain which file counts: then there is no grade, and the reason is said.",
    ),
    "release": _notebook_command("release", "make the student notebooks and bundles"),
    "collect": _notebook_command("collect", "put in order what lies in notebooks/submitted"),
    "autograde": _notebook_command(
        "autograde",
        "grade the notebooks handed in, through nbgrader",
        "\nThe grades go into notebooks/gradebook.db.",
    ),
    "feedback": _notebook_command("feedback", "write each learner's feedback page"),
    "export": _notebook_command("export", "write the gradebook as notebooks/grades.csv"),
    "validate": _notebook_command("validate", "run the source notebook as nbgrader's validate does"),
    "demo": _notebook_command("demo", "a class of twelve invented learners, from release to feedback"),
    "page": Command(
        "teaching",
        "build the page, where the exercises are done in a browser",
        _page_options,
        _page,
        "\nIt is a folder of plain files, for practice: starters and visible checks, no answer, no hidden\n"
        "check. Building it takes Node.js.",
    ),
    "ci": _host_command(
        "ci",
        "grade a pull request",
        "\nThe learner's files are read from the head, as data; everything else comes from the base.\n"
        "It answers 0 when what was changed passes or no exercise was touched, 3 when it could not grade.",
    ),
    "init-ci": _host_command(
        "init-ci",
        "write what GitHub, Gradescope or Classroom 50 need to grade",
        "\ngithub: workflows for pull requests. gradescope, classroom50: an autograder for one exercise.",
    ),
    "new": Command(
        "writing exercises",
        "write the first files of an exercise",
        _new_options,
        _new,
        "\nThey make a small exercise that is sound from the start. Write your own over it.",
    ),
    "init": Command("writing exercises", "write the first files of a course", _init_options, _init),
    "doctor": Command(
        "writing exercises",
        "prove that graders, mistakes and variants agree",
        _doctor_options,
        _doctor,
        "\nThe reference passes, the starter waits, each TODO turns something green, each mistake fails\n"
        "what it says, each variant passes: in every way this machine has. Each finding names its place.",
    ),
}
