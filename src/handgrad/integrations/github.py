"""Grades a pull request: the learner's files from its head, as data; everything else from its base.

A run that takes its workflow from the pull request is feedback; the verdict that counts is made by a
workflow of the default branch, which calls this with the head's commit and never checks it out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from handgrad.catalog import Course, find_course, load_course
from handgrad.errors import HandgradError, ToolError, UsageError
from handgrad.grade import grade
from handgrad.integrations.tree import (
    Entry,
    FolderTree,
    GitTree,
    Tree,
    find_commit,
    find_top,
    git,
    merge_base,
)
from handgrad.model import Audience, CheckResult, Exercise, Status, Submission, Verdict
from handgrad.report import FORMATS, markdown
from handgrad.report.escape import (
    code_span,
    one_line,
    prose,
    workflow_command,
    workflow_log,
    workflow_property,
)
from handgrad.report.view import seen_by
from handgrad.sandbox.starter import WorkerStarter, open_starter
from handgrad.submission import read_submission

# A pull request that touches one of these and an exercise is not graded: it edits the grading.
PROTECTED: Final = (
    ".github/*",
    "graders/*",
    "solutions/*",
    "exercises/*/exercise.toml",
    "src/*",  # what the workflows have Python import
    "tools/*",
    "requirements/*",
    "notebooks/nbgrader_config.py",
    "GNUmakefile",
    "makefile",
    "Makefile",
    "pyproject.toml",
    "course.toml",
)
MARKER: Final = "<!-- handgrad -->"  # the first line of our comment, by which it is found again
ANNOTATIONS: Final = 10  # GitHub shows ten of a kind a step
NAMES_SHOWN: Final = 10
_LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/"

OpenStarter = Callable[..., WorkerStarter]


@dataclass(frozen=True, slots=True)
class Changes:
    """What a pull request changes, sorted by whose it is."""

    exercises: tuple[str, ...] = ()  # slugs whose solution.py differs
    protected: tuple[str, ...] = ()  # paths that belong to the grading
    left_aside: tuple[str, ...] = ()  # paths that are neither: not read, not graded
    merges: int = 0  # merge commits among the head's own


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request and what became of it: a `fault`, a `refusal`, `verdicts`, or nothing to grade."""

    changes: Changes = Changes()
    verdicts: tuple[Verdict, ...] = ()
    commit: str = ""  # the head that was graded, "" for a folder
    refusal: str = ""  # why it is not graded, when that is the pull request's doing
    fault: str = ""  # why it could not be graded, when that is ours
    feedback: str = "full"

    @property
    def outcome(self) -> str:
        """`could not grade`, `not graded`, `nothing to grade`, `passed` or `not passed`."""
        if self.fault or any(verdict.ungraded for verdict in self.verdicts):
            return "could not grade"
        if self.refusal:
            return "not graded"
        if not self.verdicts:
            return "nothing to grade"
        return "passed" if all(verdict.passed for verdict in self.verdicts) else "not passed"

    @property
    def exit_code(self) -> int:
        """0 for passed and nothing to grade, 3 where the fault is ours, else 1."""
        return {"could not grade": 3, "passed": 0, "nothing to grade": 0}.get(self.outcome, 1)


# ---- from two states of a repository to verdicts


@dataclass(frozen=True, slots=True)
class Sides:
    """Where the files come from."""

    course: Path  # the course folder of the base, on the disk
    before: Tree  # what the head is compared with
    head: Tree
    prefix: str  # the course folder inside the repository: "" or with a slash at its end
    commit: str = ""
    merges: int = 0

    def told(self, reason: str) -> str:
        """A reason with paths as the repository has them, and not as the base is laid out here."""
        return reason.replace(f"{self.course}{os.sep}", self.prefix) if self.commit else reason


