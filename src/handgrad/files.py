"""Writing so that nobody ever finds half of a file, or misses a folder of their own."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from handgrad.errors import ToolError, UsageError


def write_safely(path: Path, content: str | bytes, *, durable: bool = True, mode: int | None = None) -> None:
    """Replace the file in one step, so that an interruption leaves the old one or the new one, never half.

    `mode` says who may read it, from its first byte on; None leaves that to the system.
    Raises ToolError with one sentence when the folder is read-only, the disk full, or the like.
    """
    scratch = path.parent / f".{path.name}.{os.getpid()}"
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
        reason = (error.strerror or str(error)).lower()
        raise ToolError(
            f"`{path}` cannot be written ({reason}): make room for it; nothing was changed"
        ) from None
    finally:
        with suppress(OSError):
            scratch.unlink()


def refuse_to_replace(folder: Path, stamp: str) -> None:
    """Raise UsageError unless `folder` is absent, empty, or made by us: it then holds a file `stamp`."""
    if not os.path.lexists(folder):
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / stamp).is_file()):
        raise UsageError(f"`{folder}` is there and was not made by this command: move it away first")
