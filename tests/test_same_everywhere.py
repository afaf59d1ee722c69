"""One answer, whoever asks: the judge, `handgrad grade`, pytest; today and the twentieth time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from handgrad.catalog import load_course
from handgrad.grade import all_checks, grade, stubs_of
from handgrad.judge.session import Session
from handgrad.model import Status
from handgrad.sandbox.starter import open_starter
from handgrad.submission import read_submission

ROOT = Path(__file__).parent.parent
SLUG = "scalar_engine"
BANK = ROOT / "graders" / SLUG
PATHS = [
    ROOT / "solutions" / SLUG / "solution.py",
    *sorted((BANK / "mistakes").glob("*.py")),
    *sorted((BANK / "variants").glob("*.py")),
]
# pytest.main for each submission in one process: a process each would cost a minute.
PYTEST_FOR_EACH = """
import contextlib, io, json, sys
import pytest

class Collect:
    def __init__(self): self.found = {}
    def pytest_runtest_logreport(self, report):
        if report.when == "call": self.found[report.nodeid.split("::")[-1]] = report.passed

told = {}
plugin = "handgrad.integrations.pytest_plugin"
plain = ["-q", "-p", "no:cacheprovider", "-p", "no:unraisableexception", "-p", "no:threadexception"]
for path in sys.argv[3:]:
    collect = Collect()
    words = ["-p", plugin, *plain, sys.argv[1], f"--submission={path}", *sys.argv[2].split()]
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(words, plugins=[collect])
    told[path] = collect.found
print(json.dumps(told))
"""


def sways(path: Path) -> bool:
    """Whether the order of a set may decide what fails."""
    return "may fail" in path.read_text("utf-8")


@pytest.fixture(scope="module")
def verdicts() -> dict[str, dict[str, bool]]:
    """By submission and check: does it pass, says the judge, at the best level of this machine."""
    course = load_course(ROOT)
    exercise = course.exercise(SLUG)
    told = {}
    with open_starter() as starter:
        for path in PATHS:
            verdict = grade(exercise, read_submission(path), starter=starter, course=course)
            assert verdict.ungraded == ""
            told[str(path)] = {r.check.name: r.status is Status.PASSED for r in verdict.results}
    return told


def test_the_whole_bank_is_there(verdicts: dict[str, dict[str, bool]]) -> None:
    """Mistakes fail something, variants and the reference nothing."""
    for path, passed in verdicts.items():
        assert all(passed.values()) is (Path(path).parent.name != "mistakes"), path


def test_grade_says_the_same(verdicts: dict[str, dict[str, bool]], tmp_path: Path) -> None:
    """A folder of all of them, on all cores: each gets the verdict it gets alone."""
    for path in PATHS:
        shutil.copy(path, tmp_path / f"{path.parent.name}-{path.stem}.py")
    command = [sys.executable, "-m", "handgrad", "grade", SLUG, str(tmp_path), "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    level = [] if _level() >= 2 else ["--require-level", str(_level())]
    done = subprocess.run([*command, *level], cwd=ROOT, env=environment, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    told = {}
    for line in done.stdout.splitlines():
        verdict = json.loads(line)
        told[verdict["learner"]] = {r["name"]: r["status"] == "passed" for r in verdict["checks"]}
    assert told == {
        f"{path.parent.name}-{path.stem}": passed
        for path, passed in ((Path(p), v) for p, v in verdicts.items())
    }


def _level() -> int:
    with open_starter() as starter:
        return starter.level


@pytest.mark.parametrize("way", ["", "--in-process"])
def test_pytest_says_the_same(way: str, verdicts: dict[str, dict[str, bool]]) -> None:
    """`pytest graders/scalar_engine --submission PATH` passes and fails the same checks.

    Those that never end are left out: in pytest's own process nothing could end them. There, every third
    is tried: doctor runs them all in-process.
    """
    ending = [p for p in PATHS if not sways(p) and verdicts[str(p)]["test_many_paths_take_no_time"]]
    steady = ending[::3] if way else ending
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", PYTEST_FOR_EACH, str(BANK), way, *map(str, steady)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )

    told = json.loads(done.stdout.splitlines()[-1])
    assert told == {str(path): verdicts[str(path)] for path in steady}


def test_twenty_runs_give_equal_verdicts() -> None:
    """In four sandboxes, five times each. Where the order of a set decides, the same checks fail each time."""
    course = load_course(ROOT)
    exercise = course.exercise(SLUG)
    steady, swaying = (BANK / "mistakes" / f"s11_calls_while_walking{end}.py" for end in ("", "_a_set"))
    told = set()
    for _ in range(4):
        with open_starter() as starter:
            for _ in range(5):
                one = grade(exercise, read_submission(steady), starter=starter, course=course)
                other = grade(exercise, read_submission(swaying), starter=starter, course=course)
                messages = tuple((r.status, r.message) for r in one.results)
                told.add((messages, tuple(r.status for r in other.results)))

    assert len(told) == 1


def test_the_battery_costs_less_than_four_hundred_requests() -> None:
    """A submission of the scalar battery is judged in so many round trips."""
    course = load_course(ROOT)
    exercise = course.exercise(SLUG)
    submission = read_submission(exercise.reference_path)
    with (
        open_starter() as starter,
        Session(exercise, submission, starter=starter, stubs=stubs_of(exercise)) as session,
    ):
        results = [session.run(check) for check in all_checks(exercise)]

    assert all(r.status is Status.PASSED for r in results)
    assert 100 < session.requests < 400
