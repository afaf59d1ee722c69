"""What a check did before its asserts, in words: `with a = 2.0, b = -3.0, c = a * b + a`.

A module of its own, since only a check that failed is told, and a tree costs time to read.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any, Final

from handgrad.explain import is_array, show

MAX_CLAUSE: Final = 72


def situation(
    arrange: Sequence[ast.stmt], act: ast.stmt | None, local: Mapping[str, Any], parameters: Sequence[str]
) -> str:
    """The check's arrange and act lines as a clause: `a = 2.0, b = -3.0, c = a * b + a`.

    `local` are the check's variables, for numbers that were drawn; parameters are the learner's names.
    """
    clauses: list[str] = []
    for statement in arrange:
        clauses.extend(_arranged(statement, local, parameters))
    if act is not None and not any(type(value).__name__ == "Program" for value in local.values()):
        clauses.extend(_acted(act))
    return ", ".join(clause for clause in clauses if len(clause) <= MAX_CLAUSE)


def _arranged(statement: ast.stmt, local: Mapping[str, Any], parameters: Sequence[str]) -> list[str]:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return []
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
    else:
        pairs = [(target, value)]
    clauses = [_assigned(name, expression, local, parameters) for name, expression in pairs]
    return [clause for clause in clauses if clause]


def _assigned(target: ast.expr, value: ast.expr, local: Mapping[str, Any], parameters: Sequence[str]) -> str:
    name = ast.unparse(target)
    made = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in parameters
    if made and isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
        return f"{name} = {_number(value.args[0], local)}"
    if any(isinstance(node, ast.Name) and node.id == "rng" for node in ast.walk(value)):
        drawn = local.get(name)
        return f"{name} = {drawn!r}" if type(drawn) in (int, float) else ""
    if isinstance(value, (ast.Lambda, ast.ListComp, ast.GeneratorExp)):
        return ""
    if type(local.get(name)).__name__ in ("Program", "Graph"):
        return ""  # shown whole, below
    return f"{name} = {ast.unparse(value)}"


def _number(expression: ast.expr, local: Mapping[str, Any]) -> str:
    if isinstance(expression, ast.Name):
        value = local.get(expression.id)
        if type(value) in (int, float):
            return repr(value)
        if is_array(value):
            return show(value)
    return ast.unparse(expression)


def _acted(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.With):
        return [clause for inner in statement.body for clause in _acted(inner)]
    if isinstance(statement, ast.Assign):
        return [f"{ast.unparse(statement.targets[0])} = {ast.unparse(statement.value)}"]
    if not isinstance(statement, ast.Expr):
        return []
    call = statement.value
    if (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and not call.args
        and not call.keywords
        and not isinstance(call.func.value, ast.Name)
    ):
        return [ast.unparse(call.func.value)]  # `(a * a).method()` reads best as `a * a`
    return [ast.unparse(call)]
