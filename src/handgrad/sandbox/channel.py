"""The judge's end of the pipe to one worker: frames, deadlines that are set once, and the end of it."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from typing import Final, Protocol

from handgrad.judge.proxy import Gone
from handgrad.judge.wire import HEADER, sizes

GRACE_SECONDS: Final = 0.25  # for the worker to say where it is, before it is killed
CHUNK: Final = 1 << 16


class Process(Protocol):
    """The worker's process, as its starter knows it."""

    def cpu_seconds(self) -> float:
        """What it has used so far; the last known figure once it has ended."""

    def ask_where(self) -> None:
        """Have it say which line it is at."""

    def kill(self) -> None:
        """End it and all it started."""

    def ending(self) -> tuple[int, int]:
        """(signal number, exit code) of an ended worker; (0, 0) where unknown."""


class PipeChannel:
    """Frames to and from one worker over descriptors (which may be the same socket). `dead` once killed."""

    def __init__(
        self,
        process: Process,
        read_fd: int,
        write_fd: int,
        *,
        level: int,
        json_bytes: int,
        array_bytes: int,
        close: Callable[[], None],
    ) -> None:
        self.level = level
        self._process = process
        self._read_fd, self._write_fd = read_fd, write_fd
        self._limits = json_bytes, array_bytes
        self._close = close
        self._buffer = bytearray()
        self.dead = False
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)
        self.limit(10.0, 30.0)

    @property
    def cpu_seconds(self) -> float:
        """What the worker has used, read from outside."""
        return self._process.cpu_seconds()

    def limit(self, cpu_seconds: float, wall_seconds: float) -> None:
        """Deadlines for what follows: computing time from now, and time on the clock."""
        self._cpu_limit = cpu_seconds
        self._wall_limit = wall_seconds
        self._cpu_end = (0.0 if self.dead else self.cpu_seconds) + cpu_seconds
        self._wall_end = time.monotonic() + wall_seconds
        self._grace_end = 0.0
        self._asked = ""

    def send(self, frame: bytes) -> None:
        """Write one frame. Raises Gone when the worker is dead or does not read in time."""
        if self.dead:
            raise Gone("exit", "your code ended Python")
        rest = memoryview(frame)
        while rest:
            try:
                rest = rest[os.write(self._write_fd, rest) :]
            except BlockingIOError:
                self._wait(self._write_fd, select.POLLOUT)
            except OSError:
                raise self._ended() from None

    def receive(self) -> tuple[bytes, bytes]:
        """The next frame. Raises Gone, or Violation when it is too large."""
        body_size, tail_size = sizes(self._take(HEADER.size), *self._limits)
        return self._take(body_size), self._take(tail_size)

    def _take(self, size: int) -> bytes:
        buffer = self._buffer
        while len(buffer) < size:
            try:
                chunk = os.read(self._read_fd, max(CHUNK, min(size, 1 << 24)))
            except BlockingIOError:
                self._wait(self._read_fd, select.POLLIN)
                continue
            except OSError:
                chunk = b""
            if not chunk:
                raise self._ended()
            buffer += chunk
            if self._asked and time.monotonic() >= self._grace_end:
                raise self._out_of_time()
        taken = bytes(buffer[:size])
        del buffer[:size]
        return taken

    def _wait(self, fd: int, event: int) -> None:
        poll = select.poll()
        poll.register(fd, event)
        while not poll.poll(self._slice() * 1000):
            self._check_time()

    def _slice(self) -> float:
        """How long to wait before looking at the clocks again, in seconds."""
        now = time.monotonic()
        if self._asked:
            return max(0.001, self._grace_end - now)
        cpu_left = self._cpu_end - self.cpu_seconds
        return max(0.001, min(cpu_left, self._wall_end - now))

    def _check_time(self) -> None:
        now = time.monotonic()
        if self._asked:
            if now >= self._grace_end:
                raise self._out_of_time()
            return
        if self.cpu_seconds >= self._cpu_end:
            self._asked = "cpu"
        elif now >= self._wall_end:
            self._asked = "wall"
        if self._asked:
            self._grace_end = now + GRACE_SECONDS
            self._process.ask_where()

    def _out_of_time(self) -> Gone:
        reason = self._asked
        self.kill()
        if reason == "cpu":
            return Gone("cpu", f"still running after {self._cpu_limit:g} s of computing")
        return Gone(
            "wall", f"no answer within {self._wall_limit:g} s, and hardly any computing: does your code wait?"
        )

    def _ended(self) -> Gone:
        signal_number, _ = self._process.ending()
        self.kill()
        if signal_number == getattr(signal, "SIGXCPU", -1):
            return Gone("cpu", "still running when all computing time was used up")
        if signal_number:
            name = signal.Signals(signal_number).name
            return Gone("crash", f"your code crashed Python ({name})")
        return Gone("exit", "your code ended Python")

    def kill(self) -> None:
        """End the worker and all it started, and close the pipe. Harmless when repeated."""
        if not self.dead:
            self.dead = True
            self._process.kill()
            self._close()
