"""Reading an author's file as text, and writing so that nobody finds half of a file or misses a folder."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from handgrad.errors import ExerciseError, ToolError, UsageError

# Where it is the machine that refuses, whosever file was touched: full, read-only, broken, or out of handles.
OURS: Final = frozenset(
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EXDEV", "EMFILE", "ENFILE", "ENOMEM")
    if hasattr(errno, name)
)


def refused(place: str | Path, error: OSError) -> ToolError:
    """What to raise where it is the machine that lets nobody read: see `OURS`."""
    reason = (error.strerror or str(error)).lower()
    return ToolError(
        f"`{place}` cannot be read ({reason}), which is the machine's fault: mend it, and try again"
    )


def read_text(path: Path) -> str:
    """The text of a file that an author wrote, with LF line ends and no byte-order mark.

    Raises ExerciseError when it is not UTF-8, OSError when it cannot be read at all.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:  # valid, and yet what UTF-16 without a mark looks like
        raise ExerciseError(f"{path}: not UTF-8: save it as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def required_text(path: Path) -> str:
    """`read_text` of a file that the exercise cannot do without. Raises ExerciseError for all that fails."""
    try:
        return read_text(path)
    except OSError as error:
        raise ExerciseError(f"{path}: cannot be read ({error.strerror}): put it there") from None


def write_safely(path: Path, content: str | bytes, *, durable: bool = True, mode: int | None = None) -> None:
    """Replace the file in one step, so that an interruption leaves the old one or the new one, never half.

    `mode` says who may read it, from its first byte on; None leaves that to the system.
    Raises ToolError with one sentence when the folder is read-only, the disk full, or the like.
    """
    try:
        replace_file(path, content, durable=durable, mode=mode)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ToolError(
            f"`{path}` cannot be written ({reason}): make room for it; nothing was changed"
        ) from None


def replace_file(path: Path, content: str | bytes, *, durable: bool = True, mode: int | None = None) -> None:
    """As `write_safely`, for who knows whose fault a refusal is. Raises OSError, which names the file."""
    scratch = path.parent / f".{path.name[:40]}.{os.getpid()}"  # no longer than systems take a name
    raw = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with scratch.open("wb") as file:
            if mode is not None:
                scratch.chmod(mode)
            file.write(raw)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        scratch.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        with suppress(OSError):
            scratch.unlink()


def refuse_to_replace(folder: Path, stamp: str) -> None:
    """Raise UsageError unless `folder` is absent, empty, or made by us: it then holds a file `stamp`."""
    if not os.path.lexists(folder):
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / stamp).is_file()):
        raise UsageError(f"`{folder}` is there and was not made by this command: move it away first")


def replace_folder(folder: Path, new: Path) -> None:
    """Rename the folder `new`, which lies beside it, to `folder`; what was there goes once that is done.

    Raises ToolError with one sentence when it cannot be; what was there is then there again.
    """
    import shutil  # no command that a learner waits for comes here

    old = new.with_name(f"{new.name}-old")
    try:
        if folder.exists():
            folder.rename(old)
        try:
            new.rename(folder)
        except OSError:
            if old.exists():
                old.rename(folder)
            raise
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ToolError(
            f"`{folder}` cannot be replaced ({reason}): close what uses it, and try again"
        ) from None
    shutil.rmtree(old, ignore_errors=True)
