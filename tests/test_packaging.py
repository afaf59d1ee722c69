"""What lies in the two distributions, and what the Makefile says on machines that lack something."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
OLD_PYTHONS = [
    *(shutil.which(name) for name in ("python2", "python2.7", "python3.9", "python3.10")),
    *(
        str(path)
        for old in ("2.7.*", "3.6.*", "3.10.*")
        for path in Path.home().glob(f".pyenv/versions/{old}/bin/python")
    ),
]


def wheel_files(project: Path, folder: Path) -> list[str]:
    """The files of the wheel built from `project`, without its dist-info."""
    pytest.importorskip("hatchling")
    build = f"import hatchling.build as b; print(b.build_wheel({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", build], cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(folder / done.stdout.strip().splitlines()[-1]) as wheel:
        return sorted(name for name in wheel.namelist() if ".dist-info/" not in name)


def tracked(folder: str) -> list[str]:
    """The committed files below a folder of the repository."""
    done = subprocess.run(["git", "ls-files", "-z", folder], cwd=TOP, capture_output=True, text=True)
    return sorted(name for name in done.stdout.split("\0") if name and (TOP / name).exists())


def test_the_tool_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    """No exercise, grader, reference or mistake is inside `handgrad`, and nothing of the package is missing."""
    files = wheel_files(TOP, tmp_path)

    assert files == [name.removeprefix("src/") for name in tracked("src/handgrad")]


def test_the_course_holds_exercises_graders_and_references(tmp_path: Path) -> None:
    """`handgrad_course` is what lies in the course's folders, plus one file that says where it is."""
    files = wheel_files(TOP / "packaging/course", tmp_path)

    content = [name for kind in ("exercises", "graders", "notebooks", "solutions") for name in tracked(kind)]
    own = ["LICENSE", "__init__.py", "__main__.py", "course.toml"]
    assert files == sorted(f"handgrad_course/{name}" for name in content + own)


def test_the_course_lays_itself_out_once(tmp_path: Path) -> None:
    """An installed course becomes a folder of one's own, and nothing is written over."""
    wheel_files(TOP / "packaging/course", tmp_path)
    wheel = next(tmp_path.glob("*.whl"))
    command = [sys.executable, "-m", "handgrad_course", tmp_path / "mine"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")

    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True) for _ in range(2)
    )

    assert (first.returncode, second.returncode) == (0, 2)
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == sorted(
        ["LICENSE", "course.toml", "exercises", "graders", "notebooks", "solutions"]
    )


def test_both_distributions_have_one_version() -> None:
    """The course is written against the tool it is released with."""
    import handgrad

    text = (TOP / "packaging/course/pyproject.toml").read_text("utf-8")

    assert f'version = "{handgrad.__version__}"' in text


@pytest.mark.parametrize("name", ["dev.txt", "grade.txt"])
def test_pins_name_no_address_and_hash_everything(name: str) -> None:
    """A pin is a name, a version and hashes; where it comes from is the reader's choice."""
    text = (TOP / "requirements" / name).read_text("utf-8")

    pins = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert "://" not in text
    assert "--index" not in text
    assert all(
        re.match(r"[a-z0-9._-]+(\[[a-z0-9,_-]+\])?==\S+", pin) and "--hash=sha256:" in pin for pin in pins
    )


def test_pins_name_the_extras_that_are_asked_for() -> None:
    """Else pip looks for the package with its extra by itself, finds the newest, and has no hash for it."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    text = (TOP / "requirements" / "dev.txt").read_text("utf-8")
    pins = [Requirement(line.rstrip(" \\")) for line in text.splitlines() if line[:1].strip()]
    extras = {canonicalize_name(pin.name): pin.extras for pin in pins}

    asked = [
        (distribution.name, wanted)
        for distribution in metadata.distributions()
        if canonicalize_name(distribution.name) in extras
        for wanted in map(Requirement, distribution.requires or ())
        if wanted.extras and (wanted.marker is None or wanted.marker.evaluate({"extra": ""}))
    ]

    assert asked
    for name, wanted in asked:
        assert wanted.extras <= extras[canonicalize_name(wanted.name)], f"{name} asks for {wanted}"


@pytest.mark.parametrize("python", [path for path in OLD_PYTHONS if path])
def test_an_old_python_is_told_in_one_sentence(python: str) -> None:
    """Even Python 2.7 can read the file that says it is too old."""
    done = subprocess.run([python, TOP / "tools/python_ready.py"], capture_output=True, text=True)

    if "pyenv: " in done.stderr:
        pytest.skip("only a shim of that name is here")
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (2, 1)
    assert "needs Python 3.11 or newer" in done.stderr


@pytest.mark.parametrize("python", [path for path in OLD_PYTHONS if path])
def test_an_old_python_is_told_by_the_command_too(python: str) -> None:
    """Without make nothing else asks which Python it is."""
    environment = {**os.environ, "PYTHONPATH": str(TOP / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [python, "-m", "handgrad", "check"], capture_output=True, text=True, env=environment
    )

    if "pyenv: " in done.stderr:
        pytest.skip("only a shim of that name is here")
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (2, 1)
    assert "needs Python 3.11 or newer" in done.stderr
    assert "python3.12 -m handgrad check" in done.stderr


def test_a_python_without_ensurepip_is_told_what_to_install() -> None:
    """Debian's python3 alone cannot make a virtual environment, and the sentence names the package."""
    block = "import sys, runpy; sys.modules['ensurepip'] = None; sys.argv[1:] = ['--venv']; "
    block += f"runpy.run_path({str(TOP / 'tools/python_ready.py')!r}, run_name='__main__')"

    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True)

    assert (done.returncode, done.stdout) == (2, "")
    assert "apt install python3-venv" in done.stderr


