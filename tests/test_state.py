"""Writing is whole or not at all, and a failure is one sentence."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from handgrad.errors import ToolError, UsageError
from handgrad.files import refuse_to_replace, replace_folder, write_safely
from handgrad.state import State


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old content stays whole, nothing half-written lies about, and the sentence says what to do."""
    path = tmp_path / "solution.py"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(ToolError, match=r"cannot be written \(no space left on device\): make room for it"):
        write_safely(path, "new")
    assert [p.name for p in tmp_path.iterdir()] == ["solution.py"]
    assert path.read_text() == "old"


@pytest.mark.parametrize("name", [".", "..", "folder"])
def test_a_folder_is_no_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is called; and nothing is left in it."""
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ToolError, match="cannot be written"):
        write_safely(Path(name), "new")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_a_read_only_folder_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs as root can write anywhere, so the refusal is played."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)

    with pytest.raises(ToolError, match="permission denied"):
        write_safely(tmp_path / "x", "new")


def test_an_interruption_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of writing is no half file either."""
    path = tmp_path / "solution.py"
    path.write_text("old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)

    with pytest.raises(KeyboardInterrupt):
        write_safely(path, "new")
    assert [p.name for p in tmp_path.iterdir()] == ["solution.py"] and path.read_text() == "old"


@pytest.mark.parametrize("kind", ["absent", "empty", "ours"])
def test_a_folder_of_ours_may_be_replaced(tmp_path: Path, kind: str) -> None:
    """So may one in which there is nothing to lose."""
    folder = tmp_path / "out"
    if kind != "absent":
        folder.mkdir()
    if kind == "ours":
        (folder / ".stamp").touch()

    refuse_to_replace(folder, ".stamp")


@pytest.mark.parametrize("kind", ["a folder", "a file", "a link to nowhere"])
def test_what_is_not_ours_is_never_replaced(tmp_path: Path, kind: str) -> None:
    """One sentence, with what to do."""
    place = tmp_path / "out"
    if kind == "a folder":
        (place / "inner").mkdir(parents=True)
    elif kind == "a file":
        place.write_text("mine")
    else:
        place.symlink_to(tmp_path / "nowhere")

    with pytest.raises(UsageError, match="out` is there and was not made by this command"):
        refuse_to_replace(place, ".stamp")


def test_a_folder_that_cannot_be_replaced_stays(tmp_path: Path) -> None:
    """What was there is there again, whole, and the sentence says why."""
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "old").touch()

    with pytest.raises(ToolError, match=r"out` cannot be replaced \(no such file or directory\)"):
        replace_folder(folder, tmp_path / "nowhere")
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "old"]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    """Folders are made on the way."""
    State(tmp_path).write("hints", {"stack": {"test_push": 2}})

    assert State(tmp_path).read("hints") == {"stack": {"test_push": 2}}
