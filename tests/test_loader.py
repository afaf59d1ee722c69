"""Grader files are compiled by handgrad's loader; what is wrong with one is told to its author."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from judging import exercise_of, loaded, submission

from handgrad.errors import ExerciseError
from handgrad.judge import loader
from handgrad.judge.loader import grader_digest, load_checks, load_text
from handgrad.judge.session import Session
from handgrad.model import Exercise
from handgrad.sandbox.starter import open_starter

GOOD = '@check(points=2, hint=("one", "two"))\ndef test_a(f):\n    """Title.\n\n    More."""\n    x = 1\n\n    y = f(x)\n\n    assert y == 1\n'


def test_a_check_is_read_whole() -> None:
    """Name, title, points, hints, place, and the lines a learner may read."""
    (item,) = loaded(GOOD)

    check = item.check
    assert (check.name, check.title, check.points, check.hints, check.line) == (
        "test_a",
        "Title.",
        2,
        ("one", "two"),
        4,
    )
    assert (item.parameters, item.example) == (("f",), ("x = 1", "y = f(x)"))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def test_a(f:\n", "test_toy.py:3: "),
        ('def test_a(f):\n    """t."""\n', "`test_a` has no @check"),
        ('@check(points=1, hint="x")\ndef test_a(f):\n    assert 1\n', "has no docstring"),
        ('@check(points=1.5, hint="x")\ndef test_a(f):\n    """t."""\n', "`points` must be a whole number"),
        ('@check(points=-1, hint="x")\ndef test_a(f):\n    """t."""\n', "must not be negative"),
        ('@check(points=1, hint=" ")\ndef test_a(f):\n    """t."""\n', "`hint` must be a sentence"),
        ("import os\n", "a grader may not import `os`"),
        ("from subprocess import run as r\n", "a grader may not import `subprocess`"),
        ("from handgrad.sandbox import starter\n", "a grader may not import `handgrad.sandbox`"),
        ("import handgrad\n", "a grader may not import `handgrad`"),
        ("1 / 0\n", "ZeroDivisionError"),
    ],
)
def test_a_broken_grader_is_the_authors_to_mend(source: str, words: str) -> None:
    """path:line, and what is wrong."""
    with pytest.raises(ExerciseError, match="test_toy.py") as caught:
        loaded(source)

    assert words in str(caught.value)


def exercise_in(root: Path, files: dict[str, str]) -> Exercise:
    """An exercise whose grader files are these."""
    for name, text in files.items():
        path = root / "graders" / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("from handgrad.check import check\n" + text, encoding="utf-8")
    return Exercise("toy", root, (root,), "Toy", "easy", "", 1, 1)


def test_visible_checks_come_first_in_file_order(tmp_path: Path) -> None:
    """Files by name, checks by place, hidden ones behind."""
    files = {
        "test_2.py": GOOD,
        "test_1.py": GOOD.replace("test_a", "test_z") + GOOD.replace("test_a", "test_b"),
        "hidden/test_0.py": GOOD.replace("test_a", "test_h"),
    }

    names = [(item.check.name, item.check.hidden) for item in load_checks(exercise_in(tmp_path, files))]

    assert names == [("test_z", False), ("test_b", False), ("test_a", False), ("test_h", True)]


def test_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    """A grader that an editor saved its own way is the same grader."""
    exercise = exercise_in(tmp_path, {"test_1.py": GOOD})
    plain = described(exercise)
    path = tmp_path / "graders/toy/test_1.py"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))

    assert described(exercise) == plain


def test_a_name_used_twice_is_refused(tmp_path: Path) -> None:
    """A name is a grade's id, in hidden files too."""
    with pytest.raises(ExerciseError, match="is used already"):
        load_checks(exercise_in(tmp_path, {"test_1.py": GOOD, "hidden/test_2.py": GOOD}))


