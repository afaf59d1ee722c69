"""Starts workers for the judge: through a zygote on Linux, as plain subprocesses elsewhere."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from handgrad.errors import ToolError
from handgrad.judge.proxy import Channel
from handgrad.model import Limits
from handgrad.sandbox.channel import PipeChannel, PollStream, Stream, ThreadStream
from handgrad.sandbox.control import hear, tell
from handgrad.sandbox.core import SharedCore
from handgrad.sandbox.launch import Launched, command, environment, options

if TYPE_CHECKING:
    import _socket
    import subprocess

READY_SECONDS: Final = 30.0
CHANCES: Final = 3  # to start a worker, when the process that does it is killed under our hands
LIFETIME_CPU_SECONDS: Final = 900  # the kernel's backstop for one worker; the judge watches each check


class WorkerStarter(Protocol):
    """A starter that must be closed."""

    @property
    def preload(self) -> tuple[str, ...]:
        """The modules that its workers have imported before they are locked."""

    @property
    def level(self) -> int:
        """The sandbox level of its workers. Raises ToolError when none can be had."""

    def start(self, limits: Limits, *, imports: tuple[str, ...], probes: tuple[str, ...]) -> Channel:
        """See `judge.session.Starter`."""

    def close(self) -> None:
        """End it and every worker it started."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...


def open_starter(
    level: int | None = None, preload: Sequence[str] = (), *, plain: bool = False
) -> WorkerStarter:
    """A starter of workers at `level` (None: the best this machine gives), with `preload` imported.

    Level 0 runs the learner's code in this process. Returns at once: a zygote gets warm meanwhile.
    `plain` asks for subprocesses where a zygote could be had. Raises ToolError at the first `start`
    when the level cannot be had.
    """
    if level == 0:
        from handgrad.sandbox.inprocess import InProcessStarter

        return InProcessStarter()
    if not plain and sys.platform.startswith("linux"):
        return ZygoteStarter(Launched(level, preload))
    if level is None:
        from handgrad.sandbox.lock import best_level

        level = best_level()
    return PlainStarter(level, preload)


def _kernel_limits(limits: Limits) -> dict[str, int]:
    return {"memory_bytes": limits.memory_bytes, "cpu_seconds": LIFETIME_CPU_SECONDS}


def _make_ready(
    channel: PipeChannel, imports: Sequence[str], preload: Sequence[str], probes: Sequence[str]
) -> None:
    """Have the worker import, lock itself and prove it.

    Raises ToolError when it does not, OSError when what started it ended meanwhile.
    """
    from handgrad.judge.proxy import Gone
    from handgrad.judge.wire import Violation, pack, unpack

    channel.limit(READY_SECONDS, READY_SECONDS)
    try:
        channel.send(pack({"imports": list(imports), "preload": list(preload), "probes": list(probes)}))
        answer = unpack(channel.receive()[0])
        why = "" if answer == ["ready", ""] else f"a worker could not be locked in: {_reason(answer)}"
    except (Gone, Violation) as error:
        why = f"a worker could not be made ready: {error}"
    if why:
        channel.kill()
        if channel.lost:
            raise OSError(why)
        raise ToolError(why)


def _reason(answer: object) -> str:
    return str(answer[1]) if isinstance(answer, list) and len(answer) == 2 else "no reason given"


