"""The command: what it says, and its exit codes, which are a promise."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest
from commands import TOYS, Desk, desk

from handgrad import cli
from handgrad.errors import ToolError
from handgrad.sandbox.lock import best_level

__all__ = ["desk"]
SOURCE = Path(__file__).parent.parent / "src"


def command(*words: str, **more: str) -> list[str]:
    """`python -m handgrad words…`."""
    return [sys.executable, "-m", "handgrad", *words]


def environment(**more: str) -> dict[str, str]:
    """The present environment with the kit on its path."""
    return {**os.environ, "PYTHONPATH": str(SOURCE), **more}


# ---- check


def test_a_right_file_passes(desk: Desk) -> None:
    """0: at least one check ran and all passed."""
    desk.solve()
    answer = desk("check", "stack")

    assert answer.code == 0
    assert "14/14 points, 8 of 8 checks pass" in answer.out


def test_a_wrong_file_does_not(desk: Desk) -> None:
    """1, and the first thing to mend in full: the input, what was expected, what came out, the hint."""
    desk.solve(mistake="queue")
    answer = desk("check", "stack")

    assert answer.code == 1
    assert "expected top to be 3, got 1" in answer.out
    assert "Which end of the list is the top?" in answer.out


def test_a_fresh_course_says_what_to_do_first(desk: Desk) -> None:
    """1: nothing was started. What to read, what to edit and what to say then."""
    answer = desk("check")

    assert answer.code == 1
    assert "stack: not started\nread exercises/stack/README.md" in answer.out
    assert "not started either: amounts, shelf" in answer.out


def test_a_named_exercise_is_checked_though_not_started(desk: Desk) -> None:
    """Nothing passes, and nothing is called wrong."""
    answer = desk("check", "stack")

    assert answer.code == 1
    assert "TODO" in answer.out and "FAIL" not in answer.out


def test_only_what_was_started_is_checked(desk: Desk) -> None:
    """The others are named."""
    desk.solve()
    answer = desk("check")

    assert answer.code == 0
    assert answer.out.endswith("start amounts`\nnot started: amounts, shelf\n")


def test_what_passes_whole_is_one_line_among_several(desk: Desk) -> None:
    """What is to mend stands out; by itself an exercise is told check by check."""
    desk.solve()
    desk.solve("amounts")
    desk.solve("shelf")
    answer = desk("check")

    assert answer.out.startswith("PASS  stack  14/14 points, 8 of 8 checks pass\nPASS  amounts  ")
    assert answer.out.endswith("\n\nall 3 exercises pass\n") and len(answer.out.splitlines()) == 5

    desk.write("class Stack: pass\n", "stack")
    answer = desk("check")
    assert answer.out.startswith("stack  exercises/stack/solution.py\n")
    assert "\nFirst to mend: " in answer.out and "\n\nPASS  amounts  " in answer.out
    assert "exercises pass" not in answer.out
    assert len(desk("check", "amounts").out.splitlines()) > 5


def test_a_selection_of_checks_passes_no_exercise_whole(desk: Desk) -> None:
    """What `-k` left out may fail."""
    for slug in ("stack", "shelf"):
        desk.solve(slug)
    answer = desk("check", "stack", "shelf", "-k", "an")

    assert answer.code == 0, answer
    assert "exercises pass" not in answer.out and "PASS   stack" not in answer.out


def test_an_exam_names_no_check_that_was_not_asked_for(desk: Desk) -> None:
    """Not even where `-k` finds none."""
    course = desk.path("course.toml")
    course.write_text(course.read_text().replace('"full"', '"score"'))
    answer = desk("check", "stack", "-k", "zzz")

    assert answer.code == 2
    assert answer.err.endswith("no check of `stack` has `zzz` in its name\n")


def test_what_comes_next_is_further_along(desk: Desk) -> None:
    """Whoever left an exercise out did so on purpose; at the end of the road it is offered all the same."""
    desk.solve("amounts")
    assert "start shelf`\nnot started: stack, shelf\n" in desk("check").out

    desk.solve("shelf")
    assert "start stack`\nnot started: stack\n" in desk("check").out


def test_all_means_all(desk: Desk) -> None:
    """Then a starter counts as not passed."""
    desk.solve()
    answer = desk("check", "--all", "--format", "json")

    assert answer.code == 1
    assert [json.loads(line)["exercise"] for line in answer.out.splitlines()] == ["stack", "amounts", "shelf"]


def test_a_misspelt_exercise_lists_the_valid_ones(desk: Desk) -> None:
    """2: misuse."""
    answer = desk("check", "stak")

    assert (answer.code, answer.out) == (2, "")
    assert (
        answer.err
        == "handgrad: there is no exercise `stak`: did you mean `stack`? (this course has stack, amounts, shelf)\n"
    )


@pytest.mark.parametrize(
    "word",
    ["stack/", "exercises/stack", "./exercises/stack/", "exercises/stack/solution.py", "exercises\\stack"],
)
def test_the_folder_of_an_exercise_names_it(desk: Desk, word: str) -> None:
    """As a shell completes it."""
    desk.solve()

    assert desk("check", word).out.startswith("stack  exercises/stack/solution.py\n")
    assert desk("hint", word).code == 0


def test_a_word_like_no_exercise_is_not_guessed_at(desk: Desk) -> None:
    """The names there are will do."""
    assert desk("check", "zzz").err == (
        "handgrad: there is no exercise `zzz`: this course has stack, amounts, shelf\n"
    )


def test_some_checks_can_be_chosen(desk: Desk) -> None:
    """By a part of the name or the title; a selection is no mark."""
    desk.solve(mistake="queue")
    answer = desk("check", "stack", "-k", "LEN")

    assert answer.code == 0
    assert "1 of 1" in answer.out
    assert not desk.path(".handgrad").exists()


def test_a_choice_of_no_check_is_misuse(desk: Desk) -> None:
    """No check that ran is never a pass: the valid names are listed."""
    answer = desk("check", "stack", "-k", "zzz")

    assert answer.code == 2
    assert (
        "no check of `stack` has `zzz` in its name: there are test_push_puts_the_item_on_top," in answer.err
    )


@pytest.mark.parametrize(
    "place", ["solution.py", "stack/solution.py", "exercises/stack/solution.py", "my.py"]
)
def test_in_a_folder_the_answer_is_looked_for(desk: Desk, tmp_path: Path, place: str) -> None:
    """As it is in a class's folder; the report names the file."""
    answer = tmp_path / "in" / place
    answer.parent.mkdir(parents=True)
    answer.write_text((TOYS / "solutions/stack/solution.py").read_text())
    checked = desk("check", "stack", "--submission", str(tmp_path / "in"))

    assert checked.code == 0
    assert f"note: `{place}` was taken\n" in checked.out


