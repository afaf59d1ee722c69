"""Work on all cores: processes that each open what they need once, and are replaced when they die."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from handgrad.errors import HandgradError, ToolError
from handgrad.sandbox.core import spread, stay_on

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

STOP_SECONDS = 5.0  # how long a process may take to close its sandbox
Item = TypeVar("Item")
Result = TypeVar("Result")
Gets = TypeVar("Gets", contravariant=True)
Gives = TypeVar("Gives", covariant=True)


class Task(Protocol[Gets, Gives]):
    """What is done to each item. Must pickle; so must items and results."""

    def open(self, stack: ExitStack) -> Callable[[Gets], Gives]:
        """In the process: open what all items need, to be closed by `stack`; what does one item."""

    def lost(self, item: Gets, code: int | None) -> Gives:
        """The result for an item with which its process died twice, the last time with `code`."""


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def run_pool(
    task: Task[Item, Result],
    items: Sequence[Item],
    *,
    jobs: int = 0,
    done: Callable[[Result], None] = lambda result: None,
) -> tuple[Result, ...]:
    """One result an item, in their order; `done` hears of each, in this process, as it comes.

    `jobs` processes (0: one a core); with one, everything happens in this process. An error of ours
    (HandgradError) in any of them ends the run and is raised here. However it ends, no process stays.
    """
    jobs = min(jobs or cores(), len(items))
    if jobs > 1:
        return _Pool(task, items, jobs, lambda position, result: done(result)).run()
    results: list[Result] = []
    with ExitStack() as stack:
        work = task.open(stack)
        for item in items:
            results.append(work(item))
            done(results[-1])
    return tuple(results)


class Background(Generic[Item, Result]):
    """The same in the background: whoever needs a result waits for it, and does other things until then.

    Leaving the `with` block ends it, whatever it has in hand.
    """

    def __init__(self, task: Task[Item, Result], items: Sequence[Item], *, jobs: int = 0) -> None:
        import threading

        self.jobs = min(jobs or cores(), len(items))
        self.task, self.items = task, items
        self.changed = threading.Condition()
        self.results: dict[int, Result] = {}
        self.ended = False
        self.thread = threading.Thread(target=self._work)

    def __enter__(self) -> Self:
        from multiprocessing import Pipe

        self.end, self.ours = Pipe(duplex=False)
        self.thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.ours.close()
        self.thread.join()
        self.end.close()

    def result(self, position: int) -> Result | None:
        """The result for one of the items, once only; None when the processes ended without it."""
        with self.changed:
            self.changed.wait_for(lambda: self.ended or position in self.results)
            return self.results.pop(position, None)

    def _work(self) -> None:
        pool = _Pool(self.task, self.items, self.jobs, self._take, until=self.end)
        try:
            with suppress(HandgradError, OSError):  # whoever misses a result meets the same by itself
                pool.run()
        finally:
            with self.changed:
                self.ended = True
                self.changed.notify_all()

    def _take(self, position: int, result: Result) -> None:
        with self.changed:
            self.results[position] = result
            self.changed.notify_all()


class _Pool(Generic[Item, Result]):
    """The processes, and what each has in hand. Their only link to us is a pipe each."""

    def __init__(
        self,
        task: Task[Item, Result],
        items: Sequence[Item],
        jobs: int,
        done: Callable[[int, Result], None],
        *,
        until: Connection | None = None,  # the run ends when the other end of this pipe is closed
    ) -> None:
        import multiprocessing

        self.context = multiprocessing.get_context("spawn")  # no threads, locks or open files of ours in them
        self.task, self.items, self.jobs, self.done, self.until = task, items, jobs, done, until
        self.waiting = list(range(len(items)))[::-1]
        self.results: dict[int, Result] = {}
        self.died: dict[int, int] = {}
        self.processes: dict[Connection, SpawnProcess] = {}
        self.cores: list[int | None] = [*spread()] or [None]
        self.places: dict[Connection, int | None] = {}  # the core that each process works on
        self.busy: dict[Connection, int] = {}

    def run(self) -> tuple[Result, ...]:
        """All results, in order; none when it was told to end."""
        from multiprocessing.connection import wait

        try:
            for _ in range(self.jobs):
                self._start()
            while len(self.results) < len(self.items):
                for ready in wait([*self.processes, *filter(None, [self.until])]):
                    if ready is self.until:
                        return ()
                    self._hear(ready)  # type: ignore[arg-type]
        finally:
            self._stop()
        return tuple(self.results[i] for i in range(len(self.items)))

    def _start(self) -> None:
        ours, theirs = self.context.Pipe()
        taken = list(self.places.values())
        core = min(self.cores, key=taken.count)
        process = self.context.Process(target=_work, args=(theirs, self.task, core), daemon=False)
        with _nothing_imported_from_here(), _interrupts_kept_from_children():
            process.start()
        theirs.close()
        self.processes[ours], self.places[ours] = process, core

    def _hear(self, connection: Connection) -> None:
        """Take one message: ready for work, a result, an error of ours; or notice that the process died."""
        try:
            kind, value = connection.recv()
        except (EOFError, OSError):
            self._lost(connection)
            return
        if kind == "error":
            raise value
        if kind == "result":
            self._finish(self.busy.pop(connection), value)
        if self.waiting:
            position = self.waiting.pop()
            self.busy[connection] = position
            with suppress(OSError):  # died meanwhile: heard of at the next turn
                connection.send(self.items[position])

    def _lost(self, connection: Connection) -> None:
        connection.close()
        process = self.processes.pop(connection)
        del self.places[connection]
        process.join(STOP_SECONDS)
        position = self.busy.pop(connection, None)
        if position is None:
            raise ToolError(f"a process ended before its work (code {process.exitcode}): try `--jobs 1`")
        self.died[position] = self.died.get(position, 0) + 1
        if self.died[position] < 2:
            self.waiting.append(position)
        else:
            self._finish(position, self.task.lost(self.items[position], process.exitcode))
        if self.waiting:
            self._start()

    def _finish(self, position: int, result: Result) -> None:
        self.results[position] = result
        self.done(position, result)

    def _stop(self) -> None:
        for connection, process in self.processes.items():
            connection.close()  # the process sees the end of its pipe, closes its sandbox and leaves
            if connection in self.busy:
                process.terminate()
        for process in self.processes.values():
            process.join(STOP_SECONDS)
            if process.is_alive():
                process.kill()
                process.join()


@contextmanager
def _interrupts_kept_from_children() -> Iterator[None]:
    """What is started here never hears of Ctrl-C, not even while it still imports; we hear of it after."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it would open the mask again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _nothing_imported_from_here() -> Iterator[None]:
    """A child's Python begins with the current folder on its path, and that may hold learners' files.

    So does that of multiprocessing's own helper, which comes with the first child. A child would also import
    the program that runs here, which may be one that takes seconds to import.
    """
    before, main = os.environ.get("PYTHONSAFEPATH"), sys.modules["__main__"]
    os.environ["PYTHONSAFEPATH"] = "1"
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def _work(connection: Connection, task: Task[Any, Any], core: int | None) -> None:
    """One of the processes: does items until the pipe closes, all on its own core."""
    import gc
    import signal

    stay_on(core)

    def leave(*_: Any) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the parent decides
    signal.signal(signal.SIGTERM, leave)
    with ExitStack() as stack:
        try:
            work = task.open(stack)
            gc.freeze()  # what is there by now stays, and what comes is mostly free of rings
            gc.set_threshold(20_000)
            connection.send(("ready", None))
            while True:
                try:
                    item = connection.recv()
                except (EOFError, OSError):
                    return
                connection.send(("result", work(item)))
        except HandgradError as error:
            with suppress(OSError):
                connection.send(("error", type(error)(str(error))))
        except OSError as error:
            with suppress(OSError):
                connection.send(("error", ToolError(f"the work stopped: {error}")))