class _Workers:
    """The workers that a starter started and that may still live."""

    def __init__(self) -> None:
        self._channels: list[PipeChannel] = []

    def _keep(self, channel: PipeChannel) -> None:
        self._channels = [kept for kept in self._channels if not kept.dead]
        self._channels.append(channel)

    def _kill_all(self) -> None:
        for channel in self._channels:
            channel.kill()
        self._channels = []

    def close(self) -> None:
        """End every worker."""
        self._kill_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class ZygoteStarter(_Workers):
    """Starts workers by having a warm process fork. Restarts that process when it dies.

    With level None it is the zygote that finds out what this machine gives, while the judge gets ready.
    """

    def __init__(self, launched: Launched) -> None:
        """With the zygote launched for it; those that follow are like it."""
        super().__init__()
        self.preload = launched.preload
        self._level = launched.level
        self._number = 0
        self._processes: dict[int, _Forked] = {}
        self._core = SharedCore()
        self._keep_addresses = True
        self._ready = False
        self._zygote: Launched | None = launched

    @property
    def level(self) -> int:
        """The level of the workers. Waits for the zygote when it was to find out. Raises ToolError."""
        if self._level is None:
            try:
                self._connected()
            except OSError as error:
                raise ToolError(f"no worker can be started: {error}") from None
        assert self._level is not None
        return self._level

    def start(self, limits: Limits, *, imports: tuple[str, ...], probes: tuple[str, ...]) -> PipeChannel:
        """See `judge.session.Starter`."""
        for chance in range(CHANCES):
            try:
                channel = self._fork(limits)
                _make_ready(channel, imports, self.preload, probes)
                return channel
            except OSError as error:
                self._stop()
                if chance == CHANCES - 1:
                    raise ToolError(f"no worker can be started: {error}") from None
        raise AssertionError("the last chance returns or raises")

    def _fork(self, limits: Limits) -> PipeChannel:
        control = self._connected()
        ours, theirs = _two_pipes()
        self._number += 1
        self._core.hold()
        order = {"spawn": self._number, "limits": _kernel_limits(limits), "core": self._core.number}
        try:
            tell(control, order, theirs)
            process = self._await_spawn(self._number)
        except OSError:
            _close(ours)
            raise
        finally:
            _close(theirs)
        channel = PipeChannel(
            process,
            PollStream(*ours),
            level=self.level,
            json_bytes=limits.json_bytes,
            array_bytes=limits.array_bytes,
            close=lambda: _close(ours),
        )
        self._keep(channel)
        return channel

    def _connected(self) -> _socket.socket:
        if self._zygote is None:
            self._zygote = Launched(self._level, self.preload, keep_addresses=self._keep_addresses)
        control = self._zygote.control
        if not self._ready:
            control.settimeout(READY_SECONDS)
            answer, _ = hear(control)
            if not answer and self._keep_addresses:
                self._keep_addresses = False  # fixed addresses may be what this machine refuses
                self._stop()
                return self._connected()
            if not answer:
                raise OSError("the process that starts workers ended at once")
            if "refused" in answer:
                self._stop()
                raise ToolError(f"sandbox level {self._level} cannot be had here: {answer['refused']}")
            self._level, self._ready = int(answer["level"]), True
        return control

    def _await_spawn(self, number: int) -> _Forked:
        while True:
            answer, fds = self._read()
            if answer.get("spawned") == number:
                process = _Forked(self, answer["pid"], fds[0], number)
                self._processes[number] = process
                return process

    def _read(self) -> tuple[dict[str, Any], list[int]]:
        if self._zygote is None:
            raise OSError("the process that starts workers was ended")
        answer, fds = hear(self._zygote.control)
        if not answer:
            raise OSError("the process that starts workers ended")
        if "ended" in answer:
            process = self._processes.pop(answer["ended"], None)
            if process is not None:
                process.note_end(answer)
        return answer, fds

    def await_end(self, number: int) -> None:
        """Read what the zygote says until worker `number` has ended, or the zygote has."""
        try:
            while number in self._processes:
                self._read()
        except OSError:
            process = self._processes.pop(number, None)
            if process is not None:
                process.lost = True
        if not self._processes:
            self._core.release()

    def _stop(self) -> None:
        self._kill_all()
        if self._zygote is not None:
            self._zygote.control.close()
            _wait_or_kill(self._zygote.pid)
            self._zygote = None
        self._ready = False
        self._processes.clear()

    def close(self) -> None:
        """End the zygote and every worker."""
        self._stop()
        self._core.release()


class _Forked:
    """A worker that the zygote forked."""

    def __init__(self, starter: ZygoteStarter, pid: int, pidfd: int, number: int) -> None:
        self._starter, self._pid, self._pidfd, self._number = starter, pid, pidfd, number
        self.lost = False
        self._cpu = 0.0
        self._ending = (0, 0)
        self._ended = False

    def cpu_seconds(self) -> float:
        if not self._ended:
            try:
                self._cpu = time.clock_gettime((~self._pid << 3) | 2)  # the clock of another process
            except OSError:
                pass
        return self._cpu

    def ask_where(self) -> None:
        self._signal(signal.SIGUSR1)

    def _signal(self, number: int) -> None:
        try:
            signal.pidfd_send_signal(self._pidfd, number)
        except OSError:
            pass

    def kill(self) -> None:
        if self._pidfd < 0:
            return
        self._signal(signal.SIGKILL)
        self._starter.await_end(self._number)
        os.close(self._pidfd)
        self._pidfd = -1

    def ending(self) -> tuple[int, int]:
        if not self._ended:
            _wait_for(self._pidfd, 2.0)
            self._signal(signal.SIGKILL)
            self._starter.await_end(self._number)
        return self._ending

    def note_end(self, answer: dict[str, Any]) -> None:
        """The zygote says that this worker has ended, and how."""
        self._ended = True
        self._ending = (int(answer["signal"]), int(answer["code"]))
        self._cpu = max(self._cpu, float(answer["cpu"]))


