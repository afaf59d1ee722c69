"""`pytest graders/<slug> --submission PATH` says, check for check, what `handgrad check` says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from handgrad.catalog import load_course
from handgrad.grade import grade
from handgrad.sandbox.starter import open_starter
from handgrad.submission import read_submission

TOYS = Path(__file__).parent / "course"
SOURCE = Path(__file__).parent.parent / "src"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the toy course, where no configuration of the kit's own tests reaches."""
    return Path(shutil.copytree(TOYS, tmp_path / "a course"))


def run_pytest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """pytest with our plugin and no other, in `folder`."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-m", "pytest", "-p", "handgrad.integrations.pytest_plugin", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def outcomes(folder: Path, *words: str) -> dict[str, bool]:
    """Which checks passed, by the JUnit file that pytest wrote."""
    run_pytest(folder, "--junit-xml=out.xml", *words)
    cases = ElementTree.parse(folder / "out.xml").iter("testcase")
    return {case.attrib["name"]: case.find("failure") is None for case in cases}


SUBMISSIONS = sorted(
    path.relative_to(TOYS)
    for slug in ("stack", "shelf", "amounts")
    for path in [
        TOYS / "solutions" / slug / "solution.py",
        *(TOYS / "graders" / slug / "mistakes").glob("*.py"),
        *(TOYS / "graders" / slug / "variants").glob("*.py"),
    ]
)


def test_pytest_and_the_judge_agree_on_everything(course: Path) -> None:
    """References, mistakes and variants: the same checks pass, in both ways of pytest."""
    loaded = load_course(course)
    told: dict[str, dict[str, bool]] = {}
    with open_starter() as starter:
        for relative in SUBMISSIONS:
            exercise = loaded.exercise(relative.parts[1])
            verdict = grade(exercise, read_submission(course / relative), starter=starter, course=loaded)
            told[str(relative)] = {r.check.name: r.points == r.check.points for r in verdict.results}

    for number, relative in enumerate(SUBMISSIONS):
        ways = [["--in-process"]] if number % 4 else [["--in-process"], []]
        for way in ways:
            found = outcomes(course, f"graders/{relative.parts[1]}", "--submission", str(relative), *way)

            assert found == told[str(relative)], (relative, way)


def test_without_a_submission_the_learners_own_file_is_judged(course: Path) -> None:
    """The starter passes nothing, and says so check by check."""
    done = run_pytest(course, "graders/stack")

    assert done.returncode == 1
    assert "not_started: push puts the item on top." in done.stdout


def test_one_check_can_be_named(course: Path) -> None:
    """pytest's own -k."""
    found = outcomes(course, "graders/stack", "-k", "test_len", "--submission", "solutions/stack/solution.py")

    assert found == {"test_len_counts_the_items": True}


def test_files_beside_the_submission_change_nothing_and_are_named(course: Path) -> None:
    """A conftest.py that rewrites reports, a pytest.ini, a test and a module named as a standard one."""
    mine = course / "work"
    mine.mkdir()
    shutil.copy(course / "graders/stack/mistakes/queue.py", mine / "solution.py")
    forge = "import pytest\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
    forge += "    report = yield\n    report.outcome = 'passed'\n    return report\n"
    (mine / "conftest.py").write_text(forge, "utf-8")
    (mine / "pytest.ini").write_text("[pytest]\naddopts = --co\n", "utf-8")
    (mine / "test_mine.py").write_text("def test_mine(): assert 0\n", "utf-8")
    (mine / "random.py").write_text("raise SystemExit\n", "utf-8")

    done = run_pytest(course, "graders/stack", "--submission=work/solution.py")

    assert done.returncode == 1
    assert "failed" in done.stdout
    for name in ("conftest.py", "pytest.ini", "test_mine.py", "random.py"):
        assert f"`{name}`" in done.stdout


def test_settings_that_pytest_found_beside_the_submission_are_refused(course: Path) -> None:
    """Where nothing else tells pytest its settings, it may look beside any path it is given."""
    mine = course / "work"
    mine.mkdir()
    shutil.copy(course / "solutions/stack/solution.py", mine / "solution.py")
    (mine / "pytest.ini").write_text("[pytest]\naddopts = --co\n", "utf-8")

    done = run_pytest(course, "graders/stack", "--submission", "work/solution.py")

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "with an equals sign" in done.stdout + done.stderr


def test_a_failed_check_reads_as_the_learner_reads_it(course: Path) -> None:
    """The sentence, the example and the hint; of hidden checks the title and the hint."""
    done = run_pytest(course, "graders/stack", "--submission", "graders/stack/mistakes/queue.py")

    assert "expected top to be 3, got 1" in done.stdout
    assert "top = stack.pop()" in done.stdout
    assert "Which end of the list is the top?" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize(
    ("feedback", "said"), [("rule", "failed: pop returns the top item"), ("score", "failed: check ")]
)
def test_an_exam_says_no_more_than_the_command(course: Path, feedback: str, said: str) -> None:
    """`feedback` of course.toml holds here too: no values, no hints, in `score` no titles."""
    settings = course / "course.toml"
    settings.write_text(settings.read_text("utf-8").replace('"full"', f'"{feedback}"'), "utf-8")

    done = run_pytest(course, "graders/stack", "--submission", "graders/stack/mistakes/queue.py")

    assert said in done.stdout
    for secret in ("expected top to be", "Which end of the list", "hint:"):
        assert secret not in done.stdout
    assert feedback == "rule" or "pop returns the top item" not in done.stdout


def test_a_broken_grader_is_nobodys_zero(course: Path) -> None:
    """pytest stops before any check, and says path:line."""
    grader = course / "graders/stack/test_1_stack.py"
    grader.write_text(
        grader.read_text("utf-8").replace("from handgrad.check", "import os\nfrom handgrad.check")
    )

    done = run_pytest(course, "graders/stack")

    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert "test_1_stack.py:3: a grader may not import `os`" in done.stdout + done.stderr


def test_a_renamed_grader_file_does_not_mean_fewer_checks(course: Path) -> None:
    """The totals of exercise.toml are counted before anything runs."""
    (course / "graders/stack/hidden/test_2_use.py").rename(course / "graders/stack/hidden/use.py")

    done = run_pytest(course, "graders/stack")

    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert "promises 8 checks" in done.stdout + done.stderr


def test_a_level_that_is_not_there_is_our_fault(course: Path) -> None:
    """No check fails for it: pytest calls it an error of its own."""
    done = run_pytest(course, "graders/stack", "--in-process", "--require-level", "2")

    assert "level 0, and level 2 is required" in done.stdout


def test_other_tests_stay_pytests(course: Path) -> None:
    """A test file that is no grader is collected as ever."""
    (course / "test_other.py").write_text("def test_one(): assert 1 + 1 == 2\n", "utf-8")

    assert outcomes(course, "test_other.py") == {"test_one": True}
