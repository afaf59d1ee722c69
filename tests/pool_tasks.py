"""Tasks for the tests of the pool: what its processes import must not need pytest."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from handgrad.errors import ExerciseError


@dataclass(frozen=True)
class Sum:
    """Adds to `start`; some numbers end the process, raise, or take long. Notes on disk what is open."""

    start: int
    folder: str

    def open(self, stack: ExitStack) -> Callable[[int], int]:
        """Make a file that is there as long as this process may work."""
        note = Path(self.folder, f"open-{os.getpid()}")
        note.touch()
        stack.callback(note.unlink)
        if self.start < 0:
            raise ExerciseError("nothing to add to")
        if self.start > 1000:
            os._exit(9)
        return self.add

    def add(self, number: int) -> int:
        """The sum."""
        if number == 13 or (number == 12 and self._first_time()):
            os._exit(7)
        if number == 99:
            raise OSError("disk full")
        if number > 100:
            time.sleep(number)
        return self.start + number

    def _first_time(self) -> bool:
        try:
            Path(self.folder, "once").mkdir()
        except FileExistsError:
            return False
        return True

    def lost(self, item: int, code: int | None) -> int:
        """The code, so that the test can see it."""
        return -(code or 0)
