"""Level 0: the agent in this very process, for your own debugging and for the page. It can be fooled.

The same requests and answers as through a pipe, so that results are equal by construction.
There is no limit on time: what does not end must be ended from outside.
"""

from __future__ import annotations

import collections
from typing import Self

from handgrad.judge.proxy import Gone
from handgrad.judge.wire import bound
from handgrad.model import Limits
from handgrad.worker.agent import Agent, import_modules
from handgrad.worker.frames import Frames


class InProcessChannel:
    """Hands each frame to the agent at once and keeps what it answers."""

    level = 0

    def __init__(self, limits: Limits) -> None:
        self._bound = bound(limits.json_bytes, limits.array_bytes)
        self._frames: collections.deque[tuple[bytes, bytes]] = collections.deque()
        self._agent = Agent(lambda body, tail: self._frames.append((body, tail)), owns_process=False)
        self._dead = False

    @property
    def cpu_seconds(self) -> float:
        """Of this whole process."""
        import time

        return time.process_time()

    def limit(self, cpu_seconds: float, wall_seconds: float) -> None:
        """No limit on time can be kept here."""

    def send(self, frame: bytes) -> None:
        """Have the agent carry the request out."""
        if self._dead:
            raise Gone("exit", "your code ended Python")
        self._agent.answer(*Frames(lambda size: frame).next())

    def receive(self) -> tuple[bytes, bytes]:
        """The next frame the agent sent. Raises Violation when it is too large."""
        if not self._frames:
            raise Gone("exit", "your code ended Python")
        body, tail = self._frames.popleft()
        self._bound(len(body), len(tail))
        return body, tail

    def kill(self) -> None:
        """Let go of the learner's objects."""
        self._dead = True
        self._frames.clear()


class InProcessStarter:
    """Starts agents in this process. `level` is 0."""

    level = 0
    preload: tuple[str, ...] = ()  # what the learner's file imports is imported when it is needed

    def start(self, limits: Limits, *, imports: tuple[str, ...], probes: tuple[str, ...]) -> InProcessChannel:
        """A new agent with no learner's file yet."""
        import_modules(list(imports))
        return InProcessChannel(limits)

    def close(self) -> None:
        """Nothing was started."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
