"""The judge's end of the pipe to one worker: frames, deadlines that are set once, and the end of it."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from handgrad.judge.proxy import Gone
from handgrad.judge.wire import bound
from handgrad.worker.frames import Frames

GRACE_SECONDS: Final = 0.25  # for the worker to say where it is, before it is killed
LOOK_SECONDS: Final = 0.01  # how often the clocks are looked at while bytes keep coming
CHUNK: Final = 1 << 16
SOON: Final = 10  # milliseconds that an answer mostly takes: no clock is read for so little


class Process(Protocol):
    """The worker's process, as its starter knows it."""

    lost: bool  # ended because what started it died: no doing of the learner's

    def cpu_seconds(self) -> float:
        """What it has used so far; the last known figure once it has ended."""

    def ask_where(self) -> None:
        """Have it say which line it is at."""

    def kill(self) -> None:
        """End it and all it started."""

    def ending(self) -> tuple[int, int]:
        """(signal number, exit code) of an ended worker; (0, 0) where unknown."""


class Stream(Protocol):
    """Bytes to and from a worker. `seconds` tells how long to wait at most; it is asked only then."""

    def read(self, most: int, seconds: Callable[[], float]) -> bytes | None:
        """Some bytes, b"" when the worker closed its end, None when nothing came in time. Raises OSError."""

    def write(self, data: bytes | memoryview, seconds: Callable[[], float]) -> int:
        """How many bytes were taken, 0 when none could be in time. Raises OSError."""

    def close(self) -> None:
        """Nothing more will be read or written."""


class PollStream:
    """Over descriptors (which may be the same socket), on systems that can wait for those."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd, self._write_fd = read_fd, write_fd
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(read_fd, select.POLLIN)
        self._writable.register(write_fd, select.POLLOUT)

    def read(self, most: int, seconds: Callable[[], float]) -> bytes | None:
        """See Stream."""
        if not self._readable.poll(SOON) and not self._readable.poll(1000 * seconds()):
            return None
        return os.read(self._read_fd, most)

    def write(self, data: bytes | memoryview, seconds: Callable[[], float]) -> int:
        """See Stream."""
        try:
            return os.write(self._write_fd, data)
        except BlockingIOError:
            self._writable.poll(1000 * seconds())
            return 0

    def close(self) -> None:
        """See Stream."""


class ThreadStream:
    """Over pipes that can only block (Windows): one thread reads ahead, one writes behind."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        import queue
        import threading

        self._chunks: queue.Queue[bytes] = queue.Queue(maxsize=64)
        self._writes: queue.Queue[bytes] = queue.Queue(maxsize=1)
        self._rest = b""
        self._closed = False
        self._empty, self._full = queue.Empty, queue.Full
        for work, fd in ((self._read_ahead, read_fd), (self._write_behind, write_fd)):
            # A descriptor of the thread's own: its number cannot come to mean another worker's pipe.
            threading.Thread(target=work, args=(os.dup(fd),), daemon=True).start()

    def _read_ahead(self, fd: int) -> None:
        chunk = b"."
        while chunk and not self._closed:
            try:
                chunk = os.read(fd, CHUNK)
            except OSError:
                chunk = b""
            self._chunks.put(chunk)
        os.close(fd)

    def _write_behind(self, fd: int) -> None:
        try:
            while data := self._writes.get():
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(fd, rest) :]
        except OSError:
            pass  # the worker is gone: the reader will see that
        os.close(fd)

    def close(self) -> None:
        """Let both threads end: the writer has nothing to wait for, the reader finds room for its last."""
        self._closed = True
        with suppress(self._full):
            self._writes.put_nowait(b"")
        with suppress(self._empty):
            while True:
                self._chunks.get_nowait()

    def read(self, most: int, seconds: Callable[[], float]) -> bytes | None:
        """See Stream."""
        if not self._rest:
            try:
                self._rest = self._chunks.get(timeout=seconds())
            except self._empty:
                return None
        taken, self._rest = self._rest[:most], self._rest[most:]
        return taken

    def write(self, data: bytes | memoryview, seconds: Callable[[], float]) -> int:
        """See Stream."""
        try:
            self._writes.put(bytes(data), timeout=seconds())
        except self._full:
            return 0
        return len(data)


class PipeChannel:
    """Frames to and from one worker. `dead` once killed."""

    def __init__(
        self,
        process: Process,
        stream: Stream,
        *,
        level: int,
        json_bytes: int,
        array_bytes: int,
        close: Callable[[], None],
    ) -> None:
        self.level = level
        self.dead = False
        self._process = process
        self._stream = stream
        self._frames = Frames(self._read, bound(json_bytes, array_bytes))
        self._close = close
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
        self._next_look = 0.0
        self._asked = ""

    def send(self, frame: bytes) -> None:
        """Write one frame. Raises Gone when the worker is dead or does not read in time."""
        if self.dead:
            raise self._lost() or Gone("exit", "your code ended Python")
        taken = 0
        while taken < len(frame):
            try:
                taken += self._stream.write(memoryview(frame)[taken:] if taken else frame, self._slice)
            except OSError:
                raise self._ended() from None
            if taken < len(frame):
                self._look_at_clocks()

    def receive(self) -> tuple[bytes, bytes]:
        """The next frame. Raises Gone, or Violation when it is too large."""
        return self._frames.next()

    def _read(self, size: int) -> bytes:
        """Some bytes, none when there were none in time. Raises Gone."""
        try:
            chunk = self._stream.read(max(CHUNK, min(size, 1 << 24)), self._slice)
        except OSError:
            chunk = b""
        if chunk == b"":
            raise self._ended()
        self._look_at_clocks()
        return chunk or b""

    def _slice(self) -> float:
        """How long to wait before looking at the clocks again, in seconds."""
        now = time.monotonic()
        if self._asked:
            return max(0.001, self._grace_end - now)
        cpu_left = self._cpu_end - self.cpu_seconds
        return max(0.001, min(cpu_left, self._wall_end - now))

    def _look_at_clocks(self) -> None:
        """A worker that sends a byte now and then, or without end, is held to its deadlines all the same."""
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            self._check_time()

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
        used = self.cpu_seconds - self._cpu_end + self._cpu_limit
        waits = " (does your code wait for something?)" if used < self._cpu_limit / 4 else ""
        return Gone("wall", f"no answer within {self._wall_limit:g} s, {used:.1f} s of it computing{waits}")

    def _ended(self) -> Gone:
        signal_number, _ = self._process.ending()
        self.kill()
        lost = self._lost()
        if lost is not None:
            return lost
        if signal_number == getattr(signal, "SIGXCPU", -1):
            return Gone("cpu", "still running when all computing time was used up")
        if signal_number:
            return Gone("crash", f"your code crashed Python ({_signal_name(signal_number)})")
        return Gone("exit", "your code ended Python")

    def _lost(self) -> Gone | None:
        return Gone("lost", "the process that starts workers ended") if self._process.lost else None

    @property
    def lost(self) -> bool:
        """Whether the worker ended because what started it did."""
        return self._process.lost

    def kill(self) -> None:
        """End the worker and all it started, and close the pipe. Harmless when repeated."""
        if not self.dead:
            self.dead = True
            self._process.kill()
            self._stream.close()
            self._close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal has none
        return f"signal {number}"
