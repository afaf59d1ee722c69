"""Make the nbgrader source notebook of an exercise: text in, text out, the same bytes each time.

The notebook holds the statement, one solution cell (the reference with its markers), one locked cell
with the words and helpers of the visible checks, a read-only cell for each visible check, and one for
each hidden check, whose code stands between nbgrader's hidden-test markers. It needs Jupyter alone.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from handgrad.build.words import Definition, definitions, grader_words, joined, needed, renamed
from handgrad.catalog import grader_files
from handgrad.errors import ExerciseError
from handgrad.files import required_text
from handgrad.judge.run import open_seed
from handgrad.model import Exercise

BEGIN_HIDDEN: Final = "### BEGIN HIDDEN TESTS"
END_HIDDEN: Final = "### END HIDDEN TESTS"
LINE: Final = 92  # what a notebook shows without scrolling; a longer assert puts its message on its own line
HOW_TO: Final = """## Your solution

Write your code in the next cell, where `NotImplementedError` stands now. Run a cell with Shift+Enter.
Below it each visible check is a cell of its own: run it, and no output means that it passes.
Those cells are read-only, and whatever you change in them is put back before your work is graded."""
VISIBLE: Final = "## Visible checks\n\nRun these as often as you like."
HIDDEN: Final = "## Hidden checks\n\nThese run when your work is graded. Their names say what they look at."
_PICTURES: Final = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".gif": "image/gif"}
_LINK: Final = re.compile(r"(!\[[^\]]*\]\()([^)\s]+)((?:\s+\"[^\"]*\")?\))")
_WORDS: Final = {
    ast.Eq: "to be",
    ast.NotEq: "not to be",
    ast.Is: "to be",
    ast.IsNot: "not to be",
    ast.Lt: "to be below",
    ast.LtE: "to be at most",
    ast.Gt: "to be above",
    ast.GtE: "to be at least",
    ast.In: "to be in",
    ast.NotIn: "not to be in",
}


@dataclass(frozen=True, slots=True)
class GraderFile:
    """A grader file as text."""

    path: Path
    text: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class CheckText:
    """One check as text: its function without the decorator, and what that needs."""

    name: str
    title: str
    points: int
    hints: tuple[str, ...]
    hidden: bool
    parameters: tuple[str, ...]
    text: str
    reads: frozenset[str]  # names it takes from its module
    imported: tuple[tuple[str, str], ...]  # word of handgrad, and the name it has here
    helpers: Mapping[str, Definition] = field(repr=False)


def read_graders(exercise: Exercise) -> tuple[GraderFile, ...]:
    """The grader files of every root, visible ones first. Raises ExerciseError when one cannot be read."""
    return tuple(GraderFile(path, required_text(path), hidden) for path, hidden in grader_files(exercise))


def check_texts(files: Iterable[GraderFile]) -> tuple[CheckText, ...]:
    """Every check of the files, in order. Raises ExerciseError with path and line."""
    checks = [check for file in files for check in _checks_of(file)]
    seen: dict[str, CheckText] = {}
    for check in checks:
        if check.name in seen:
            raise ExerciseError(f"two checks are called `{check.name}`: rename one of them")
        seen[check.name] = check
    return tuple(checks)


def _checks_of(file: GraderFile) -> Iterable[CheckText]:
    try:
        tree = ast.parse(file.text)
        helpers = {d.name: d for d in definitions(file.text)}
    except SyntaxError as error:
        raise ExerciseError(f"{file.path}:{error.lineno}: not Python ({error.msg}): mend it") from None
    imported = tuple(
        (alias.name, alias.asname or alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("handgrad")
        for alias in node.names
    )
    for node in tree.body:
        call = _decorator(node)
        if call is not None and isinstance(node, ast.FunctionDef):
            yield _check(file, node, call, imported, helpers)


def _decorator(node: ast.stmt) -> ast.Call | None:
    for call in getattr(node, "decorator_list", ()):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "check":
            return call
    return None


def _check(
    file: GraderFile,
    node: ast.FunctionDef,
    call: ast.Call,
    imported: tuple[tuple[str, str], ...],
    helpers: Mapping[str, Definition],
) -> CheckText:
    try:
        given = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
        points, hint = given["points"], given["hint"]
    except (ValueError, KeyError):
        raise ExerciseError(
            f"{file.path}:{node.lineno}: `points` and `hint` of `{node.name}` must be written as plain values"
        ) from None
    if not re.fullmatch(r"[a-zA-Z0-9_]+", node.name):
        raise ExerciseError(
            f"{file.path}:{node.lineno}: `{node.name}` must be of letters, digits and `_`: rename it"
        )
    text = _with_messages(file.text, node)
    return CheckText(
        name=node.name,
        title=(ast.get_docstring(node) or "").split("\n")[0],
        points=points,
        hints=(hint,) if isinstance(hint, str) else tuple(hint),
        hidden=file.hidden,
        parameters=tuple(a.arg for a in node.args.args),
        text=text,
        reads=frozenset(n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)),
        imported=imported,
        helpers={name: d for name, d in helpers.items() if name != node.name},
    )


# ---- a check's text


def _with_messages(module: str, node: ast.FunctionDef) -> str:
    """The function's text without decorators, with a message written into each bare assert."""
    lines = module.encode().split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    raw = module.encode()
    edits: list[tuple[int, int, bytes]] = []
    for found in ast.walk(node):
        if isinstance(found, ast.Assert) and found.msg is None:
            edits += _message_edits(module, found, starts)
    begin = starts[node.lineno - 1]
    end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
    text, done = b"", begin
    for cut, until, put in sorted(edits):
        text, done = text + raw[done:cut] + put, until
    return (text + raw[done:end]).decode()


