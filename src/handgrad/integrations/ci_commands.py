"""The commands `ci` and `init-ci`: their options, and what they say and write, which is `cli.py`'s part."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from handgrad import __version__
from handgrad.build.archive import make_archive
from handgrad.catalog import find_course, load_course
from handgrad.errors import HandgradError, ToolError, UsageError
from handgrad.integrations import init_ci
from handgrad.integrations.github import (
    OpenStarter,
    PullRequest,
    annotation_lines,
    comment_text,
    grade_pull_request,
    log_text,
    open_sides,
    status,
    summary_text,
    without_reasons,
)
from handgrad.integrations.tree import find_top
from handgrad.model import Audience
from handgrad.report import FORMATS
from handgrad.report.escape import workflow_command
from handgrad.sandbox.starter import open_starter


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command says first, writes, and answers."""

    exit_code: int
    text: str
    files: tuple[tuple[Path, bytes], ...] = ()  # written anew
    additions: tuple[tuple[Path, str], ...] = ()  # added to the end, as a CI job's summary is
    done: str = ""  # said when all that is written


# ---- ci


def ci_options(parser: ArgumentParser) -> None:
    """The options of `handgrad ci`."""
    parser.add_argument(
        "--base", required=True, metavar="DIR|REV", help="the course as its instructors have it"
    )
    parser.add_argument("--head", required=True, metavar="DIR|REV", help="the pull request; data only")
    parser.add_argument(
        "--graders",
        metavar="DIR",
        action="append",
        default=[],
        help="a folder that adds checks; repeatable",
    )
    parser.add_argument("--learner", metavar="NAME", default="", help="whose work it is, for the verdict")
    parser.add_argument("--summary", metavar="FILE", help="add the summary in Markdown to a file")
    parser.add_argument("--comment", metavar="FILE", help="write the comment for the pull request")
    parser.add_argument("--status", metavar="FILE", help="write the commit status as JSON")
    parser.add_argument("--json", metavar="FILE", help="write the verdicts (verdict/1, the learner's view)")
    parser.add_argument(
        "--annotations", action="store_true", help="mark the learner's lines, in GitHub's way, at most ten"
    )


def run_ci(
    arguments: Namespace, *, here: Path | None = None, open_starter: OpenStarter = open_starter
) -> Outcome:
    """Grade a pull request. A fault of ours is told in every file asked for; misuse raises UsageError."""
    here = here or Path.cwd()
    try:
        done = _graded(arguments, here, open_starter)
    except UsageError:
        raise
    except HandgradError as error:
        done = PullRequest(fault=str(error))
    return Outcome(
        done.exit_code, _said(done, arguments), _written(done, arguments, here), _added(done, arguments)
    )


def _graded(arguments: Namespace, here: Path, open_starter: OpenStarter) -> PullRequest:
    graders = [Path(folder) for folder in [*arguments.root, *arguments.graders]]
    with open_sides(arguments.base, arguments.head, here=here, course=arguments.course) as sides:
        return grade_pull_request(
            sides,
            graders=graders,
            learner=arguments.learner,
            require=arguments.require_level,
            open_starter=open_starter,
        )


def _said(done: PullRequest, arguments: Namespace) -> str:
    lines = annotation_lines(done) if arguments.annotations else ()
    if arguments.annotations and done.fault:
        lines = (f"::error title=handgrad could not grade::{workflow_command(done.fault)}",)
    return log_text(done) + "".join(line + "\n" for line in lines)


def _written(done: PullRequest, arguments: Namespace, here: Path) -> tuple[tuple[Path, bytes], ...]:
    files = []
    public = without_reasons(done)
    if arguments.comment:
        files.append((here / arguments.comment, comment_text(public).encode()))
    if arguments.status:
        files.append((here / arguments.status, (json.dumps(status(done)) + "\n").encode()))
    if arguments.json:
        text = FORMATS["json"](public.verdicts, audience=Audience.LEARNER, feedback=public.feedback)
        files.append((here / arguments.json, text.encode()))
    return tuple(files)


