"""Starts the zygote's process. It imports little, so that this can be the first thing a command does."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    from collections.abc import Mapping, Sequence

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  (no pathlib: it costs milliseconds)
SOURCE = os.path.dirname(os.path.dirname(_HERE))  # noqa: PTH120  (the folder that holds the package)
_PASSED_ON = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "PYTHONPYCACHEPREFIX", "SYSTEMROOT", "LD_LIBRARY_PATH")


class Launched:
    """A zygote that is getting warm: its process, and our end of the socket that orders go through."""

    def __init__(
        self, level: int | None, preload: Sequence[str] = (), *, keep_addresses: bool = True
    ) -> None:
        """Start it. Raises ToolError when a module of `preload` is missing, OSError when it cannot start."""
        import _socket  # see control.py

        self.level, self.preload = level, tuple(preload)
        given = options(level, preload)
        self.control: _socket.socket
        self.control, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        try:
            os.set_inheritable(theirs.fileno(), True)
            words = command("zygote", {"control": theirs.fileno(), **given}, keep_addresses=keep_addresses)
            # A group of its own: Ctrl-C is for us, and we end the workers.
            self.pid = os.posix_spawn(words[0], words, environment(), setpgroup=0)
        except OSError:
            self.control.close()
            raise
        finally:
            theirs.close()


def options(level: int | None, preload: Sequence[str]) -> dict[str, object]:
    """What a zygote or a plain worker is told. Raises ToolError when a module of `preload` is missing."""
    paths = _paths(level, preload)
    return {"level": level, "preload": list(preload), "source": SOURCE, "paths": paths}


def command(module: str, arguments: Mapping[str, object], *, keep_addresses: bool = True) -> list[str]:
    """The words that call a module's `main` in a Python that sees the standard library and us alone.

    Imported, not run as a file, so that it need not be compiled each time. Without address randomisation,
    where the system has the tool for it: sets then have the same order each time.
    """
    code = (
        f"import sys; sys.path.append({SOURCE!a}); from handgrad.sandbox.{module} import main; "
        f"main(**{dict(arguments)!a})"
    )
    words = [sys.executable or "python3", "-P", "-s", "-S", "-c", code]
    if keep_addresses and sys.platform.startswith("linux"):
        for tool in ("/usr/bin/setarch", "/bin/setarch"):
            if os.access(tool, os.X_OK):
                return [tool, "-R", *words]
    return words


def environment() -> dict[str, str]:
    """What a worker's Python sees: nothing of ours but what its libraries need to compute right."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    if sys.dont_write_bytecode:  # asked of us, so of them
        kept["PYTHONDONTWRITEBYTECODE"] = "1"
    return {
        **kept,
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def _paths(level: int | None, preload: Sequence[str]) -> list[str]:
    """The folders, beside the standard library and SOURCE, that hold what is imported before any learner."""
    tops = [name.partition(".")[0] for name in preload]
    names = [*tops, *(("seccompy", "landlockpy") if level is None or level > 1 else ())]
    folders: list[str] = []
    for name in names:
        folder = _folder(name)
        if folder is None and name in tops:
            from handgrad.errors import ToolError

            raise ToolError(missing(preload))
        if folder and folder not in folders:
            folders.append(folder)
    return folders


def missing(preload: Sequence[str]) -> str:
    """Which module of `preload` is not installed, in a sentence with a command that installs it; else ""."""
    for name in preload:
        top = name.partition(".")[0]
        if _folder(top) is None:
            return f"`{top}` is not installed: {_how_to_install(top)}"
    return ""


def _how_to_install(name: str) -> str:
    if os.environ.get("MAKELEVEL"):
        return "`make .venv/grade-ready` sets up what exercises need, then try again"
    if sys.prefix != sys.base_prefix:
        here = sys.executable.startswith(os.getcwd() + os.sep)  # noqa: PTH109
        python = os.path.relpath(sys.executable) if here else "python"
        return f"say `{python} -m pip install {name}` in this virtual environment, then try again"
    python = os.path.basename(sys.executable or "python3")  # noqa: PTH119
    if not os.path.isfile(os.path.join(os.path.dirname(os.__file__), "EXTERNALLY-MANAGED")):  # noqa: PTH113, PTH118, PTH120
        return f"say `{python} -m pip install {name}`, then try again"
    own = ".venv/bin/python"  # the systems that forbid pip are not Windows
    return (
        f"say `{python} -m venv .venv` and `{own} -m pip install {name}`, "
        f"then try again with `{own} -m handgrad` in place of `{python} -m handgrad`"
    )


def _folder(name: str) -> str | None:
    """The folder that holds a top-level module, found without importing it; "" for a part of Python."""
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec(name)
    if spec is None:  # no folder of sys.path has it; an editable install has a finder of its own
        from importlib.util import find_spec

        spec = find_spec(name)
    if spec is None or not spec.origin:
        return None
    folder = os.path.dirname(spec.origin)  # noqa: PTH120
    return os.path.dirname(folder) if spec.submodule_search_locations else folder  # noqa: PTH120
