"""Golden folders: a submission in, the committed verdict out.

`python tests/test_golden.py` writes the verdicts anew; look at what changed before you commit it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from handgrad.catalog import load_course
from handgrad.grade import grade
from handgrad.model import Audience
from handgrad.report import FORMATS
from handgrad.sandbox.starter import WorkerStarter, open_starter
from handgrad.submission import read_submission

HERE = Path(__file__).parent
FOLDERS = sorted(path.parent for path in HERE.glob("golden/*/*/*") if path.suffix in (".py", ".ipynb"))
NEEDS_A_PROCESS = ("ends_python", "hangs")  # they would end or hold up the very process that judges
VARIES = ("level", "versions", "grader_digest", "submission_digest")  # with the machine, and with every edit


def verdict_of(folder: Path, starter: WorkerStarter) -> dict[str, Any]:
    """The verdict of a golden folder's submission as JSON, without what varies."""
    course = load_course(HERE / "course")
    exercise = course.exercise(folder.parent.name)
    patient = exercise.limits._replace(cpu_seconds=0.5, wall_seconds=60.0)  # on a busy machine, too
    exercise = exercise._replace(limits=patient)
    (path,) = (p for p in folder.iterdir() if p.suffix in (".py", ".ipynb"))
    verdict = grade(exercise, read_submission(path), starter=starter, course=course, source=path.name)
    found: dict[str, Any] = json.loads(FORMATS["json"]([verdict], audience=Audience.INSTRUCTOR))
    for check in found["checks"]:
        check["cpu_seconds"] = 0.0
    return {key: value for key, value in found.items() if key not in VARIES}


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkerStarter]:
    """The best sandbox that this machine has."""
    with open_starter() as starter:
        yield starter


def committed(folder: Path) -> Any:
    """The verdict that is committed beside the submission."""
    return json.loads((folder / "verdict.json").read_text("utf-8"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_verdict_is_the_committed_one(folder: Path, worker: WorkerStarter) -> None:
    """The same file gets the same verdict, word for word."""
    assert verdict_of(folder, worker) == committed(folder), "if that is meant: python tests/test_golden.py"


@pytest.mark.parametrize(
    "folder", [f for f in FOLDERS if f.name not in NEEDS_A_PROCESS], ids=lambda folder: folder.name
)
def test_the_verdict_in_process_is_the_same(folder: Path) -> None:
    """The same requests and answers without a pipe: equal by construction, and in fact."""
    with open_starter(0) as starter:
        assert verdict_of(folder, starter) == committed(folder)


if __name__ == "__main__":
    with open_starter() as best:
        for place in FOLDERS:
            text = json.dumps(verdict_of(place, best), indent=1, ensure_ascii=False)
            (place / "verdict.json").write_text(text + "\n", encoding="utf-8")