def test_a_folder_without_an_answer_says_so(desk: Desk, tmp_path: Path) -> None:
    """1; a link to a folder is not followed."""
    (tmp_path / "in").mkdir()
    (tmp_path / "link").symlink_to(desk.path("solutions/stack"), target_is_directory=True)

    answer = desk("check", "stack", "--submission", str(tmp_path / "in"))
    assert (answer.code, "was handed in: the folder is empty" in answer.out) == (1, True)
    assert "is a link to another place" in desk("check", "stack", "--submission", str(tmp_path / "link")).out


def test_of_a_folder_that_is_refused_nothing_was_taken(desk: Desk, tmp_path: Path) -> None:
    """The reason is all there is to say."""
    for name in ("stack.ipynb", "stack.py"):
        (tmp_path / "in/stack").mkdir(parents=True, exist_ok=True)
        (tmp_path / "in/stack" / name).write_text("x = 1\n")

    answer = desk("check", "stack", "--submission", str(tmp_path / "in"))
    assert answer.code == 1
    assert "`stack.ipynb` and `stack.py` were both handed in: keep one of them" in answer.out
    assert "was taken" not in answer.out


def test_what_the_machine_refuses_is_a_fault_of_ours(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """3, from `grade` and from `check`."""
    (tmp_path / "in/ann/stack").mkdir(parents=True)
    (tmp_path / "in/bob.py").write_text((TOYS / "solutions/stack/solution.py").read_text())
    scandir = os.scandir

    def refuse(path: str | Path) -> object:
        if Path(path).name == "stack":
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return scandir(path)

    monkeypatch.setattr("handgrad.choice.os.scandir", refuse)
    graded = desk("grade", "stack", str(tmp_path / "in"))
    assert graded.code == 3
    assert "2 hand-ins: 1 passed everything, 1 ungraded" in graded.err
    assert desk("check", "stack", "--submission", str(tmp_path / "in/ann")).code == 3


def test_another_file_can_be_checked(desk: Desk) -> None:
    """It is named as it was given, and leaves no mark."""
    answer = desk("check", "stack", "--submission", "solutions/stack/solution.py")

    assert answer.code == 0
    assert "solutions/stack/solution.py" in answer.out
    assert not desk.path(".handgrad").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--submission", "course.toml"], "`--submission` takes one exercise: `"),
        (["stack", "shelf", "--submission", "course.toml"], "`--submission` takes one exercise: `"),
        (["stack", "--submission", "gone.py"], "there is no file `gone.py`: look at the path"),
        (["stack", "--format", "yaml"], "invalid choice: 'yaml'"),
        (["stack", "--require-level", "9"], "invalid choice: 9"),
        (["stack", "--colour"], "unrecognized arguments: --colour"),
    ],
)
def test_words_that_cannot_be_used_are_told(desk: Desk, words: list[str], sentence: str) -> None:
    """2, and nothing on the output that a pipe would read."""
    answer = desk("check", *words)

    assert (answer.code, answer.out) == (2, "")
    assert sentence in answer.err


def test_a_file_without_its_exercise_is_asked_for_in_words_that_can_be_typed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under make in its own way."""
    words = "check", "--submission", "solutions/stack/solution.py"

    assert "handgrad check stack --submission PATH`" in desk(*words).err
    monkeypatch.setenv("MAKELEVEL", "1")
    assert "`make check EX=stack SUBMISSION=PATH`" in desk(*words).err


def test_in_process_gives_the_same_results(desk: Desk) -> None:
    """Level 0 is said in the verdict."""
    desk.solve(mistake="queue")
    inside, outside = (
        json.loads(desk("check", "stack", "--format", "json", *more).out) for more in (["--in-process"], [])
    )

    assert inside["level"] == 0 < outside["level"]
    assert [c["status"] for c in inside["checks"]] == [c["status"] for c in outside["checks"]]


def test_a_report_can_go_to_a_file(desk: Desk) -> None:
    """The output stays empty then."""
    desk.solve()
    answer = desk("check", "stack", "--format", "junit", "--output", "report.xml")

    assert (answer.code, answer.out) == (0, "")
    assert desk.path("report.xml").read_text().startswith("<?xml")


def test_a_report_that_cannot_be_written_is_our_fault(desk: Desk) -> None:
    """3, in one sentence. (A file stands where the folder should be.)"""
    desk.solve()
    answer = desk("check", "stack", "--output", "course.toml/report.txt")

    assert answer.code == 3
    assert answer.err.startswith("handgrad: `course.toml/report.txt` cannot be written (")
    assert answer.err.count("\n") == 1


def test_broken_graders_leave_it_ungraded(desk: Desk) -> None:
    """3 wins over 1, and the learner's mark stays what it was."""
    desk.solve()
    desk("check", "stack")
    desk.path("graders/stack/test_1_stack.py").write_text("def (\n")
    desk.solve("shelf", mistake="case_matters")
    answer = desk("check", "stack", "shelf")

    assert answer.code == 3
    assert "UNGRADED" in answer.out and "test_1_stack.py:1" in answer.out
    assert "passed 14 of 14" in desk("progress").out