def test_this_python_is_ready() -> None:
    """Nothing is said where nothing is missing."""
    done = subprocess.run([sys.executable, TOP / "tools/python_ready.py"], capture_output=True, text=True)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def make(*words: str, folder: Path = TOP) -> subprocess.CompletedProcess[str]:
    """`make` as a person calls it: not as a part of another make, whose ARGS are for its tests."""
    outer = ("MAKE", "PYTHON", "ARGS")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(outer)}
    return subprocess.run(["make", *words], cwd=folder, capture_output=True, text=True, env=clean)


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
class TestMake:
    """The Makefile, without setting anything up."""

    def test_make_alone_lists_every_command(self) -> None:
        """What a newcomer types first answers with what there is."""
        text = make().stdout

        targets = re.findall(r"^([a-z]+):.*## ", (TOP / "Makefile").read_text("utf-8"), flags=re.MULTILINE)
        assert set(re.findall(r"^  ([a-z]+) ", text, flags=re.MULTILINE)) == set(targets)
        assert {"check", "watch", "release", "autograde", "grade", "doctor", "test"} <= set(targets)

    def test_a_python_that_is_not_there_is_one_sentence(self) -> None:
        """The name that was given is repeated, and how to give another."""
        done = make("check", "PYTHON=python9.9")

        assert done.returncode == 2
        assert done.stderr.startswith("there is no python9.9 here: ")

    def test_a_command_for_one_exercise_asks_which(self) -> None:
        """Nothing is set up before the question."""
        done = make("grade")

        assert done.returncode == 2
        assert "say which exercise, as in `make grade EX=scalar_engine`" in done.stderr

    @pytest.mark.parametrize("command", ["check", "hint", "watch", "start", "reset", "doctor"])
    def test_a_slug_among_the_goals_is_the_exercise(self, command: str) -> None:
        """It is what a beginner types; what EX says goes first."""
        assert f"-m handgrad {command} array_engine" in make("-n", command, "array_engine").stdout
        both = make("-n", command, "array_engine", "EX=stack")
        assert "both `array_engine` and EX=stack are named" in both.stderr

    @pytest.mark.parametrize("word", ["array_engine/", "exercises/array_engine", "exercises/array_engine/"])
    def test_a_folder_among_the_goals_is_the_exercise(self, word: str) -> None:
        """As a shell completes it; the command takes it for the name."""
        assert f"-m handgrad check {word}" in make("-n", "check", word).stdout

    def test_a_slug_alone_does_nothing_and_says_so(self) -> None:
        """Success would look like an answer."""
        done = make("array_engine")

        assert done.returncode == 2
        assert "say what to do with it, as in `make check array_engine`" in done.stderr

    def test_a_new_exercise_may_be_named_among_the_goals(self) -> None:
        """There is none of its name yet."""
        assert "-m handgrad new my_slug" in make("-n", "new", "my_slug").stdout

    def test_several_slugs_among_the_goals_are_several_exercises(self) -> None:
        """Or the question which, in words that can be typed."""
        both = "array_engine", "scalar_engine"

        assert "-m handgrad check array_engine scalar_engine" in make("-n", "check", *both).stdout
        assert "as in `make reset EX=scalar_engine`" in make("reset", *both).stderr

    def test_a_slug_among_the_goals_hides_no_failure(self) -> None:
        """The exit code is the command's, and nothing is said of a target that is not there."""
        done = make("reset", "array_engine", "PYTHON=python9.9")

        assert done.returncode == 2
        assert done.stderr.count("there is no python9.9 here: ") == 1
        assert "No rule" not in done.stderr

    def test_a_misspelt_slug_among_the_goals_is_told(self) -> None:
        """Before anything is checked in its place."""
        done = make("hint", "array_engin", "PYTHON=python9.9")

        assert done.returncode == 2
        assert "there is no command or exercise `array_engin`: `make help` lists the commands" in done.stderr
        assert "there is no python9.9" not in done.stderr

    def test_what_a_person_types_reaches_the_command_as_one_word(self) -> None:
        """A path with a blank, a quote or a dollar-less shell character stays one argument."""
        done = make("-n", "check", "EX=toy", "SUBMISSION=my 'work'; rm x/solution.py")

        assert r"--submission 'my '\''work'\''; rm x/solution.py'" in done.stdout

    @pytest.mark.parametrize(("stamp", "left"), [("lecture.py", True), (".handgrad-demo", False)])
    def test_cleaning_leaves_a_demo_of_ones_own(self, stamp: str, left: bool, tmp_path: Path) -> None:
        """Only the folder that `make demo` made goes."""
        shutil.copy(TOP / "Makefile", tmp_path)
        (tmp_path / "demo").mkdir()
        (tmp_path / "demo" / stamp).touch()

        done = make("clean", folder=tmp_path)

        assert done.returncode == 0, done.stderr
        assert (tmp_path / "demo").exists() is left


