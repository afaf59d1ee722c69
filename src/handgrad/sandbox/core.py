"""One core for the judge and its workers, who take turns and never work at the same time.

A message that wakes a process on another core takes some 80 us on a virtual machine, and 5 us on the same
core; a battery sends hundreds. Systems that cannot be told (macOS, Windows) do without.
"""

from __future__ import annotations

import os
from contextlib import suppress


class SharedCore:
    """Holds the calling thread on the core it runs on, from the first `hold` to `release`.

    Not for longer than there are workers: between two submissions the system may find it a better one.
    """

    def __init__(self) -> None:
        self.number: int | None = None  # of the core, while there is one to share
        self._before: set[int] | None = None

    def hold(self) -> None:
        """Stay on one core. Harmless when repeated, and where the system refuses."""
        if not hasattr(os, "sched_setaffinity"):
            return
        with suppress(OSError, ValueError):
            allowed = os.sched_getaffinity(0)
            if len(allowed) == 1:
                (self.number,) = allowed
                return
            self.number = _current_core()
            os.sched_setaffinity(0, {self.number})
            self._before = allowed

    def release(self) -> None:
        """Back to the cores that were allowed before."""
        self.number = None
        if self._before is not None:
            with suppress(OSError):
                os.sched_setaffinity(0, self._before)
            self._before = None


def spread() -> list[int]:
    """The cores that the calling thread may use, its own first: for processes that get one each.

    Empty where the system does not tell.
    """
    if not hasattr(os, "sched_getaffinity"):
        return []
    cores = sorted(os.sched_getaffinity(0))
    with suppress(OSError, ValueError):
        first = cores.index(_current_core())
        return cores[first:] + cores[:first]  # so that two runs at once do not all begin with core 0
    return cores


def stay_on(number: int | None) -> None:
    """Move the calling thread to a core, and what it starts; None: leave it. Harmless where it is refused."""
    if number is not None and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):
            os.sched_setaffinity(0, {number})


def _current_core() -> int:
    """The core that the calling thread runs on. Raises OSError, or ValueError, where /proc does not say.

    proc(5): `processor` is the 39th field, and the second, which may hold blanks, ends with the last `)`.
    """
    with open("/proc/thread-self/stat", encoding="utf-8", errors="replace") as stat:  # noqa: PTH123
        fields = stat.read().rpartition(")")[2].split()
    if len(fields) < 37:
        raise ValueError("no such field")
    return int(fields[36])