@contextmanager
def open_sides(base: str, head: str, *, here: Path, course: str | None = None) -> Iterator[Sides]:
    """Both sides of a pull request, each a folder or each a revision of the repository that `here` lies in.

    Revisions: the head is compared with the commit where it parted from the base, so that what the base
    did since is not the learner's; the course is the base's newest. `course` is its folder, as seen from
    `here`, or from the top of the base when that is a folder. Raises UsageError, ToolError.
    """
    if _are_folders(base, head, here):
        top = Path(here, base)
        prefix = _prefix(top, top / (course or ""))
        if not (top / prefix / "course.toml").is_file():
            raise UsageError(_no_course(prefix, f"the folder `{base}`"))
        yield Sides(top / prefix, FolderTree(top), FolderTree(Path(here, head)), prefix)
        return
    repository = find_top(here)
    prefix = _prefix(repository, _course_folder(repository, here, course))
    base_commit, head_commit = find_commit(here, base), find_commit(here, head)
    newest = GitTree(repository, base_commit)
    listed = newest.entries()
    if f"{prefix}course.toml" not in listed:
        raise UsageError(_no_course(prefix, f"`{base}`"))
    parted = merge_base(repository, base_commit, head_commit)
    merges = git(repository, "rev-list", "--merges", "--count", f"{base_commit}..{head_commit}")
    with TemporaryDirectory(prefix="handgrad-base-") as folder:
        newest.export(Path(folder), prefix)
        _refuse_partial(Path(folder), listed, prefix)
        yield Sides(
            course=Path(folder) / prefix,
            before=GitTree(repository, parted),
            head=GitTree(repository, head_commit),
            prefix=prefix,
            commit=head_commit,
            merges=int(merges),
        )


def _are_folders(base: str, head: str, here: Path) -> bool:
    """Whether both sides are folders, and not revisions. Raises UsageError for one of each.

    A branch may be called like a folder: beside a revision that is no folder, it is the branch.
    """
    sides = {"--base": base, "--head": head}
    for option, side in sides.items():
        if not side.strip():
            raise UsageError(f"`{option}` is empty: name a folder or a revision")
    folders = [option for option, side in sides.items() if Path(here, side).is_dir()]
    if len(folders) != 1:
        return bool(folders)
    (folder,) = folders
    (other,) = sides.keys() - {folder}
    find_commit(here, sides[other])
    try:
        find_commit(here, sides[folder])
    except UsageError:
        raise UsageError(
            f"`{folder} {sides[folder]}` is a folder and `{other} {sides[other]}` a revision: "
            "name two folders or two revisions of one repository"
        ) from None
    return False


def _course_folder(top: Path, here: Path, course: str | None) -> Path:
    """The course folder on the disk: the one that is named, or where `check` finds it, or else the top."""
    if course is not None:
        return here / course
    try:
        found = find_course(here.resolve())
    except UsageError:
        return top
    return found if found.is_relative_to(top.resolve()) else top


def _prefix(top: Path, course: Path) -> str:
    """Where the course lies below the top: "" or a path with a slash at its end."""
    top, place = top.resolve(), course.resolve()
    if not place.is_relative_to(top):
        raise UsageError(f"the course `{course}` must lie inside `{top}`: name its folder there")
    return f"{place.relative_to(top).as_posix()}/" if place != top else ""


def _no_course(prefix: str, base: str) -> str:
    return f"there is no `{prefix}course.toml` in {base}: name the course's folder with `--course`"


def _refuse_partial(folder: Path, listed: Mapping[str, Entry], prefix: str) -> None:
    """Raise ToolError when a part of the course was not laid out: what is not there is not graded."""
    parts = (f"{prefix}course.toml", f"{prefix}exercises/", f"{prefix}graders/")
    for path, entry in listed.items():
        if path.startswith(parts) and entry.kind != "submodule" and not os.path.lexists(folder / path):
            raise ToolError(
                f"`{path}` is not in git's archive: take its `export-ignore` out of `.gitattributes`"
            )


