"""Compiles grader files: each bare assert keeps both of its sides, and nothing is evaluated twice."""

from __future__ import annotations

import ast
import hashlib
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

from handgrad import __version__
from handgrad.errors import ExerciseError
from handgrad.explain import AssertSite
from handgrad.judge.proxy import Proxy, ProxyMisuse
from handgrad.model import Check, Exercise

ALLOWED_IMPORTS: Final = frozenset({"__future__", "handgrad", "math", "random", "itertools", "numpy"})
_ASSERT: Final = "__handgrad_assert__"
_WORD: Final = re.compile(r"\bimport\b")


class CheckFailed(Exception):
    """An assert of a check did not hold. Both sides as they were evaluated, once."""

    def __init__(self, site: AssertSite, left: Any, right: Any) -> None:
        super().__init__(site.left)
        self.site, self.left, self.right = site, left, right


class LoadedCheck(NamedTuple):
    """A check with its code. `arrange` and `act` are its source lines; `tree` is the function as written."""

    check: Check
    function: Callable[..., None]
    parameters: tuple[str, ...]
    arrange: tuple[ast.stmt, ...]
    act: ast.stmt | None
    example: tuple[str, ...]  # the arrange and act lines as the learner may read them
    tree: ast.FunctionDef
    source: str  # the whole file's text


def load_checks(exercise: Exercise) -> tuple[LoadedCheck, ...]:
    """Every check of the exercise, over all roots: visible ones first, each group in file order.

    Raises ExerciseError with `path:line` for a file that cannot be read, compiled or run, a test
    without `@check`, or a name used twice.
    """
    loaded: list[LoadedCheck] = []
    for hidden in (False, True):
        for root in exercise.roots:
            folder = root / "graders" / exercise.slug
            for path in sorted((folder / "hidden" if hidden else folder).glob("test_*.py")):
                loaded.extend(load_file(path, hidden=hidden))
    _refuse_twins(loaded)
    return tuple(loaded)


def load_file(path: Path, *, hidden: bool) -> tuple[LoadedCheck, ...]:
    """The checks of one grader file, in order. Raises ExerciseError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ExerciseError(f"{path}: cannot be read: {error}; mend the file") from None
    return load_text(text, path, hidden=hidden)


def load_text(text: str, path: Path, *, hidden: bool) -> tuple[LoadedCheck, ...]:
    """The checks of a grader file's text. Raises ExerciseError."""
    try:
        tree = ast.parse(text, str(path))
    except SyntaxError as error:
        raise ExerciseError(f"{path}:{error.lineno}: {error.msg}; mend the grader") from None
    _refuse_imports(tree, text, path)
    sites: list[AssertSite] = []
    functions = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    lines = text.encode().split(b"\n")
    swaps = [swap for function in functions for swap in _swap_asserts(function, lines, sites)]
    code = compile(tree, str(path), "exec")
    for body, position, original in swaps:  # parsing twice would cost as much as all the rest
        body[position] = original
    namespace = _execute(code, path, sites)
    return tuple(_loaded(namespace, function, text, path, hidden) for function in functions)


def grader_digest(exercise: Exercise) -> str:
    """SHA-256 over all grader files, the limits, the points and this judge's version, in hex."""
    digest = hashlib.sha256(
        f"{__version__}\0{exercise.limits}\0{exercise.points}\0{exercise.checks}".encode()
    )
    for path in _grader_files(exercise):
        digest.update(f"\0{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _grader_files(exercise: Exercise) -> Iterator[Path]:
    for root in exercise.roots:
        folder = root / "graders" / exercise.slug
        yield from sorted(folder.glob("test_*.py"))
        yield from sorted((folder / "hidden").glob("test_*.py"))


def _refuse_twins(loaded: list[LoadedCheck]) -> None:
    seen: dict[str, Check] = {}
    for item in loaded:
        first = seen.setdefault(item.check.name, item.check)
        if first is not item.check:
            raise ExerciseError(
                f"{item.check.path}:{item.check.line}: the name `{item.check.name}` is used already in "
                f"{first.path}:{first.line}; rename one of the two"
            )


def _refuse_imports(tree: ast.Module, text: str, path: Path) -> None:
    found: list[ast.stmt] = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    if len(_WORD.findall(text)) > len(found):  # some stand inside, or in a sentence: look everywhere
        found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    for node in found:
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or "."]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        for name in names:
            if name.partition(".")[0] not in ALLOWED_IMPORTS:
                raise ExerciseError(
                    f"{path}:{node.lineno}: a grader may not import `{name}`; "
                    "use handgrad.check, math, random or numpy"
                )