def _added(done: PullRequest, arguments: Namespace) -> tuple[tuple[Path, str], ...]:
    return ((Path(arguments.summary), summary_text(done)),) if arguments.summary else ()


# ---- init-ci


def init_ci_options(parser: ArgumentParser) -> None:
    """The options of `handgrad init-ci`."""
    parser.add_argument("kind", choices=init_ci.KINDS, metavar="KIND", help=", ".join(init_ci.KINDS))
    parser.add_argument(
        "slug", nargs="?", metavar="SLUG", help="the exercise, for gradescope and classroom50"
    )
    parser.add_argument(
        "--output",
        metavar="DIR",
        help="where to write (default: the repository's top, or the course's dist/)",
    )
    parser.add_argument("--force", action="store_true", help="write over files that are there")


def run_init_ci(arguments: Namespace, *, here: Path | None = None) -> Outcome:
    """Make the files of a kind. Raises UsageError when one is there already and differs."""
    here = here or Path.cwd()
    root = Path(arguments.course) if arguments.course else find_course(here)
    if arguments.kind == "github":
        repository = _repository(root)
        top = Path(arguments.output or repository)
        pinned = (repository / "requirements/grade.txt").is_file()
        inside = root.resolve().relative_to(repository.resolve()).as_posix()
        if inside != "." and (root / "src/handgrad").is_dir():
            raise UsageError(
                f"`{inside}/src/handgrad` is not where the workflows look for it: "
                "move `src/handgrad` and `requirements/grade.txt` to the repository's top"
            )
        files: Mapping[str, bytes] = init_ci.github_files(pinned=pinned, course=inside)
        advice = "commit these on the default branch; `docs/course-repo.md` of handgrad says what else to set"
        if not pinned:
            advice += (
                f"\nthey install `handgrad=={__version__}` by its name: it says, too, how to name its source"
            )
    else:
        course = load_course(root, [Path(folder) for folder in arguments.root])
        if not arguments.slug:
            names = ", ".join(exercise.slug for exercise in course.exercises)
            raise UsageError(f"say for which exercise, as one more word after `{arguments.kind}`: {names}")
        exercise = course.exercise(arguments.slug)
        top = Path(arguments.output or root / "dist")
        if arguments.kind == "gradescope":
            archive = make_archive(init_ci.gradescope_files(course, exercise))
            files = {f"{exercise.slug}-gradescope.zip": archive}
            advice = "upload it as the autograder of the assignment, with the base image Ubuntu 24.04"
        else:
            made = init_ci.classroom50_files(course, exercise)
            files = {f"classroom50/autograders/{exercise.slug}/{name}": text for name, text in made.items()}
            advice = f"copy `autograders/{exercise.slug}` into your classroom's folder"
    _refuse_overwriting(top, files, force=arguments.force)
    said = [f"wrote {path}" for path in _shown(top, files)]
    done = "\n".join([*said, advice, ""])
    return Outcome(0, "", tuple((top / name, content) for name, content in files.items()), done=done)


def _repository(root: Path) -> Path:
    """The top of the repository that a course lies in, the only place where GitHub reads workflows."""
    try:
        top = find_top(root)
    except ToolError:  # none yet: the course will be its top
        return root
    return root if top.resolve() == root.resolve() else top


def _shown(top: Path, files: Mapping[str, bytes]) -> list[str]:
    """The files, or their folder when they are many."""
    if len(files) <= 3:
        return [str(top / name) for name in files]
    return [str(top / os.path.commonpath(list(files)))]


def _refuse_overwriting(top: Path, files: Mapping[str, bytes], *, force: bool) -> None:
    for name, content in files.items():
        path = top / name
        if path.exists() and not force and path.read_bytes() != content:
            raise UsageError(
                f"`{path}` is there and differs: look at it, then say `--force` to write over it"
            )


@dataclass(frozen=True, slots=True)
class HostCommand:
    """What `cli.py` needs of a command here."""

    options: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], Outcome]


COMMANDS = {
    "ci": HostCommand(ci_options, run_ci),
    "init-ci": HostCommand(init_ci_options, run_init_ci),
}
