"""A sandbox that gets warm before anything else, and the core that judge and workers share."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from judging import DOUBLE, LINUX, exercise_of, loaded, submission

from handgrad.__main__ import preload_of, start_early
from handgrad.judge.session import Session
from handgrad.model import Status
from handgrad.sandbox.core import SharedCore, stay_on
from handgrad.sandbox.launch import environment, options
from handgrad.sandbox.starter import ZygoteStarter, open_starter

pytestmark = pytest.mark.skipif(not LINUX, reason="only Linux has a zygote, and cores to choose from")

CORES = sorted(os.sched_getaffinity(0)) if LINUX else []
CHECKS = loaded(DOUBLE)


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("preload = []\n", []),
        ("", []),
        ('preload = ["numpy", "numpy.random"]\n', ["numpy", "numpy.random"]),
        ('# preload = ["numpy"]\n', []),
        ('preload = "numpy"\n', []),
        ("preload = [1]\n", []),
    ],
)
def test_what_an_exercise_asks_for_is_read(
    text: str, modules: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the reader of courses, which would have to be imported first."""
    (tmp_path / "exercises" / "one").mkdir(parents=True)
    (tmp_path / "exercises" / "one" / "exercise.toml").write_text(f'format = 1\n{text}title = "x"\n')
    monkeypatch.chdir(tmp_path)

    assert preload_of("one") == modules
    assert preload_of("two") == preload_of("--plain") == preload_of("") == []


@pytest.mark.parametrize(
    "words", [[], ["grade", "x"], ["check", "--help"], ["check", "-h"], ["check", "--in-process"]]
)
def test_what_needs_no_sandbox_starts_none(words: list[str]) -> None:
    """Nor do commands that open theirs later."""
    assert start_early(words) is None


@pytest.mark.parametrize(
    "text",
    [
        'preload = ["there_is_no_such_module"]\n',
        "preload = [\n",
        "preload = ['\0']\n",
        "preload = " + "[" * 100_000,
    ],
    ids=["not installed", "no TOML", "no name", "nested"],
)
def test_what_is_wrong_is_left_to_be_told_later(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command says it well when the exercise's turn comes."""
    (tmp_path / "exercises" / "one").mkdir(parents=True)
    (tmp_path / "exercises" / "one" / "exercise.toml").write_text(text)
    (tmp_path / "course.toml").write_text("")
    monkeypatch.chdir(tmp_path)

    assert start_early(["check", "one"]) is None


def test_only_names_of_exercises_are_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path among the words is that of a learner's work, whatever lies there."""
    (tmp_path / "exercises" / "one").mkdir(parents=True)
    (tmp_path / "exercises" / "one" / "exercise.toml").write_text('preload = ["numpy"]\n')
    monkeypatch.chdir(tmp_path)

    words = [str(tmp_path / "exercises" / "one"), "../exercises/one", "./one", "one/", "one\0", ".", ".."]

    assert preload_of("one") == ["numpy"]
    assert [preload_of(word) for word in words] == [[]] * len(words)


def test_modules_are_found_wherever_they_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package, a module of one file, a module that is part of Python itself: no folder that is none."""
    (tmp_path / "site" / "many").mkdir(parents=True)
    (tmp_path / "site" / "many" / "__init__.py").write_text("")
    (tmp_path / "site" / "single.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path / "site")

    paths = options(1, ["many", "single", "sys"])["paths"]

    assert paths == [str(tmp_path / "site")]


def test_an_early_zygote_does_the_work() -> None:
    """It is taken over as it is."""
    early = start_early(["check"])
    assert early is not None

    with (
        ZygoteStarter(early) as starter,
        Session(exercise_of(), submission("def double(n):\n    return 2 * n\n"), starter=starter) as session,
    ):
        result = session.run(CHECKS[0])

    assert result.status is Status.PASSED
    with pytest.raises(ChildProcessError):
        os.waitpid(early.pid, os.WNOHANG)  # reaped: nothing of it is left


@pytest.mark.skipif(len(CORES) < 2, reason="one core is shared anyway")
class TestSharedCore:
    """Judge and workers take turns, so a second core would only make each wait for the other's wake-up."""

    def test_a_session_holds_one_core_and_gives_the_others_back(self) -> None:
        """The judge and its worker share it; afterwards the judge may go where it could before."""
        where = "import os\ndef double(n):\n    return 2 * n if len(os.sched_getaffinity(0)) == 1 else 0\n"
        with (
            open_starter() as starter,
            Session(exercise_of(), submission(where), starter=starter) as session,
        ):
            result = session.run(CHECKS[0])
            held = os.sched_getaffinity(0)
            session.close()
            between = os.sched_getaffinity(0)

        assert result.status is Status.PASSED
        assert len(held) == 1
        assert sorted(between) == sorted(os.sched_getaffinity(0)) == CORES

    def test_holding_twice_is_holding_once(self) -> None:
        """The second hold must not take the first one's core for all there was."""
        core = SharedCore()

        core.hold()
        core.hold()
        core.release()
        core.release()

        assert sorted(os.sched_getaffinity(0)) == CORES

    def test_a_core_that_was_given_is_kept(self) -> None:
        """A process that may use one core only gives none back."""
        try:
            os.sched_setaffinity(0, CORES[:1])
            core = SharedCore()
            core.hold()
            number = core.number
            core.release()

            assert number == CORES[0]
            assert sorted(os.sched_getaffinity(0)) == CORES[:1]
        finally:
            os.sched_setaffinity(0, CORES)

    def test_only_the_calling_thread_is_held(self) -> None:
        """A server's other threads go on as before."""
        seen: list[set[int]] = []

        def hold() -> None:
            SharedCore().hold()
            seen.append(os.sched_getaffinity(0))

        other = threading.Thread(target=hold)
        other.start()
        other.join()

        assert len(seen[0]) == 1
        assert sorted(os.sched_getaffinity(0)) == CORES

    def test_a_core_that_is_not_there_is_no_fault(self) -> None:
        """Slow is better than not at all."""
        stay_on(100_000)
        stay_on(None)

        assert sorted(os.sched_getaffinity(0)) == CORES


def test_a_zygote_writes_no_bytecode_where_we_may_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout that must stay as it is stays so; otherwise the next start is quicker."""
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    assert environment()["PYTHONDONTWRITEBYTECODE"] == "1"

    monkeypatch.setattr("sys.dont_write_bytecode", False)
    assert "PYTHONDONTWRITEBYTECODE" not in environment()