def _message_edits(module: str, node: ast.Assert, starts: Sequence[int]) -> Iterable[tuple[int, int, bytes]]:
    end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
    test = node.test
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _WORDS):
        return [(end, end, f", {'expected ' + _one_line(module, test)!r}".encode())]
    left, right = _one_line(module, test.left), _one_line(module, test.comparators[0])
    edits: list[tuple[int, int, bytes]] = []
    got = left
    if not _is_plain(test.left):
        begin = starts[test.left.lineno - 1] + test.left.col_offset
        until = starts[(test.left.end_lineno or 0) - 1] + (test.left.end_col_offset or 0)
        edits = [(begin, begin, b"(got := "), (until, until, b")")]  # asked once, as the judge does
        got = "got"
    want: ast.expr = test.comparators[0]
    if isinstance(want, ast.Call) and _one_line(module, want.func) == "near" and want.args:
        want = want.args[0]
        right = _one_line(module, want)
    wanted = None if _is_literal(want) else right
    message = _message(f"expected {left} {_WORDS[type(test.ops[0])]} ", wanted, right, got)
    if node.col_offset + (end - starts[node.lineno - 1]) + len(message) > LINE:
        indent = " " * (node.col_offset + 4)
        message = f"(\n{indent}{message}\n{indent[4:]})"
    return [*edits, (end, end, f", {message}".encode())]


def _is_plain(node: ast.expr) -> bool:
    """True for a name, and attributes and items of one: reading it again costs and changes nothing."""
    if isinstance(node, ast.Subscript):
        return _is_literal(node.slice) and _is_plain(node.value)
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_plain(node.value))


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


def _message(head: str, wanted: str | None, right: str, got: str) -> str:
    """An expression for the message; an f-string where quotes and braces allow one."""
    if wanted is None:
        head, right = head + right, ""
    if not re.search(r"[\"'{}\\]", head + right + got):
        return f'f"{head}{f"{{{right}!r}}" if right else ""}, got {{{got}!r}}"'
    shown = json.dumps(head.replace("{", "{{").replace("}", "}}"), ensure_ascii=False)[:-1]
    return f'{shown}{"{!r}" if right else ""}, got {{!r}}".format({f"{right}, " if right else ""}{got})'


