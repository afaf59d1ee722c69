"""Search what is about to be released for what must stay hidden.

Secret is every run of two lines of a solution (of one that is a single line, with the line before it), every
line of twelve characters or more out of a hidden check, and each canary that was planted; less whatever the
statement, the starter, the hints and the visible checks say themselves. Searched are sources, outputs,
metadata, attachments, pages and archives, as they are and out of base64.
"""

from __future__ import annotations

import ast
import base64
import binascii
import html
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from handgrad.build.notebook import CheckText, GraderFile, canary
from handgrad.build.starter import find_regions

SHORTEST: Final = 12  # characters of a hidden line that counts
_TAG: Final = re.compile(r"<[^<>]*>")
_DATA: Final = re.compile(rb'<script type="application/json"[^>]*>(.*?)</script>', re.DOTALL)
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]{16,}={0,2}")
_MARKER: Final = re.compile(
    r"\b(begin|end)[\s_-]+(solution|hidden[\s_-]*tests?|mark[\s_-]*scheme)\b", re.IGNORECASE
)
_DEPTH: Final = 4  # archives in archives, base64 in base64


class _Unreadable(Exception):
    """An archive that cannot be unpacked."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """What must not be found. Lines are stripped; a run is two lines that follow each other."""

    runs: frozenset[tuple[str, str]] = frozenset()
    lines: frozenset[str] = frozenset()
    canaries: frozenset[str] = frozenset()

    def __or__(self, other: Secrets) -> Secrets:
        return Secrets(self.runs | other.runs, self.lines | other.lines, self.canaries | other.canaries)


def secrets_of(
    slug: str,
    *,
    reference: str,
    files: Sequence[GraderFile],
    checks: Sequence[CheckText],
    public: Sequence[str],
    canaries: Iterable[str] = (),
) -> Secrets:
    """The secrets of one exercise. `public` are the texts that learners may read anyway."""
    known = [
        *public,
        *(f.text for f in files if not f.hidden),
        *(h for c in checks for h in (*c.hints, c.title)),
    ]
    said = "\n".join(_squeezed(text) for text in known)
    lines = {line for f in files if f.hidden for line in _hidden_lines(f.text)}
    return Secrets(
        runs=frozenset(run for run in _runs(reference) if "\n".join(run) not in said),
        lines=frozenset(line for line in lines if len(line) >= SHORTEST and line not in said),
        canaries=frozenset({*canaries, *(canary(slug, c.name) for c in checks if c.hidden)}),
    )


def words_of_the_tool() -> list[str]:
    """The package's own texts, which everybody can read."""
    package = Path(__file__).resolve().parent.parent
    return [path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py"))]


def find_leaks(name: str, data: bytes, secrets: Secrets) -> tuple[str, ...]:
    """One sentence for each secret found in a file called `name`, or for an archive that stays shut."""
    found: dict[str, None] = {}
    try:
        texts = list(_texts(name, data, _DEPTH))
    except _Unreadable as error:
        return (str(error),)
    for where, text in texts:
        squeezed = _squeezed(text)
        for first, second in secrets.runs:
            if f"{first}\n{second}" in squeezed:
                found[f"{where} holds two lines of the solution: `{first}` and `{second}`"] = None
        for line in secrets.lines:
            if line in squeezed:
                found[f"{where} holds a line of a hidden check: `{line}`"] = None
        for word in secrets.canaries:
            if word in text:
                found[f"{where} holds the planted word `{word}`"] = None
    return tuple(sorted(found))


def marker_problems(path: Path, text: str) -> tuple[str, ...]:
    """nbgrader's markers where they have no place: it would take them for its own. One sentence each."""
    return tuple(
        f"{path}:{number}: `{found[0]}` would be taken for a marker of nbgrader: word it differently"
        for number, line in enumerate(text.splitlines(), 1)
        if (found := _MARKER.search(line))
    )


def compile_problems(notebook: str) -> tuple[str, ...]:
    """Code cells of a released notebook that are no Python, one sentence each."""
    problems = []
    for number, cell in enumerate(json.loads(notebook)["cells"], 1):
        if cell["cell_type"] != "code":
            continue
        try:
            ast.parse("".join(cell["source"]))
        except SyntaxError as error:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id", cell.get("id", ""))
            problems.append(
                f"cell {number} (`{name}`), line {error.lineno}, does not compile once released: {error.msg}"
            )
    return tuple(problems)


def _runs(reference: str) -> Iterator[tuple[str, str]]:
    lines = reference.split("\n")
    for region in find_regions(reference):
        inside = [line.strip() for line in lines[region.begin : region.end - 1] if line.strip()]
        if len(inside) == 1:  # a line alone is anybody's, so what counts is where it stands
            before = next(line.strip() for line in reversed(lines[: region.begin - 1]) if line.strip())
            yield from ((before, inside[0]), (lines[region.begin - 1].strip(), inside[0]))
        yield from pairwise(inside)


def _hidden_lines(text: str) -> Iterator[str]:
    """The lines of a hidden grader file, less imports, decorators, headings of functions and docstrings."""
    tree = ast.parse(text)
    shown: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            shown.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            shown.update(range(first, node.body[0].lineno))
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node):
            head = node.body[0]
            shown.update(range(head.lineno, (head.end_lineno or head.lineno) + 1))
    for number, line in enumerate(text.splitlines(), 1):
        if number not in shown and line.strip():
            yield line.strip()


def _squeezed(text: str) -> str:
    """The lines without blanks at their ends, and without empty ones."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def _texts(name: str, data: bytes, depth: int) -> Iterator[tuple[str, str]]:
    """Every text that can be read out of a file, with the words that say where."""
    if depth == 0:
        return
    if zipfile.is_zipfile(io.BytesIO(data)):
        for entry, content in _unpacked(name, data):
            yield f"`{name}`", entry
            yield from _texts(f"{name}/{entry}", content, depth - 1)
        return
    text = data.decode("utf-8", "replace")
    yield f"`{name}`", text
    if name.endswith((".html", ".svg")):
        yield f"`{name}`", html.unescape(_TAG.sub("", text))
        yield from ((f"`{name}`", inner) for block in _DATA.findall(data) for inner in _json_texts(block))
    if name.endswith((".ipynb", ".json", ".jsonl")):
        yield from ((f"`{name}`", inner) for inner in _json_texts(data))
    for run in _BASE64.findall(data):
        decoded = _decoded(run)
        if decoded:
            yield from (
                (f"{where} (in base64)", text) for where, text in _texts(name + "#", decoded, depth - 1)
            )


def _unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.namelist():
                yield entry, archive.read(entry)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError) as error:
        raise _Unreadable(f"`{name}` is an archive that cannot be searched ({error}): leave it out") from None


def _json_texts(data: bytes) -> Iterator[str]:
    """Every string in the JSON value that `data` is, or in one a line; none of what is no JSON."""
    try:
        yield from _strings(json.loads(data))
    except (ValueError, RecursionError):
        for line in data.splitlines():
            with suppress(ValueError, RecursionError):
                yield from _strings(json.loads(line))


def _decoded(run: bytes) -> bytes:
    try:
        raw = base64.b64decode(run + b"=" * (-len(run) % 4))
        raw.decode("utf-8")
    except (binascii.Error, ValueError):
        return b""
    return raw


def _strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value; a list of strings, as notebooks keep their lines, as one."""
    waiting = [value]  # and no recursion: a value may be nested deeper than Python calls itself
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, list) and item and all(isinstance(v, str) for v in item):
            yield "".join(item)
        elif isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += [*item, *item.values()]