def find_changes(sides: Sides, slugs: Sequence[str]) -> Changes:
    """Which exercises the head changes, which protected paths, and what else."""
    before, after = sides.before.entries(), sides.head.entries()
    kept = {path for path in before if "__pycache__" in path.split("/")}  # where the base was used already
    paths = (before.keys() - kept) | after.keys()
    differing = sorted(p for p in paths if p not in before or not before[p].same(after.get(p)))
    ours = {solution_path(sides.prefix, slug): slug for slug in slugs}
    exercises = tuple(ours[path] for path in differing if path in ours)
    others = [path for path in differing if path not in ours]
    protected = tuple(path for path in others if is_protected(path, sides.prefix))
    left_aside = tuple(path for path in others if path not in set(protected))
    return Changes(exercises, protected, left_aside, sides.merges)


def solution_path(prefix: str, slug: str) -> str:
    """Where the learner's file of an exercise lies in the repository."""
    return f"{prefix}exercises/{slug}/solution.py"


def is_protected(path: str, prefix: str) -> bool:
    """True for what belongs to the grading: at the top of the repository, or of the course in it."""
    inside = [path, path.removeprefix(prefix)] if prefix and path.startswith(prefix) else [path]
    return any(fnmatchcase(p, pattern) for p in inside for pattern in PROTECTED)


def grade_pull_request(
    sides: Sides,
    *,
    graders: Sequence[Path] = (),
    learner: str = "",
    require: int | None = None,
    level: int | None = None,
    open_starter: OpenStarter = open_starter,
) -> PullRequest:
    """Grade what the head changes. `graders` are added roots; `require` is the course's own level if None.

    A fault in the course or the machine that meets every exercise is in the answer. Raises UsageError.
    """
    try:
        return _graded(sides, graders, learner, require, level, open_starter)
    except UsageError:
        raise
    except HandgradError as error:
        return PullRequest(commit=sides.commit, fault=sides.told(str(error)))


def _graded(
    sides: Sides,
    graders: Sequence[Path],
    learner: str,
    require: int | None,
    level: int | None,
    open_starter: OpenStarter,
) -> PullRequest:
    course = load_course(sides.course, graders)
    changes = find_changes(sides, [exercise.slug for exercise in course.exercises])
    done = PullRequest(changes, commit=sides.commit, feedback=course.feedback)
    if not changes.exercises:
        return done
    if changes.protected:
        return replace(done, refusal=_refusal(changes.protected))
    require = course.require_level if require is None else require
    verdicts = []
    with ExitStack() as stack:
        for slug in changes.exercises:
            exercise = course.exercise(slug)
            starter = stack.enter_context(open_starter(level, exercise.preload))
            verdicts.append(_grade_one(exercise, sides, learner, starter, course, require))
    return replace(done, verdicts=tuple(verdicts))


def _grade_one(
    exercise: Exercise, sides: Sides, learner: str, starter: WorkerStarter, course: Course, require: int
) -> Verdict:
    path = solution_path(sides.prefix, exercise.slug)
    submission = submission_from(sides.head, path, exercise, learner)
    verdict = grade(exercise, submission, starter=starter, course=course, require=require, source=path)
    return verdict._replace(ungraded=sides.told(verdict.ungraded))


def submission_from(head: Tree, path: str, exercise: Exercise, learner: str) -> Submission:
    """The learner's file out of the head. What is no file of theirs becomes a sentence, never an error."""
    entry = head.entries().get(path)
    problem = _problem(entry, PurePosixPath(path).name, exercise.limits.submission_bytes)
    if entry is None or problem:
        return Submission(learner, "", Path(path), source="pull request", problem=problem)
    content = head.read(path)
    if content.startswith(_LFS_POINTER):
        problem = "`solution.py` is kept in Git LFS, so it is not in this commit: commit the file itself"
        return Submission(learner, "", Path(path), source="pull request", problem=problem)
    with TemporaryDirectory(prefix="handgrad-head-") as folder:
        copy = Path(folder) / "solution.py"
        copy.write_bytes(content)
        submission = read_submission(copy, learner=learner, limits=exercise.limits)
    return submission._replace(path=Path(path), source="pull request")


