"""A grader's text as code: each bare assert keeps both of its sides, and nothing is evaluated twice.

Compiling takes a tenth of a whole `check`, so the loader keeps what comes out of here beside the grader.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from handgrad.errors import ExerciseError
from handgrad.explain import AssertSite
from handgrad.judge.grader import KEEP, Grader, Outline

# What a grader may import beside handgrad.check.
ALLOWED_IMPORTS: Final = frozenset({"__future__", "math", "random", "itertools", "numpy"})
_WORD: Final = re.compile(r"\bimport\b")


def compile_text(text: str, path: Path) -> Grader:
    """Raises ExerciseError for a text that is no Python, or imports what a grader may not."""
    tree = _parse(text, path)
    _refuse_imports(tree, text, path)
    functions = _tests(tree)
    checks = tuple(_outline(text, function) for function in functions)
    lines = text.encode().split(b"\n")
    sites: list[AssertSite] = []
    for function in functions:
        _keep_both_sides(function, lines, sites)
    code = compile(tree, str(path), "exec", optimize=0)  # under `python -O`, too, a helper may assert
    return Grader(code, tuple(sites), checks)


@lru_cache(maxsize=64)
def functions_of(text: str) -> dict[str, ast.FunctionDef]:
    """The checks of a grader's text as trees, by name. Raises ExerciseError."""
    return {function.name: function for function in _tests(_parse(text, Path("grader")))}


def _parse(text: str, path: Path) -> ast.Module:
    try:
        return ast.parse(text, str(path))
    except SyntaxError as error:
        raise ExerciseError(f"{path}:{error.lineno}: {error.msg}; mend the grader") from None


def _tests(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


def _outline(text: str, node: ast.FunctionDef) -> Outline:
    title = (ast.get_docstring(node) or "").strip().split("\n")[0]
    parameters = tuple(argument.arg for argument in node.args.args)
    return Outline(node.name, node.lineno, title, parameters, _example(text, node))


def parts_of(node: ast.FunctionDef) -> tuple[tuple[ast.stmt, ...], ast.stmt | None]:
    """What a check arranges, and the one statement in which it acts, before it asserts."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    first_assert = next((i for i, statement in enumerate(body) if _asserts(statement)), len(body))
    before = body[:first_assert]
    return tuple(before[:-1]), before[-1] if before else None


def _asserts(statement: ast.stmt) -> bool:
    """True for an assert, and for a loop that does nothing but assert."""
    if isinstance(statement, ast.For):
        return not statement.orelse and all(_asserts(inner) for inner in statement.body)
    return isinstance(statement, ast.Assert)


def _example(text: str, node: ast.FunctionDef) -> tuple[str, ...]:
    arrange, act = parts_of(node)
    statements = [*arrange, *([act] if act else [])]
    lines = text.split("\n")
    if not statements:
        return ()
    block = lines[statements[0].lineno - 1 : statements[-1].end_lineno]
    return tuple(line for line in textwrap.dedent("\n".join(block)).split("\n") if line.strip())


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
            if name != "handgrad.check" and name.partition(".")[0] not in ALLOWED_IMPORTS:
                raise ExerciseError(
                    f"{path}:{node.lineno}: a grader may not import `{name}`; "
                    "use handgrad.check, math, random, itertools or numpy"
                )


def _keep_both_sides(function: ast.FunctionDef, lines: list[bytes], sites: list[AssertSite]) -> None:
    """Put a call that keeps both sides in the place of each assert."""
    for body in _bodies(function):
        for position, statement in enumerate(body):
            if isinstance(statement, ast.Assert):
                body[position] = _keeping(statement, lines, sites)


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
    name, index = ast.Name(KEEP, ast.Load()), ast.Constant(len(sites) - 1)
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
