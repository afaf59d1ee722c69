"""Waits for a file to be saved, or for a key. Polls, so that any editor and any network share will do."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

POLL_SECONDS = 0.15
SAVED = "saved"

Signature = tuple[int, int, int] | None
ReadKey = Callable[[float], str]  # waits up to so many seconds for a key; "" when none came


def signature(path: Path) -> Signature:
    """What changes when a file is saved, in place or by renaming; None while there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def events(
    path: Path, read_key: ReadKey, *, look: Callable[[Path], Signature] = signature, known: Signature = None
) -> Iterator[str]:
    """`saved` once a save, when the file has been still for a moment; and each key that is pressed.

    `known` is the file as it was when it was last read. Two saves in quick succession count as one.
    """
    seen = known if known is not None else look(path)
    unsettled: object = seen
    while True:
        key = read_key(POLL_SECONDS)
        if key:
            yield key
        now = look(path)
        if now != seen and now == unsettled:
            seen = now
            yield SAVED
        unsettled = now


class Left(Exception):
    """`n` or `q` was pressed while a check ran."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def leave_if_asked(read_key: ReadKey) -> None:
    """Take the keys that were pressed during a run. Raises Left for `n` and `q`; the others are dropped."""
    while key := read_key(0.0):
        if key in ("n", "q"):
            raise Left(key)


@contextmanager
def keyboard() -> Iterator[ReadKey]:
    """Keys one by one, without Enter, where a person sits at a terminal; else none ever come."""
    if not sys.stdin or not sys.stdin.isatty():
        yield _no_key
        return
    try:
        import termios
        import tty
    except ImportError:
        yield _windows_key
        return
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        yield lambda seconds: _posix_key(number, seconds)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _no_key(seconds: float) -> str:
    time.sleep(seconds)
    return ""


def _posix_key(number: int, seconds: float) -> str:
    import select

    def waiting(seconds: float) -> bool:
        return bool(select.select([number], [], [], seconds)[0])

    if not waiting(seconds):
        return ""
    key = os.read(number, 1)
    if key == b"\x1b":  # an arrow, F2, Home: more bytes, none of which is a key that was pressed
        while waiting(0.0):
            os.read(number, 64)
        return ""
    return key.decode("ascii", "ignore").lower()


def _windows_key(seconds: float) -> str:
    import importlib

    console = importlib.import_module("msvcrt")
    end = time.monotonic() + seconds
    while True:
        if console.kbhit():
            key = str(console.getwch()).lower()
            if key not in ("\x00", "\xe0"):
                return key
            console.getwch()  # an arrow, F2, Home: two characters
        elif time.monotonic() >= end:
            return ""
        else:
            time.sleep(min(0.02, seconds))
