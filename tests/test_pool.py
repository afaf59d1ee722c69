"""Processes that die, raise or must stop: no item is lost, no process stays."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pool_tasks
import pytest

from handgrad.errors import ExerciseError, ToolError
from handgrad.pool import cores, run_pool


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


def test_there_is_at_least_one_core() -> None:
    """Whatever this machine says."""
    assert cores() >= 1
