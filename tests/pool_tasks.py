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


@dataclass(frozen=True)
class Where:
    """The cores that the process of an item may use, told when the other item is in hand, too."""

    folder: str

    def open(self, stack: ExitStack) -> Callable[[int], tuple[int, ...]]:
        """Nothing is opened."""
        return self.cores

    def cores(self, number: int) -> tuple[int, ...]:
        """Waits for the other, so that one process cannot do both."""
        Path(self.folder, str(number)).touch()
        while not Path(self.folder, str(1 - number)).exists():
            time.sleep(0.01)
        return tuple(sorted(os.sched_getaffinity(0)))

    def lost(self, item: int, code: int | None) -> tuple[int, ...]:
        """None."""
        return ()
