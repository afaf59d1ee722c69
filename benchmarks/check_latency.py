"""How long a learner waits: `handgrad check` of the reference beside what else answers the same question.

    python benchmarks/check_latency.py [--rounds 15]

Every round runs each command once, so that whatever else the machine does meets all of them alike; medians
are printed. The rows: a bare `python -c pass`; `handgrad check` of the scalar engine's reference, in workers
(what a learner gets) and in this process; plain pytest of the same checks, in a venv of its own that holds
pytest and handgrad only; and check50 asking the same questions, where it can be installed.
Goal: `handgrad check` takes at most 0.6 of plain pytest.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SLUG = "scalar_engine"
REFERENCE = ROOT / "solutions" / SLUG / "solution.py"
GOAL = 0.6

CONFTEST = """\
import random

import pytest

import solution


@pytest.fixture
def Value():
    return solution.Value


@pytest.fixture
def rng(request):
    return random.Random(request.node.name)
"""

CHECK50_CONFIG = """\
check50:
  files:
    - !exclude "*"
    - !require solution.py
"""


class Row(NamedTuple):
    """One command, where it runs, and the exit code of a full pass."""

    name: str
    command: list[str]
    folder: Path
    shows: str = ""  # what stands in the output when everything passed
    code: int = 0


class Took(NamedTuple):
    """Seconds of one run, the CPU's with those of the processes it waited for (none on Windows)."""

    wall: float
    cpu: float


def main() -> int:
    """Print the table; 1 when the goal is missed."""
    parser = argparse.ArgumentParser(description="How long a learner waits for an answer.")
    parser.add_argument("--rounds", type=int, default=15, help="how often each command is run (default 15)")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        rows, left_out = prepare(Path(folder))
        times = measure(rows, rounds)
    plain = middle(times["plain pytest"])
    print(f"medians of {rounds}                  ms   of plain pytest   fastest   slowest    CPU ms")
    for row in rows:
        walls = [took.wall * 1e3 for took in times[row.name]]
        cpu = statistics.median(took.cpu * 1e3 for took in times[row.name])
        share = middle(times[row.name]) / plain
        print(
            f"{row.name:28}{statistics.median(walls):6.0f}{share:18.2f}{min(walls):10.0f}{max(walls):10.0f}{cpu:10.0f}"
        )
    for reason in left_out:
        print(reason)
    share = middle(times["handgrad check"]) / plain
    print(f"goal: at most {GOAL} of plain pytest: {'met' if share <= GOAL else 'missed'} ({share:.2f})")
    return 0 if share <= GOAL else 1


def middle(times: list[Took]) -> float:
    """The median of the wall seconds."""
    return statistics.median(took.wall for took in times)


def prepare(folder: Path) -> tuple[list[Row], list[str]]:
    """The rows that can be run here, and a line for each that cannot."""
    check = ["check", SLUG, "--submission", str(REFERENCE)]
    rows = [
        Row("python -c pass", [sys.executable, "-c", "pass"], folder),
        Row("handgrad check", [sys.executable, "-m", "handgrad", *check], ROOT, "20/20"),
        Row(
            "handgrad check --in-process",
            [sys.executable, "-m", "handgrad", *check, "--in-process"],
            ROOT,
            "20/20",
        ),
    ]
    left_out: list[str] = []
    for name, make in (("plain pytest", plain_pytest), ("check50", check50)):
        place = folder / name.replace(" ", "_")
        place.mkdir()
        try:
            rows.append(make(name, place))
        except (subprocess.CalledProcessError, OSError) as error:
            left_out.append(f"{name}: left out, it cannot be installed here ({type(error).__name__})")
    if len(left_out) and left_out[0].startswith("plain pytest"):
        sys.exit(left_out[0])
    return rows, left_out


def plain_pytest(name: str, folder: Path) -> Row:
    """The same grader files as plain tests of the file beside them, in a venv with nothing else in it."""
    python = venv(folder, "pytest")
    work = folder / "work"
    work.mkdir()
    (work / "conftest.py").write_text(CONFTEST, "utf-8")
    shutil.copy(REFERENCE, work / "solution.py")
    for path in sorted((ROOT / "graders" / SLUG).glob("**/test_*.py")):
        shutil.copy(path, work / path.name)
    return Row(name, [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "."], work, "20 passed")


def check50(name: str, folder: Path) -> Row:
    """The same questions as check50 checks, each of which is a process of its own by design."""
    python = venv(folder, "check50")
    problem, work = folder / "problem", folder / "work"
    problem.mkdir()
    work.mkdir()
    shutil.copy(REFERENCE, work / "solution.py")
    (problem / ".cs50.yml").write_text(CHECK50_CONFIG, "utf-8")
    (problem / "__init__.py").write_text("\n".join(check50_lines()), "utf-8")
    return Row(
        name, [str(python), "-m", "check50", "--dev", "--local", "-o", "json", "--", str(problem)], work
    )


def check50_lines() -> list[str]:
    """A check50 problem that runs every grader function on the learner's module."""
    lines = ["import random, sys", f"sys.path.insert(0, {str(ROOT / 'src')!r})", "import check50"]
    for path in sorted((ROOT / "graders" / SLUG).glob("**/test_*.py")):
        lines.append(path.read_text("utf-8"))
    questions = [line for text in lines for line in text.split("\n") if line.startswith("def test_")]
    for question in questions:
        test = question.removeprefix("def ").partition("(")[0]
        wanted = [word.strip() for word in question.partition("(")[2].rpartition(")")[0].split(",")]
        values = ", ".join("random.Random(1)" if word == "rng" else f"module.{word}" for word in wanted)
        lines += [
            "",
            "@check50.check()",
            f"def {test.removeprefix('test_')}():",
            f'    """{test}"""',
            "    import check50.py",
            '    module = check50.py.import_("solution.py")',
            f"    {test}({values})",
        ]
    return [*lines, ""]


def venv(folder: Path, package: str) -> Path:
    """A venv with `package` and, by a .pth file, this copy of handgrad; its Python."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True, capture_output=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]
    subprocess.run(pip, check=True, capture_output=True)
    where = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    packages = subprocess.run([str(python), "-c", where], check=True, capture_output=True, text=True).stdout
    (Path(packages.strip()) / "handgrad.pth").write_text(f"{ROOT / 'src'}\n", "utf-8")
    return python


def measure(rows: list[Row], rounds: int) -> dict[str, list[Took]]:
    """Wall seconds of every command, `rounds` times in turn, after one run each that is not counted."""
    environment = {
        k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS")
    }
    environment["PYTHONPATH"] = str(ROOT / "src")
    times: dict[str, list[float]] = {row.name: [] for row in rows}
    for number in range(-1, rounds):
        for row in rows:
            took, done = run(row, environment)
            if done.returncode != row.code or (row.shows and row.shows not in done.stdout):
                sys.exit(
                    f"{row.name}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
                )
            if number >= 0:
                times[row.name].append(took)
    return times


def run(row: Row, environment: dict[str, str]) -> tuple[Took, subprocess.CompletedProcess[str]]:
    """Run a row's command once."""
    before, started = os.times(), time.perf_counter()
    done = subprocess.run(row.command, cwd=row.folder, env=environment, capture_output=True, text=True)
    wall, after = time.perf_counter() - started, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Took(wall, cpu), done


if __name__ == "__main__":
    sys.exit(main())
