"""Pull requests, as real git repositories: what is graded, what is refused, and what the workflows' steps do.

The course is the toy one. Each case is a branch off `main`, made the way a learner could make it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from deep import dig, fill_in
from result_v1 import problems

from handgrad.errors import ExerciseError, ToolError, UsageError
from handgrad.integrations.ci_commands import Outcome, ci_options, init_ci_options, run_ci, run_init_ci
from handgrad.integrations.github import annotation_lines, grade_pull_request, open_sides
from handgrad.integrations.tree import FolderTree, GitTree, find_commit, git
from handgrad.sandbox.lock import best_level
from handgrad.sandbox.starter import open_starter

TOP = Path(__file__).parent.parent
COURSE = TOP / "tests" / "course"
RIGHT = (COURSE / "solutions/stack/solution.py").read_text("utf-8")
QUEUE = (COURSE / "graders/stack/mistakes/queue.py").read_text("utf-8")
STACK = "exercises/stack/solution.py"
WORKFLOWS = TOP / "src/handgrad/integrations/templates/github"
GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")


def run_git(folder: Path, *words: str) -> str:
    """What a git command prints, with nobody's own settings."""
    done = subprocess.run(
        ["git", *words], cwd=folder, env={**os.environ, **GIT}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def commit(folder: Path, message: str = "work") -> str:
    """Commit everything as it lies there; the digest."""
    run_git(folder, "add", "--all", "--force")
    run_git(folder, "commit", "--quiet", "--allow-empty", "-m", message)
    return run_git(folder, "rev-parse", "HEAD")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course repository with one commit on `main`, made once."""
    folder = tmp_path_factory.mktemp("template") / "course"
    shutil.copytree(COURSE, folder, ignore=shutil.ignore_patterns("__pycache__", ".handgrad"))
    (folder / "Makefile").write_text("check:\n\ttrue\n")
    (folder / ".github/workflows").mkdir(parents=True)
    for path in WORKFLOWS.glob("*.yml"):
        shutil.copy(path, folder / ".github/workflows")
    run_git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, "the course")
    return folder


@pytest.fixture
def repository(template: Path, tmp_path: Path) -> Path:
    """A repository of one's own to change."""
    folder = tmp_path / "kurs ü"
    run_git(tmp_path, "clone", "--quiet", str(template), str(folder))
    return folder


def ci(repository: Path, *words: str) -> Outcome:
    """`handgrad ci` with these words, called in the repository."""
    parser = ArgumentParser()
    ci_options(parser)
    parser.add_argument("--course")
    parser.add_argument("--root", action="append", default=[])
    parser.add_argument("--require-level", type=int)
    return run_ci(parser.parse_args(words), here=repository)


def written(outcome: Outcome, name: str) -> str:
    """A file that the command would write."""
    return next(content for path, content in outcome.files if path.name == name).decode()


# ---- the cases: what a learner does, and what becomes of it


def put(path: str, content: str | bytes) -> Callable[[Path], None]:
    """Write one file."""

    def change(folder: Path) -> None:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        raw = content.encode() if isinstance(content, str) else content
        (folder / path).write_bytes(raw)

    return change


def both(*changes: Callable[[Path], None]) -> Callable[[Path], None]:
    """Several changes in one commit."""

    def change(folder: Path) -> None:
        for each in changes:
            each(folder)

    return change


def a_link(folder: Path) -> None:
    """The solution becomes a link to a system file."""
    (folder / STACK).unlink()
    (folder / STACK).symlink_to("/etc/passwd")


def a_rename(folder: Path) -> None:
    """The solution gets another name."""
    (folder / STACK).rename(folder / "exercises/stack/my_solution.py")


def a_submodule(folder: Path) -> None:
    """The solution becomes a submodule."""
    (folder / STACK).unlink()
    run_git(folder, "init", "--quiet", STACK)
    commit(folder / STACK)


def edit_and_revert(folder: Path) -> None:
    """Graders are edited in one commit and put back in the next, with a right solution."""
    grader = folder / "graders/stack/test_1_stack.py"
    before = grader.read_text()
    grader.write_text("")
    commit(folder, "make it easy")
    grader.write_text(before)
    (folder / STACK).write_text(QUEUE)


def crlf(folder: Path) -> None:
    """Every line ends as Windows ends them."""
    (folder / STACK).write_bytes(RIGHT.replace("\n", "\r\n").encode())


FORGED = put(
    ".github/workflows/handgrad-feedback.yml",
    "name: handgrad feedback\non: pull_request\njobs:\n  x:\n    runs-on: ubuntu-latest\n    steps: []\n",
)
CASES: dict[str, tuple[Callable[[Path], None], str, int, str]] = {
    "right": (put(STACK, RIGHT), "passed: 14/14 points", 0, ""),
    "wrong": (put(STACK, QUEUE), "not passed: ", 1, "pop returns the top item and takes it away"),
    "starter untouched": (put("notes.txt", "hello"), "nothing to grade", 0, "`notes.txt`"),
    "no change at all": (lambda folder: None, "nothing to grade", 0, ""),
    "edits graders": (
        both(put("graders/stack/test_1_stack.py", ""), put(STACK, RIGHT)),
        "not graded",
        1,
        "`graders/stack/test_1_stack.py`",
    ),
    "adds compiled graders": (
        both(
            put("graders/stack/__pycache__/test_1_stack.cpython-311.opt-handgrad.pyc", "x"), put(STACK, RIGHT)
        ),
        "not graded",
        1,
        "`graders/stack/__pycache__/",
    ),
    "edits the workflow": (both(FORGED, put(STACK, RIGHT)), "not graded", 1, "handgrad-feedback.yml"),
    "new workflow of the same name": (
        both(put(".github/workflows/z.yml", "name: handgrad feedback\n"), put(STACK, RIGHT)),
        "not graded",
        1,
        "`.github/workflows/z.yml`",
    ),
    "edits the Makefile": (both(put("Makefile", "x"), put(STACK, RIGHT)), "not graded", 1, "`Makefile`"),
    **{
        f"edits {path}": (both(put(path, "x"), put(STACK, RIGHT)), "not graded", 1, f"`{path}`")
        for path in (
            "src/sitecustomize.py",
            "tools/x.py",
            "GNUmakefile",
            "notebooks/nbgrader_config.py",
        )
    },
    "edits pyproject": (
        both(put("pyproject.toml", "x"), put(STACK, RIGHT)),
        "not graded",
        1,
        "`pyproject.toml`",
    ),
    "adds a conftest": (
        both(put("conftest.py", "raise SystemExit"), put(STACK, QUEUE)),
        "not passed",
        1,
        "`conftest.py`",
    ),
    "staff only": (put("graders/stack/test_1_stack.py", "x = 1\n"), "nothing to grade", 0, ""),
    "edit and revert": (edit_and_revert, "not passed", 1, ""),
    "a file named like a module": (
        both(put("exercises/stack/operator.py", "raise SystemExit"), put(STACK, RIGHT)),
        "passed",
        0,
        "`exercises/stack/operator.py`",
    ),
    "edits the exercise's description": (
        both(put("exercises/stack/exercise.toml", "points = 0"), put(STACK, QUEUE)),
        "not graded",
        1,
        "`exercises/stack/exercise.toml`",
    ),
    "a link": (a_link, "not passed: 0/14", 1, "is a link to another place"),
    "a submodule": (a_submodule, "not passed: 0/14", 1, "is a submodule"),
    "fifty megabytes": (put(STACK, b"#" * 50_000_000), "not passed: 0/14", 1, "too large (50,000,000 bytes)"),
    "renamed": (a_rename, "not passed: 0/14", 1, "was deleted or renamed"),
    "deleted": (lambda folder: (folder / STACK).unlink(), "not passed: 0/14", 1, "was deleted or renamed"),
    "binary": (put(STACK, b"\x7fELF\x02\x01\x01" + bytes(range(256))), "not passed: 0/14", 1, "NUL byte"),
    "git lfs": (
        put(STACK, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
        "not passed: 0/14",
        1,
        "Git LFS",
    ),
    "not Python": (put(STACK, "def push(:\n"), "not passed: 0/14", 1, "line 1"),
    "CRLF": (crlf, "passed: 14/14 points", 0, ""),
    "two exercises": (
        both(
            put(STACK, RIGHT),
            put("exercises/shelf/solution.py", (COURSE / "solutions/shelf/solution.py").read_bytes()),
        ),
        "passed: ",
        0,
        "shelf",
    ),
    "ends the process": (put(STACK, "import os\nos._exit(0)\n"), "not passed: 0/14", 1, ""),
    "prints a command": (
        put(STACK, 'print("::error::forged\\n##[error]forged")\n' + QUEUE),
        "not passed",
        1,
        "",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_pull_request_ends_as_the_docs_say(case: str, repository: Path) -> None:
    """The outcome, the exit code, and the words that tell the learner why."""
    change, headline, exit_code, words = CASES[case]
    change(repository)
    head = commit(repository)

    outcome = ci(repository, "--base", "origin/main", "--head", head, "--comment", "c.md", "--annotations")

    assert outcome.text.startswith(f"handgrad: {headline}")
    assert outcome.exit_code == exit_code
    assert words in outcome.text
    assert written(outcome, "c.md").startswith("<!-- handgrad -->\n## ")
    assert not re.search(r"^\s*(::(?!error file=exercises/)|.*##\[)", outcome.text, flags=re.MULTILINE)


@pytest.mark.parametrize(
    "case", ["right", "wrong", "edits graders", "adds compiled graders", "a link", "deleted"]
)
def test_two_folders_are_graded_as_two_revisions_are(case: str, repository: Path, template: Path) -> None:
    """Base and head may lie in folders, without any history."""
    change, headline, exit_code, words = CASES[case]
    change(repository)

    outcome = ci(repository, "--base", str(template), "--head", str(repository))

    assert outcome.text.startswith(f"handgrad: {headline}")
    assert outcome.exit_code == exit_code
    assert words in outcome.text


def test_a_branch_may_be_called_like_a_folder(repository: Path) -> None:
    """Beside a revision it is the branch."""
    run_git(repository, "checkout", "--quiet", "-b", "graders")
    put(STACK, QUEUE)(repository)
    commit(repository)

    outcome = ci(repository, "--base", "main", "--head", "graders")

    assert outcome.text.startswith("handgrad: not passed: ")


def test_what_the_base_did_since_is_not_the_learners(repository: Path) -> None:
    """The base moved on, graders and another exercise with it: neither is held against the pull request."""
    put(STACK, RIGHT)(repository)
    head = commit(repository)
    run_git(repository, "checkout", "--quiet", "-b", "moved", "origin/main")
    put("graders/stack/test_3_more.py", "")(repository)
    put("exercises/shelf/solution.py", "moved")(repository)
    base = commit(repository, "the course goes on")

    outcome = ci(repository, "--base", base, "--head", head)

    assert outcome.text.startswith("handgrad: passed: 14/14 points")


def test_a_branch_that_merged_the_base_is_graded_at_its_end(repository: Path) -> None:
    """Merge commits are named, and what came in with them is the base's."""
    put(STACK, RIGHT)(repository)
    commit(repository)
    run_git(repository, "checkout", "--quiet", "-b", "moved", "origin/main")
    put("graders/shelf/test_9.py", "")(repository)
    base = commit(repository, "the course goes on")
    run_git(repository, "checkout", "--quiet", "main")
    run_git(repository, "merge", "--quiet", "--no-edit", "moved")

    outcome = ci(repository, "--base", base, "--head", "HEAD")

    assert outcome.text.startswith("handgrad: passed: 14/14 points\nmerge commits on the branch: 1\n")


def test_the_checks_are_those_of_the_base_not_of_the_head(repository: Path, tmp_path: Path) -> None:
    """Graders that the head brings are never even laid out on the disk."""
    put("exercises/stack/README.md", "changed")(repository)
    put(STACK, QUEUE)(repository)
    head = commit(repository)

    with open_sides("origin/main", head, here=repository) as sides:
        laid_out = (sides.course / STACK).read_text()

    assert "def push" in laid_out
    assert laid_out != QUEUE
    assert not sides.course.exists()


def test_private_graders_are_added_and_not_shown(repository: Path, tmp_path: Path) -> None:
    """A folder that adds checks: its points count, its values stay out of the comment."""
    private = tmp_path / "private/graders/stack"
    put("hidden/test_9_more.py", PRIVATE)(private)
    put("totals.toml", "points = 6\nchecks = 1\n")(private)
    put(STACK, RIGHT)(repository)
    head = commit(repository)

    words = ["--base", "origin/main", "--head", head, "--graders", str(tmp_path / "private"), "--json", "v"]
    outcome = ci(repository, *words, "--comment", "c.md", "--annotations", "--summary", "s.md")

    assert outcome.text.startswith("handgrad: not passed: 14/20 points")
    everything = outcome.text + written(outcome, "c.md") + written(outcome, "v") + outcome.additions[0][1]
    assert "something rarely tried" in everything
    assert "CANARY" not in everything


PRIVATE = '''
from handgrad.check import check


@check(points=6, hint="Think of what was never pushed.")
def test_private(Stack):
    """something rarely tried"""
    stack = Stack(["CANARY"])

    top = stack.pop()

    assert top == "CANARY, or not"
'''


def test_a_course_below_the_top_is_found_there(repository: Path) -> None:
    """`--course` says where in the repository the course lies; paths in the report are the repository's."""
    inner = repository / "unit one"
    inner.mkdir()
    for name in ("course.toml", "exercises", "graders", "solutions"):
        run_git(repository, "mv", name, f"unit one/{name}")
    base = commit(repository, "move")
    put(f"unit one/{STACK}", RIGHT)(repository)
    head = commit(repository)

    outcome = ci(repository, "--base", base, "--head", head, "--course", "unit one")

    assert outcome.text.startswith("handgrad: passed: 14/14 points")
    assert f"unit one/{STACK}" in outcome.text


@pytest.fixture
def below(repository: Path) -> Path:
    """A repository whose course lies in `co*/`, with a wrong solution on the branch `answer`."""
    folder = repository / BELOW
    folder.mkdir()
    for name in ("course.toml", "exercises", "graders", "solutions"):
        run_git(repository, "mv", name, f"{BELOW}/{name}")
    put("README.md", "more than a course")(repository)
    commit(repository, "move")
    run_git(repository, "checkout", "--quiet", "-b", "answer")
    put(f"{BELOW}/{STACK}", QUEUE)(repository)
    commit(repository)
    return repository


BELOW = "co" if sys.platform == "win32" else "co*"  # a name that git could take for a pattern
ANSWER = ["--base", "main", "--head", "answer"]


class TestWhereOneStands:
    """The same pull request gets the same verdict from wherever in the repository one asks."""

    @pytest.mark.parametrize("place", ["", "exercises/stack", "notes"])
    def test_the_course_is_where_check_finds_it(self, below: Path, place: str) -> None:
        """In the course, deep in it, and in a folder of it that git does not know."""
        here = below / BELOW / place
        here.mkdir(exist_ok=True)

        outcome = ci(here, *ANSWER)

        assert outcome.text.startswith("handgrad: not passed: ")
        assert f"{BELOW}/{STACK}" in outcome.text
        assert outcome.exit_code == 1

    @pytest.mark.parametrize(
        ("place", "course"),
        [("", BELOW), (BELOW, "."), ("docs", f"../{BELOW}"), (f"{BELOW}/exercises", "..")],
    )
    def test_a_course_that_is_named_is_seen_from_there(self, below: Path, place: str, course: str) -> None:
        """As `--course` of any command is."""
        (below / place).mkdir(exist_ok=True)

        outcome = ci(below / place, *ANSWER, "--course", course)

        assert outcome.text.startswith("handgrad: not passed: ")

    def test_what_belongs_to_the_grading_is_found_from_below(self, below: Path) -> None:
        """At the repository's top as in the course."""
        put(".github/x.yml", "")(below)
        commit(below)

        outcome = ci(below / BELOW, *ANSWER)

        assert outcome.text.startswith("handgrad: not graded")
        assert "`.github/x.yml`" in outcome.text

    def test_a_link_to_the_repository_is_the_repository(self, below: Path, tmp_path: Path) -> None:
        """Whatever the way to it is called."""
        (tmp_path / "link").symlink_to(below, target_is_directory=True)

        outcome = ci(tmp_path / "link" / BELOW, *ANSWER)

        assert outcome.text.startswith("handgrad: not passed: ")

    def test_a_second_work_tree_has_a_top_of_its_own(self, below: Path, tmp_path: Path) -> None:
        """It shares the commits alone."""
        run_git(below, "worktree", "add", "--quiet", "--detach", str(tmp_path / "second"), "main")

        outcome = ci(tmp_path / "second" / BELOW / "exercises", *ANSWER)

        assert outcome.text.startswith("handgrad: not passed: ")

    def test_a_bare_repository_is_told_where_the_course_lies(self, below: Path, tmp_path: Path) -> None:
        """Nothing lies on the disk in which it could be looked for."""
        run_git(tmp_path, "clone", "--quiet", "--bare", str(below), str(tmp_path / "bare.git"))

        outcome = ci(tmp_path / "bare.git", *ANSWER, "--course", BELOW)

        assert outcome.text.startswith("handgrad: not passed: ")

    def test_two_folders_are_told_where_the_course_lies(self, below: Path, tmp_path: Path) -> None:
        """Seen from the top of each, wherever one stands."""
        run_git(tmp_path, "clone", "--quiet", "--branch", "main", str(below), str(tmp_path / "base"))
        folders = ["--base", str(tmp_path / "base"), "--head", str(below)]

        outcome = ci(below / BELOW, *folders, "--course", BELOW)

        assert outcome.text.startswith("handgrad: not passed: ")

    def test_outside_a_repository_nothing_is_green(self, tmp_path: Path) -> None:
        """3, and what git says."""
        outcome = ci(tmp_path, *ANSWER)

        assert outcome.exit_code == 3
        assert "`git rev-parse` failed: fatal: not a git repository" in outcome.text


def test_what_belongs_to_the_grading_is_named_path_by_path(repository: Path) -> None:
    """In the comment each is one span of code, whatever it is called; past ten they are counted."""
    for number in range(12):
        put(f"graders/stack/`{number:02}` @octocat.py", "")(repository)
    put(STACK, RIGHT)(repository)
    head = commit(repository)

    outcome = ci(repository, "--base", "origin/main", "--head", head, "--comment", "c.md")

    comment = written(outcome, "c.md")
    assert comment.count("\n- ``graders/stack/`") == 10
    assert "\n- and 2 more\n\nTake those changes out" in comment


class TestOurFault:
    """A fault of the course or the machine is no verdict."""

    def test_a_broken_grader_leaves_it_ungraded(self, repository: Path) -> None:
        """The pull request is right, the course is not: nobody loses a point, and the log says why."""
        put("graders/stack/hidden/test_2_use.py", "CANARY ???")(repository)
        base = commit(repository, "break it")
        put(STACK, RIGHT)(repository)
        head = commit(repository)

        words = ["--base", base, "--head", head, "--comment", "c.md", "--status", "s.json", "--json", "v"]
        outcome = ci(repository, *words)

        assert outcome.exit_code == 3
        assert outcome.text.startswith("handgrad: could not grade")
        assert "graders/stack/hidden/test_2_use.py:1: " in outcome.text
        assert "handgrad-base" not in outcome.text
        assert "test_2_use" not in written(outcome, "c.md") + written(outcome, "v")
        assert json.loads(written(outcome, "s.json")) == {"state": "error", "description": "could not grade"}
        assert "This is a fault of the course" in written(outcome, "c.md")

    def test_a_broken_course_is_told_in_the_log_alone(self, repository: Path) -> None:
        """What stands in the course's files does not reach the comment."""
        put("course.toml", "format = 1\ntitle = 'T'\ncanary = 1\n")(repository)
        base = commit(repository, "break it")

        outcome = ci(repository, "--base", base, "--head", base, "--comment", "c.md", "--annotations")

        assert outcome.exit_code == 3
        assert "\ncourse.toml: unknown key `canary`" in outcome.text
        assert "::error title=handgrad could not grade::course.toml: " in outcome.text
        assert "canary" not in written(outcome, "c.md")

    @pytest.mark.parametrize("pattern", ["exercises", "exercises/stack", "graders/stack/hidden/*.py"])
    def test_a_course_that_git_archives_in_part_is_not_graded(self, repository: Path, pattern: str) -> None:
        """An exercise that is left out would be nobody's, and its wrong solution nothing to grade."""
        put(".gitattributes", f"{pattern} export-ignore\n")(repository)
        base = commit(repository, "leave out")
        put(STACK, QUEUE)(repository)
        head = commit(repository)

        outcome = ci(repository, "--base", base, "--head", head)

        assert outcome.exit_code == 3
        assert "is not in git's archive: take its `export-ignore` out" in outcome.text

    def test_a_shallow_clone_accuses_nobody(self, repository: Path, tmp_path: Path) -> None:
        """What the base did since cannot be told from what the learner did without a common commit."""
        put(STACK, RIGHT)(repository)
        run_git(repository, "checkout", "--quiet", "-b", "answer")
        commit(repository)
        run_git(repository, "checkout", "--quiet", "main")
        put("graders/stack/test_1_stack.py", "")(repository)
        commit(repository, "the course goes on")
        shallow = tmp_path / "shallow"
        words = ["--depth", "1", "--no-single-branch", repository.as_uri(), str(shallow)]
        run_git(tmp_path, "clone", "--quiet", *words)

        outcome = ci(shallow, "--base", "origin/main", "--head", "origin/answer")

        assert outcome.exit_code == 3
        assert re.search(r"no common commit of [0-9a-f]{12} and [0-9a-f]{12} in this shallow", outcome.text)
        assert "fetch the whole history (fetch-depth: 0)" in outcome.text
        assert "edits the grading" not in outcome.text

    def test_a_shallow_clone_that_holds_the_common_commit_will_do(
        self, repository: Path, tmp_path: Path
    ) -> None:
        """Hosts that fetch the last few commits may go on doing so."""
        put(STACK, RIGHT)(repository)
        run_git(repository, "checkout", "--quiet", "-b", "answer")
        commit(repository)
        shallow = tmp_path / "shallow"
        words = ["--depth", "2", "--no-single-branch", repository.as_uri(), str(shallow)]
        run_git(tmp_path, "clone", "--quiet", *words)

        outcome = ci(shallow, "--base", "origin/main", "--head", "origin/answer")

        assert outcome.text.startswith("handgrad: passed: 14/14 points")

    def test_a_git_that_fails_is_no_missing_revision(self, repository: Path) -> None:
        """Nor two histories that have nothing in common."""
        (repository / ".git/objects").rename(repository / ".git/elsewhere")

        with pytest.raises(ToolError, match="`git rev-parse` failed: "):
            find_commit(repository, "HEAD")

    def test_the_summary_names_paths_as_the_repository_does(self, repository: Path) -> None:
        """A course below the top; where the base was laid out is nobody's concern."""
        for name in ("course.toml", "exercises", "graders", "solutions"):
            (repository / "unit").mkdir(exist_ok=True)
            run_git(repository, "mv", name, f"unit/{name}")
        put("unit/graders/stack/test_1_stack.py", "broken(")(repository)
        base = commit(repository, "move and break")
        put(f"unit/{STACK}", RIGHT)(repository)
        head = commit(repository)

        outcome = ci(repository, "--base", base, "--head", head, "--course", "unit", "--summary", "s.md")

        summary = outcome.additions[0][1]
        assert "unit\\/graders\\/stack\\/test\\_1\\_stack\\.py\\:1" in summary
        assert "tmp" not in summary

    def test_a_machine_without_the_level_fails_closed(self, repository: Path) -> None:
        """A grade that needs the sandbox is not made without it."""
        put(STACK, RIGHT)(repository)
        head = commit(repository)

        with open_sides("origin/main", head, here=repository) as sides:
            done = grade_pull_request(sides, require=2, open_starter=lambda level, preload: open_starter(0))

        assert done.outcome == "could not grade"
        assert done.exit_code == 3

    def test_a_revision_that_is_not_there_is_misuse(self, repository: Path) -> None:
        """It is named, and what to do."""
        with pytest.raises(UsageError, match="`--upload-pack=x` is no folder and no commit"):
            ci(repository, "--base", "HEAD", "--head=--upload-pack=x")

    def test_a_folder_and_a_revision_do_not_go_together(self, repository: Path) -> None:
        """There is no history between them; each is told as what it was read."""
        with pytest.raises(
            UsageError, match=r"`--base \.` is a folder and `--head HEAD` a revision: name two"
        ):
            ci(repository, "--base", ".", "--head", "HEAD")
        with pytest.raises(UsageError, match="`--head graders` is a folder and `--base main` a revision"):
            ci(repository, "--base", "main", "--head", "graders")

    def test_a_folder_and_nothing_at_all_name_what_is_missing(self, repository: Path) -> None:
        """The folder is right."""
        with pytest.raises(UsageError, match="`nowhere` is no folder and no commit"):
            ci(repository, "--base", ".", "--head", "nowhere")

    @pytest.mark.parametrize("words", [("--base", "", "--head", ""), ("--base", "HEAD", "--head", " ")])
    def test_an_empty_word_is_misuse(self, repository: Path, words: tuple[str, ...]) -> None:
        """A variable that was never set is not the folder one stands in, on both sides, and so no change."""
        with pytest.raises(UsageError, match="` is empty: name a folder or a revision"):
            ci(repository, *words)

    def test_a_course_outside_the_repository_is_misuse(self, repository: Path) -> None:
        """The path would lead out of both trees."""
        with pytest.raises(UsageError, match="must lie inside"):
            ci(repository, "--base", "HEAD", "--head", "HEAD", "--course", "../elsewhere")

    @pytest.mark.parametrize("course", ["sub", "exercises", STACK])
    def test_a_folder_that_is_no_course_is_misuse(self, repository: Path, course: str) -> None:
        """Of a revision and of a folder: none of git's own words."""
        for base in ("HEAD", "."):
            with pytest.raises(UsageError, match=rf"there is no `{course}/course\.toml` in .*`{base}`: name"):
                ci(repository, "--base", base, "--head", base, "--course", course)

    def test_a_course_below_that_nobody_named_is_misuse(self, below: Path) -> None:
        """Standing at the top of something larger: nothing is graded there, and nothing is green."""
        with pytest.raises(UsageError, match=r"there is no `course\.toml` in `main`: name"):
            ci(below, *ANSWER)


class TestAnnotations:
    """Marks on the learner's own lines."""

    def lines(self, repository: Path, text: str) -> tuple[str, ...]:
        """The annotations of a pull request with this solution."""
        put(STACK, text)(repository)
        head = commit(repository)
        with open_sides("origin/main", head, here=repository) as sides:
            return annotation_lines(grade_pull_request(sides))

    def test_one_cause_is_one_annotation(self, repository: Path) -> None:
        """A constructor that raises fails every check and is marked once, on its line."""
        lines = self.lines(repository, RIGHT.replace("self.items = list(items)", "self.items = itms"))

        assert len(lines) == 1
        assert lines[0].startswith("::error file=exercises/stack/solution.py,line=8,title=")
        assert "more checks for the same reason" in lines[0]

    def test_a_file_that_is_not_python_is_marked_where_it_breaks(self, repository: Path) -> None:
        """The syntax error's own line."""
        lines = self.lines(repository, "x = 1\ndef push(:\n")

        assert len(lines) == 1
        assert ",line=2," in lines[0]

    def test_there_are_never_more_than_ten(self, repository: Path) -> None:
        """GitHub shows ten of a kind; the rest are in the log."""
        done = FakeDone(tuple(FAILS))

        assert len(annotation_lines(done)) == 10

    def test_nothing_of_a_hidden_check_is_marked(self, repository: Path) -> None:
        """Its values are the instructor's."""
        import test_reports

        hidden = FakeDone((test_reports.verdict(test_reports.HIDDEN),))

        assert annotation_lines(hidden) == ()


@dataclass
class FakeDone:
    """As much of a pull request as annotations need."""

    verdicts: tuple
    feedback: str = "full"


@pytest.fixture(autouse=True, scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory):
    """Let this module use the verdicts that the reports are tested with."""
    sys.path.insert(0, str(Path(__file__).parent))
    import test_reports

    FAILS[:] = [
        test_reports.verdict(
            test_reports.result(f"c{i}", test_reports.Status.FAILED, f"reason {i}"), source=f"s{i}"
        )
        for i in range(15)
    ]
    yield
    sys.path.remove(str(Path(__file__).parent))


FAILS: list = []


class TestTrees:
    """States of a repository as data."""

    def test_special_files_and_links_are_told_apart(self, tmp_path: Path) -> None:
        """A pipe is not opened, a link to a folder not followed."""
        (tmp_path / "plain").write_text("x")
        (tmp_path / "loop").symlink_to(tmp_path)
        (tmp_path / ".git").mkdir()
        (tmp_path / ".git/config").write_text("")
        if hasattr(os, "mkfifo"):
            os.mkfifo(tmp_path / "pipe")

        kinds = {path: entry.kind for path, entry in FolderTree(tmp_path).entries().items()}

        assert kinds.pop("pipe", "special") == "special"
        assert kinds == {"plain": "file", "loop": "link"}

    def test_only_what_is_equally_large_is_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A head may hold a terabyte of nothing, which takes no room and hours to read."""
        base, head = tmp_path / "base", tmp_path / "head"
        for folder in (base, head):
            folder.mkdir()
            (folder / "same").write_text("x")
            (folder / "other").write_text(folder.name)
        with (head / "large").open("wb") as file:
            file.truncate(1 << 40)
        opened: list[str] = []
        real = Path.open
        monkeypatch.setattr(
            Path, "open", lambda self, *a, **k: opened.append(self.name) or real(self, *a, **k)
        )

        before, after = FolderTree(base).entries(), FolderTree(head).entries()
        same = {name for name in after if name in before and before[name].same(after[name])}

        assert same == {"same"}
        assert set(opened) == {"same", "other"}

    def test_folders_without_end_end(self, tmp_path: Path) -> None:
        """Deeper than Python calls itself, which `os.walk` does."""
        (tmp_path / "plain").write_text("x")
        dig(tmp_path)
        try:
            assert list(FolderTree(tmp_path).entries()) == ["plain"]
        finally:
            fill_in(tmp_path)

    def test_who_may_run_a_file_is_no_change(self, repository: Path) -> None:
        """Only the content counts."""
        (repository / STACK).chmod(0o755)
        head = commit(repository)

        outcome = ci(repository, "--base", "origin/main", "--head", head)

        assert outcome.text.startswith("handgrad: nothing to grade")

    def test_a_name_that_is_not_utf8_is_shown_and_harmless(self, repository: Path) -> None:
        """Git takes any bytes as a name."""
        if sys.platform == "darwin":
            pytest.skip("this system refuses such names")
        Path(os.fsdecode(os.fsencode(repository) + b"/odd\xff\x1b[31m.txt")).write_text("x")
        head = commit(repository)

        outcome = ci(repository, "--base", "origin/main", "--head", head, "--comment", "c.md")

        assert "\\x1b[31m" in outcome.text
        assert "\x1b" not in outcome.text + written(outcome, "c.md")

    def test_git_that_fails_is_one_sentence(self, tmp_path: Path) -> None:
        """The last line of what it said."""
        with pytest.raises(ToolError, match="`git ls-tree` failed: "):
            git(tmp_path, "ls-tree", "HEAD")

    def test_a_machine_without_git_is_told(self, tmp_path: Path, monkeypatch) -> None:
        """One sentence, and what to do."""
        monkeypatch.setenv("PATH", str(tmp_path))

        with pytest.raises(ToolError, match="install git"):
            git(tmp_path, "status")

    def test_many_files_left_aside_are_named_in_part(self, repository: Path) -> None:
        """A thousand names would bury the score."""
        for number in range(12):
            put(f"notes/{number:02}.txt", "x")(repository)
        head = commit(repository)

        outcome = ci(repository, "--base", "origin/main", "--head", head, "--comment", "c.md")

        assert "`notes/09.txt` and 2 more" in outcome.text
        assert "`notes/09.txt` and 2 more" in written(outcome, "c.md")

    def test_unrelated_histories_are_compared_whole(self, repository: Path) -> None:
        """A branch without a common commit is compared with the base itself."""
        run_git(repository, "checkout", "--quiet", "--orphan", "other")
        put(STACK, RIGHT)(repository)
        head = commit(repository)

        outcome = ci(repository, "--base", "origin/main", "--head", head)

        assert outcome.text.startswith("handgrad: passed: 14/14 points")

    def test_a_commit_reads_as_it_was_committed(self, repository: Path) -> None:
        """No filter of the repository is run over it."""
        tree = GitTree(repository, find_commit(repository, "HEAD"))

        assert tree.read("Makefile") == b"check:\n\ttrue\n"


# ---- the workflows, as they stand


yaml = pytest.importorskip("yaml")


def workflow(name: str) -> dict:
    """A workflow as data."""
    return yaml.safe_load((WORKFLOWS / f"{name}.yml").read_text("utf-8"))


def step(name: str, job: str, title: str) -> str:
    """The shell text of a step."""
    steps = workflow(name)["jobs"][job]["steps"]
    return next(each["run"] for each in steps if each.get("name", "").startswith(title))


@dataclass
class Runner:
    """As much of a hosted runner as the steps need: folders, variables, and a `gh` that notes what it is told."""

    work: Path
    temp: Path
    tools: Path

    def run(self, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a step as the host does."""
        path = f"{self.tools}{os.pathsep}{os.environ['PATH']}"
        base = {name: value for name, value in os.environ.items() if not name.startswith(("GIT", "PYTHON"))}
        own = {
            "PATH": path,
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_SERVER_URL": "https://code.example",
            "GITHUB_REPOSITORY": "course/repo",
            "GITHUB_STEP_SUMMARY": str(self.temp / "summary.md"),
            **workflow("handgrad-grade")["jobs"]["grade"]["env"],
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
            cwd=self.work,
            env={**base, **GIT, **own, **environment},
            capture_output=True,
            text=True,
        )

    def calls(self) -> list[list[str]]:
        """What `gh` was told."""
        log = self.temp / "gh.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


GH = """#!{python}
import json, os, sys
words = sys.argv[1:]
bodies = [open(w.partition("@")[2]).read() for w in words if w.startswith("body=@")]
with open(os.environ["RUNNER_TEMP"] + "/gh.jsonl", "a") as log:
    log.write(json.dumps(words + bodies) + "\\n")
if any(w.endswith("/pulls") for w in words):
    print("7")
elif any(w.endswith("/comments") for w in words) and "--paginate" in words:
    print(os.environ.get("COMMENTS", ""))
"""


@pytest.fixture
def runner(repository: Path, tmp_path: Path) -> Runner:
    """A runner whose checkout is the course's default branch, with handgrad in its `src`."""
    shutil.copytree(TOP / "src", repository / "src", ignore=shutil.ignore_patterns("__pycache__"))
    commit(repository, "the tool")
    work = tmp_path / "work"
    run_git(tmp_path, "clone", "--quiet", "--branch", "main", str(repository), str(work))
    tools = tmp_path / "tools"
    temp = tmp_path / "temp"
    for folder in (tools, temp):
        folder.mkdir()
    (tools / "gh").write_text(GH.format(python=sys.executable))
    (tools / "gh").chmod(0o755)
    (tools / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tools / "python").chmod(0o755)
    return Runner(work, temp, tools)


ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the workflows run on Linux")


def push_head(repository: Path, change: Callable[[Path], None], branch: str = "answer") -> str:
    """A pull request: a branch that lies in the repository the runner fetches from."""
    run_git(repository, "checkout", "--quiet", "-b", branch, "main")
    change(repository)
    return commit(repository)


@ON_LINUX
@pytest.mark.skipif(
    best_level() < 2, reason="a grade needs sandbox level 2, which this machine does not give"
)
class TestGradeJob:
    """The job that makes the verdict."""

    def grade(self, runner: Runner, head: str) -> subprocess.CompletedProcess[str]:
        """The steps after setting up, in their order."""
        fetched = runner.run(
            step("handgrad-grade", "grade", "Fetch the head"), HEAD_SHA=head, TOKEN="SECRET-TOKEN"
        )
        assert fetched.returncode == 0, fetched.stderr
        return runner.run(step("handgrad-grade", "grade", "Grade"), HEAD_SHA=head)

    def test_a_right_answer_ends_as_success(self, runner: Runner, repository: Path) -> None:
        """Status, comment, verdict and summary lie ready for the next job."""
        head = push_head(repository, put(STACK, RIGHT))

        done = self.grade(runner, head)

        assert done.returncode == 0, done.stdout + done.stderr
        assert json.loads((runner.temp / "verdict/status.json").read_text()) == {
            "state": "success",
            "description": "passed (stack 14/14)",
        }
        assert json.loads((runner.temp / "verdict/verdicts.jsonl").read_text())["score"] == 14
        assert "passed: 14/14 points" in (runner.temp / "summary.md").read_text()

    def test_a_wrong_answer_is_a_verdict_and_no_failed_job(self, runner: Runner, repository: Path) -> None:
        """The run is green: its outcome stands in the status."""
        head = push_head(repository, put(STACK, QUEUE))

        done = self.grade(runner, head)

        assert done.returncode == 0
        assert json.loads((runner.temp / "verdict/status.json").read_text())["state"] == "failure"

    def test_a_fault_of_ours_fails_the_job_and_is_told(self, runner: Runner, repository: Path) -> None:
        """The instructors see a red run, the learner a comment that says whose fault it is."""
        (runner.work / "graders/stack/test_1_stack.py").write_text("broken(")
        commit(runner.work, "broken on the default branch")
        head = push_head(repository, put(STACK, RIGHT))

        done = self.grade(runner, head)

        assert done.returncode == 3
        assert "could not grade" in (runner.temp / "verdict/comment.md").read_text()

    def test_the_head_is_never_checked_out(self, runner: Runner, repository: Path) -> None:
        """Its files are in git's store alone: nothing of it lies where a program could pick it up."""
        head = push_head(repository, both(put("sitecustomize.py", "boom"), put(STACK, RIGHT)))

        self.grade(runner, head)

        assert not (runner.work / "sitecustomize.py").exists()
        assert run_git(runner.work, "status", "--porcelain") == ""

    def test_the_key_is_gone_before_grading(self, runner: Runner, repository: Path, tmp_path: Path) -> None:
        """Private graders are there, the key that fetched them and their history are not."""
        private = tmp_path / "private"
        put("graders/stack/hidden/test_9_more.py", PRIVATE)(private)
        put("graders/stack/totals.toml", "points = 6\nchecks = 1\n")(private)
        run_git(private, "init", "--quiet")
        commit(private)
        head = push_head(repository, put(STACK, RIGHT))

        title = "Fetch private graders"
        fetched = runner.run(
            step("handgrad-grade", "grade", title),
            GRADERS=str(private),
            GRADERS_KEY="KEY-MATERIAL",
            GH_TOKEN="t",
        )
        done = self.grade(runner, head)

        assert fetched.returncode == 0, fetched.stderr
        assert done.stdout.startswith("handgrad: not passed: 14/20 points")
        left = [path for path in runner.temp.rglob("*") if path.is_file()]
        assert not any(b"KEY-MATERIAL" in path.read_bytes() for path in left)
        assert not (runner.temp / "graders/.git").exists()


# A name that would run three commands wherever a shell read it as text.
BRANCH = "fix$(touch>pwned);touch>pwned&`touch>pwned`"


@dataclass
class Opened:
    """A pull request from a fork, as a host keeps it: its head, and the merge it would make."""

    base: str
    head: str
    merge: str


def open_pull_request(
    upstream: Path, folder: Path, change: Callable[[Path], None], *, meanwhile: Callable[[Path], None] | None
) -> Opened:
    """Fork, change, push, and let the host make its merge commit. `meanwhile` changes the base."""
    fork, host = folder / "fork", folder / "host"
    run_git(folder, "clone", "--quiet", str(upstream), str(fork))
    run_git(fork, "checkout", "--quiet", "-b", BRANCH)
    change(fork)
    head = commit(fork)
    run_git(fork, "push", "--quiet", "origin", f"{head}:refs/pull/7/head")
    if meanwhile:
        meanwhile(upstream)
        commit(upstream, "the course goes on")
    run_git(folder, "clone", "--quiet", str(upstream), str(host))
    base = run_git(host, "rev-parse", "HEAD")
    run_git(host, "fetch", "--quiet", "origin", head)
    run_git(host, "merge", "--quiet", "--no-ff", "-m", "merge", head)
    merge = run_git(host, "rev-parse", "HEAD")
    run_git(host, "push", "--quiet", "origin", f"{merge}:refs/pull/7/merge")
    return Opened(base, head, merge)


def the_course_goes_on(folder: Path) -> None:
    """New checks of another exercise, and a solution of it."""
    put("graders/shelf/test_3_more.py", "")(folder)
    put("exercises/shelf/solution.py", "moved = True\n")(folder)


@ON_LINUX
@pytest.mark.parametrize("name", ["handgrad-feedback", "handgrad-grade", "handgrad-packages"])
def test_no_job_imports_from_the_top_of_the_repository(name: str) -> None:
    """`python -m pip` and `python -m handgrad` would run a folder of that name, which anybody's merge may add."""
    for job in workflow(name)["jobs"].values():
        if any("python" in step.get("run", "") for step in job["steps"]):
            assert job["env"]["PYTHONSAFEPATH"] == "1"


@pytest.mark.skipif(best_level() < 2, reason="a grade needs sandbox level 2")
def test_modules_that_were_merged_at_the_top_are_not_run(
    runner: Runner, repository: Path, tmp_path: Path
) -> None:
    """They lie in the checkout of the default branch, beside the grading."""
    pull = open_pull_request(repository, tmp_path, both(put(STACK, RIGHT)), meanwhile=None)
    run_git(runner.work, "pull", "--quiet")
    runner.run(step("handgrad-grade", "grade", "Fetch the head"), HEAD_SHA=pull.head, TOKEN="t")
    for name in ("handgrad/__init__.py", "handgrad/__main__.py", "typing.py", "json.py"):
        path = runner.work / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("print('merged'); raise SystemExit(0)\n")

    graded = runner.run(step("handgrad-grade", "grade", "Grade"), HEAD_SHA=pull.head)

    assert graded.stdout.startswith("handgrad: passed: 14/14"), graded


@pytest.mark.skipif(not shutil.which("jq"), reason="needs jq, which hosted runners have")
@pytest.mark.skipif(best_level() < 2, reason="a grade needs sandbox level 2")
@pytest.mark.parametrize("case", [*CASES, "base moved on"])
def test_each_pull_request_goes_through_all_three_jobs(
    case: str, runner: Runner, repository: Path, tmp_path: Path
) -> None:
    """Feedback on the merge commit, the grade from the default branch, the report: shell steps as they stand."""
    moved = case == "base moved on"
    change, headline, exit_code, words = CASES["right" if moved else case]
    pull = open_pull_request(repository, tmp_path, change, meanwhile=the_course_goes_on if moved else None)
    feedback = Runner(tmp_path / "merged", tmp_path / "feedback", runner.tools)
    feedback.temp.mkdir()
    run_git(tmp_path, "clone", "--quiet", str(repository), str(feedback.work))
    run_git(feedback.work, "fetch", "--quiet", "origin", pull.merge)
    run_git(feedback.work, "checkout", "--quiet", pull.merge)
    run_git(runner.work, "pull", "--quiet")

    check = step("handgrad-feedback", "feedback", "Check what was changed")
    told = feedback.run(check, BASE_SHA=pull.base, HEAD_SHA=pull.head)
    fetch = step("handgrad-grade", "grade", "Fetch the head")
    fetched = runner.run(fetch, HEAD_SHA=pull.head, TOKEN="t")
    graded = runner.run(step("handgrad-grade", "grade", "Grade"), HEAD_SHA=pull.head)
    shutil.copytree(runner.temp / "verdict", runner.work / "verdict")
    known = {
        "GH_TOKEN": "t",
        "HEAD_SHA": pull.head,
        "HEAD_OWNER": "ada",
        "HEAD_BRANCH": BRANCH,
        "RUN_URL": "r",
    }
    reported = runner.run(step("handgrad-grade", "report", "Set the commit status"), **known)

    assert (told.returncode, fetched.returncode, graded.returncode, reported.returncode) == (
        exit_code,
        0,
        0,
        0,
    )
    assert told.stdout.startswith(f"handgrad: {headline}")
    assert graded.stdout.startswith(f"handgrad: {headline}")
    assert words in graded.stdout
    status, *_, comment = runner.calls()
    assert f"state={'failure' if exit_code else 'success'}" in status
    assert f"handgrad: {headline}" in comment[-1]
    assert not list(tmp_path.rglob("pwned"))


@ON_LINUX
@pytest.mark.skipif(not shutil.which("jq"), reason="needs jq, which hosted runners have")
class TestReportJob:
    """The job that may write, and runs nobody's code."""

    def report(self, runner: Runner, **environment: str) -> list[list[str]]:
        """What the host is told."""
        known = {"GH_TOKEN": "t", "HEAD_SHA": "a" * 40, "HEAD_OWNER": "ada", "RUN_URL": "run"}
        script = step("handgrad-grade", "report", "Set the commit status")
        done = runner.run(script, **{**known, "HEAD_BRANCH": "answer", **environment})
        assert done.returncode == 0, done.stderr
        return runner.calls()

    def put_verdict(self, runner: Runner, status: str, comment: str = "<!-- handgrad -->\nhello") -> None:
        """What the job before handed over."""
        put("verdict/status.json", status)(runner.work)
        put("verdict/comment.md", comment)(runner.work)

    def test_a_verdict_becomes_a_status_and_a_comment(self, runner: Runner) -> None:
        """The first time the comment is made."""
        self.put_verdict(runner, '{"state": "success", "description": "passed (stack 14/14)"}')

        calls = self.report(runner)

        assert "state=success" in calls[0]
        assert "description=passed (stack 14/14)" in calls[0]
        assert calls[-1][:4] == ["api", "--method", "POST", "repos/course/repo/issues/7/comments"]
        assert calls[-1][-1] == "<!-- handgrad -->\nhello"

    def test_the_second_time_the_comment_is_changed(self, runner: Runner) -> None:
        """One comment, however often is pushed."""
        self.put_verdict(runner, '{"state": "failure", "description": "x"}')

        calls = self.report(runner, COMMENTS="4711\n4712")

        assert calls[-1][:4] == ["api", "--method", "PATCH", "repos/course/repo/issues/comments/4711"]

    @pytest.mark.parametrize("status", ["", "{", '{"state": "success"}', "[]"])
    def test_a_missing_or_broken_verdict_is_an_error_and_no_zero(self, runner: Runner, status: str) -> None:
        """A run that was cut off says so."""
        if status:
            put("verdict/status.json", status)(runner.work)

        calls = self.report(runner)

        assert "state=error" in calls[0]
        assert "The grading run did not finish" in calls[-1][-1]

    def test_an_unknown_state_is_an_error(self, runner: Runner) -> None:
        """Only the three that mean something are passed on."""
        self.put_verdict(runner, '{"state": "pending", "description": "x"}')

        assert "state=error" in self.report(runner)[0]

    @pytest.mark.parametrize("branch", ["$(touch pwned)", "a;touch pwned", "`touch pwned`", "a b&c=d", "--x"])
    def test_a_branch_name_is_one_word(self, runner: Runner, branch: str) -> None:
        """Shell characters in it are letters."""
        self.put_verdict(runner, '{"state": "failure", "description": "x"}')

        calls = self.report(runner, HEAD_BRANCH=branch)

        assert any(f"head=ada:{branch}" in call for call in calls)
        assert not list(runner.work.rglob("pwned"))


@ON_LINUX
def test_the_feedback_job_checks_and_explains(runner: Runner, repository: Path) -> None:
    """The pull request's own run: red for a wrong answer, with the learner's lines marked."""
    base = run_git(repository, "rev-parse", "main")
    head = push_head(repository, put(STACK, RIGHT.replace("return len(self.items)", "return self.itms")))
    run_git(runner.work, "fetch", "--quiet", "origin", head)

    script = step("handgrad-feedback", "feedback", "Check what was changed")
    done = runner.run(script, BASE_SHA=base, HEAD_SHA=head)

    assert done.returncode == 1
    assert "::error file=exercises/stack/solution.py,line=" in done.stdout
    assert "handgrad: not passed" in (runner.temp / "summary.md").read_text()


@dataclass
class Shop:
    """A package index of one package, and a course that pins it."""

    runner: Runner
    index: Path
    target: Path

    def install(self, name: str, *, index: str = "") -> subprocess.CompletedProcess[str]:
        """The workflow's step that installs, with the packages landing in a folder of their own."""
        return self.runner.run(
            step(name, name.removeprefix("handgrad-"), "Install what grading needs"),
            PIP_CONFIG_FILE=os.devnull,
            PIP_DISABLE_PIP_VERSION_CHECK="1",
            PIP_INDEX_URL=index or self.index.as_uri(),
            PIP_TARGET=str(self.target),
        )

    def installed(self) -> str:
        """What the installed package holds."""
        path = self.target / "toy.py"
        return path.read_text() if path.exists() else ""

    @property
    def kept(self) -> Path:
        """The wheel in the folder that is cached."""
        return self.runner.temp / "wheels" / WHEEL


WHEEL = "toy-1.0-py3-none-any.whl"


def make_wheel(path: Path, text: str) -> str:
    """Write a wheel that holds `toy.py`; its SHA-256 digest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    about = "toy-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("toy.py", text)
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(
            f"{about}/RECORD", f"toy.py,,\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n"
        )
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def shop(runner: Runner, tmp_path: Path) -> Shop:
    """The package `toy`, pinned by its digest in the runner's checkout."""
    pytest.importorskip("pip")
    index = tmp_path / "index"
    digest = make_wheel(index / "toy" / WHEEL, "right")
    put("toy/index.html", f'<a href="{WHEEL}">{WHEEL}</a>')(index)
    put("requirements/grade.txt", f"toy==1.0 --hash=sha256:{digest}\n")(runner.work)
    return Shop(runner, index, tmp_path / "target")


@ON_LINUX
class TestPackages:
    """What grading needs, from the index or from the cache."""

    @pytest.mark.parametrize("name", ["handgrad-feedback", "handgrad-grade"])
    def test_pins_are_installed_from_the_index(self, shop: Shop, name: str) -> None:
        """Where nothing is cached."""
        done = shop.install(name)

        assert done.returncode == 0, done.stderr
        assert shop.installed() == "right"

    @pytest.mark.parametrize("name", ["handgrad-feedback", "handgrad-grade"])
    def test_another_package_of_the_same_name_is_refused(self, shop: Shop, name: str) -> None:
        """An index that was tampered with ends the run."""
        make_wheel(shop.index / "toy" / WHEEL, "wrong")

        done = shop.install(name)

        assert done.returncode != 0
        assert shop.installed() == ""

    def test_what_is_cached_needs_no_index(self, shop: Shop) -> None:
        """Feedback goes on while the package index is away."""
        shop.kept.parent.mkdir()
        shutil.copy(shop.index / "toy" / WHEEL, shop.kept)

        done = shop.install("handgrad-feedback", index="file:///nowhere")

        assert done.returncode == 0, done.stderr
        assert shop.installed() == "right"

    def test_a_poisoned_cache_is_thrown_away(self, shop: Shop) -> None:
        """What has another digest is not installed, and the index is asked instead."""
        make_wheel(shop.kept, "wrong")

        done = shop.install("handgrad-feedback")

        assert done.returncode == 0, done.stderr
        assert shop.installed() == "right"

    def test_a_poisoned_cache_without_an_index_installs_nothing(self, shop: Shop) -> None:
        """There is no third way."""
        make_wheel(shop.kept, "wrong")

        done = shop.install("handgrad-feedback", index="file:///nowhere")

        assert done.returncode != 0
        assert shop.installed() == ""

    def test_what_is_kept_is_what_was_pinned(self, shop: Shop) -> None:
        """The workflow that fills the cache downloads by digest, too."""
        script = step("handgrad-packages", "packages", "Download them")
        environment = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": shop.index.as_uri()}
        done = shop.runner.run(script, **environment)
        kept = shop.kept.read_bytes()
        make_wheel(shop.index / "toy" / WHEEL, "wrong")
        shutil.rmtree(shop.kept.parent)
        refused = shop.runner.run(script, **environment)

        assert done.returncode == 0, done.stderr
        assert b"right" in kept
        assert refused.returncode != 0
        assert not shop.kept.exists()


class TestWorkflowFiles:
    """What the files themselves promise."""

    def every_step(self) -> list[tuple[str, dict, dict]]:
        """Workflow, job and step of every workflow and of the kit's own."""
        found = []
        for path in [*WORKFLOWS.glob("*.yml"), TOP / ".github/workflows/ci.yml"]:
            for job in yaml.safe_load(path.read_text("utf-8"))["jobs"].values():
                found += [(path.name, job, each) for each in job["steps"]]
        return found

    def test_every_action_is_pinned_by_its_whole_digest(self) -> None:
        """With the version in a comment, for people."""
        for path in [*WORKFLOWS.glob("*.yml"), TOP / ".github/workflows/ci.yml"]:
            uses = re.findall(r"\buses: (.*)", path.read_text("utf-8"))
            assert uses
            assert all(re.fullmatch(r"[\w-]+(/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use) for use in uses)

    def test_no_step_writes_an_expression_into_its_script(self) -> None:
        """What others chose reaches a shell as a variable, never as its text."""
        assert [each["name"] for _, _, each in self.every_step() if "${{" in each.get("run", "")] == []

    def test_only_the_job_that_runs_no_code_may_write(self) -> None:
        """And it neither checks out nor runs Python."""
        jobs = workflow("handgrad-grade")["jobs"]
        writers = [name for name, job in jobs.items() if "write" in job["permissions"].values()]

        assert writers == ["report"]
        text = json.dumps(jobs["report"])
        assert "checkout" not in text
        assert "python" not in text

    def test_the_grading_run_takes_nothing_from_a_cache(self) -> None:
        """Unpacking one lays files anywhere, before any digest is looked at."""
        text = json.dumps(workflow("handgrad-grade")).replace("--no-cache-dir", "")

        assert "cache" not in text

    def test_the_cache_is_filled_where_no_code_of_anyone_runs(self) -> None:
        """By one workflow, which no pull request starts and which runs pip alone; feedback only takes."""
        uses = {(name, each["uses"].split("@")[0]) for name, _, each in self.every_step() if "uses" in each}
        filling = workflow("handgrad-packages")
        commands = [each["run"] for each in filling["jobs"]["packages"]["steps"] if "run" in each]

        assert {pair for pair in uses if "cache" in pair[1]} == {
            ("handgrad-feedback.yml", "actions/cache/restore"),
            ("handgrad-packages.yml", "actions/cache/restore"),
            ("handgrad-packages.yml", "actions/cache/save"),
        }
        assert set(filling[True]) == {"push", "schedule", "workflow_dispatch"}  # YAML reads `on` as true
        assert filling["jobs"]["packages"]["permissions"] == {"contents": "read"}
        assert [text.split()[:4] for text in commands] == [["python", "-m", "pip", "download"]]

    def test_what_is_cached_is_wheels_alone_under_the_pins_name(self) -> None:
        """One folder, by a key that is another one as soon as a pin is; no prefix of it will do."""
        caches = [each for _, _, each in self.every_step() if "actions/cache" in each.get("uses", "")]

        for each in caches:
            given = {name: value for name, value in each["with"].items() if name != "lookup-only"}
            assert given == {
                "path": "${{ runner.temp }}/wheels",
                "key": "handgrad-wheels-${{ runner.os }}-${{ runner.arch }}-3.13-"
                "${{ hashFiles('requirements/grade.txt') }}",
            }

    def test_what_is_installed_by_pins_is_wheels_by_digest(self) -> None:
        """Wherever requirements/grade.txt is installed or downloaded, and never out of pip's own cache."""
        lines = [
            line
            for _, _, each in self.every_step()
            for line in each.get("run", "").replace("\\\n", " ").splitlines()
            if "-r requirements" in line
        ]

        assert len(lines) == 3
        for words in ("--require-hashes", "--only-binary :all:", "--no-cache-dir"):
            assert all(words in line for line in lines)

    def test_secrets_are_named_in_one_step_alone(self) -> None:
        """The step that fetches private graders; never the one that grades, never in feedback."""
        named = [each["name"] for _, _, each in self.every_step() if "secrets." in json.dumps(each)]

        assert named == ["Fetch private graders, then drop the key"]

    def test_every_job_has_an_end_and_every_workflow_one_run_at_a_time(self) -> None:
        """Nothing runs for hours, and a push ends the run before it."""
        for path in WORKFLOWS.glob("*.yml"):
            flow = yaml.safe_load(path.read_text("utf-8"))
            assert flow["permissions"] == {}
            assert flow["concurrency"]["cancel-in-progress"] is True
            assert all(job["timeout-minutes"] <= 30 for job in flow["jobs"].values())

    def test_the_verdict_takes_nothing_from_the_run_that_started_it(self) -> None:
        """Its one download has no run of another's named."""
        text = (WORKFLOWS / "handgrad-grade.yml").read_text("utf-8")
        downloads = [each for _, _, each in self.every_step() if "download-artifact" in each.get("uses", "")]

        assert [set(each["with"]) for each in downloads] == [{"name", "path"}]
        assert "run-id" not in text
        assert "gh run download" not in text

    @pytest.mark.skipif(not shutil.which("shellcheck"), reason="needs shellcheck")
    def test_the_shell_steps_are_sound(self, tmp_path: Path) -> None:
        """ShellCheck has nothing to say of any of them."""
        scripts = []
        for number, (_, _, each) in enumerate(self.every_step()):
            if "run" in each:
                path = tmp_path / f"{number}.sh"
                path.write_text("#!/bin/bash\n" + each["run"])
                scripts.append(path)
        scripts += [WORKFLOWS.parent / "gradescope/setup.sh", WORKFLOWS.parent / "gradescope/run_autograder"]

        done = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True)

        assert done.stdout == ""


# ---- init-ci


def init(*words: str, here: Path) -> Outcome:
    """`handgrad init-ci` with these words."""
    parser = ArgumentParser()
    init_ci_options(parser)
    parser.add_argument("--course")
    parser.add_argument("--root", action="append", default=[])
    return run_init_ci(parser.parse_args(words), here=here)


def unpack(outcome: Outcome, folder: Path) -> None:
    """Write what the command would write."""
    for path, content in outcome.files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


class TestInit:
    """Writing what hosts need."""

    def test_github_gets_two_workflows_that_name_this_version(self, repository: Path) -> None:
        """Both are whole, with every placeholder filled in; without pins there is nothing to cache."""
        from handgrad import __version__

        outcome = init("github", "--force", here=repository)

        names = [path.name for path, _ in outcome.files]
        assert names == ["handgrad-feedback.yml", "handgrad-grade.yml"]
        assert f"they install `handgrad=={__version__}` by its name" in outcome.done
        assert all(b"@VERSION@" not in content for _, content in outcome.files)
        assert all(f"=={__version__}'".encode() in content for _, content in outcome.files)

    def test_a_course_with_pins_gets_a_workflow_that_keeps_the_packages(self, repository: Path) -> None:
        """The third one, for the two others."""
        put("requirements/grade.txt", "")(repository)

        outcome = init("github", "--force", here=repository)

        assert "by its name" not in outcome.done
        assert [path.name for path, _ in outcome.files] == [
            "handgrad-feedback.yml",
            "handgrad-grade.yml",
            "handgrad-packages.yml",
        ]

    def test_a_course_below_the_top_gets_its_workflows_at_the_top(self, below: Path) -> None:
        """GitHub reads them nowhere else; the commands in them name the course."""
        folder = below / "unit one"
        run_git(below, "mv", BELOW, folder.name)

        outcome = init("github", "--force", here=folder / "exercises")

        assert {path.parent for path, _ in outcome.files} == {below / ".github/workflows"}
        for _, content in outcome.files:
            assert yaml.safe_load(content)
            assert b"handgrad ci --course 'unit one' --base" in content

    @ON_LINUX
    def test_a_workflow_of_a_course_below_the_top_grades_it(self, below: Path, tmp_path: Path) -> None:
        """Its own step, as it stands."""
        run_git(below, "checkout", "--quiet", "main")
        run_git(below, "mv", BELOW, "unit one")
        base = commit(below, "move")
        put(f"unit one/{STACK}", QUEUE)(below)
        head = commit(below)
        init_there = init("github", "--force", here=below / "unit one")
        flow = yaml.safe_load(next(c for path, c in init_there.files if "feedback" in path.name))
        script = flow["jobs"]["feedback"]["steps"][-1]["run"]
        tools = tmp_path / "tools"
        tools.mkdir()
        (tools / "python").symlink_to(sys.executable)
        runner = Runner(below, tmp_path, tools)

        done = runner.run(script, BASE_SHA=base, HEAD_SHA=head, PYTHONPATH=str(TOP / "src"))

        assert done.returncode == 1, done.stderr
        assert done.stdout.startswith("handgrad: not passed: ")

    def test_a_folder_whose_name_is_code_stays_out_of_a_workflow(self, below: Path) -> None:
        """It is text of a script there."""
        run_git(below, "mv", BELOW, "a${{ x }}")

        with pytest.raises(UsageError, match="cannot stand in a workflow: call the folder by letters"):
            init("github", "--force", here=below / "a${{ x }}")

    def test_handgrad_itself_below_the_top_is_told(self, below: Path) -> None:
        """The workflows look for it at the top alone."""
        run_git(below, "mv", BELOW, "co")
        put("co/src/handgrad/__init__.py", "")(below)

        with pytest.raises(UsageError, match="move `src/handgrad` and `requirements/grade.txt` to the repo"):
            init("github", "--force", here=below / "co")

    def test_a_course_in_no_repository_gets_them_itself(self, template: Path, tmp_path: Path) -> None:
        """It will be its top."""
        shutil.copytree(template, tmp_path / "course", ignore=shutil.ignore_patterns(".git", ".github"))

        outcome = init("github", here=tmp_path / "course")

        assert {path.parent for path, _ in outcome.files} == {tmp_path / "course/.github/workflows"}

    def test_a_file_of_ones_own_is_not_written_over(self, repository: Path) -> None:
        """It says how to."""
        put(".github/workflows/handgrad-grade.yml", "mine")(repository)

        with pytest.raises(UsageError, match="`--force`"):
            init("github", here=repository)

    def test_an_autograder_is_for_one_exercise(self, repository: Path) -> None:
        """Without a slug the answer names those there are."""
        with pytest.raises(UsageError, match="amounts, shelf, stack|stack"):
            init("gradescope", here=repository)

    def test_what_added_roots_bring_travels_with_the_archive(self, repository: Path, tmp_path: Path) -> None:
        """Private checks and their points; the secret of a course; and no reference at all."""
        private = tmp_path / "private"
        put("graders/stack/hidden/test_9_more.py", PRIVATE)(private)
        put("graders/stack/totals.toml", "points = 6\nchecks = 1\n")(private)
        put("course.toml", (repository / "course.toml").read_text() + 'secret = "key"\n')(repository)
        put("key", "KEY")(repository)
        shutil.rmtree(repository / "solutions")

        outcome = init("gradescope", "stack", "--root", str(private), here=repository)

        archive = tmp_path / "a.zip"
        archive.write_bytes(outcome.files[0][1])
        shutil.unpack_archive(archive, tmp_path / "a")
        description = (tmp_path / "a/exercises/stack/exercise.toml").read_text()
        assert "points = 20\nchecks = 9\n" in description
        assert (tmp_path / "a/graders/stack/hidden/test_9_more.py").exists()
        assert (tmp_path / "a/secret").read_text() == "KEY"
        assert not (tmp_path / "a/solutions").exists()

    def test_two_graders_of_one_name_are_refused(self, repository: Path, tmp_path: Path) -> None:
        """One would silently take the other's place."""
        put("graders/stack/hidden/test_2_use.py", PRIVATE)(tmp_path)
        put("graders/stack/totals.toml", "points = 6\nchecks = 1\n")(tmp_path)

        with pytest.raises(ExerciseError, match="another root has a file of this name"):
            init("gradescope", "stack", "--root", str(tmp_path), here=repository)

    def test_an_archive_without_its_sandbox_is_not_made(self, repository: Path, monkeypatch) -> None:
        """It could grade nothing where it is unpacked."""
        monkeypatch.setattr("handgrad.integrations.init_ci.find_spec", lambda name: None)

        with pytest.raises(UsageError, match="`seccompy` is not installed"):
            init("gradescope", "stack", here=repository)

    def test_classroom50_gets_nothing_hidden(self, repository: Path) -> None:
        """Its folder is published: visible checks only, and no reference."""
        outcome = init("classroom50", "stack", here=repository)

        names = [path.as_posix() for path, _ in outcome.files]
        assert any(name.endswith("stack/autograder.py") for name in names)
        assert not [name for name in names if "hidden" in name or "/solutions/" in name or "mistakes" in name]


BARE = next((path for path in ("/usr/bin/python3",) if Path(path).exists()), sys.executable)
IS_NEW = subprocess.run([BARE, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]).returncode == 0


@pytest.fixture(scope="module")
def autograder(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Gradescope's machine holds after setup."""
    top = tmp_path_factory.mktemp("autograder")
    outcome = init("gradescope", "stack", here=template)
    archive = top / "autograder.zip"
    archive.write_bytes(outcome.files[0][1])
    shutil.unpack_archive(archive, top / "source")
    return top


@ON_LINUX
@pytest.mark.skipif(not IS_NEW, reason="the system's own Python is older than 3.11")
class TestGradescope:
    """The archive, unpacked in a bare folder, run with the system's own Python alone."""

    def run(self, autograder: Path, files: dict[str, str]) -> tuple[int, dict]:
        """Exit code and results.json for a submission."""
        shutil.rmtree(autograder / "submission", ignore_errors=True)
        shutil.rmtree(autograder / "results", ignore_errors=True)
        (autograder / "submission").mkdir()
        for name, text in files.items():
            put(f"submission/{name}", text)(autograder)
        environment = {"PATH": "/usr/bin:/bin", "AUTOGRADER": str(autograder)}
        done = subprocess.run(
            ["bash", autograder / "source/run_autograder"], env=environment, capture_output=True, text=True
        )
        results = autograder / "results/results.json"
        return done.returncode, json.loads(results.read_text()) if results.exists() else {"said": done.stderr}

    def test_a_right_answer_gets_every_point(self, autograder: Path) -> None:
        """Hidden checks are among them."""
        code, results = self.run(autograder, {"solution.py": RIGHT})

        assert (code, results.get("score")) == (0, 14), results
        assert len(results["tests"]) == 8

    def test_a_wrong_answer_is_explained(self, autograder: Path) -> None:
        """Each failed check has its sentence."""
        code, results = self.run(autograder, {"solution.py": QUEUE})

        assert code == 0
        assert 0 < results["score"] < 14
        assert any("expected" in test["output"] for test in results["tests"])

    def test_another_name_is_found(self, autograder: Path) -> None:
        """The only Python file there is the answer."""
        _, results = self.run(autograder, {"my stack.py": RIGHT})

        assert results["score"] == 14

    @pytest.mark.parametrize("place", ["solution.py", "stack/solution.py", "stack.py", STACK])
    def test_the_answer_is_found_where_a_learner_may_put_it(self, autograder: Path, place: str) -> None:
        """At the top, in the exercise's folder, in a repository; the report says which file it was."""
        _, results = self.run(autograder, {place: RIGHT})

        assert results["score"] == 14
        assert f"`{place}` was taken" in results["output"]

    @pytest.mark.parametrize(
        ("files", "words"),
        [
            ({}, "no `solution.py` or `stack/stack.ipynb` was handed in: the folder is empty"),
            ({"a.txt": "x"}, "no `solution.py` or `stack/stack.ipynb` was handed in, only `a.txt`"),
            ({"solution.py/x.txt": "x"}, "`solution.py` is a folder"),
            ({"solution.py": ""}, "`solution.py` is empty"),
            ({"a.py": QUEUE, "b.py": RIGHT}, "`a.py` and `b.py` were handed in, and none is called"),
        ],
    )
    def test_without_one_answer_it_is_a_zero_that_says_why(
        self, autograder: Path, files: dict[str, str], words: str
    ) -> None:
        """And no failure of the autograder."""
        code, results = self.run(autograder, files)

        assert (code, results["score"]) == (0, 0)
        assert words in results["output"]

    def test_no_submission_at_all_is_the_hosts_fault(self, autograder: Path, tmp_path: Path) -> None:
        """Nothing is scored where it never was laid out."""
        shutil.copytree(autograder / "source", tmp_path / "source")
        environment = {"PATH": "/usr/bin:/bin", "AUTOGRADER": str(tmp_path)}
        done = subprocess.run(["bash", tmp_path / "source/run_autograder"], env=environment)

        assert done.returncode == 3
        assert not (tmp_path / "results").exists()

    def test_what_is_handed_in_does_not_touch_the_grader(self, autograder: Path) -> None:
        """Files named like modules beside it are not imported, and a forged result does not survive."""
        evil = "raise SystemExit('picked up')"
        files = {"solution.py": "import os\nos._exit(0)\n", "json.py": evil, "handgrad/__init__.py": evil}

        code, results = self.run(autograder, files)

        assert (code, results["score"]) == (0, 0)

    def test_a_broken_course_leaves_no_score(self, autograder: Path, tmp_path: Path) -> None:
        """Gradescope then says that the autograder failed, and an earlier grade stays."""
        broken = tmp_path / "copy"
        shutil.copytree(autograder, broken, ignore=shutil.ignore_patterns("submission", "results"))
        (broken / "source/graders/stack/test_1_stack.py").write_text("broken(")

        code, results = self.run(broken, {"solution.py": RIGHT})

        assert code == 3
        assert "score" not in results

    def test_setup_has_nothing_to_do_where_nothing_is_missing(self, autograder: Path) -> None:
        """A bare machine with Python is enough for a course without NumPy."""
        done = subprocess.run(
            ["bash", autograder / "source/setup.sh"],
            env={"PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
        )

        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@ON_LINUX
class TestClassroom50:
    """The autograder, started in a student's checkout as the runner does."""

    RUNNER = {
        "CLASSROOM": "cs",
        "ASSIGNMENT": "stack",
        "OWNER": "ada",
        "ASSIGNMENT_TYPE": "individual",
        "SUBMISSION_TAG": "submit/2026-09-01T08-00-00Z-a1b2c3d",
        "COMMIT_URL": "commit",
        "RELEASE_URL": "release",
    }

    def run(self, template: Path, tmp_path: Path, files: dict[str, str]) -> tuple[int, dict]:
        """Exit code and result.json."""
        outcome = init("classroom50", "stack", "--output", str(tmp_path / "out"), here=template)
        unpack(outcome, tmp_path)
        checkout = tmp_path / "checkout"
        checkout.mkdir()
        for name, text in files.items():
            put(name, text)(checkout)
        script = next(path for path, _ in outcome.files if path.name == "autograder.py")
        done = subprocess.run(
            [sys.executable, script],
            cwd=checkout,
            env={"PATH": os.environ["PATH"], **self.RUNNER},
            capture_output=True,
            text=True,
        )
        result = checkout / "result.json"
        return done.returncode, json.loads(result.read_text()) if result.exists() else {"said": done.stderr}

    def test_the_result_is_what_the_published_schema_asks_for(self, template: Path, tmp_path: Path) -> None:
        """As its own check of a schema sees it; score and totals add up."""
        code, result = self.run(template, tmp_path, {STACK: RIGHT})

        assert code == 0, result
        assert problems(result) == []
        assert result["score"] == result["max-score"] == sum(test["score"] for test in result["tests"])

    def test_what_lies_in_the_checkout_is_not_imported(self, template: Path, tmp_path: Path) -> None:
        """The student's own `handgrad` or `json.py` is data like the rest."""
        evil = "raise SystemExit('picked up')"
        code, result = self.run(
            template, tmp_path, {"solution.py": QUEUE, "json.py": evil, "handgrad.py": evil}
        )

        assert code == 0, result
        assert 0 < result["score"] < result["max-score"]

    @pytest.mark.parametrize("place", ["solution.py", "stack/solution.py", "my stack.py", STACK])
    def test_the_answer_is_found_where_gradescope_finds_it(
        self, template: Path, tmp_path: Path, place: str
    ) -> None:
        """The first test says which file it was, since the format has no other place for it."""
        _, result = self.run(template, tmp_path, {place: RIGHT})

        assert result["score"] == result["max-score"]
        (said,) = [test["output"] for test in result["tests"] if test["output"]]
        assert said.startswith(f"`{place}` was taken")

    def test_several_files_are_told_by_name(self, template: Path, tmp_path: Path) -> None:
        """None is chosen."""
        _, result = self.run(template, tmp_path, {"a.py": QUEUE, "b.py": RIGHT})

        assert result["score"] == 0
        assert "`a.py` and `b.py` were handed in" in result["tests"][0]["output"]

    def test_nothing_handed_in_is_a_zero(self, template: Path, tmp_path: Path) -> None:
        """Not an error of the grading, and told as missing."""
        code, result = self.run(template, tmp_path, {})

        assert (code, result["score"]) == (0, 0)
        assert "was handed in: the folder is empty" in result["tests"][0]["output"]
