"""Notebooks as they come back: other tools and kernels, cells moved, copied, renamed. Graded or told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from commands import TOYS, Desk, desk

__all__ = ["desk"]

RIGHT = re.sub(
    r"^ *(### (BEGIN|END) SOLUTION|# TODO.*)\n",
    "",
    (TOYS / "solutions" / "stack" / "solution.py").read_text("utf-8"),
    flags=re.MULTILINE,
)


def cell(text: str, identity: str, kind: str = "") -> dict[str, Any]:
    """A code cell: `kind` solution or check gives it nbgrader's marks."""
    marks = {
        "grade": kind == "check",
        "grade_id": identity,
        "locked": kind == "check",
        "schema_version": 3,
        "solution": kind == "solution",
        "task": False,
    }
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": identity,
        "metadata": {"nbgrader": marks} if kind else {},
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }


SOLUTION = cell(RIGHT, "solution", "solution")
CHECK = cell("def test_push(): ...\n\n\ntest_push()", "test_push", "check")


def notebook(*cells: dict[str, Any], **more: Any) -> str:
    """A notebook of these cells as JSON."""
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})


def without_ids(*cells: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells as a tool before format 4.5 writes them."""
    return [{key: value for key, value in c.items() if key != "id"} for c in cells]


def kernel(**spec: str) -> dict[str, Any]:
    """Notebook metadata with this kernel."""
    return {"metadata": {"kernelspec": spec}}


GRADED_IN_FULL = {
    "as it was handed out": notebook(SOLUTION, CHECK),
    "ids where format 4.4 has none": notebook(SOLUTION, CHECK, nbformat_minor=4),
    "no ids where format 4.5 wants them": notebook(*without_ids(SOLUTION, CHECK)),
    "two equal ids": notebook(SOLUTION, {**CHECK, "id": "solution"}),
    "a kernel of another machine": notebook(
        SOLUTION, CHECK, **kernel(name="conda-env-x-py", language="python")
    ),
    "no kernel at all": notebook(SOLUTION, CHECK),
    "the answer below the checks": notebook(CHECK, SOLUTION),
    "a check that was deleted": notebook(SOLUTION),
    "a check that was emptied": notebook(SOLUTION, {**CHECK, "source": []}),
    "the class's name used again below": notebook(SOLUTION, CHECK, cell("Stack = 3", "scratch")),
    "a scratch cell that fails": notebook(SOLUTION, cell("Stack([]).pop()", "scratch"), CHECK),
    "a scratch cell that asks": notebook(SOLUTION, cell("input('?')", "scratch"), CHECK),
    "magics and a shell line": notebook(
        cell("%matplotlib inline\n!pip install torch", "top"),
        cell("%%time\n" + RIGHT, "solution", "solution"),
        CHECK,
    ),
    "the answer cut in two": notebook(
        cell(RIGHT.split("    def __eq__")[0], "solution", "solution"),
        CHECK,
        cell(
            "class Stack(Stack):\n    def __eq__" + RIGHT.split("    def __eq__")[1], "solution", "solution"
        ),
    ),
    "the answer copied below itself": notebook(SOLUTION, SOLUTION, CHECK),
    "no marks at all": notebook(cell(RIGHT, "a"), cell("".join(CHECK["source"]), "b")),
    "only the answer without marks": notebook(cell(RIGHT, "a"), CHECK),
    "the answer as prose": notebook(
        {
            **SOLUTION,
            "cell_type": "markdown",
            "metadata": {"nbgrader": {**SOLUTION["metadata"]["nbgrader"], "cell_type": "code"}},
        },
        CHECK,
    ),
    "outputs and widgets": notebook(
        {**SOLUTION, "outputs": [{"output_type": "stream", "name": "stdout", "text": "x" * 100_000}]},
        metadata={"widgets": {"state": {}}},
    ),
}


def checked(desk: Desk, text: str) -> dict[str, Any]:
    """The verdict of a notebook, as JSON."""
    path = desk.path("my notebook.ipynb")
    path.write_text(text, encoding="utf-8")
    found: dict[str, Any] = json.loads(
        desk("check", "stack", "--submission", str(path), "--format", "json").out
    )
    return found


@pytest.mark.parametrize("name", GRADED_IN_FULL)
def test_a_right_answer_is_found_in_any_notebook(desk: Desk, name: str) -> None:
    """Full score, and at most one note."""
    verdict = checked(desk, GRADED_IN_FULL[name])

    assert (verdict["score"], verdict["message"]) == (14, "")
    assert len(verdict["notes"]) <= 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            notebook(SOLUTION, **kernel(name="ir", language="R")),
            "is a notebook for R: choose the Python kernel",
        ),
        (notebook(cell("%%writefile solution.py\n" + RIGHT, "s", "solution")), "starts with `%%writefile`"),
        (notebook(CHECK), "has no solution cell: copy your answer into a fresh copy of the notebook"),
        (notebook(SOLUTION)[:-30], "is not a notebook: its JSON is broken (line 1)"),
    ],
)
def test_a_notebook_without_an_answer_says_why(desk: Desk, text: str, sentence: str) -> None:
    """Never a silent zero."""
    verdict = checked(desk, text)

    assert sentence in verdict["message"]
    assert {check["status"] for check in verdict["checks"]} == {"not_run"}


def test_a_renamed_notebook_counts_unless_there_is_one_of_the_right_name(desk: Desk, tmp_path: Path) -> None:
    """And then, be it an empty one, the other is named."""
    for learner, names in (("ann", ["stack (1).ipynb"]), ("bob", ["stack.ipynb", "stack (1).ipynb"])):
        (tmp_path / "in" / learner / "stack").mkdir(parents=True)
        for name in names:
            empty = name == "stack.ipynb"
            (tmp_path / "in" / learner / "stack" / name).write_text(
                notebook(cell("", "solution", "solution") if empty else SOLUTION)
            )
    answer = desk("grade", "stack", str(tmp_path / "in"), "--jobs", "1")

    ann, bob = answer.out.splitlines()
    assert ann.split() == ["PASS", "14/14", "ann"]
    assert "`stack.ipynb` is empty" in bob and "not `stack (1).ipynb` beside it" in bob
    assert "1 cannot be read (bob)" in answer.err


# ---- points


def test_checks_without_points_count_as_checks(desk: Desk) -> None:
    """A warm-up of 0 points, in an exercise worth 0 in all: passed, and nothing is divided by zero."""
    for path in [
        *desk.path("graders/stack").glob("test_*.py"),
        *desk.path("graders/stack/hidden").glob("*.py"),
    ]:
        path.write_text(re.sub(r"points=\d", "points=0", path.read_text()))
    toml = desk.path("exercises/stack/exercise.toml")
    toml.write_text(toml.read_text().replace("points = 14", "points = 0"))
    desk.solve()

    for report in ("terminal", "json", "junit", "html", "markdown", "gradescope", "csv"):
        assert desk("check", "stack", "--format", report).code == 0
    assert "0/0 points, 8 of 8 checks pass" in desk("check", "stack").out


def test_credit_is_given_check_by_check(desk: Desk) -> None:
    """The total is the sum of what the lines say."""
    desk.solve(mistake="queue")
    verdict = json.loads(desk("check", "stack", "--format", "json").out)

    assert verdict["score"] == sum(check["points"] for check in verdict["checks"]) == 10
    assert verdict["max_score"] == sum(check["max_points"] for check in verdict["checks"]) == 14