def test_the_readme_shows_a_real_report() -> None:
    """The failing report on the first screen is what the command says today."""
    done = subprocess.run(
        [sys.executable, "tools/readme_report.py", "--check"],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "lacks"),
    [
        (["array_engine"], 0),
        (["exercises/array_engine/"], 0),
        (["scalar_engine"], 1),
        (["--all"], 0),
        ([], 1),
        (["nothing"], 1),
    ],
)
def test_numpy_is_set_up_only_for_an_exercise_that_needs_it(
    words: list[str], lacks: int, tmp_path: Path
) -> None:
    """Asked of a Python without it: by name, for all, and not while no such exercise was started."""
    for folder in ("tools", "exercises", "solutions"):
        shutil.copytree(TOP / folder, tmp_path / folder)
    environment = {**os.environ, "PYTHONPATH": str(TOP / "src")}

    done = subprocess.run([sys.executable, "-S", tmp_path / "tools/lacks_numpy.py", *words], env=environment)

    assert done.returncode == lacks


@pytest.mark.parametrize("kind", ["begun", "changed", "a pipe", "endless"])
def test_numpy_is_set_up_once_such_an_exercise_is_started(kind: str, tmp_path: Path) -> None:
    """`start` was said, or a solution.py is not the starter, whatever else it is."""
    for folder in ("tools", "exercises", "solutions"):
        shutil.copytree(TOP / folder, tmp_path / folder)
    own = tmp_path / "exercises/array_engine/solution.py"
    if kind == "begun":
        (tmp_path / ".handgrad").mkdir()
        (tmp_path / ".handgrad/started.json").write_text('{"array_engine": true}')
    else:
        own.unlink()
    if kind == "begun":
        pass
    elif kind == "changed":
        own.write_text("import numpy\n")
    elif not hasattr(os, "mkfifo"):
        pytest.skip("there are no such files here")
    elif kind == "a pipe":
        os.mkfifo(own)
    else:
        own.symlink_to("/dev/zero")
    environment = {**os.environ, "PYTHONPATH": str(TOP / "src")}

    command = [sys.executable, "-S", tmp_path / "tools/lacks_numpy.py"]
    done = subprocess.run(command, env=environment, timeout=60)

    assert done.returncode == 0


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
class TestAnotherFolder:
    """The kit as a newcomer has it: a copy in a folder with a blank and an umlaut in its name."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """The committed files that a learner needs."""
        copy = tmp_path / "mein köln kurs"
        copy.mkdir()
        for name in ("Makefile", "course.toml"):
            shutil.copy(TOP / name, copy)
        for name in ("src", "tools", "exercises", "graders", "solutions", "requirements"):
            shutil.copytree(TOP / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        return copy

    def test_check_needs_nothing_installed(self, folder: Path) -> None:
        """The reference passes whole, and no virtual environment is made."""
        right = "solutions/scalar_engine/solution.py"

        done = make(
            "check", "EX=scalar_engine", f"SUBMISSION={right}", f"PYTHON={sys.executable}", folder=folder
        )

        assert done.returncode == 0, done.stdout + done.stderr
        assert "20/20 points, 20 of 20 checks pass" in done.stdout
        assert not (folder / ".venv").exists()

    def test_nothing_started_names_the_first_exercise(self, folder: Path) -> None:
        """What to read, where to write, and what to say next, in commands that work here."""
        done = make("check", f"PYTHON={sys.executable}", folder=folder)

        assert done.returncode == 2
        assert done.stdout.startswith("chain_rule: not started")
        assert "`make check`" in done.stdout

    def test_a_second_run_sets_nothing_up(self, folder: Path) -> None:
        """Once the virtual environment is ready only newer pins make it again."""
        (folder / ".venv").mkdir()
        for stamp in ("grade-ready", "ready"):
            (folder / ".venv" / stamp).touch()

        again = make("-n", "test", folder=folder).stdout
        os.utime(folder / "requirements/dev.txt", (2_000_000_000, 2_000_000_000))
        newer = make("-n", "test", folder=folder).stdout

        assert "pip install" not in again
        assert "pip install" in newer
