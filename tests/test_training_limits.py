"""What a learner reads who trains the right way and too slowly."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from handgrad.catalog import load_course
from handgrad.judge.loader import LoadedCheck, load_checks
from handgrad.judge.session import Session
from handgrad.model import CheckResult, Limits, Status, Submission
from handgrad.sandbox.starter import WorkerStarter, open_starter
from handgrad.worker.serve import line_of

ROOT = Path(__file__).resolve().parent.parent
EXERCISE = load_course(ROOT).exercise("scalar_training")
HASTY = EXERCISE._replace(limits=Limits(cpu_seconds=1.0, impatient_cpu_seconds=1.0, wall_seconds=60.0))
REFERENCE = EXERCISE.reference_path.read_text("utf-8")


@pytest.fixture(scope="module")
def starter() -> Iterator[WorkerStarter]:
    with open_starter() as opened:
        yield opened


def the_check(name: str) -> LoadedCheck:
    return next(item for item in load_checks(EXERCISE) if item.check.name == name)


def result_of(name: str, text: str, starter: WorkerStarter) -> CheckResult:
    with Session(HASTY, Submission("", text, EXERCISE.reference_path), starter=starter) as session:
        return session.run(the_check(name))


def test_a_step_on_all_rows_is_told_as_too_slow(starter: WorkerStarter) -> None:
    """Full batches run into the limit, and the first hint says what a pass costs."""
    result = result_of(
        "test_fit_a_hundred_thousand_rows", REFERENCE.replace("size=20", "size=len(xs)"), starter
    )

    assert result.status is not Status.PASSED
    assert "still running" in result.message
    assert "one pass over 100,000 rows" in result.check.hints[0]


def test_a_list_of_visited_values_is_told_as_too_slow(starter: WorkerStarter) -> None:
    """A search that walks a list for every value runs into the limit, and a hint names the set."""
    listed = REFERENCE.replace("set(), [self]", "[], [self]").replace("seen.add(", "seen.append(")
    result = result_of("test_very_deep_chain", listed, starter)

    assert result.status is not Status.PASSED
    assert "still running" in result.message
    assert any("in a set" in hint for hint in result.check.hints)


def test_diverging_is_told_as_such(starter: WorkerStarter) -> None:
    """Numbers that overflow fail the check that is about it, whose hint says so."""
    result = result_of("test_training_does_not_diverge", REFERENCE.replace("lr=0.7", "lr=7.0"), starter)

    assert result.status in (Status.FAILED, Status.ERROR)
    assert "overshoots" in result.check.hints[0]


def test_every_instruction_has_a_line() -> None:
    """Wherever a loop is when its time runs out, the line can be told, between two instructions as well."""

    def loop(numbers: list[int]) -> int:
        odd = 0
        for number in numbers:
            if number % 2:
                odd += 1
        return odd

    head = loop.__code__.co_firstlineno
    lines: set[int] = set()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        frame.f_trace_opcodes = True
        if frame.f_code is loop.__code__ and event == "opcode":
            lines.add(line_of(frame))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        loop([1, 2, 3, 4])
    finally:
        sys.settrace(before)

    assert lines | {head} == set(range(head, head + 6))
