"""Carries a learner's own class over into the starter of the next exercise: text in, text out."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

from handgrad.build.starter import RAISE


def without_todos(own: str, starter: str) -> str:
    """`own` less the comments of the starter it grew from that said what to do: here others are to come."""
    lines, asked = own.split("\n"), set[str]()
    inside = False
    for line in starter.split("\n"):
        comment = line.strip().startswith("#")
        inside = comment and (inside or line.strip().startswith("# TODO"))
        if inside:
            asked.add(line)
    return "\n".join(line for line in lines if line not in asked)


def carry(starter: str, own: str) -> str:
    """The starter with the learner's classes in place of its own of the same name; its TODOs stay.

    Methods that only the starter has are added to it; imports, functions and classes that only the learner
    has come along. Text that is no Python gives the starter as it was.
    """
    try:
        ours, theirs = ast.parse(starter), ast.parse(own)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return starter
    common = {n.name for n in theirs.body if isinstance(n, ast.ClassDef)}
    classes = [n for n in ours.body if isinstance(n, ast.ClassDef) and n.name in common]
    if not classes:
        return starter
    lines = starter.split("\n")
    last = max(n.end_lineno or 0 for n in classes)
    lines[last:last] = _extras(ours, theirs, own, after=True)
    for ours_class in reversed(classes):  # from the bottom, so that line numbers above stay true
        theirs_class = next(
            n for n in theirs.body if isinstance(n, ast.ClassDef) and n.name == ours_class.name
        )
        lines[_first(ours_class) - 1 : ours_class.end_lineno] = _merged(
            starter, ours_class, own, theirs, theirs_class
        )
    top = _first(classes[0]) - 1
    before = _extras(ours, theirs, own, after=False)
    future = [line for line in before if line.startswith("from __future__ ")]
    lines[top:top] = [line for line in before if line not in future]
    head = ours.body[0].end_lineno or 0 if ast.get_docstring(ours) is not None else 0
    lines[head:head] = future
    merged = "\n".join(lines)
    return merged if _parses(merged) else starter


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _first(node: Any) -> int:
    """The node's first line, decorators included."""
    return int(min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]))


def _methods(node: ast.ClassDef) -> dict[str, Any]:
    return {n.name: n for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}


def _merged(
    starter: str, ours: ast.ClassDef, own: str, module: ast.Module, theirs: ast.ClassDef
) -> list[str]:
    """The learner's class, with the starter's TODO methods in place of theirs and its other methods added.

    The TODOs stand together, in the starter's order, where the first of them replaces a method.
    """
    starter_lines, own_lines = starter.split("\n"), own.split("\n")
    indent = own_lines[theirs.body[0].lineno - 1][: theirs.body[0].col_offset]
    mine, lines = _methods(theirs), own_lines[: theirs.end_lineno]

    def text(node: Any) -> list[str]:
        piece = "\n".join(starter_lines[_first(node) - 1 : node.end_lineno])
        return textwrap.indent(textwrap.dedent(piece), indent).split("\n")

    todo = {
        name: node
        for name, node in _methods(ours).items()
        if any(line.strip().startswith(RAISE) for line in starter_lines[node.lineno - 1 : node.end_lineno])
    }
    replaced = sorted((mine[name] for name in todo.keys() & mine.keys()), key=_first)
    for node in reversed(replaced):  # from the bottom, so that line numbers above stay true
        start, end = _first(node) - 1, node.end_lineno
        if node is replaced[0]:
            lines[start:end] = [line for one in todo.values() for line in ("", *text(one))][1:]
        else:
            lines[start - (not lines[start - 1].strip()) : end] = []
    lines = lines[_first(theirs) - 1 :]
    have = _names_of(theirs, module)
    for name, node in _methods(ours).items():
        if (name not in mine and not replaced) if name in todo else name not in have:
            lines += ["", *text(node)]
    return lines


def _names_of(node: ast.ClassDef, module: ast.Module) -> set[str]:
    """What a class has: defined or assigned in it, in a base class of the same file, or from outside."""
    names = set(_methods(node))
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
    bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
    for other in module.body:
        if isinstance(other, ast.ClassDef) and other.name in bases and other is not node:
            names |= _names_of(other, module)
        names |= _assigned_to(node.name, other)
    return names


def _assigned_to(name: str, node: ast.stmt) -> set[str]:
    """The attributes that a statement `Name.attribute = …` gives to a class."""
    return {
        target.attr
        for target in (node.targets if isinstance(node, ast.Assign) else ())
        if isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == name
    }


def _extras(ours: ast.Module, theirs: ast.Module, own: str, *, after: bool) -> list[str]:
    """The lines that the learner's file has before (or after) its first class in common with the starter.

    Imports, functions and classes that the starter lacks; before the class its constants; after it what is
    given to the class from outside. Not what is only run: a demo at the bottom.
    """
    defined = {n.name for n in ours.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    imported = {ast.unparse(n) for n in ours.body if isinstance(n, ast.Import | ast.ImportFrom)}
    lines, found = own.split("\n"), []
    passed = False
    for node in theirs.body:
        text = lines[_first(node) - 1 : node.end_lineno]
        if isinstance(node, ast.ClassDef) and node.name in defined:
            passed = True
        elif isinstance(node, ast.Import | ast.ImportFrom):
            if not after and ast.unparse(node) not in imported:
                found += text
        elif passed != after:
            continue
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found += [*([] if node.name in defined else ["", "", *text, "", ""])]
        elif isinstance(node, ast.Assign) and (
            not after or any(_assigned_to(name, node) for name in defined)
        ):
            found += text
    return found