def test_the_digest_follows_graders_and_limits(tmp_path: Path) -> None:
    """Another grader text is another digest; the same is the same."""
    exercise = exercise_in(tmp_path, {"test_1.py": GOOD})
    first = grader_digest(exercise)
    assert grader_digest(exercise) == first

    exercise_in(tmp_path, {"test_1.py": GOOD + "# more\n"})

    assert grader_digest(exercise) != first


def test_the_digest_follows_what_is_hidden(tmp_path: Path) -> None:
    """The same file in `hidden/` is drawn and told in another way."""
    seen = grader_digest(exercise_in(tmp_path / "seen", {"test_1.py": GOOD}))
    hidden = grader_digest(exercise_in(tmp_path / "hidden", {"hidden/test_1.py": GOOD}))

    assert seen != hidden


def test_the_digest_follows_what_is_imported_ahead(tmp_path: Path) -> None:
    """With NumPy loaded before the lock, the same code can pass that could not before."""
    exercise = exercise_in(tmp_path, {"test_1.py": GOOD})

    assert grader_digest(exercise._replace(preload=("numpy",))) != grader_digest(exercise)


def test_nothing_in_an_assert_is_evaluated_twice() -> None:
    """A learner's counter is asked once by each side of a compare."""
    source = '@check(points=1, hint="x")\ndef test_a(count):\n    """t."""\n    x = 1\n\n    y = count(x)\n\n    assert count(x) == 5\n'
    text = "n = 0\ndef count(x):\n    global n\n    n += 1\n    return n\n"
    with open_starter(0) as starter, Session(exercise_of(), submission(text), starter=starter) as session:
        result = session.run(loaded(source)[0])

    assert result.message.endswith("expected count(x) to be 5, got 2")


def test_asserts_inside_loops_and_with_blocks_are_kept_too() -> None:
    """Wherever an assert stands in a check, both of its sides are."""
    source = '@check(points=1, hint="x")\ndef test_a(f):\n    """t."""\n    x = 1\n\n    y = f(x)\n\n    for k in range(3):\n        assert y == k\n'
    with (
        open_starter(0) as starter,
        Session(exercise_of(), submission("f = int\n"), starter=starter) as session,
    ):
        result = session.run(loaded(source)[0])

    assert result.message.endswith("expected y to be 0, got 1")


def test_a_text_can_be_loaded_under_any_path() -> None:
    """The path is a name in messages, no file."""
    (item,) = load_text("from handgrad.check import check\n" + GOOD, Path("/nowhere/x.py"), hidden=True)

    assert (item.check.hidden, item.check.path) == (True, Path("/nowhere/x.py"))


# ---- what is kept of a compiled grader