def test_too_weak_a_sandbox_leaves_it_ungraded(desk: Desk) -> None:
    """Required and not given: 3."""
    desk.solve()
    answer = desk("check", "stack", "--in-process", "--require-level", "2")

    assert answer.code == 3
    assert "gives sandbox level 0, and level 2 is required" in answer.out


def test_a_missing_library_costs_only_the_exercise_that_needs_it(desk: Desk) -> None:
    """3, and the others are checked."""
    toml = desk.path("exercises/amounts/exercise.toml")
    toml.write_text(toml.read_text().replace("[limits]", 'preload = ["no_such_library"]\n[limits]'))
    desk.solve()
    desk.solve("amounts")
    answer = desk("check")

    assert answer.code == 3
    assert "14/14 points, 8 of 8 checks pass" in answer.out
    assert "UNGRADED `no_such_library` is not installed" in answer.out


@pytest.mark.parametrize(
    ("level", "managed", "own", "said"),
    [
        ("1", False, False, "`make .venv/grade-ready` sets up what exercises need"),
        ("", False, True, "`python -m pip install no_such_library` in this virtual environment"),
        ("", False, False, "`python -m pip install no_such_library`"),
        ("", True, False, "`python -m venv .venv` and `.venv/bin/python -m pip install no_such_library`"),
    ],
)
def test_a_missing_library_is_told_with_a_command_that_works_here(
    desk: Desk,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    level: str,
    managed: bool,
    own: bool,
    said: str,
) -> None:
    """With make, in a virtual environment, with pip, and where the system forbids pip; `start` says it too."""
    toml = desk.path("exercises/amounts/exercise.toml")
    toml.write_text(toml.read_text().replace("[limits]", 'preload = ["no_such_library"]\n[limits]'))
    monkeypatch.setenv("MAKELEVEL", level)
    monkeypatch.setattr(sys, "executable", "/somewhere/bin/python")
    monkeypatch.setattr(sys, "base_prefix", "elsewhere" if own else sys.prefix)
    monkeypatch.setattr(os, "__file__", str(tmp_path / "os.py"))
    if managed:
        (tmp_path / "EXTERNALLY-MANAGED").touch()

    assert said in desk("check", "amounts").out
    assert said in desk("hint", "amounts").err
    assert said in desk("start", "amounts").out


def test_an_exam_gives_no_values_and_no_hints(desk: Desk) -> None:
    """`feedback = "rule"` in course.toml."""
    text = desk.path("course.toml").read_text()
    desk.path("course.toml").write_text(text.replace('"full"', '"rule"'))
    desk.solve(mistake="queue")
    out = desk("check", "stack").out

    assert "got 1" not in out and "Which end" not in out
    assert "no hints" in desk("hint", "stack").out


def test_marks_that_cannot_be_kept_cost_nothing_else(desk: Desk) -> None:
    """A read-only course folder: one line says so. (A file stands where the folder should be.)"""
    desk.solve()
    desk.path(".handgrad").write_text("")
    answer = desk("check", "stack")

    assert answer.code == 0 and "14/14" in answer.out
    assert answer.err.startswith("handgrad: your marks were not kept: ") and answer.err.count("\n") == 1


def test_a_bundle_says_that_hidden_checks_come_later(desk: Desk) -> None:
    """Starter and visible checks, no reference: a full score there is not the last word."""
    solved = desk.path("solutions/stack/solution.py").read_text()
    desk.path("exercises/stack/starter.py").write_text(desk.path("exercises/stack/solution.py").read_text())
    for gone in ("solutions/stack/solution.py", "graders/stack/hidden/test_2_use.py"):
        desk.path(gone).unlink()
    desk.write(solved)
    answer = desk("check", "stack")

    assert answer.code == 0
    assert "stack: visible checks 6/6; hidden ones run when you hand in" in answer.out