def _one_line(module: str, node: ast.expr) -> str:
    """The expression as the author wrote it, on one line."""
    return " ".join((ast.get_source_segment(module, node) or ast.unparse(node)).split())


# ---- the notebook


def make_notebook(
    exercise: Exercise,
    *,
    statement: str,
    reference: str,
    checks: Sequence[CheckText],
    explore: str = "",
    pictures: Mapping[str, bytes] | None = None,
) -> str:
    """The source notebook as JSON text, format 4.5, nbgrader metadata version 3.

    `explore` holds further cells, open for play, parted by lines `# %%` or `# %% [markdown]`.
    `pictures` are the files that the statement shows, by the path it shows them under.
    """
    visible = [c for c in checks if not c.hidden]
    _refuse_clashes(checks, reference)
    shared = _shared_words(visible)
    cells = [
        _markdown("statement", statement.strip(), pictures or {}),
        _markdown("how_to", HOW_TO),
        _code("solution", reference.strip("\n"), solution=True),
        _code("helpers", _helper_text(shared), locked=True),
        _markdown("visible_checks", VISIBLE),
        *(_code(c.name, _visible_cell(exercise, c), points=c.points) for c in visible),
    ]
    if len(visible) < len(checks):
        cells.append(_markdown("hidden_checks", HIDDEN))
    cells += [_code(c.name, _hidden_cell(exercise, c, shared), points=c.points) for c in checks if c.hidden]
    cells += _open_cells(explore)
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def shown_pictures(statement: str) -> tuple[str, ...]:
    """The relative paths of the pictures that a statement shows."""
    return tuple(
        dict.fromkeys(
            m[2] for m in _LINK.finditer(statement) if Path(m[2]).suffix in _PICTURES and "//" not in m[2]
        )
    )


def _markdown(name: str, text: str, pictures: Mapping[str, bytes] | None = None) -> dict[str, Any]:
    for found in set(_LINK.findall(text)):
        raw, kind = (pictures or {}).get(found[1]), _PICTURES.get(Path(found[1]).suffix)
        if raw is not None and kind is not None:  # JupyterLab shows no SVG that is attached, but takes it so
            inside = f"data:{kind};base64,{base64.b64encode(raw).decode()}"
            text = text.replace("".join(found), f"{found[0]}{inside}{found[2]}")
    return _cell("markdown", name, text, _metadata(name, locked=True))


def _code(
    name: str, text: str, *, points: int | None = None, solution: bool = False, locked: bool = False
) -> dict[str, Any]:
    marks = _metadata(name, locked=locked or points is not None, solution=solution, points=points)
    return _cell("code", name, text, marks) | {"execution_count": None, "outputs": []}


