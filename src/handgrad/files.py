"""Writing a file so that nobody ever finds half of it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from handgrad.errors import ToolError


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