def kept_in(root: Path) -> list[Path]:
    """The compiled graders that lie beside the graders."""
    return sorted(root.rglob("*.pyc"))


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The paths of the graders that were compiled, in order."""
    paths: list[Path] = []
    real = loader._compile
    monkeypatch.setattr(loader, "_compile", lambda text, path: paths.append(path) or real(text, path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return paths


def described(exercise: Exercise) -> list[tuple[object, ...]]:
    """All of the loaded checks but their functions."""
    return [(c.check, c.parameters, c.example, c.source, c.tree.lineno) for c in load_checks(exercise)]


def test_a_grader_is_compiled_once(tmp_path: Path, compiled: list[Path]) -> None:
    """The second time it comes out of `__pycache__`, the same in everything."""
    exercise = exercise_in(
        tmp_path, {"test_1.py": GOOD, "hidden/test_2.py": GOOD.replace("test_a", "test_b")}
    )

    first, second = described(exercise), described(exercise)

    assert second == first
    assert len(compiled) == len(kept_in(tmp_path)) == 2


def test_a_changed_grader_is_compiled_anew(tmp_path: Path, compiled: list[Path]) -> None:
    """Its text counts, and no time: the same second, the same size."""
    exercise = exercise_in(tmp_path, {"test_1.py": GOOD})
    load_checks(exercise)
    exercise_in(tmp_path, {"test_1.py": GOOD.replace("points=2", "points=3")})

    (item,) = load_checks(exercise)

    assert (item.check.points, len(compiled)) == (3, 2)


@pytest.mark.parametrize("damage", ["cut", "one byte", "empty", "another grader's", "a folder"])
def test_a_damaged_copy_is_never_run(tmp_path: Path, compiled: list[Path], damage: str) -> None:
    """What does not fit its digest is made anew, and so is what was made from another text or path."""
    exercise = exercise_in(tmp_path, {"test_1.py": GOOD, "test_2.py": GOOD.replace("test_a", "test_b")})
    first = described(exercise)
    one, other = kept_in(tmp_path)
    raw = one.read_bytes()
    if damage == "a folder":
        one.unlink()
        one.mkdir()
    else:
        broken = {
            "cut": raw[:-1],
            "one byte": raw[:40] + bytes([raw[40] ^ 1]) + raw[41:],
            "empty": b"",
            "another grader's": other.read_bytes(),
        }
        one.write_bytes(broken[damage])

    assert described(exercise) == first
    assert len(compiled) == 3


@pytest.mark.skipif(os.name == "nt", reason="files have no such mode there")
def test_what_is_kept_is_as_private_as_the_grader(tmp_path: Path, compiled: list[Path]) -> None:
    """A hidden grader that others may not read is not laid out for them in another form."""
    exercise = exercise_in(tmp_path, {"hidden/test_1.py": GOOD})
    (tmp_path / "graders/toy/hidden/test_1.py").chmod(0o600)

    load_checks(exercise)

    assert [path.stat().st_mode & 0o777 for path in kept_in(tmp_path)] == [0o600]


@pytest.mark.parametrize("maker", ["judge/rewrite.py", "judge/grader.py", "explain.py"])
def test_what_another_kit_kept_is_not_used(
    tmp_path: Path, compiled: list[Path], monkeypatch: pytest.MonkeyPatch, maker: str
) -> None:
    """Its records may have other fields."""
    exercise = exercise_in(tmp_path, {"test_1.py": GOOD})
    load_checks(exercise)
    package, real = Path(loader.__file__).parent.parent, os.stat
    newer = package / maker

    def stat(path: Any, **more: Any) -> Any:
        return real(tmp_path if path == newer else path, **more)

    monkeypatch.setattr(loader.os, "stat", stat)
    load_checks(exercise)

    assert len(compiled) == 2


def test_an_assert_of_a_helper_holds_under_python_o(tmp_path: Path) -> None:
    """It would be left out, there and in what is kept for the next run."""
    text = "def helper():\n    assert False\n"
    run = (
        "from pathlib import Path; from handgrad.judge.rewrite import compile_text\n"
        f"names = {{}}; exec(compile_text({text!r}, Path('test_1.py')).code, names); names['helper']()"
    )

    done = subprocess.run([sys.executable, "-O", "-c", run], capture_output=True, text=True)

    assert "AssertionError" in done.stderr


def test_nothing_is_kept_where_python_keeps_nothing(
    tmp_path: Path, compiled: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with modules."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    load_checks(exercise_in(tmp_path, {"test_1.py": GOOD}))

    assert (len(compiled), kept_in(tmp_path)) == (1, [])


def test_a_folder_that_cannot_be_written_costs_time_alone(
    tmp_path: Path, compiled: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, or a course that belongs to somebody else."""
    exercise = exercise_in(tmp_path, {"test_1.py": GOOD})
    (tmp_path / "graders/toy/__pycache__").write_text("in the way")

    assert described(exercise) == described(exercise)
    assert len(compiled) == 2


@pytest.mark.parametrize(
    "source", ["def test_a(f:\n", "import os\n", '@check(points=1, hint="x")\ndef test_a(f):\n    assert 1\n']
)
def test_a_broken_grader_is_told_each_time(tmp_path: Path, compiled: list[Path], source: str) -> None:
    """That something was kept must not make it a good one."""
    exercise = exercise_in(tmp_path, {"test_1.py": source})

    for _ in range(2):
        with pytest.raises(ExerciseError, match="test_1.py"):
            load_checks(exercise)
