"""The worker's loop: frames in, answers out, until the judge closes the pipe."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from handgrad.worker.agent import Agent, import_modules
from handgrad.worker.frames import Frames, encode, frame

SEED = 20_261  # of `random` and `numpy.random`: the same file gets the same verdict


class Pipe:
    """Frames over two file descriptors (which may be the same socket)."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd, self._write_fd = read_fd, write_fd
        self._frames = Frames(self._read)

    def receive(self) -> tuple[bytes, bytes]:
        """The next frame. Ends the process when the judge is gone."""
        return self._frames.next()

    def _read(self, size: int) -> bytes:
        chunk = os.read(self._read_fd, 1 << 20 if size > 65536 else 65536)
        if not chunk:
            os._exit(0)
        return chunk

    def send(self, body: bytes, tail: bytes = b"") -> None:
        """Hand one frame over."""
        data = frame(body, tail)
        taken = os.write(self._write_fd, data)
        while taken < len(data):
            taken += os.write(self._write_fd, memoryview(data)[taken:])


def serve(pipe: Pipe, lock: Callable[[list[str]], str]) -> None:
    """Get ready as the first frame says, lock, prove it, then answer requests for ever.

    `lock` gets the probes, locks this process and gives "" or the sentence why it is not locked. The first
    frame is `{"imports": [..], "preload": [..], "probes": [..]}`, its answer `["ready", ""]` or
    `["refused", why]`.
    The learner's file comes after that.
    """
    order = json.loads(pipe.receive()[0])
    import_modules(order["imports"], order["preload"])
    random.seed(SEED)
    if "numpy.random" in sys.modules:  # NumPy loads it at its first use, and a file without it saves 15 ms
        sys.modules["numpy.random"].seed(SEED)
    agent = Agent(pipe.send, owns_process=True)
    _tell_place_when_asked(pipe, agent)
    failure = lock(order.pop("probes"))
    pipe.send(encode(["refused", failure] if failure else ["ready", ""]))
    if failure:
        os._exit(3)
    _calm_garbage_collector()
    while True:
        agent.answer(*pipe.receive())


def _tell_place_when_asked(pipe: Pipe, agent: Agent) -> None:
    """Before the judge ends a worker that ran out of time it asks where the learner's code is."""
    if not hasattr(signal, "SIGUSR1"):
        return

    def tell(number: int, frame: FrameType | None) -> None:
        files = agent.file_names()
        while frame is not None and frame.f_code.co_filename not in files:
            frame = frame.f_back
        if frame is not None:
            code = frame.f_code
            place: list[Any] = ["at", code.co_filename, line_of(frame), code.co_name[:80]]
            pipe.send(encode(place))

    signal.signal(signal.SIGUSR1, tell)


def line_of(frame: FrameType) -> int:
    """The line a frame is at. Python names none while a loop jumps back: then the line that led there."""
    if frame.f_lineno is not None:
        return frame.f_lineno
    code = frame.f_code
    passed = [line for start, _, line in code.co_lines() if line is not None and start <= frame.f_lasti]
    return passed[-1] if passed else code.co_firstlineno


def _calm_garbage_collector() -> None:
    import gc

    gc.freeze()
    gc.set_threshold(50_000, 20, 100)  # building a graph of 100,000 objects is 8 times slower at the default