def _swap_asserts(
    function: ast.FunctionDef, lines: list[bytes], sites: list[AssertSite]
) -> list[tuple[list[ast.stmt], int, ast.Assert]]:
    """Put a call that keeps both sides in the place of each assert; where, and what stood there."""
    swaps: list[tuple[list[ast.stmt], int, ast.Assert]] = []
    for body in _bodies(function):
        for position, statement in enumerate(body):
            if isinstance(statement, ast.Assert):
                body[position] = _keeping(statement, lines, sites)
                swaps.append((body, position, statement))
    return swaps


def _bodies(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements in a statement, in the order of the text."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        inner = getattr(statement, name, None)
        if not isinstance(inner, list):
            continue
        if name not in ("handlers", "cases"):
            yield inner
        for one in inner:
            yield from _bodies(one)


def _keeping(node: ast.Assert, lines: list[bytes], sites: list[AssertSite]) -> ast.stmt:
    site, left, right = _site(node, lines)
    sites.append(site)
    name, index = ast.Name(_ASSERT, ast.Load()), ast.Constant(len(sites) - 1)
    call = ast.Call(name, [index, left, right], [])
    statement = ast.Expr(call)
    for made in (name, index, call, statement):
        ast.copy_location(made, node)
    return statement


def _site(node: ast.Assert, lines: list[bytes]) -> tuple[AssertSite, ast.expr, ast.expr]:
    test = node.test
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = test.left, test.comparators[0]
        sign = _SIGNS[type(test.ops[0])]
        site = AssertSite(node.lineno, _segment(lines, left), sign, _segment(lines, right))
        return site, left, right
    right = ast.copy_location(ast.Constant(True), test)
    return AssertSite(node.lineno, _segment(lines, test), "", ""), test, right


def _segment(lines: list[bytes], node: ast.expr) -> str:
    """The expression as the grader wrote it, on one line. (`ast.get_source_segment` splits the whole file
    for each: that took half the time of a `check`.)"""
    last = node.end_lineno or node.lineno
    chosen = lines[node.lineno - 1 : last]
    chosen[-1] = chosen[-1][: node.end_col_offset]
    chosen[0] = chosen[0][node.col_offset :]
    return " ".join(b"\n".join(chosen).decode().split())


_BY_VALUE: Final = frozenset({"!=", "<", "<=", ">", ">="})  # a proxy would ask the learner for the answer
_SIGNS: Final = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


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


def _execute(code: CodeType, path: Path, sites: list[AssertSite]) -> dict[str, Any]:
    def keep(index: int, left: Any, right: Any) -> None:
        if not _holds(sites[index].sign, left, right):
            raise CheckFailed(sites[index], left, right)

    namespace: dict[str, Any] = {"__name__": f"grader_{path.stem}", "__file__": str(path), _ASSERT: keep}
    try:
        exec(code, namespace)
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


def _loaded(
    namespace: dict[str, Any], node: ast.FunctionDef, text: str, path: Path, hidden: bool
) -> LoadedCheck:
    function = namespace.get(node.name)
    marks = getattr(function, "__handgrad_check__", None)
    if marks is None or not callable(function):
        raise ExerciseError(f"{path}:{node.lineno}: `{node.name}` has no @check(points=…, hint=…); add it")
    title = (ast.get_docstring(node) or "").strip().split("\n")[0]
    if not title:
        raise ExerciseError(
            f"{path}:{node.lineno}: `{node.name}` has no docstring; its first line is the title"
        )
    points, hints = marks
    arrange, act = _split(node)
    return LoadedCheck(
        check=Check(node.name, title, points, hints, hidden, path, node.lineno),
        function=function,
        parameters=tuple(argument.arg for argument in node.args.args),
        arrange=arrange,
        act=act,
        example=_example(text, [*arrange, *([act] if act else [])]),
        tree=node,
        source=text,
    )


def _split(node: ast.FunctionDef) -> tuple[tuple[ast.stmt, ...], ast.stmt | None]:
    body = node.body[1:] if ast.get_docstring(node) else node.body
    first_assert = next((i for i, statement in enumerate(body) if asserts(statement)), len(body))
    before = body[:first_assert]
    return tuple(before[:-1]), before[-1] if before else None


def asserts(statement: ast.stmt) -> bool:
    """True for an assert, and for a loop that does nothing but assert."""
    if isinstance(statement, ast.For):
        return not statement.orelse and all(asserts(inner) for inner in statement.body)
    return isinstance(statement, ast.Assert)


def _example(text: str, statements: list[ast.stmt]) -> tuple[str, ...]:
    lines = text.split("\n")
    if not statements:
        return ()
    block = lines[statements[0].lineno - 1 : statements[-1].end_lineno]
    return tuple(line for line in textwrap.dedent("\n".join(block)).split("\n") if line.strip())