def _metadata(
    name: str, *, locked: bool = False, solution: bool = False, points: int | None = None
) -> dict[str, Any]:
    marks: dict[str, Any] = {
        "grade": points is not None,
        "grade_id": name,
        "locked": locked,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    return {"nbgrader": marks | ({} if points is None else {"points": points})}


def _cell(kind: str, name: str, text: str, metadata: dict[str, Any]) -> dict[str, Any]:
    identity = name if len(name) <= 64 else name[:47] + "-" + hashlib.sha256(name.encode()).hexdigest()[:16]
    return {
        "cell_type": kind,
        "id": identity,
        "metadata": metadata,
        "source": text.splitlines(keepends=True),
    }


def _open_cells(explore: str) -> list[dict[str, Any]]:
    cells = []
    for number, (kind, text) in enumerate(_open_parts(explore), 1):
        cell = _cell(kind, f"explore_{number}", text, {})
        cells.append(cell | ({"execution_count": None, "outputs": []} if kind == "code" else {}))
    return cells


def _open_parts(explore: str) -> Iterable[tuple[str, str]]:
    for part in re.split(r"(?m)^# %%", explore)[1:]:
        head, _, body = part.partition("\n")
        body = body.strip("\n")
        if "[markdown]" in head:
            yield "markdown", re.sub(r"(?m)^# ?", "", body)
        elif body:
            yield "code", body


# ---- what the cells hold


def _shared_words(visible: Sequence[CheckText]) -> dict[str, Definition]:
    """What the visible checks need, in order. Raises ExerciseError where two things share a name."""
    found: dict[str, Definition] = {}
    for check in visible:
        for definition in _needs(check):
            if found.setdefault(definition.name, definition) != definition:
                raise ExerciseError(
                    f"`{definition.name}` means two things in the visible checks of one notebook: "
                    f"`{check.name}` needs another than an earlier check: rename one of them"
                )
    return found


def _refuse_clashes(checks: Sequence[CheckText], reference: str) -> None:
    """No word of the checks may take the place of something the learner defines."""
    learners = {name for check in checks for name in check.parameters} | _top_names(reference)
    for check in checks:
        for definition in _needs(check):
            name = definition.name
            if name in learners and not definition.text.startswith(("import ", "from ")):
                raise ExerciseError(
                    f"`{name}` is a word of `{check.name}` and a name the learner defines: "
                    f"import it under another name (`from handgrad.check import {name} as our_{name}`)"
                )


def _needs(check: CheckText) -> tuple[Definition, ...]:
    """The words, helpers and imports that one check reads: words first, then its module's own."""
    words = grader_words()
    own = needed(check.reads, check.helpers)
    reads = check.reads.union(*(d.reads for d in own))
    named = [(words[word], here) for word, here in check.imported if here in reads and word in words]
    plain = {word.name for word, here in named if word.name == here}
    for word, here in named:
        plain |= word.reads if word.name != here else set()
    aliases = tuple(renamed(word, here) for word, here in named if word.name != here)
    chance = (Definition("random", "import random", frozenset()),) if "rng" in check.parameters else ()
    return (*needed(sorted(plain), words), *aliases, *chance, *(d for d in own if not _is_check(d)))


def _is_check(definition: Definition) -> bool:
    return definition.text.startswith("@check")


def _top_names(text: str) -> set[str]:
    return {d.name for d in definitions(text) if not d.text.startswith(("import ", "from "))}


def _helper_text(shared: Mapping[str, Definition]) -> str:
    head = "# What the checks below use. Run this cell once; there is nothing to change in it."
    body = joined(shared.values())
    return f"{head}\n\n{body}" if body else head


def _visible_cell(exercise: Exercise, check: CheckText) -> str:
    return f"{check.text}\n\n\n{_call(exercise, check)}\n\n{_hint_comment(check)}"


def _hidden_cell(exercise: Exercise, check: CheckText, shared: Mapping[str, Definition]) -> str:
    own = joined(d for d in _needs(check) if shared.get(d.name) != d or d.name in check.helpers)
    head = _comment(f"Hidden check ({_points(check.points)}): {check.title}")
    body = "\n\n\n".join(part for part in (own, check.text, _call(exercise, check)) if part)
    return f"{head}\n{BEGIN_HIDDEN}\n# {canary(exercise.slug, check.name)}\n{body}\n{END_HIDDEN}"


def canary(slug: str, name: str) -> str:
    """A word that stands in every hidden cell and must be found in nothing that is released."""
    return "canary-" + hashlib.sha256(f"{slug}/{name}".encode()).hexdigest()[:24]


def _points(points: int) -> str:
    return f"{points} point" if points == 1 else f"{points} points"


def _hint_comment(check: CheckText) -> str:
    return _comment(f"Worth {_points(check.points)}. Hint: {check.hints[0]}")


def _comment(text: str) -> str:
    """The text as comment lines that a notebook shows without scrolling."""
    return textwrap.fill(
        text,
        LINE,
        initial_indent="# ",
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _call(exercise: Exercise, check: CheckText) -> str:
    arguments = [
        f"random.Random({open_seed(exercise.slug, check.name)!r})" if p == "rng" else p
        for p in check.parameters
    ]
    return f"{check.name}({', '.join(arguments)})"