def _problem(entry: Entry | None, name: str, most_bytes: int) -> str:
    """Why the head's entry is not read, as one sentence; "" when it is."""
    if entry is None:
        return f"`{name}` was deleted or renamed: put it back under this name"
    if entry.kind != "file":
        kinds = {"link": "a link to another place", "submodule": "a submodule"}
        return f"`{name}` is {kinds.get(entry.kind, 'no plain file')}: commit the file itself"
    if entry.size_bytes > most_bytes:
        return f"`{name}` is too large ({entry.size_bytes:,} bytes): at most {most_bytes:,} are read"
    return ""


def _refusal(protected: Sequence[str]) -> str:
    shown = _names(protected)
    return (
        f"this pull request edits the grading ({shown}): take those changes out, "
        "or ask the instructors if they are meant"
    )


def _names(paths: Sequence[str]) -> str:
    shown = ", ".join(f"`{one_line(path)[:100]}`" for path in paths[:NAMES_SHOWN])
    more = len(paths) - NAMES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


# ---- what is shown of it


def without_reasons(pull_request: PullRequest) -> PullRequest:
    """The pull request without why it could not be graded, which may quote the course's own files."""
    verdicts = tuple(v._replace(ungraded=_AT_FAULT) if v.ungraded else v for v in pull_request.verdicts)
    return replace(pull_request, verdicts=verdicts, fault=_AT_FAULT if pull_request.fault else "")


_AT_FAULT: Final = "The course or the machine is at fault."


def headline(pull_request: PullRequest) -> str:
    """The outcome and the points, in a few words: `passed: 20/20 points`."""
    verdicts = pull_request.verdicts
    if not verdicts or pull_request.outcome in ("could not grade", "not graded"):
        return pull_request.outcome
    score, most = sum(v.score for v in verdicts), sum(v.max_score for v in verdicts)
    return f"{pull_request.outcome}: {score}/{most} points"


def status(pull_request: PullRequest) -> Mapping[str, str]:
    """A commit status: `state` (success | failure | error) and `description` (at most 140 characters)."""
    states = {"passed": "success", "nothing to grade": "success", "could not grade": "error"}
    parts = [f"{v.exercise} {v.score}/{v.max_score}" for v in pull_request.verdicts if not v.ungraded]
    text = pull_request.outcome + (f" ({', '.join(parts)})" if parts else "")
    return {"state": states.get(pull_request.outcome, "failure"), "description": text[:140]}


def summary_text(pull_request: PullRequest, *, limit_bytes: int = markdown.SUMMARY_BYTES) -> str:
    """The whole as Markdown, for the summary of a CI run."""
    signs = {"passed": "✅", "nothing to grade": "➖", "could not grade": "⚠️", "not graded": "🚫"}
    sign = signs.get(pull_request.outcome, "❌")
    head = [f"## {sign} handgrad: {headline(pull_request)}", ""]
    if pull_request.commit:
        head += [f"For commit {code_span(pull_request.commit[:12])}.", ""]
    if pull_request.fault not in ("", _AT_FAULT):
        head += [prose(pull_request.fault), ""]
    if pull_request.outcome == "could not grade":
        head += [_OURS, ""]
    if pull_request.refusal:
        head += [*_refused(pull_request.changes.protected), ""]
    if pull_request.outcome == "nothing to grade":
        head += ["No exercise was touched: pull requests are graded for the `solution.py` files they change."]
    tail = "\n".join(["", *_notes(pull_request.changes), ""])
    start = "\n".join(head) + "\n"
    room = limit_bytes - len((start + tail).encode())
    render = FORMATS["markdown"]
    body = render(
        pull_request.verdicts,
        audience=Audience.LEARNER,
        feedback=pull_request.feedback,
        limit_bytes=max(room, 0),
    )
    return start + body + tail