def test_the_course_can_be_named(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From anywhere; a folder that is none is told."""
    desk.solve()
    monkeypatch.chdir(tmp_path)

    assert desk("check", "stack", "--course", str(desk.root)).code == 0
    assert "no `course.toml` in" in desk("check").err
    assert "there is no `course.toml` in `x`" in desk("check", "--course", "x").err


def test_a_root_adds_checks(desk: Desk, tmp_path: Path) -> None:
    """Private hidden graders come with --root."""
    hidden = tmp_path / "private" / "graders" / "stack" / "hidden"
    hidden.mkdir(parents=True)
    (hidden.parent / "totals.toml").write_text("points = 2\nchecks = 1\n")
    text = desk.path("graders/stack/hidden/test_2_use.py").read_text().split('@check(points=2, hint="Each')[0]
    (hidden / "test_9.py").write_text(text.replace("test_everything_comes_back", "test_once_more"))
    desk.solve()

    assert "16/16 points, 9 of 9" in desk("check", "stack", "--root", str(tmp_path / "private")).out


# ---- the command itself


def test_help_says_what_a_newcomer_needs(desk: Desk) -> None:
    """Every command with one line, and where to begin."""
    answer = desk("--help")

    assert answer.code == 0
    assert f"Begin in the course folder with:  {cli.spoken('check')}\n" in answer.out
    for name, entry in cli.COMMANDS.items():
        assert f"  {name} " in answer.out and entry.summary in answer.out
    assert desk("help").out == desk("-h").out == answer.out


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_explains_itself(desk: Desk, name: str) -> None:
    """0, and its options."""
    answer = desk(name, "--help")

    assert answer.code == 0
    assert answer.out.startswith(f"usage: handgrad {name}")


def test_no_command_at_all_shows_the_help(desk: Desk) -> None:
    """2: nothing was asked for."""
    assert desk().code == 2
    assert "usage: handgrad COMMAND" in desk().out


@pytest.mark.parametrize(
    ("word", "hint"), [("chekc", "did you mean `check`?"), ("fly", "--help` lists the commands")]
)
def test_a_misspelt_command_is_told(desk: Desk, word: str, hint: str) -> None:
    """2."""
    answer = desk(word)

    assert answer.code == 2
    assert answer.err.startswith(f"handgrad: there is no command `{word}`: ") and answer.err.endswith(
        f"{hint}\n"
    )


def test_the_version_is_told(desk: Desk) -> None:
    """For reports of faults."""
    assert desk("--version").out.startswith("handgrad 0.")


@pytest.mark.parametrize(
    ("argv", "level", "words", "said"),
    [
        ("/usr/bin/handgrad", "", ("hint", "stack"), "handgrad hint stack"),
        ("/x/handgrad/__main__.py", "", ("hint", "stack"), " -m handgrad hint stack"),
        ("/x/handgrad/__main__.py", "1", ("hint", "stack"), "make hint EX=stack"),
        ("/x/handgrad/__main__.py", "1", ("init", "new"), " -m handgrad init new"),
        ("/x/handgrad/__main__.py", "1", ("doctor", "--fix"), "make doctor ARGS=--fix"),
        (
            "/x/handgrad/__main__.py",
            "1",
            ("check", "stack", "--submission", "my work.py", "--in-process", "--all"),
            "make check EX=stack SUBMISSION='my work.py' ARGS='--in-process --all'",
        ),
    ],
)
def test_a_command_is_named_as_it_can_be_typed_here(
    monkeypatch: pytest.MonkeyPatch, argv: str, level: str, words: tuple[str, ...], said: str
) -> None:
    """With make, as a module, or installed."""
    monkeypatch.setattr(sys, "argv", [argv])
    monkeypatch.setenv("MAKELEVEL", level)

    assert cli.spoken(*words).endswith(said)


@pytest.mark.parametrize(
    ("words", "level", "said"),
    [
        (("--course", "my course"), "", "handgrad hint stack --course='my course'"),
        (("--course=x", "--root", "y"), "", "handgrad hint stack --course=x --root=y"),
        (("--course=x",), "1", "make hint EX=stack ARGS=--course=x"),
        (("--course",), "", "handgrad hint stack"),
    ],
)
def test_a_command_is_for_the_course_that_was_named(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], level: str, said: str
) -> None:
    """Else it would be typed in vain where this one was."""
    monkeypatch.setattr(sys, "argv", ["/usr/bin/handgrad", "check", "stack", *words])
    monkeypatch.setenv("MAKELEVEL", level)

    assert cli.spoken("hint", "stack") == said


@pytest.mark.parametrize(
    ("raised", "code", "sentence"),
    [
        (KeyboardInterrupt(), 130, "stopped"),
        (ToolError("no room"), 3, "no room"),
        (OSError(28, "No space left on device", "x.py"), 3, "`x.py`: no space left on device"),
    ],
)
def test_whatever_stops_a_command_is_one_line(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, sentence: str
) -> None:
    """No traceback is ever shown."""

    def fail(_: object) -> int:
        raise raised

    monkeypatch.setitem(cli.COMMANDS, "progress", cli.Command("learning", "", lambda parser: None, fail))
    answer = desk("progress")

    assert (answer.code, answer.err) == (code, f"handgrad: {sentence}\n")


def test_the_module_is_the_command(desk: Desk) -> None:
    """`python -m handgrad`, with an output that can hold ASCII alone, and no terminal."""
    desk.solve(mistake="queue")
    run = subprocess.run(
        command("check", "stack"),
        env=environment(PYTHONIOENCODING="ascii", FORCE_COLOR="", LC_ALL="C"),
        capture_output=True,
        check=False,
    )

    assert run.returncode == 1 and run.stderr == b""
    assert run.stdout.isascii() and b"\x1b" not in run.stdout and b"expected top to be 3" in run.stdout


def test_a_reader_that_leaves_ends_it_quietly(desk: Desk) -> None:
    """`handgrad check | head -1`."""
    desk.solve()
    process = subprocess.Popen(
        command("check", "--all", "--format", "json"),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout and process.stderr
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()

    assert (process.wait(30), error) == (1, b"")


@pytest.mark.skipif(os.name != "posix", reason="a shell closes the streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "words", [("check", "stack"), ("grade", "stack", "in", "--jobs", "2", "--require-level", "1")]
)
def test_streams_that_are_closed_change_no_result(desk: Desk, words: tuple[str, ...], closed: str) -> None:
    """Called by a service: nothing else takes their numbers, and what is said goes nowhere."""
    desk.solve()
    for learner in ("anna", "ben"):
        (desk.root / "in" / learner).mkdir(parents=True)
        shutil.copy(desk.path("exercises/stack/solution.py"), desk.root / "in" / learner)
    run = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *command(*words)],
        env=environment(),
        capture_output=True,
        check=False,
    )

    assert (run.returncode, b"Traceback" in run.stderr) == (0, False)
    assert bool(run.stdout) == (">&-" not in closed.replace("2>&-", ""))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere such a folder cannot be removed")
@pytest.mark.parametrize("words", [("check",), ("check", "stack", "--course", "{course}")])
def test_a_folder_that_was_removed_is_said(desk: Desk, tmp_path: Path, words: tuple[str, ...]) -> None:
    """A shell may stand in one that is gone."""
    script = f'mkdir "{tmp_path}/gone"; cd "{tmp_path}/gone"; rmdir "{tmp_path}/gone"; exec "$@"'
    run = subprocess.run(
        ["/bin/sh", "-c", script, "sh", *command(*(word.format(course=desk.root) for word in words))],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    said = "handgrad: the folder that you are in is no longer there: go to another one\n"
    assert (run.returncode, run.stderr) == (3, said)


def children_of(pid: int) -> list[str]:
    """Processes that name `pid` as an ancestor by its marker in their environment."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdecimal() and f"MARK={pid}".encode() in (place / "environ").read_bytes().split(
                b"\0"
            ):
                found.append((place / "cmdline").read_text())
        except OSError:
            continue
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize("seconds", [0.0, 1.5])
def test_ctrl_c_leaves_nothing_behind(desk: Desk, tmp_path: Path, seconds: float) -> None:
    """130, and neither grading processes nor sandboxes live on; while they start, and while they work."""
    for number in range(6):
        (tmp_path / "in" / f"s{number}").mkdir(parents=True)
        (tmp_path / "in" / f"s{number}" / "solution.py").write_text("while True: pass\n")
    mark = os.getpid()
    process = subprocess.Popen(
        command("grade", "stack", str(tmp_path / "in"), "--jobs", "2", "--require-level", "1"),
        env=environment(MARK=str(mark)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # ignored, where tests run behind a `&`
    )
    while len(children_of(mark)) < 3:  # the command, what counts its resources, and a first process
        time.sleep(0.01)
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    assert process.stderr
    error = process.stderr.read().decode()
    process.stderr.close()

    assert process.wait(30) == 130
    assert "stopped" in error and "Traceback" not in error
    assert children_of(mark) == []


# ---- grade


@pytest.fixture
def handed(desk: Desk, tmp_path: Path) -> Path:
    """Three hand-ins: right, wrong, none."""
    folder = tmp_path / "handed in"
    (folder / "cyd").mkdir(parents=True)
    for name, source in (("ann", "solutions/stack/solution.py"), ("bob", "graders/stack/mistakes/queue.py")):
        (folder / f"{name}.py").write_text((TOYS / source).read_text())
    return folder


def test_grade_accounts_for_everyone(desk: Desk, handed: Path) -> None:
    """1, because one handed nothing in; a line each, and the count."""
    (handed / "roster.csv").touch()
    answer = desk("grade", "stack", str(handed), "--jobs", "1")

    assert answer.code == 1
    assert [line.split()[:3] for line in answer.out.splitlines()] == [
        ["PASS", "14/14", "ann"],
        ["FAIL", "10/14", "bob"],
        ["UNGRADED", "cyd:", "no"],
    ]
    assert "not hand-ins, left aside: roster.csv" in answer.err
    assert answer.err.endswith("3 hand-ins: 1 passed everything, 1 without a file to grade (cyd)\n")


def test_grade_answers_0_when_everyone_got_a_verdict(desk: Desk, handed: Path) -> None:
    """Passed or not."""
    answer = desk("grade", "stack", str(handed), "--skip", "cyd", "--jobs", "2")

    assert answer.code == 0
    assert answer.err.endswith("2 hand-ins: 1 passed everything\n")


def test_grade_writes_json_and_csv(desk: Desk, handed: Path) -> None:
    """One object a line, and a table; progress is no part of either."""
    answer = desk(
        "grade",
        "stack",
        str(handed),
        "--format",
        "json",
        "--csv",
        "grades.csv",
        "--only",
        "ann",
        "--only",
        "bob",
    )

    verdicts = [json.loads(line) for line in answer.out.splitlines()]
    assert [(v["learner"], v["score"]) for v in verdicts] == [("ann", 14), ("bob", 10)]
    rows = desk.path("grades.csv").read_text().splitlines()
    assert rows[0].startswith("learner,") and rows[1].startswith("ann,stack,14,14,") and len(rows) == 3


def test_grade_of_an_unknown_learner_is_misuse(desk: Desk, handed: Path) -> None:
    """2, before anything is graded."""
    answer = desk("grade", "stack", str(handed), "--only", "anne")

    assert answer.code == 2
    assert "nobody called `anne` handed anything in: did you mean `ann`?" in answer.err


@pytest.mark.parametrize("name", ["gradescope", "classroom50"])
def test_grade_refuses_a_format_for_one_learner(desk: Desk, handed: Path, name: str) -> None:
    """Before anything is graded, with the command that takes it."""
    answer = desk("grade", "stack", str(handed), "--format", name)

    assert (answer.code, answer.out) == (2, "")
    assert f"`--format {name}` is the result of one learner, not of a folder" in answer.err
    assert " of 3" not in answer.err


def test_grade_of_nobody_says_which_words_leave_nobody(desk: Desk, handed: Path) -> None:
    """The path is right."""
    answer = desk("grade", "stack", str(handed), "--only", "ann", "--skip", "ann")

    assert (answer.code, answer.out) == (2, "")
    assert "`--skip` leaves out everybody whom `--only` names" in answer.err


def test_help_says_that_json_is_one_object_a_line(desk: Desk) -> None:
    """For whoever reads it by machine."""
    assert "json is one object a line" in " ".join(desk("grade", "--help").out.split())


def test_grade_of_an_empty_folder_is_misuse(desk: Desk, tmp_path: Path) -> None:
    """0 of 0 is no result."""
    (tmp_path / "none").mkdir()
    answer = desk("grade", "stack", str(tmp_path / "none"))

    assert answer.code == 2
    assert "there is no hand-in in" in answer.err


def test_grade_with_broken_graders_writes_nothing(desk: Desk, handed: Path) -> None:
    """3, and no table of zeros."""
    desk.path("graders/stack/test_1_stack.py").unlink()
    answer = desk("grade", "stack", str(handed), "--csv", "grades.csv")

    assert (answer.code, answer.out) == (3, "")
    assert "promises 8 checks worth 14 points, and 2 worth 4 were found" in answer.err
    assert not desk.path("grades.csv").exists()


@pytest.mark.parametrize("number", ["0", "-1", "many", "1_0", "1" * 5000])
@pytest.mark.parametrize("words", [("grade", "stack", "in"), ("autograde", "stack"), ("doctor",)])
def test_a_number_of_processes_is_from_one(desk: Desk, words: tuple[str, ...], number: str) -> None:
    """2, and a sentence for whoever typed it."""
    answer = desk(*words, "--jobs", number)

    assert answer.code == 2
    assert answer.err.endswith(f"argument --jobs: `{number}` is not a whole number from 1 on\n")


@pytest.mark.parametrize("number", ["-1", "65536", "70000", "1e3"])
def test_a_port_that_there_cannot_be_is_refused_before_anything_is_built(
    desk: Desk, number: str, tmp_path: Path
) -> None:
    """A build takes a while; the number can be read at once."""
    answer = desk("page", "--serve", "--output", str(tmp_path / "out"), "--port", number)

    assert answer.code == 2
    assert answer.err.endswith(f"argument --port: `{number}` is not a whole number from 0 to 65535\n")
    assert not (tmp_path / "out").exists()


def test_grade_shows_a_bar_where_somebody_watches(
    desk: Desk, handed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rich and a terminal; without rich, or with --plain, lines."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    words = ("grade", "stack", str(handed), "--jobs", "1")

    assert "1 of 3" not in desk(*words).err
    assert "1 of 3" in desk(*words, "--plain").err
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    assert "1 of 3" in desk(*words).err


# ---- the learner's loop


def test_hints_are_given_one_by_one(desk: Desk) -> None:
    """For the exercise one is at, when none is named."""
    desk.solve(mistake="queue")

    assert "hint 1 of 3: Which end of the list is the top?" in desk("hint").out
    assert "hint 2 of 3" in desk("hint", "stack").out
    assert desk("hint").code == 0


def test_hints_go_on_from_the_one_in_the_report(desk: Desk) -> None:
    """`2 more` are the second and the third; another look at the report gives none away."""
    desk.solve(mistake="queue")

    assert "Hint: Which end of the list is the top?" in desk("check").out and desk("check").code == 1
    assert "hint 2 of 3" in desk("hint").out
    assert "hint 3 of 3" in desk("hint").out


def test_the_report_counts_the_hints_that_are_left(desk: Desk) -> None:
    """As `hint` does: one less after each, and when all were seen it says so."""
    desk.solve(mistake="queue")

    said = []
    for _ in range(4):
        said += [line.strip() for line in desk("check", "stack").out.splitlines() if "hint stack`" in line]
        desk("hint", "stack")

    assert [line.partition(":")[0] for line in said] == [
        "2 more",
        "1 more",
        "all were given, the last one again",
        "all were given, the last one again",
    ]


def test_a_hint_that_cannot_be_counted_is_given(desk: Desk) -> None:
    """A read-only folder costs a sentence."""
    desk.path(".handgrad").write_text("")
    answer = desk("hint", "stack")

    assert answer.code == 0 and "hint 1 of 1" in answer.out
    assert answer.err.startswith("handgrad: that this hint was given is not remembered: ")


def test_a_hint_needs_sound_graders(desk: Desk) -> None:
    """3."""
    desk.path("graders/stack/test_1_stack.py").unlink()

    assert desk("hint", "stack").code == 3


def test_progress_reset_and_start(desk: Desk) -> None:
    """Marks in words; the file kept; what to say next."""
    desk.solve()
    desk("check")

    assert "passed 14 of 14  stack" in desk("progress").out
    assert "your file is kept as .handgrad/kept/stack/solution-1.py" in desk("reset", "stack").out
    assert "then say `" in desk("start", "stack").out
    assert "not started" in desk("progress").out


def test_what_was_begun_is_checked_though_nothing_is_written(desk: Desk) -> None:
    """`check` right after `start` tells the first TODO; `reset` forgets the start."""
    desk.solve()
    said = desk("start", "amounts").out
    answer = desk("check")

    assert "then say `" in said
    assert answer.code == 1
    assert "\namounts  exercises/amounts/solution.py\nTODO" in answer.out and "\nNext: " in answer.out
    assert answer.out.endswith("not started: shelf\n")
    assert [line for line in desk("progress").out.splitlines() if line.startswith("started  ")]
    assert desk("hint").out.startswith("amounts: ")

    desk("reset", "amounts")
    assert "not started: amounts, shelf" in desk("check").out


def test_a_start_that_cannot_be_remembered_is_one(desk: Desk) -> None:
    """The file is there, and one line says what was not kept."""
    desk.path(".handgrad").write_text("in the way")
    answer = desk("start", "stack")

    assert answer.code == 0
    assert answer.err.startswith("handgrad: where you are is not remembered: ")


def test_an_empty_course_has_nothing_to_hint_at(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`init` makes one; `check` and `hint` say so."""
    assert desk("init", str(tmp_path / "new")).code == 0
    monkeypatch.chdir(tmp_path / "new")

    assert desk("hint").code == 2
    assert "this course has no exercises yet" in desk("check").out


# ---- watch


class Keys:
    """Plays a person: presses keys and saves files between the polls."""

    def __init__(self, *acts: object) -> None:
        self.acts = list(acts)
        self.during: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def __call__(self, seconds: float) -> str:
        if not seconds:  # asked while a check runs
            return self.during.pop(0) if self.during else ""
        act = self.acts.pop(0) if self.acts else "q"
        if callable(act):
            act()
            return ""
        return str(act)


def test_watch_checks_again_at_each_save(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """First as it is, then after the save; h gives a hint, n goes on, r runs again, q leaves with 0."""
    keys = Keys("h", lambda: desk.solve(), "", "", "r", "n", "q")
    monkeypatch.setattr("handgrad.watch.keyboard", lambda: keys)
    answer = desk("watch", "stack")

    assert answer.code == 0
    assert answer.out.count("stack checked at ") == 3
    assert "hint 1 of 1" in answer.out and "14/14" in answer.out
    assert "amounts checked at " in answer.out and "\x1b" not in answer.out


def test_watch_wipes_the_screen_on_a_terminal(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the last run is on it; with --plain nothing moves."""
    monkeypatch.setattr("handgrad.watch.keyboard", lambda: Keys("r"))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")

    answer = desk("watch", "stack")

    assert answer.out.count("\x1b[2J\x1b[Hchecking stack ...") == 2
    assert "\x1b[3J" not in answer.out  # what was on the terminal before can be scrolled back to
    assert "\x1b[2J" not in desk("watch", "stack", "--plain").out


def test_watch_goes_on_where_an_exercise_needs_what_is_not_installed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`n` may lead to an exercise with NumPy: what is missing is said, and n, r and q are heard."""
    toml = desk.path("exercises/amounts/exercise.toml")
    toml.write_text(toml.read_text().replace("[limits]", 'preload = ["no_such_library"]\n[limits]'))
    monkeypatch.setattr("handgrad.watch.keyboard", lambda: Keys("n", "h", "r", "n", "q"))
    answer = desk("watch", "stack")

    assert answer.code == 0
    assert answer.out.count("amounts: `no_such_library` is not installed: ") == 2
    assert "shelf checked at " in answer.out
    assert desk("watch", "amounts").code == 3


def test_watch_has_no_hint_for_what_could_not_be_judged(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """That every check passes would be wrong."""
    desk.path("graders/stack/test_1_stack.py").write_text("import (\n")
    monkeypatch.setattr("handgrad.watch.keyboard", lambda: Keys("h"))
    answer = desk("watch", "stack")

    assert "nothing left to hint at" not in answer.out


@pytest.mark.parametrize("key", ["q", "n"])
def test_watch_can_be_left_while_it_checks(desk: Desk, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """At the end of the check that runs, not of the whole run; keys in front of it are dropped."""
    keys = Keys()
    keys.during = ["h", "h", key]
    monkeypatch.setattr("handgrad.watch.keyboard", lambda: keys)
    answer = desk("watch", "stack")

    assert answer.code == 0
    assert "stack checked at " not in answer.out and "hint 1" not in answer.out
    assert ("amounts checked at " in answer.out) == (key == "n")


# ---- what is said while one waits


def test_a_terminal_is_told_at_once_what_is_checked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a line that the report takes the place of; a pipe gets the report alone."""
    monkeypatch.setenv("TERM", "xterm")
    piped = desk("check", "stack").out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    blank = "\r" + " " * len("checking stack ...") + "\r"

    assert "checking" not in piped
    assert desk("check", "stack").out.startswith(f"checking stack ...{blank}")
    assert "checking stack ..." in desk("hint", "stack").out
    assert "checking" not in desk("check", "stack", "--format", "json").out
    assert "checking" not in desk("check", "stack", "--plain").out


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no such clock here")
def test_a_long_wait_is_said_where_nothing_may_move(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that stays, once it takes a while."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(cli, "LONG_SECONDS", 0.01)
    desk.write("while True: pass\n")
    answer = desk("check", "stack", "--plain")

    assert answer.out.startswith("checking stack ...\nstack ")
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


# ---- doctor, new, init


def test_doctor_finds_a_new_exercise_sound(desk: Desk) -> None:
    """What `new` writes is a good example."""
    made = desk("new", "two_layers")

    assert made.code == 0
    assert "graders/two_layers/mistakes/adds_two.py" in made.out
    answer = desk("doctor", "two_layers", "--jobs", "1", "--seeds", "2")
    assert (answer.code, answer.out) == (0, "sound\n")
    assert "1 exercise, 1 mistake, 1 variant; run as: " in answer.err


def test_doctor_names_what_it_finds(desk: Desk) -> None:
    """1, a line each."""
    desk.path("graders/stack/mistakes/queue.py").write_text(
        desk.path("solutions/stack/solution.py").read_text()
    )
    answer = desk("doctor", "stack", "--quick", "--jobs", "1", "--seeds", "0", "--plain")

    assert answer.code == 1
    assert "graders/stack/mistakes/queue.py:1: does not say what it fails" in answer.out
    assert "to mend" in answer.err


def test_doctor_fix_writes_starters_anew_and_keeps_files(desk: Desk) -> None:
    """Then everything is pristine again."""
    desk.solve()
    words = ("doctor", "stack", "--quick", "--jobs", "1", "--seeds", "0", "--pristine")
    before = desk(*words)
    after = desk(*words, "--fix")

    assert before.code == 1 and "is not the starter cut from the reference (" in before.out
    assert after.code == 0
    assert "cut anew from the reference, what was there is kept as .handgrad/kept/stack/" in after.out


def test_doctor_says_what_the_sandbox_gives(desk: Desk) -> None:
    """Without a course, too."""
    assert "level" in desk("doctor", "--sandbox").out


@pytest.mark.parametrize("seeds", ["-1", "x"])
def test_doctor_needs_a_number_of_seeds(desk: Desk, seeds: str) -> None:
    """2."""
    assert desk("doctor", "--seeds", seeds).code == 2


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [("Two-Layers", "`Two-Layers` will not do as a name"), ("stack", "`exercises/stack` is there already")],
)
def test_new_refuses_a_name(desk: Desk, slug: str, sentence: str) -> None:
    """2, and nothing is written."""
    answer = desk("new", slug)

    assert answer.code == 2
    assert sentence in answer.err


@pytest.mark.parametrize("name", ["course", "my course"])
def test_what_init_says_works_where_it_is_said(tmp_path: Path, name: str) -> None:
    """Also where handgrad is found by a relative path; and so does what comes next."""
    (tmp_path / "src").symlink_to(Path(cli.__file__).parent.parent, target_is_directory=True)
    environment = {**os.environ, "PYTHONPATH": "src", "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    environment.pop("MAKELEVEL", None)

    def say(command: str) -> str:
        words = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True}
        return subprocess.run(command, shell=True, check=True, **words).stdout

    made = say(f"{shlex.quote(sys.executable)} -m handgrad init {shlex.quote(name)}")
    new = re.search("`(.* new SLUG.*)`", made)[1]
    written = say(new.replace("SLUG", "twice"))
    prove = re.search("`(.* doctor twice.*)`", written)[1]

    assert "sound" in say(f"{prove} --quick --seeds=0 --jobs=1")


def test_nothing_sends_to_files_that_only_the_kit_has(desk: Desk) -> None:
    """A course of one's own has neither a Makefile nor `docs/`."""
    assert "`docs/course-repo.md` of handgrad" in desk("init-ci", "github").out
    assert "`docs/security.md` of handgrad" in desk("doctor", "--sandbox").out or best_level() < 2
    texts = [path.read_text("utf-8") for path in Path(cli.__file__).parent.rglob("*.py")]
    said = [
        line
        for text in texts
        for line in text.splitlines()
        if re.search("run `make setup`|see .?docs/", line)
    ]
    assert [line for line in said if "of handgrad" not in line] == []


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_what_the_commands_write_is_in_no_commit(desk: Desk, tmp_path: Path) -> None:
    """Hidden checks, hand-ins and grades among it; the kit's own list has every line of a course's."""
    course = tmp_path / "new"
    desk("init", str(course))
    desk("new", "twice", f"--course={course}")
    desk("init-ci", "gradescope", "twice", f"--course={course}")
    notebooks = ("submitted/ann/twice/twice.ipynb", "gradebook.db", "gradebook.db-journal", "grades.csv")
    made = [f"notebooks/{name}" for name in notebooks]
    for name in [*made, "dist/twice.zip", "demo/notebooks/x", "web/dist/index.html", "grades.csv"]:
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_text("")
    subprocess.run(["git", "init", "--quiet", course], check=True)
    words = ["git", "ls-files", "--others", "--exclude-standard"]
    taken = subprocess.run(words, cwd=course, capture_output=True, text=True, check=True).stdout.split()

    assert {name.split("/")[0] for name in taken} == {
        ".gitignore",
        "course.toml",
        "exercises",
        "graders",
        "solutions",
    }
    lines = (course / ".gitignore").read_text().splitlines()
    assert set(lines) <= set((TOYS.parents[1] / ".gitignore").read_text().splitlines())


def test_init_names_what_a_gitignore_lacks(desk: Desk, tmp_path: Path) -> None:
    """One that is there is left as it is; a line that says the same in other words will do."""
    (tmp_path / "new").mkdir()
    (tmp_path / "new/.gitignore").write_bytes(b"# mine \xff\ndist\n__pycache__/\n")

    said = desk("init", str(tmp_path / "new")).out

    assert ".gitignore was left as it is: add" in said
    assert "\n.handgrad/\n" in said and "\n/notebooks/gradebook.db*\n" in said
    assert "dist/\n/demo" not in said and "__pycache__" not in said
    assert (tmp_path / "new/.gitignore").read_bytes().startswith(b"# mine")
    assert "left as it is" not in desk("init", str(tmp_path / "another")).out


def test_init_refuses_a_course(desk: Desk) -> None:
    """2: nothing is written over."""
    assert "is a course already" in desk("init", ".").err


# ---- what nobody thought of


@pytest.mark.parametrize("word", ["check", "progress", "hint"])
def test_a_reference_in_another_encoding_is_our_fault_in_one_sentence(desk: Desk, word: str) -> None:
    """3 where a verdict was asked for, never 1: that means that not everything passed."""
    desk.solve()
    path = desk.root / "solutions/stack/solution.py"
    path.write_bytes("# Größe\n".encode("latin-1") + path.read_bytes())
    answer = desk(word) if word != "hint" else desk(word, "stack")

    assert answer.code == (0 if word == "progress" else 3)
    assert "Traceback" not in answer.out + answer.err
    assert word == "progress" or "solution.py: not UTF-8: save it as UTF-8" in answer.out + answer.err


@pytest.mark.parametrize("flags", [[], ["-X", "dev"]])
def test_a_fault_of_our_own_says_so_and_answers_3(flags: list[str]) -> None:
    """One sentence; in Python's development mode the place, too."""
    code = (
        "import sys; from handgrad import cli; "
        "cli.COMMANDS['progress'] = cli.COMMANDS['progress']._replace(run=lambda words: {}['gone']); "
        "sys.exit(cli.main(['progress']))"
    )
    done = subprocess.run(
        [sys.executable, *flags, "-c", code], env=environment(), capture_output=True, text=True
    )

    assert done.returncode == 3
    assert "handgrad: a fault of handgrad's own, not of your work (`KeyError: 'gone'`): " in done.stderr
    assert ("PYTHONDEVMODE=1" in done.stderr) == (not flags)
    assert ("Traceback" in done.stderr) == bool(flags)


# ---- files for hosts


@pytest.mark.parametrize("words", [("github",), ("gradescope", "stack"), ("classroom50", "stack")])
def test_what_cannot_be_written_was_not(desk: Desk, tmp_path: Path, words: tuple[str, ...]) -> None:
    """3, and no word of files that are not there."""
    (tmp_path / "file").write_text("")
    answer = desk("init-ci", *words, "--output", str(tmp_path / "file" / "inside"))

    assert (answer.code, answer.out) == (3, "")
    assert "cannot be written" in answer.err or "not a directory" in answer.err


@pytest.mark.parametrize("words", [("github",), ("gradescope", "stack"), ("classroom50", "stack")])
def test_what_was_written_is_named(desk: Desk, tmp_path: Path, words: tuple[str, ...]) -> None:
    """0, and each path is there."""
    answer = desk("init-ci", *words, "--output", str(tmp_path / "out"))

    named = re.findall(r"^wrote (.+)$", answer.out, flags=re.MULTILINE)
    assert answer.code == 0
    assert named and all(Path(name).exists() for name in named)
