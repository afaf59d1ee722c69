"""The command `handgrad`, also as `python -m handgrad`.

Answering soon matters here, so the sandbox of `check` gets warm while all else is still being imported.
Nothing may be imported above the last lines but what Python has loaded by then: even `__future__` is a file,
and would be taken from the folder one stands in.
"""

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from handgrad.sandbox.launch import Launched


def main() -> int:
    """Run the command line; the exit code."""
    _reopen_closed_streams()
    gc.set_threshold(20_000)  # a short life full of small records: looking for rings costs it a twentieth
    try:
        early = start_early(sys.argv[1:])
        from handgrad import cli

        code = cli.main(early=early)
        gc.freeze()  # nor at the end
        return code
    except KeyboardInterrupt:  # before the command could say so itself
        return 130


def _reopen_closed_streams() -> None:
    """Closed ones lead nowhere from now on: else the next file that is opened would take their number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w" if number else "r"))  # noqa: PTH123, SIM115


def start_early(words: list[str]) -> "Launched | None":
    """For `check`: a sandbox with the modules that the exercises named ask for, as far as that is plain.

    None where there can be none: what is wrong is told well when its turn comes.
    """
    if words[:1] != ["check"] or {"-h", "--help", "--in-process"}.intersection(words):
        return None
    if not sys.platform.startswith("linux"):
        return None
    from handgrad.errors import ToolError
    from handgrad.sandbox.launch import Launched

    elsewhere = any(word.partition("=")[0] in ("--course", "--root") for word in words)
    slugs = words[1:] if os.path.isfile("course.toml") and not elsewhere else []  # noqa: PTH113
    try:
        return Launched(None, [name for slug in slugs for name in preload_of(slug)])
    except (OSError, ValueError, RecursionError, ToolError):
        return None


def preload_of(slug: str) -> list[str]:
    """The modules that an exercise of the course here asks for. Raises OSError, ValueError, RecursionError.

    A word that is no name may be the path of a learner's folder, which has nothing to ask for.
    """
    if os.path.basename(slug) != slug or slug in ("", os.curdir, os.pardir):  # noqa: PTH119
        return []
    path = os.path.join("exercises", slug, "exercise.toml")  # noqa: PTH118  (no pathlib: it costs milliseconds)
    if slug.startswith("-") or not os.path.isfile(path):  # noqa: PTH113
        return []
    with open(path, "rb") as file:  # noqa: PTH123
        text = file.read()
    if b"preload" not in text or b"\npreload = []\n" in text:
        return []  # and no need for a parser
    import tomllib

    found = tomllib.loads(text.decode()).get("preload", [])
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


if __name__ == "__main__":
    if not sys.flags.safe_path:
        # The folder one stands in may hold a learner's random.py, or a NumPy where none is installed.
        del sys.path[0]
        source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
        if source not in sys.path:
            sys.path.append(source)
    sys.exit(main())