class PlainStarter(_Workers):
    """Starts each worker as a subprocess of its own. `stream` makes the bytes' way to it."""

    def __init__(
        self,
        level: int,
        preload: Sequence[str] = (),
        stream: Callable[[int, int], Stream] | None = None,
    ) -> None:
        super().__init__()
        self._stream = stream or (PollStream if hasattr(select, "poll") else ThreadStream)
        self.level = level
        self.preload = tuple(preload)

    def start(self, limits: Limits, *, imports: tuple[str, ...], probes: tuple[str, ...]) -> PipeChannel:
        """See `judge.session.Starter`."""
        import subprocess

        given = {**options(self.level, self.preload), "limits": _kernel_limits(limits)}
        try:
            process = subprocess.Popen(
                command("plain", given),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment(),
                bufsize=0,
            )
        except OSError as error:
            raise ToolError(f"no worker can be started: {error}") from None
        worker = _Subprocess(process)
        assert process.stdin is not None and process.stdout is not None
        channel = PipeChannel(
            worker,
            self._stream(process.stdout.fileno(), process.stdin.fileno()),
            level=self.level,
            json_bytes=limits.json_bytes,
            array_bytes=limits.array_bytes,
            close=worker.close,
        )
        self._keep(channel)
        _make_ready(channel, imports, self.preload, probes)
        return channel


class _Subprocess:
    """A worker that is a subprocess of ours."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.lost = False
        self._cpu = 0.0
        self._began = time.monotonic()

    def cpu_seconds(self) -> float:
        if self._process.returncode is None:
            self._cpu = self._read_clock()
        return self._cpu

    def _read_clock(self) -> float:
        if not sys.platform.startswith("linux"):
            return (time.monotonic() - self._began) / 2  # not told here: half of the time on the clock counts
        try:
            return time.clock_gettime((~self._process.pid << 3) | 2)
        except OSError:
            return self._cpu

    def ask_where(self) -> None:
        if hasattr(signal, "SIGUSR1"):
            self._process.send_signal(signal.SIGUSR1)

    def kill(self) -> None:
        if self._process.returncode is None:
            self.cpu_seconds()
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (OSError, AttributeError):
                self._process.kill()
            self._process.wait()

    def ending(self) -> tuple[int, int]:
        try:
            code = self._process.wait(2.0)
        except Exception:  # it closed its pipe and lives on
            self.kill()
            code = 0
        return (-code, 0) if code < 0 else (0, code)

    def close(self) -> None:
        """Close our ends of the pipe."""
        for end in (self._process.stdin, self._process.stdout):
            if end is not None:
                try:
                    end.close()
                except OSError:
                    pass


def _two_pipes() -> tuple[tuple[int, int], tuple[int, int]]:
    """The ends to read from and to write to, for us and for a worker. Raises OSError.

    No socket: what is written to a pipe wakes the other side in half the time.
    """
    read_end, their_write_end = os.pipe()
    try:
        their_read_end, write_end = os.pipe()
    except OSError:
        _close((read_end, their_write_end))
        raise
    return (read_end, write_end), (their_read_end, their_write_end)


def _close(descriptors: Sequence[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _wait_for(pidfd: int, seconds: float) -> None:
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    poll.poll(seconds * 1000)


def _wait_or_kill(pid: int) -> None:
    """Reap the zygote, at most a second from now; kill it when it does not end by itself."""
    try:
        pidfd = os.pidfd_open(pid)
    except OSError:
        return
    try:
        _wait_for(pidfd, 1.0)
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)  # no harm once it has ended
        os.waitpid(pid, 0)
    except OSError:
        pass
    finally:
        os.close(pidfd)