_OURS: Final = (
    "This is a fault of the course or of its machine, not of the pull request. No grade was changed; "
    "the reason stands in the log of the grading run."
)


def _refused(protected: Sequence[str]) -> Iterator[str]:
    yield "This pull request edits the grading:\n"
    yield from (f"- {code_span(one_line(path)[:100])}" for path in protected[:NAMES_SHOWN])
    more = len(protected) - NAMES_SHOWN
    yield from ([f"- and {more} more"] if more > 0 else [])
    yield "\nTake those changes out, or ask the instructors if they are meant."


def _notes(changes: Changes) -> Iterator[str]:
    if changes.left_aside:
        yield f"Left aside, since only `exercises/*/solution.py` is graded: {_spans(changes.left_aside)}"
    if changes.merges:
        commits = "merge commit" if changes.merges == 1 else "merge commits"
        yield f"\nThe branch holds {changes.merges} {commits}; the files are graded as they stand at its end."


def _spans(paths: Sequence[str]) -> str:
    shown = ", ".join(code_span(one_line(path)[:100]) for path in paths[:NAMES_SHOWN])
    more = len(paths) - NAMES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def comment_text(pull_request: PullRequest) -> str:
    """The comment: MARKER and the summary, within what a comment may hold."""
    room = markdown.COMMENT_BYTES - len(MARKER) - 1
    return f"{MARKER}\n{summary_text(pull_request, limit_bytes=room)}"


def log_text(pull_request: PullRequest) -> str:
    """The whole as plain text for the log of a CI run; no line of it is a command."""
    lines = [f"handgrad: {headline(pull_request)}"]
    lines += [text for text in (pull_request.fault, pull_request.refusal) if text]
    changes = pull_request.changes
    if changes.left_aside:
        lines.append(f"left aside, since only solution.py is graded: {_names(changes.left_aside)}")
    if changes.merges:
        lines.append(f"merge commits on the branch: {changes.merges}")
    render = FORMATS["terminal"]
    blocks = [
        render([verdict], audience=Audience.LEARNER, plain=True, feedback=pull_request.feedback)
        for verdict in pull_request.verdicts
    ]
    return workflow_log("\n".join(["\n".join(lines), *blocks])) + ("" if blocks else "\n")


def annotation_lines(pull_request: PullRequest) -> tuple[str, ...]:
    """At most ten command lines that mark the learner's own lines: one a cause, in file order."""
    causes: dict[tuple[str, int, str], list[CheckResult]] = {}
    for whole in pull_request.verdicts:
        verdict = seen_by(whole, Audience.LEARNER, feedback=pull_request.feedback)
        if verdict.message and not verdict.ungraded:
            line = verdict.place.line if verdict.place else 0
            causes.setdefault((verdict.source, line, verdict.message), [])
        for result in verdict.results:
            if result.status in (Status.FAILED, Status.ERROR) and not result.check.hidden:
                place = result.detail.place if result.detail else None
                line = place.line if place else 0
                text = "" if line else result.message
                causes.setdefault((verdict.source, line, text), []).append(result)
    return tuple(_annotation(*cause, results) for cause, results in list(causes.items())[:ANNOTATIONS])


def _annotation(source: str, line: int, text: str, results: Sequence[CheckResult]) -> str:
    where = f"file={workflow_property(source)}" + (f",line={line}" if line else "")
    title = results[0].check.title if results else "the whole file"
    said = text or results[0].message or title
    more = f" (and {len(results) - 1} more checks for the same reason)" if len(results) > 1 else ""
    return f"::error {where},title={workflow_property(title)}::{workflow_command(one_line(said) + more)}"
