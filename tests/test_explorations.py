"""What a notebook shows below the checks works with the reference, on a machine that cannot draw as well."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXPLORATIONS = sorted(ROOT.glob("exercises/*/explore.py"))
DRAWING = [path for path in EXPLORATIONS if "matplotlib" in path.read_text("utf-8")]


def run(path: Path) -> None:
    """The cells of an exploration, in order, below the reference."""
    reference = ROOT / "solutions" / path.parent.name / "solution.py"
    namespace = {"__name__": "solution"}
    for part in (reference, path):
        exec(compile(part.read_text("utf-8"), str(part), "exec"), namespace)


@pytest.mark.parametrize("path", DRAWING, ids=lambda path: path.parent.name)
def test_without_matplotlib_a_line_says_so_and_numbers_follow(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The plots are left out, not the lesson."""
    for name in ("matplotlib", "matplotlib.pyplot"):
        monkeypatch.setitem(sys.modules, name, None)

    run(path)

    _, said, numbers = capsys.readouterr().out.partition(
        "there is no matplotlib here, so instead of the plot"
    )
    assert said
    assert len(numbers.splitlines()) > 3


def test_a_backward_pass_costs_a_small_multiple(capsys: pytest.CaptureFixture[str]) -> None:
    """The array engine's notebook prints a row for each width, and slopes measured as they were computed."""
    run(ROOT / "exercises/array_engine/explore.py")

    lines = capsys.readouterr().out.splitlines()
    assert sum("times that" in line for line in lines) == 5
    slopes = [line.partition("measured ")[2].split(", computed ") for line in lines if "measured" in line]
    assert [float(a) for a, _ in slopes] == pytest.approx([float(b) for _, b in slopes], abs=1e-4)
    assert len(slopes) == 2
