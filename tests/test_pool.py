"""Processes that die, raise or must stop: no item is lost, no process stays."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pool_tasks
import pytest

from handgrad.errors import ExerciseError, ToolError
from handgrad.pool import Background, cores, run_pool


@pytest.mark.parametrize("jobs", [1, 2, 0])
def test_results_come_in_the_order_of_the_items(tmp_path: Path, jobs: int) -> None:
    """Whoever finishes first; and everything that was opened is closed."""
    results = run_pool(pool_tasks.Sum(10, str(tmp_path)), [3, 1, 2], jobs=jobs)

    assert results == (13, 11, 12)
    assert list(tmp_path.iterdir()) == []


def test_no_items_are_no_work(tmp_path: Path) -> None:
    """Nothing hangs."""
    assert run_pool(pool_tasks.Sum(10, str(tmp_path)), []) == ()


def test_an_item_that_kills_its_process_is_tried_twice(tmp_path: Path) -> None:
    """12 kills the first process that meets it, 13 every one: that one is lost, all others are there."""
    results = run_pool(pool_tasks.Sum(0, str(tmp_path)), [1, 12, 13, 4], jobs=2)

    assert results == (1, 12, -7, 4)


@pytest.mark.parametrize(
    ("start", "items", "error", "sentence"),
    [
        (-1, [1, 2], ExerciseError, "nothing to add to"),
        (0, [1, 99], ToolError, "the work stopped: disk full"),
        (1001, [1, 2], ToolError, r"a process ended before its work \(code 9\): try `--jobs 1`"),
    ],
)
def test_a_fault_of_ours_ends_the_run(
    tmp_path: Path, start: int, items: list[int], error: type[Exception], sentence: str
) -> None:
    """It is raised here, in its own words."""
    with pytest.raises(error, match=sentence):
        run_pool(pool_tasks.Sum(start, str(tmp_path)), items, jobs=2)


def test_an_interruption_stops_every_process(tmp_path: Path) -> None:
    """Ctrl-C here while others work for long: they close what they opened, and are gone."""

    def interrupt(result: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_pool(pool_tasks.Sum(0, str(tmp_path)), [1000, 1, 1000], jobs=2, done=interrupt)
    assert list(tmp_path.iterdir()) == []
    assert threading.active_count() == 1


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or cores() < 2, reason="there are no cores to choose from"
)
def test_each_process_has_a_core_of_its_own(tmp_path: Path) -> None:
    """Judge and workers of one process share it, and no two processes get in each other's way."""
    first, second = run_pool(pool_tasks.Where(str(tmp_path)), [0, 1], jobs=2)

    assert len(first) == len(second) == 1
    assert first != second


def test_in_the_background_each_result_is_there_when_it_is_asked_for(tmp_path: Path) -> None:
    """In any order, and once only; a death costs one item here, too."""
    with Background(pool_tasks.Sum(10, str(tmp_path)), [3, 13, 2], jobs=2) as background:
        results = [background.result(position) for position in (2, 0, 1, 0)]

    assert results == [12, 13, -7, None]


@pytest.mark.parametrize("start", [-1, 1001])
def test_in_the_background_a_fault_of_ours_is_a_missing_result(tmp_path: Path, start: int) -> None:
    """Whoever waits is not left waiting."""
    with Background(pool_tasks.Sum(start, str(tmp_path)), [1, 2], jobs=2) as background:
        assert background.result(1) is None


def test_the_background_ends_with_whoever_asked_for_it(tmp_path: Path) -> None:
    """An error in the block while others work for long: they close what they opened, and are gone."""
    with (
        pytest.raises(KeyboardInterrupt),
        Background(pool_tasks.Sum(0, str(tmp_path)), [1, 1000, 1000], jobs=2) as background,
    ):
        assert background.result(0) == 1
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
    assert threading.active_count() == 1


PROGRAM = """
from pathlib import Path
import pool_tasks
from handgrad.pool import run_pool
Path("ran-as-" + __name__).touch()
if __name__ == "__main__":
    Path("open").mkdir()
    print(run_pool(pool_tasks.Sum(0, "open"), [1, 2], jobs=2))
"""


def test_the_program_that_asks_is_not_run_again_by_its_processes(tmp_path: Path) -> None:
    """It may be one that takes seconds to import."""
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    here = Path(__file__).parent

    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(here), str(here.parent / "src")])},
        capture_output=True,
        text=True,
    )

    assert done.stdout == "(1, 2)\n", done.stderr
    assert [path.name for path in tmp_path.glob("ran-as-*")] == ["ran-as-__main__"]


def test_there_is_at_least_one_core() -> None:
    """Whatever this machine says."""
    assert cores() >= 1
