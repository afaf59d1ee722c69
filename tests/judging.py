"""What the tests of the judge share: the ways to start a worker, and exercises made of a text."""

from __future__ import annotations

import sys
from pathlib import Path

from handgrad.judge.loader import LoadedCheck, load_text
from handgrad.model import CheckResult, Exercise, Limits, Submission
from handgrad.sandbox.channel import ThreadStream
from handgrad.sandbox.starter import PlainStarter, WorkerStarter, open_starter

LINUX = sys.platform.startswith("linux")
WAYS = ("in-process", "zygote", "subprocess", "threads") if LINUX else ("in-process", "subprocess")
DOUBLE = '''
@check(points=1, hint="x")
def test_double(double):
    """double doubles."""
    n = 3

    answer = double(n)

    assert answer == 6
'''
HEADER = "from handgrad.check import *\nimport math\n"


def starter_of(way: str, level: int = 1) -> WorkerStarter:
    """A starter of one of WAYS: level 0 in-process, else `level`."""
    if way == "threads":
        return PlainStarter(level, stream=ThreadStream)
    return open_starter(0 if way == "in-process" else level, plain=way == "subprocess")


def exercise_of(checks: str = "", **limits: float) -> Exercise:
    """An exercise that lies nowhere; its limits are the defaults but for `limits`."""
    root = Path("/nowhere")
    return Exercise("toy", root, (root,), "Toy", "easy", "", 1, 1, limits=Limits(**limits))  # type: ignore[arg-type]


def loaded(source: str, *, hidden: bool = False) -> tuple[LoadedCheck, ...]:
    """The checks of a grader text that lacks its imports."""
    return load_text(HEADER + source, Path("/nowhere/graders/toy/test_toy.py"), hidden=hidden)


def submission(text: str) -> Submission:
    """A submission with this text."""
    return Submission("somebody", text, Path("solution.py"))


def one_line(result: CheckResult) -> str:
    """Status and message of a result."""
    return f"{result.status.value}: {result.message}"
