"""A verdict as the outputs of notebook cells, and a learner's other cells as harmless text.

Everything here is plain data in nbformat's shape. Whatever a learner wrote ends as text: nothing of it is
rendered, linked or run in the browser of whoever opens the notebook or the feedback page.
"""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from handgrad.model import Check, CheckResult, Status, Verdict
from handgrad.report.escape import code_block, html, visible
from handgrad.report.wording import WORDS, explanation, place_line, shortened
from handgrad.submission import holds_too_much

STRAY_CELLS: Final = 100
STRAY_BYTES: Final = 200_000  # of a learner's own cells; what is beyond is only counted
PRINTED_LINES: Final = 40
LONGEST_LINE: Final = 2_000
PAGE_COLUMNS: Final = 84  # characters of a feedback page's width


def outputs_of(result: CheckResult, verdict: Verdict) -> list[dict[str, Any]]:
    """The outputs of one graded cell: nbgrader gives all of its points, or none where there is an error."""
    check = result.check
    if result.status is Status.PASSED:
        return [_passed(check)]
    lines = [_cut(line) for line in explanation(result, verdict, printed_lines=PRINTED_LINES)]
    word = "not started" if result.status is Status.NOT_STARTED else WORDS[result.status].lower()
    if result.status is Status.NOT_RUN:
        word = "not run"
    return [
        {
            "output_type": "error",
            "ename": word,
            "evalue": lines[0] if lines else "",
            "traceback": _in_sight([f"{word}: {lines[0] if lines else check.title}", *lines[1:]]),
        }
    ]


def _in_sight(lines: Sequence[str]) -> list[str]:
    """Sentences broken to what a page shows without scrolling; code, which is indented, as it is."""
    return [
        part
        for line in lines
        for part in ([line] if line.startswith(" ") or not line else textwrap.wrap(line, PAGE_COLUMNS))
    ]


def whole_file_outputs(verdict: Verdict, known: Collection[str] = ()) -> list[dict[str, Any]]:
    """What is to be said of the whole file: notes, why it could not be loaded, what it printed meanwhile.

    `known` are the notes that stand elsewhere on the page.
    """
    lines = [f"note: {_cut(note)}" for note in verdict.notes if note not in known]
    if verdict.message:
        lines.append(_cut(verdict.message))
        if verdict.place:
            lines.append(_cut(place_line(verdict.place, verdict)))
            lines += [_cut(f"    {verdict.place.text}")] if verdict.place.text else []
    if verdict.output.strip():
        lines += ["printed:", *(f"    {line}" for line in _printed_lines(verdict.output))]
    return [_printed("\n".join(lines) + "\n")] if lines else []


def _printed_lines(output: str) -> list[str]:
    return [_cut(line) for line in shortened(output.rstrip("\n").split("\n"), PRINTED_LINES)]


def _printed(text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": visible(text)}


def _passed(check: Check) -> dict[str, Any]:
    """nbgrader reads the number; a page shows the words."""
    return {
        "output_type": "execute_result",
        "execution_count": None,
        "metadata": {},
        "data": {"text/plain": str(check.points), "text/html": f"passed: {html(check.title)}"},
    }


def _cut(line: str) -> str:
    """One harmless line of a bearable length."""
    line = visible(line)
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ... {len(line) - LONGEST_LINE} more"


def note_cell(notes: Sequence[str]) -> dict[str, Any]:
    """A cell that says what was mended or left out on the way in."""
    text = "\n".join(f"- {_cut(note)}" for note in notes)
    return _text_cell("handgrad-notes", f"**About what was handed in**\n\n{code_block(text)}")


def stray_cells(path: Path, known: Collection[str]) -> list[dict[str, Any]]:
    """What a learner's notebook holds beside the cells it was handed out with, as text nobody runs."""
    found: list[str] = []
    size = 0
    for text in _stray_texts(path, known):
        size += len(text)
        if len(found) == STRAY_CELLS or size > STRAY_BYTES:
            found.append("(more cells followed; they are in the notebook that was handed in)")
            break
        found.append(text)
    if not found:
        return []
    head = _text_cell("handgrad-stray", "**Other cells of this notebook** (kept as text, not graded)")
    return [head, *(_text_cell(f"handgrad-stray-{_short(n, t)}", code_block(t)) for n, t in enumerate(found))]


def _stray_texts(path: Path, known: Collection[str]) -> Iterator[str]:
    try:
        text = path.read_bytes().decode("utf-8-sig", "replace")
        cells = [] if holds_too_much(text) else json.loads(text)["cells"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return
    for cell in cells if isinstance(cells, list) else ():
        if not isinstance(cell, dict):
            continue
        metadata = cell.get("metadata")
        marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        identity = marks.get("grade_id") if isinstance(marks, dict) else None
        if isinstance(identity, str) and identity in known:
            continue
        source = cell.get("source", "")
        text = "".join(s for s in source if isinstance(s, str)) if isinstance(source, list) else source
        if isinstance(text, str) and text.strip():
            yield text


def _short(number: int, text: str) -> str:
    return f"{number}-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _text_cell(identity: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": identity, "metadata": {}, "source": text}
