"""Watching a file: once a save, however the editor saves, and keys in between."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from handgrad.watch import SAVED, events, keyboard, signature


def heard(
    path: Path, *acts: str | Callable[[], object], look: Callable[[Path], object] = signature
) -> list[str]:
    """The events of one watch: each act happens between two polls; a text is a key."""
    left = list(acts)

    def read_key(seconds: float) -> str:
        act = left.pop(0)
        if callable(act):
            act()
            return ""
        return act

    found: list[str] = []
    try:
        for event in events(path, read_key, look=look):  # type: ignore[arg-type]
            found.append(event)
    except IndexError:  # nothing more happens
        pass
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is saved already."""
    path = tmp_path / "solution.py"
    path.write_text("one")
    return path


def save(path: Path, text: str) -> Callable[[], object]:
    """Save in place."""
    return lambda: path.write_text(text)


def replace(path: Path, text: str) -> Callable[[], object]:
    """Save as many editors do: write beside it, and rename."""

    def act() -> None:
        beside = path.with_suffix(".tmp")
        beside.write_text(text)
        beside.replace(path)

    return act


def test_nothing_happens_while_nothing_is_saved(path: Path) -> None:
    """No event, however often one looks."""
    assert heard(path, "", "", "") == []


def test_a_save_is_heard_once(path: Path) -> None:
    """When the file has been still for one poll."""
    assert heard(path, save(path, "three"), "", "", "") == [SAVED]


def test_a_save_by_renaming_is_heard(path: Path) -> None:
    """Even with the same size."""
    assert heard(path, replace(path, "two"), "", "") == [SAVED]


def test_two_saves_in_quick_succession_are_one(path: Path) -> None:
    """An editor that formats after saving."""
    assert heard(path, save(path, "three"), save(path, "seven!"), "", "") == [SAVED]


def test_a_touch_is_a_save(path: Path) -> None:
    """Same text, later time: somebody pressed save."""
    assert heard(path, lambda: os.utime(path, ns=(1, 1)), "", "") == [SAVED]


def test_a_file_that_comes_back_at_once_is_one_save(path: Path) -> None:
    """Some editors delete first."""
    assert heard(path, path.unlink, save(path, "three"), "", "") == [SAVED]


def test_a_deleted_file_is_told(path: Path) -> None:
    """The check that follows says that it is missing."""
    assert heard(path, path.unlink, "", "") == [SAVED]


def test_keys_come_through(path: Path) -> None:
    """In order, whatever they are."""
    assert heard(path, "h", "x", "q") == ["h", "x", "q"]


def test_a_save_while_the_check_ran_is_not_missed(path: Path) -> None:
    """What is known is the file as it was read, not as it is now."""
    known = signature(path)
    path.write_text("three")

    assert next(events(path, lambda seconds: "", known=known)) == SAVED


def test_without_a_terminal_no_key_ever_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then watching only waits."""
    monkeypatch.setattr(sys, "stdin", None)

    with keyboard() as read_key:
        assert read_key(0.0) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_keys_are_read_without_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the terminal is as before afterwards."""
    import pty
    import termios

    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        before = termios.tcgetattr(theirs)
        with keyboard() as read_key:
            os.write(ours, b"H")
            keys = [read_key(1.0), read_key(0.0)]
        assert keys == ["h", ""]
        assert termios.tcgetattr(theirs) == before
    os.close(ours)


def test_windows_has_its_own_keyboard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Played: a module with kbhit and getwch."""
    from types import SimpleNamespace

    typed = ["N"]
    console = SimpleNamespace(kbhit=lambda: bool(typed), getwch=lambda: typed.pop(0))
    monkeypatch.setitem(sys.modules, "msvcrt", console)
    monkeypatch.setitem(sys.modules, "termios", None)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))

    with keyboard() as read_key:
        assert read_key(0.5) == "n"
        assert read_key(0.0) == ""
        typed.append("q")
        assert read_key(0.0) == "q"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("special", [b"\x1bOQ", b"\x1b[1~", b"\x1b[H", b"\x1bOR", b"\x1b[15;2~"])
def test_a_special_key_is_no_letter(special: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """F2 ends in Q and Home in H: neither quits, and none costs a hint."""
    import pty

    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        with keyboard() as read_key:
            os.write(ours, special)
            keys = [read_key(1.0), read_key(0.0), read_key(0.0)]
            os.write(ours, b"n")
            keys.append(read_key(1.0))
    os.close(ours)
    assert keys == ["", "", "", "n"]


def test_a_special_key_of_windows_is_no_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Page Down comes as two characters, the second of them a Q."""
    from types import SimpleNamespace

    typed = list("\xe0Q\x00Hn")
    console = SimpleNamespace(kbhit=lambda: bool(typed), getwch=lambda: typed.pop(0))
    monkeypatch.setitem(sys.modules, "msvcrt", console)
    monkeypatch.setitem(sys.modules, "termios", None)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))

    with keyboard() as read_key:
        assert read_key(0.5) == "n"
