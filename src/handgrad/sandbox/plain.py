"""A worker as an ordinary subprocess: frames over descriptors 0 and 1.

The way on systems without a zygote (macOS, Windows), and the second, tested way on Linux.
"""

from __future__ import annotations

import os
import sys


def main(level: int, preload: list[str], source: str, paths: list[str], limits: dict[str, int]) -> None:
    """Get ready, lock, serve until the judge closes the pipe."""
    from handgrad.sandbox.child import set_limits, warm
    from handgrad.sandbox.lock import LockError, prepare, self_test
    from handgrad.worker import agent, serve

    kept = [folder for folder in sys.path if folder != source]
    sys.path.extend(paths)
    warm(preload, agent.import_modules)

    def apply(probes: list[str]) -> str:
        try:
            lock = prepare(level)
            sys.path[:] = kept
            sys.dont_write_bytecode = True
            lock.apply()
        except LockError as error:
            return str(error)
        return self_test(probes) if level > 1 else ""

    read_fd, write_fd = os.dup(0), os.dup(1)
    if os.name == "nt":
        import msvcrt

        for fd in (read_fd, write_fd):
            msvcrt.setmode(fd, os.O_BINARY)  # type: ignore[attr-defined,unused-ignore]
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.close(null)
    if os.name != "nt":
        os.setsid()
    set_limits(limits)
    serve.serve(serve.Pipe(read_fd, write_fd), apply)
