"""The commands around nbgrader: release, collect, autograde, feedback, export, validate, demo.

Each takes the course, its arguments and somewhere to say what happened, and returns an exit code.
nbgrader itself runs in processes of its own: importing it takes longer than all the rest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from handgrad.catalog import Course
from handgrad.errors import ToolError, UsageError
from handgrad.files import required_text
from handgrad.integrations.collect import Handed, account, collect, learners_in, same_code
from handgrad.integrations.logs import last_line
from handgrad.model import Exercise
from handgrad.options import whole
from handgrad.pool import cores
from handgrad.report.escape import one_line

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

Say = Callable[[str], None]
SOURCE: Final = Path(__file__).resolve().parent.parent.parent  # the folder that holds the package
FEWEST: Final = 4  # learners a process is worth starting for
PROBLEMS: Final = ("unreadable", "set aside")  # somebody should look at these

CONFIG: Final = '''"""nbgrader's settings: its own commands, typed here, do as `make` does above."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))  # the kit, where it is not installed

try:
    from handgrad.integrations.nbgrader import configure
except ImportError as error:  # nbgrader would go on without us, and run what learners wrote
    raise SystemExit(f"handgrad cannot be loaded ({error}): use the Python of `make setup`") from None

c = get_config()
c.CourseDirectory.root = str(HERE)
c.CourseDirectory.course_id = "handgrad"
configure(c)
'''


@dataclass(frozen=True, slots=True)
class NotebookCommand:
    """One command: its options, and what it does."""

    options: Callable[[ArgumentParser], None]
    run: Callable[[Course, Namespace, Say, Say], int]


# ---- options


def _no_options(parser: ArgumentParser) -> None:
    """None of its own."""


def _slug(parser: ArgumentParser) -> None:
    parser.add_argument("slug", metavar="SLUG", help="the exercise")


def _export_options(parser: ArgumentParser) -> None:
    parser.add_argument("slugs", nargs="*", metavar="SLUG", help="only this exercise (default: all)")


def _release_options(parser: ArgumentParser) -> None:
    parser.add_argument("slugs", nargs="*", metavar="SLUG", help="an exercise (default: all)")
    parser.add_argument(
        "--reveal", action="store_true", help="say nothing of starters that hold another exercise's answer"
    )


def _learner_options(parser: ArgumentParser) -> None:
    _slug(parser)
    parser.add_argument(
        "--only", metavar="ID", action="append", default=[], help="this learner, and no other"
    )
    parser.add_argument("--skip", metavar="ID", action="append", default=[], help="all but this learner")


def _autograde_options(parser: ArgumentParser) -> None:
    _learner_options(parser)
    parser.add_argument("--jobs", type=whole(1), metavar="N", help="processes (default: one for each core)")
    parser.add_argument(
        "--require-level", type=int, choices=range(4), metavar="N", help="the sandbox level a grade needs"
    )


def _feedback_options(parser: ArgumentParser) -> None:
    _learner_options(parser)
    parser.add_argument("--jobs", type=whole(1), metavar="N", help="processes (default: one for each core)")


# ---- release


def _release(course: Course, arguments: Namespace, say: Say, progress: Say) -> int:
    _need_nbgrader()
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # see part.py
    from handgrad.integrations.releasing import release

    exercises = [course.exercise(slug) for slug in arguments.slugs] or list(course.exercises)
    return release(
        course,
        exercises,
        notebooks=_notebooks(course),
        dist=course.root / "dist",
        say=say,
        reveal=arguments.reveal,
    )


# ---- collect and autograde


def _collect(course: Course, arguments: Namespace, say: Say, progress: Say) -> int:
    exercise = course.exercise(arguments.slug)
    handed = _handed(course, exercise, arguments)
    if not handed:
        raise _nothing_yet(course, exercise)
    wide = _width(h.learner for h in handed)
    for h in handed:
        notes = one_line("; ".join(h.notes))
        say(f"{one_line(h.learner):<{wide}}  {h.state}{': ' if notes else ''}{notes}")
    say(_counted(Counter(str(h.state) for h in handed)))
    _tell_doubles(handed, exercise, say)
    return 1 if any(str(h.state) in PROBLEMS for h in handed) else 0


def _handed(course: Course, exercise: Exercise, arguments: Namespace) -> tuple[Handed, ...]:
    """Put the folders in order that `--only` and `--skip` name, and no other. Raises UsageError."""
    notebooks = _notebooks(course)
    release = notebooks / "release" / exercise.slug / f"{exercise.slug}.ipynb"
    slugs = [e.slug for e in course.exercises]
    known = learners_in(notebooks, exercise.slug)
    for learner in [*arguments.only, *arguments.skip]:
        if learner not in known:
            raise UsageError(f"nobody called `{learner}` has a folder in `{notebooks / 'submitted'}`")
    return collect(
        notebooks,
        exercise.slug,
        slugs=slugs,
        learners=arguments.only,
        skip=arguments.skip,
        release=release,
        limits=exercise.limits,
    )


def _nothing_yet(course: Course, exercise: Exercise) -> UsageError:
    submitted = _notebooks(course) / "submitted"
    return UsageError(f"nothing was handed in: put it in `{submitted}`/<learner>/{exercise.slug}/")


def _autograde(course: Course, arguments: Namespace, say: Say, progress: Say) -> int:
    _need_nbgrader()
    exercise = course.exercise(arguments.slug)
    handed = _handed(course, exercise, arguments)
    notebooks = _notebooks(course)
    if not handed:
        raise _nothing_yet(course, exercise)
    learners = [h.learner for h in handed if h.submission is not None]
    records = {h.learner: _untouched(h) for h in handed}
    counted = Counter[str]()

    def told(record: dict[str, Any]) -> None:
        if "progress" in record:
            counted["graded"] += 1
            progress(f"{counted['graded']} of {len(learners)} graded")
        else:
            known = records[record["learner"]]["notes"]
            record["notes"] = [*known, *(note for note in record["notes"] if note not in known)]
            records[record["learner"]] = record

    level = course.require_level if arguments.require_level is None else arguments.require_level
    words = [str(level), str(arguments.jobs or 0), *_private_roots(course)]
    noted = {h.learner: h.notes for h in handed if h.submission is not None}
    problems = run_parts("autograde", notebooks, exercise.slug, [noted], told, words)
    progress("")
    code = _report(list(records.values()), problems, say)
    _tell_doubles(handed, exercise, say)
    return code


def _tell_doubles(handed: Sequence[Handed], exercise: Exercise, say: Say) -> None:
    """For the instructor alone: nothing of it reaches a feedback page."""
    from handgrad.build.starter import make_starter

    for group in same_code(handed, make_starter(required_text(exercise.reference_path))):
        say(f"the same code: {one_line(', '.join(group))}")


def _untouched(handed: Handed) -> dict[str, Any]:
    """The record of a folder before nbgrader saw it."""
    outcome = "ungraded" if handed.submission is not None else str(handed.state)
    return {"learner": handed.learner, "outcome": outcome, "score": None, "notes": list(handed.notes)}


def _report(records: Sequence[dict[str, Any]], problems: Sequence[str], say: Say) -> int:
    """A line a folder, then one that counts them all; the exit code."""
    wide = _width(record["learner"] for record in records)
    for record in records:
        say(f"{one_line(record['learner']):<{wide}}  {account(record)}".rstrip())
    for problem in dict.fromkeys(problems):
        say(problem)
    counts = Counter(record["outcome"] for record in records)
    say(_counted(counts))
    if problems or counts["ungraded"]:
        return 3
    return 1 if any(counts[word] for word in PROBLEMS) else 0


def _counted(counts: Counter[str]) -> str:
    total = sum(counts.values())
    return f"{total} {'folder' if total == 1 else 'folders'}: " + ", ".join(
        f"{number} {word}" for word, number in sorted(counts.items())
    )


def _width(names: Iterable[str]) -> int:
    return min(max((len(name) for name in names), default=0), 40)


# ---- feedback, export, validate


def _feedback(course: Course, arguments: Namespace, say: Say, progress: Say) -> int:
    _need_nbgrader()
    exercise, notebooks = course.exercise(arguments.slug), _notebooks(course)
    learners = sorted(
        path.parent.parent.name
        for path in (notebooks / "autograded").glob(f"*/{exercise.slug}/{exercise.slug}.ipynb")
        if (not arguments.only or path.parent.parent.name in arguments.only)
        and path.parent.parent.name not in arguments.skip
    )
    if not learners:
        raise UsageError(f"nothing is graded yet: run `make autograde EX={exercise.slug}` first")
    words = [str(course.require_level), "0", *_private_roots(course)]
    shares = [dict.fromkeys(share, ()) for share in _shares(learners, arguments.jobs or cores())]
    problems = run_parts("feedback", notebooks, exercise.slug, shares, lambda record: None, words)
    for problem in problems:
        say(problem)
    pages = [
        page
        for learner in learners
        if (page := notebooks / "feedback" / learner / exercise.slug / f"{exercise.slug}.html").is_file()
    ]
    say(f"{len(pages)} of {len(learners)} pages written")
    say(f"  notebooks/feedback/<learner>/{exercise.slug}/{exercise.slug}.html")
    return 0 if len(pages) == len(learners) and not problems else 3


def _export(course: Course, arguments: Namespace, say: Say, progress: Say) -> int:
    notebooks = _notebooks(course)
    chosen = [course.exercise(slug).slug for slug in arguments.slugs]
    words = [f"--assignment={slug}" for slug in chosen]
    _nbgrader(notebooks, "export", *words)
    say("notebooks/grades.csv")
    return 0


def _validate(course: Course, arguments: Namespace, say: Say, progress: Say) -> int:
    exercise, notebooks = course.exercise(arguments.slug), _notebooks(course)
    source = notebooks / "source" / exercise.slug / f"{exercise.slug}.ipynb"
    if not source.is_file():
        raise UsageError(
            f"`{exercise.slug}` was not released yet: run `make release EX={exercise.slug}` first"
        )
    said = _nbgrader(notebooks, "validate", str(source))
    say(f"{exercise.slug}: {said.strip().splitlines()[-1] if said.strip() else 'nbgrader said nothing'}")
    return 0 if "Success" in said else 1


def _nbgrader(notebooks: Path, *words: str) -> str:
    """Run one of nbgrader's own commands in the notebooks folder; what it said. Raises ToolError."""
    _need_nbgrader()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "nbgrader", *words],
        cwd=notebooks,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        last = last_line(done.stderr) or last_line(done.stdout) or "no word"
        raise ToolError(f"`nbgrader {words[0]}` stopped: {last}")
    return done.stdout


# ---- processes


def run_parts(
    what: str,
    notebooks: Path,
    slug: str,
    shares: Sequence[Mapping[str, Sequence[str]]],
    told: Callable[[dict[str, Any]], None],
    words: Sequence[str],
) -> list[str]:
    """A process with nbgrader in it for each share of the learners; what went wrong, a sentence each.

    A share has notes for each of its learners: of what `collect` mended here it finds nothing there.
    """
    log = notebooks / ".handgrad" / f"{what}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    problems: list[str] = []
    with log.open("w", encoding="utf-8") as errors:
        threads = [
            threading.Thread(target=_part, args=(what, notebooks, slug, share, told, problems, errors, words))
            for share in shares
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return problems


def _private_roots(course: Course) -> list[str]:
    """The folders that `--root` added, so that a process elsewhere finds them."""
    return [str(root.resolve()) for root in course.roots if root != course.root]


def _shares(learners: Sequence[str], jobs: int) -> list[list[str]]:
    """Disjoint shares of nearly equal size, none so small that its process costs more than it saves."""
    count = max(1, min(jobs, -(-len(learners) // FEWEST)))
    return [share for n in range(count) if (share := list(learners[n::count]))]


def _part(
    what: str,
    notebooks: Path,
    slug: str,
    share: Mapping[str, Sequence[str]],
    told: Callable[[dict[str, Any]], None],
    problems: list[str],
    errors: Any,
    words: Sequence[str],
) -> None:
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "handgrad.integrations.part", what, str(notebooks), slug, *words],
        cwd=notebooks,
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # it ended already, and its code says so below
            process.stdin.write(json.dumps(share))
            process.stdin.close()
        for line in process.stdout:
            try:
                record = json.loads(line)
            except ValueError:
                problems.append(f"a process of nbgrader broke off at `{one_line(line)[:200]}`")
                continue
            if "problem" in record:
                problems.append(record["problem"])
            else:
                told(record)
    if process.returncode and not problems:
        problems.append(
            f"a process of nbgrader ended with code {process.returncode}: "
            f"read `{notebooks / '.handgrad' / f'{what}.log'}`"
        )


def _environment() -> dict[str, str]:
    """The environment of a child that must find this package, and nbgrader's helpers beside this Python."""
    paths = [str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH", "")])]
    beside = str(Path(sys.executable).parent)
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUTF8": "1",
        "PATH": os.pathsep.join([beside, os.environ.get("PATH", "")]),
    }


def _notebooks(course: Course) -> Path:
    """The nbgrader folder of a course. Raises UsageError when there is none."""
    folder = course.root / "notebooks"
    if not (folder / "nbgrader_config.py").is_file():
        raise UsageError(f"there is no `nbgrader_config.py` in `{folder}`: copy it there from the kit")
    return folder


def _need_nbgrader() -> None:
    from importlib.util import find_spec

    if find_spec("nbgrader") is None:
        raise ToolError(
            "`nbgrader` is not installed: "
            "run `make setup` in a clone of handgrad, or install it for this Python"
        )


def _demo(course: Course, arguments: Namespace, say: Say, progress: Say) -> int:
    _need_nbgrader()
    from handgrad.integrations.demo import demo

    def run(name: str, copied: Course, words: Namespace) -> int:
        return COMMANDS[name].run(copied, words, say, progress)

    return demo(course, say, run, CONFIG)


COMMANDS: Final[dict[str, NotebookCommand]] = {
    "release": NotebookCommand(_release_options, _release),
    "collect": NotebookCommand(_learner_options, _collect),
    "autograde": NotebookCommand(_autograde_options, _autograde),
    "feedback": NotebookCommand(_feedback_options, _feedback),
    "export": NotebookCommand(_export_options, _export),
    "validate": NotebookCommand(_slug, _validate),
    "demo": NotebookCommand(_no_options, _demo),
}
