"""Loads grader files: their checks, with the code that asks the questions."""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from handgrad import __version__
from handgrad.catalog import grader_files
from handgrad.errors import ExerciseError, ToolError
from handgrad.explain import AssertSite
from handgrad.files import required_text, write_safely
from handgrad.judge.grader import KEEP, Grader, Outline
from handgrad.judge.proxy import Proxy, ProxyMisuse
from handgrad.model import Check, Exercise

if TYPE_CHECKING:
    import ast


class CheckFailed(Exception):
    """An assert of a check did not hold. Both sides as they were evaluated, once."""

    def __init__(self, site: AssertSite, left: Any, right: Any) -> None:
        super().__init__(site.left)
        self.site, self.left, self.right = site, left, right


class LoadedCheck(NamedTuple):
    """A check with its code."""

    check: Check
    function: Callable[..., None]
    parameters: tuple[str, ...]
    example: tuple[str, ...]  # the arrange and act lines as the learner may read them
    source: str  # the whole file's text

    @property
    def tree(self) -> ast.FunctionDef:
        """The function as written. The file is parsed when this is asked for."""
        from handgrad.judge.rewrite import functions_of

        return functions_of(self.source)[self.check.name]


def load_checks(exercise: Exercise) -> tuple[LoadedCheck, ...]:
    """Every check of the exercise, over all roots: visible ones first, each group in file order.

    Raises ExerciseError with `path:line` for a file that cannot be read, compiled or run, a test
    without `@check`, or a name used twice.
    """
    loaded: list[LoadedCheck] = []
    for path, hidden in grader_files(exercise):
        loaded.extend(load_file(path, hidden=hidden))
    _refuse_twins(loaded)
    return tuple(loaded)


def load_file(path: Path, *, hidden: bool) -> tuple[LoadedCheck, ...]:
    """The checks of one grader file, in order. Raises ExerciseError."""
    text = required_text(path)
    return _loaded(_kept(text, path), text, path, hidden)


def load_text(text: str, path: Path, *, hidden: bool) -> tuple[LoadedCheck, ...]:
    """The checks of a grader file's text. Raises ExerciseError."""
    return _loaded(_compile(text, path), text, path, hidden)


def grader_digest(exercise: Exercise) -> str:
    """SHA-256, in hex, of all grader files, limits, points, preloaded modules and this judge's version."""
    about = (__version__, exercise.limits, exercise.points, exercise.checks, exercise.preload)
    digest = hashlib.sha256("\0".join(map(str, about)).encode())
    for path, hidden in grader_files(exercise):
        digest.update(f"\0{'hidden/' if hidden else ''}{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _refuse_twins(loaded: list[LoadedCheck]) -> None:
    seen: dict[str, Check] = {}
    for item in loaded:
        first = seen.setdefault(item.check.name, item.check)
        if first is not item.check:
            raise ExerciseError(
                f"{item.check.path}:{item.check.line}: the name `{item.check.name}` is used already in "
                f"{first.path}:{first.line}; rename one of the two"
            )


_BY_VALUE: Final = frozenset({"!=", "<", "<=", ">", ">="})  # a proxy would ask the learner for the answer


def _holds(sign: str, left: Any, right: Any) -> bool:
    if sign in _BY_VALUE and Proxy in (type(left), type(right)):
        raise ProxyMisuse("an object of the learner's has no order and no value of its own here")
    match sign:
        case "==":
            return bool(left == right)
        case "!=":
            return bool(left != right)
        case "<":
            return bool(left < right)
        case "<=":
            return bool(left <= right)
        case ">":
            return bool(left > right)
        case ">=":
            return bool(left >= right)
        case "is":
            return left is right
        case "is not":
            return left is not right
        case "in":
            return left in right
        case "not in":
            return left not in right
    return bool(left)


# ---- from text to functions


def _compile(text: str, path: Path) -> Grader:
    from handgrad.judge.rewrite import compile_text  # it brings the parser along

    return compile_text(text, path)


def _kept(text: str, path: Path) -> Grader:
    """What `text` compiles to, out of `__pycache__` where it was kept there, as Python does with modules.

    The digest in front covers the text, its path, this Python, this judge and what was kept: whatever does
    not fit is made anew. What cannot be written is made again next time.
    """
    place = Path(cache_from_source(str(path), optimization="handgrad"))
    known = f"{MAGIC_NUMBER!r}\0{_rewriter()}\0{path}\0{text}".encode("utf-8", "surrogatepass")
    with suppress(OSError):
        raw = place.read_bytes()
        if raw[:32] == hashlib.sha256(known + raw[32:]).digest():
            code, sites, checks = marshal.loads(raw[32:])
            return Grader(code, tuple(AssertSite(*s) for s in sites), tuple(Outline(*c) for c in checks))
    grader = _compile(text, path)
    if not sys.dont_write_bytecode:
        raw = marshal.dumps((grader.code, [*map(tuple, grader.sites)], [*map(tuple, grader.checks)]))
        with suppress(ToolError, OSError):
            mode = path.stat().st_mode & 0o666  # who may not read a grader may not read what it becomes
            write_safely(place, hashlib.sha256(known + raw).digest() + raw, durable=False, mode=mode)
    return grader


def _rewriter() -> str:
    """What tells one state of the code that compiles graders from another."""
    here = Path(__file__)
    makers = here.with_name("rewrite.py"), here.with_name("grader.py"), here.parent.with_name("explain.py")
    with suppress(OSError):
        return f"{__version__} {[(about.st_size, about.st_mtime_ns) for about in map(os.stat, makers)]}"
    return __version__


def _loaded(grader: Grader, text: str, path: Path, hidden: bool) -> tuple[LoadedCheck, ...]:
    """Run the file, and take its checks out of it. Raises ExerciseError."""
    namespace = _execute(grader, path)
    return tuple(_check(namespace, outline, text, path, hidden) for outline in grader.checks)


def _execute(grader: Grader, path: Path) -> dict[str, Any]:
    sites = grader.sites

    def keep(index: int, left: Any, right: Any) -> None:
        if not _holds(sites[index].sign, left, right):
            raise CheckFailed(sites[index], left, right)

    namespace: dict[str, Any] = {"__name__": f"grader_{path.stem}", "__file__": str(path), KEEP: keep}
    try:
        exec(grader.code, namespace)
    except Exception as error:
        line = _line_in(error, str(path))
        raise ExerciseError(f"{path}:{line}: {type(error).__name__}: {error}; mend the grader") from None
    return namespace


def _line_in(error: BaseException, path: str) -> int:
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _check(namespace: dict[str, Any], outline: Outline, text: str, path: Path, hidden: bool) -> LoadedCheck:
    name, line, title, parameters, example = outline
    function = namespace.get(name)
    marks = getattr(function, "__handgrad_check__", None)
    if marks is None or not callable(function):
        raise ExerciseError(f"{path}:{line}: `{name}` has no @check(points=…, hint=…); add it")
    if not title:
        raise ExerciseError(f"{path}:{line}: `{name}` has no docstring; its first line is the title")
    points, hints = marks
    return LoadedCheck(
        Check(name, title, points, hints, hidden, path, line), function, parameters, example, text
    )
