"""A verdict as outputs from which nbgrader makes the same points, and learners' cells as harmless text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from handgrad.integrations.cells import note_cell, outputs_of, stray_cells, whole_file_outputs
from handgrad.model import Check, CheckResult, Detail, Place, Status, Verdict

CHECK = Check("test_x", "A <b>title</b>.", 3, ("First hint.", "Second."), False, Path("t.py"), 1)


def verdict(*results: CheckResult, **words: Any) -> Verdict:
    """A verdict with these results."""
    return Verdict("toy", "s1", results, 2, "", "", source="toy.ipynb", **words)


def output(status: Status, message: str = "", detail: Detail | None = None) -> dict[str, Any]:
    """The one output of a result."""
    result = CheckResult(CHECK, status, message, detail)
    (only,) = outputs_of(result, verdict(result))
    return only


def test_a_pass_is_the_number_of_its_points() -> None:
    """nbgrader reads it as partial credit; the page shows the escaped title."""
    data = output(Status.PASSED)["data"]

    assert data == {"text/plain": "3", "text/html": "passed: A &lt;b&gt;title&lt;/b&gt;."}


def test_everything_else_is_an_error_and_so_no_points() -> None:
    """Each in its own word."""
    words = {s: output(s)["ename"] for s in Status if s is not Status.PASSED}

    assert {output(s)["output_type"] for s in words} == {"error"}
    assert words == {
        Status.FAILED: "fail",
        Status.ERROR: "error",
        Status.NOT_STARTED: "not started",
        Status.NOT_RUN: "not run",
    }


def test_a_failure_says_what_was_expected_where_and_how_to_go_on() -> None:
    """Sentence, example, place, printouts, hint; sentences broken to the page, code not."""
    detail = Detail(example=("a = " + "1" * 100,), place=Place(7, "return 1", "f"), output="printed\n")

    lines = output(Status.FAILED, "expected " + "word " * 30, detail)["traceback"]

    assert max(len(line) for line in lines if not line.startswith(" ")) <= 84
    assert "    a = " + "1" * 100 in lines
    assert "toy.ipynb:7: in f" in lines
    assert "    printed" in lines
    assert lines[-1] == "hint: First hint."


def test_what_acts_or_hides_is_written_out() -> None:
    """Terminal codes, direction marks and lines without end."""
    text = "\n".join(output(Status.FAILED, "\x1b[2J\u202e" + "x" * 5000)["traceback"])

    assert "\x1b" not in text
    assert "\\u202e" in text
    assert "more" in text
    assert len(text) < 3000


def test_what_is_to_be_said_of_the_whole_file_stands_once() -> None:
    """Why it could not be loaded, where, what it printed, and notes that stand nowhere else."""
    file = verdict(
        message="SyntaxError: bad", place=Place(3, "def (:"), output="hello\n", notes=("known", "left out")
    )

    (only,) = whole_file_outputs(file, ["known"])

    assert only["text"].splitlines() == [
        "note: left out",
        "SyntaxError: bad",
        "toy.ipynb:3:",
        "    def (:",
        "printed:",
        "    hello",
    ]
    assert whole_file_outputs(verdict()) == []


def test_notes_are_text_that_nothing_closes() -> None:
    """A name of a file is a learner's text."""
    assert "````\n- ```</script>" in note_cell(["```</script>"])["source"]


def test_ten_million_empty_lists_are_not_looked_at(tmp_path: Path) -> None:
    """They fit a notebook's bytes, and fill a gigabyte."""
    assert stray(tmp_path, [{"source": "x", "metadata": [[]] * 1_000_001}]) == []


def stray(tmp_path: Path, cells: Any) -> list[dict[str, Any]]:
    """What is kept of a notebook with these cells."""
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return stray_cells(path, {"solution"})


def test_a_learners_own_cells_are_kept_as_text(tmp_path: Path) -> None:
    """Markdown, raw and code alike: nothing of it acts in a browser."""
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["<script>", "alert(1)"]},
        {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": "solution"}}, "source": "mine"},
        {"cell_type": "raw", "metadata": None, "source": "```\nout"},
        {"cell_type": "code", "metadata": {"nbgrader": 3}, "source": 7},
        "no cell",
    ]

    head, first, second = stray(tmp_path, cells)

    assert head["source"].startswith("**Other cells")
    assert first["source"] == "```\n<script>alert(1)\n```"
    assert second["source"] == "````\n```\nout\n````"
    assert {c["cell_type"] for c in (head, first, second)} == {"markdown"}


def test_too_many_are_counted_not_kept(tmp_path: Path) -> None:
    """The graded copy stays a file that can be opened."""
    kept = stray(tmp_path, [{"metadata": {}, "source": f"cell {n}"} for n in range(1000)])

    assert len(kept) == 102
    assert "more cells followed" in kept[-1]["source"]


def test_what_is_no_notebook_has_no_cells(tmp_path: Path) -> None:
    """Whatever is in the file."""
    assert stray(tmp_path, 3) == []
    assert stray_cells(tmp_path / "missing.ipynb", ()) == []
