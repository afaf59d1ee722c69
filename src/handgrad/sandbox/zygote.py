"""The warm, single-threaded parent of the workers, started by `launch`.

It knows no grader and no learner. It has imported what every worker needs, so that a worker is one
fork away. Orders come over the socket of control.py, with a worker's ends of its pipes as descriptors:
  {"spawn": n, "limits": {..}, "core": c}
    -> {"spawned": n, "pid": pid}, a pidfd with it; later {"ended": n, ..}
where `core` is the number of the core to share with the judge, or null.
When the socket closes, every worker is killed and the zygote ends.
"""

from __future__ import annotations

import _socket
import gc
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import Any, Final

from handgrad.sandbox.child import set_limits, warm
from handgrad.sandbox.control import hear, tell

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
_WORKER_FDS: Final = (3, 4)  # where a worker reads, and where it writes


def main(control: int, level: int | None, preload: list[str], source: str, paths: list[str]) -> None:
    """Get warm, say so, then carry out orders until the judge is gone.

    `control` is our end of the socket, as a descriptor; `paths` hold what is to be imported for `level` and
    `preload`, `source` this package.
    """
    gc.disable()  # what is imported here is there to stay
    judge = _socket.socket(fileno=control)
    with _paths(source, paths):
        from handgrad.sandbox.core import stay_on
        from handgrad.sandbox.lock import LockError, best_level, prepare, self_test
        from handgrad.worker import agent, serve

        warm(preload, agent.import_modules)
        try:
            level = best_level() if level is None else level
            lock = prepare(level)
        except LockError as error:
            tell(judge, {"refused": str(error)})
            os._exit(3)

    def apply(probes: list[str]) -> str:
        try:
            lock.apply()
        except LockError as error:
            return str(error)
        return self_test(probes) if lock.level > 1 else ""

    prctl = _prctl()
    if prctl is not None:
        prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115  (kept open for good)
    gc.freeze()
    gc.enable()
    try:
        tell(judge, {"ready": os.getpid(), "level": level})
    except OSError:  # the judge is gone already: nothing had to be run
        os._exit(0)
    Zygote(judge, lambda ends: serve.serve(serve.Pipe(*ends), apply), prctl, stay_on).loop()


class Zygote:
    """Forks workers, tells of their ends, and leaves none behind."""

    def __init__(
        self,
        control: _socket.socket,
        work: Callable[[tuple[int, int]], None],
        prctl: Callable[..., int] | None,
        stay_on: Callable[[int | None], None],
    ) -> None:
        self._control = control
        self._work = work
        self._prctl = prctl
        self._stay_on = stay_on
        self._workers: dict[int, tuple[int, int]] = {}  # pidfd -> (number, pid)
        self._poll = select.poll()
        self._poll.register(control.fileno(), select.POLLIN)

    def loop(self) -> None:
        """Carry out orders until the judge closes its end."""
        while True:
            for fd, _ in self._poll.poll():
                if fd != self._control.fileno():
                    self._reap(fd)
                elif not self._obey():
                    self._end()

    def _obey(self) -> bool:
        try:
            order, fds = hear(self._control)
        except OSError:
            return False
        if not order:
            return False
        self._stay_on(order["core"])
        self._spawn(order["spawn"], fds, order["limits"])
        return True

    def _spawn(self, number: int, fds: list[int], limits: dict[str, int]) -> None:
        pid = os.fork()
        if pid == 0:
            self._child(fds, limits)
        for fd in fds:
            os.close(fd)
        pidfd = os.pidfd_open(pid)
        self._workers[pidfd] = (number, pid)
        self._poll.register(pidfd, select.POLLIN)
        self._tell({"spawned": number, "pid": pid}, pidfd)

    def _child(self, fds: list[int], limits: dict[str, int]) -> None:
        """In the worker: nothing of the zygote's stays open, then serve until the end."""
        code = 97
        try:
            self._control.detach()
            apart = [os.dup2(fd, max(fds) + place) for place, fd in enumerate(fds, start=1)]
            for number, fd in zip(_WORKER_FDS, apart, strict=True):  # whichever numbers they came with
                os.dup2(fd, number)
            null = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(null, number)
            os.closerange(_WORKER_FDS[-1] + 1, 1024)
            os.setsid()
            if self._prctl is not None:
                self._prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            set_limits(limits)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            self._work(_WORKER_FDS)
            code = 0
        finally:
            os._exit(code)

    def _reap(self, pidfd: int) -> None:
        number, pid = self._workers.pop(pidfd)
        self._poll.unregister(pidfd)
        os.close(pidfd)
        try:
            os.killpg(pid, signal.SIGKILL)  # what it started and left behind (level 1)
        except OSError:
            pass
        _, status, usage = os.wait4(pid, 0)
        self._reap_orphans()
        self._tell(
            {
                "ended": number,
                "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
                "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
                "cpu": usage.ru_utime + usage.ru_stime,
            }
        )

    def _reap_orphans(self) -> None:
        """Kill what a worker started and left behind: it becomes our child, being no worker of ours."""
        known = {pid for _, pid in self._workers.values()}
        for pid in _children():
            if pid not in known:
                try:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                except OSError:
                    continue

    def _tell(self, message: dict[str, Any], fd: int | None = None) -> None:
        try:
            tell(self._control, message, () if fd is None else (fd,))
        except OSError:
            self._end()

    def _end(self) -> None:
        for _, pid in self._workers.values():
            for kill in (os.killpg, os.kill):
                try:
                    kill(pid, signal.SIGKILL)
                except OSError:
                    continue
        self._workers = {}
        for _ in range(20):
            if not _children():
                break
            self._reap_orphans()
        os._exit(0)


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as text:  # noqa: PTH123
            return [int(word) for word in text.read().split()]
    except OSError:
        return []


def _prctl() -> Callable[..., int] | None:
    try:
        import ctypes

        function: Callable[..., int] = ctypes.CDLL(None).prctl
    except (ImportError, AttributeError, OSError):
        return None
    return function


class _paths:  # noqa: N801  (used as a word: `with _paths(...)`)
    """Folders that modules may be imported from while the zygote gets warm, and not afterwards."""

    def __init__(self, source: str, folders: list[str]) -> None:
        self._source, self._folders = source, folders

    def __enter__(self) -> None:
        self._kept = [folder for folder in sys.path if folder != self._source]
        sys.path.extend(self._folders)

    def __exit__(self, *exception: object) -> None:
        sys.path[:] = self._kept
        sys.path_importer_cache.clear()
        sys.dont_write_bytecode = True
