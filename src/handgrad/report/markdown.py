"""Markdown for a code host: the summary of a CI run, and the comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from handgrad.model import Audience, CheckResult, Status, Verdict
from handgrad.report.escape import code_block, code_span, markdown, mermaid, one_line, prose
from handgrad.report.view import seen_by
from handgrad.report.wording import WORDS, first_to_mend, place_line, sentence, shortened, summary
from handgrad.submission import brief

SUMMARY_BYTES: Final = 1024 * 1024  # what GitHub takes as a step's summary
COMMENT_BYTES: Final = 65_536  # and, in characters, as a comment
GRAPH_NODES: Final = 40  # a larger drawing helps nobody: its text form stays

_SIGNS: Final = {"PASS": "✅", "FAIL": "❌", "ERROR": "❌", "TODO": "⬜", "SKIP": "➖"}


@dataclass(frozen=True, slots=True)
class _Fullness:
    """How much is shown. Each step down leaves out what matters least of what is left."""

    printed_lines: int
    drawings: bool
    details: str  # all | first | none
    tables: bool
    notes: int = 50  # how many; and how many characters of each sentence about the whole file
    sentence: int = 2000


_STEPS: Final = (
    _Fullness(40, drawings=True, details="all", tables=True),
    _Fullness(5, drawings=True, details="all", tables=True),
    _Fullness(0, drawings=False, details="all", tables=True),
    _Fullness(0, drawings=False, details="first", tables=True),
    _Fullness(0, drawings=False, details="none", tables=True),
    _Fullness(0, drawings=False, details="none", tables=False, notes=5),
    _Fullness(0, drawings=False, details="none", tables=False, notes=0, sentence=200),
    _Fullness(0, drawings=False, details="none", tables=False, notes=0, sentence=0),
)


def render(
    verdicts: Sequence[Verdict],
    *,
    audience: Audience = Audience.LEARNER,
    feedback: str = "full",
    limit_bytes: int = SUMMARY_BYTES,
    **_options: Any,
) -> str:
    """Score, table of checks, and each thing to mend, in at most `limit_bytes` of UTF-8.

    What does not fit is left out from the least important on: printouts, drawings, all but the first thing
    to mend, that too, the tables, the notes, the messages. The scores always stay, until there are more
    verdicts than lines.
    """
    views = [seen_by(verdict, audience, feedback=feedback) for verdict in verdicts]
    note = ""
    for fullness in _STEPS:
        text = "\n".join(line for verdict in views for line in _section(verdict, fullness)) + note
        if len(text.encode()) <= limit_bytes:
            return text
        note = "\n_Shortened to fit here: the whole report is in the log of the run._\n"
    room = max(0, limit_bytes - len(note.encode()))
    return text.encode()[:room].decode("utf-8", "ignore").rpartition("\n")[0] + note


def _section(verdict: Verdict, fullness: _Fullness) -> Iterator[str]:
    who = f" ({markdown(verdict.learner)})" if verdict.learner else ""
    if verdict.ungraded:
        yield f"### ⚠️ {markdown(verdict.exercise)}{who}: could not be graded\n"
        yield from _sentence(verdict.ungraded, fullness)
        return
    sign = "✅" if verdict.passed else "❌" if verdict.started else "⬜"
    yield f"### {sign} {markdown(verdict.exercise)}{who}: {summary(verdict)}\n"
    if verdict.message:
        yield from _sentence(verdict.message, fullness)
    if verdict.place and fullness.details != "none":
        yield code_block(f"{place_line(verdict.place, verdict)}\n    {verdict.place.text}") + "\n"
    for note in verdict.notes[: fullness.notes]:
        yield from (f"- {line}" for line in _sentence(note, fullness))
    if verdict.message and all(result.status is Status.NOT_RUN for result in verdict.results):
        return  # the file itself is what to mend: a table of checks that never ran says no more
    causes = _causes(verdict)
    if fullness.details != "none":
        yield from _first_to_mend(verdict, causes, fullness)
    if fullness.tables and verdict.results:
        yield from _table(verdict)
    if fullness.details == "all":
        yield from _others_to_mend(verdict, causes, fullness)


def _sentence(text: str, fullness: _Fullness) -> Iterator[str]:
    if fullness.sentence:
        yield f"{prose(brief(text, fullness.sentence))}\n"


def _table(verdict: Verdict) -> Iterator[str]:
    yield "| | | Points | Check |"
    yield "|---|---|---:|---|"
    for result in verdict.results:
        word = WORDS[result.status]
        hidden = " _(hidden)_" if result.check.hidden else ""
        points = f"{result.points}/{result.check.points}"
        yield f"| {_SIGNS[word]} | {word} | {points} | {markdown(result.check.title)}{hidden} |"
    yield ""


def _causes(verdict: Verdict) -> Sequence[Sequence[CheckResult]]:
    """What is to be mended, the first thing first: one entry a cause, with all checks that fail for it."""
    first = first_to_mend(verdict)
    if first is None:
        return ()
    wrong = [r for r in verdict.results if r.status in (Status.FAILED, Status.ERROR) and r is not first]
    causes: dict[object, list[CheckResult]] = {}
    for result in (first, *wrong):
        causes.setdefault(_cause(result), []).append(result)
    return tuple(causes.values())


def _cause(result: CheckResult) -> object:
    """Equal for checks that one exception ended at one line; else each check is its own."""
    detail = result.detail
    if detail and detail.place and detail.exception:
        return detail.place.line, detail.exception
    return result.check.name


def _first_to_mend(
    verdict: Verdict, causes: Sequence[Sequence[CheckResult]], fullness: _Fullness
) -> Iterator[str]:
    for first, *same in causes[:1]:
        yield f"**First to mend: {markdown(first.check.title)}**\n"
        yield from _details(first, verdict, fullness)
        if same:
            checks = "check fails" if len(same) == 1 else "checks fail"
            yield f"{len(same)} more {checks} for the same reason.\n"


def _others_to_mend(
    verdict: Verdict, causes: Sequence[Sequence[CheckResult]], fullness: _Fullness
) -> Iterator[str]:
    """All but the first, folded."""
    for result, *same in causes[1:]:
        more = f" (and {len(same)} more for the same reason)" if same else ""
        yield f"<details><summary>{WORDS[result.status]}: {_summary_text(result)}{more}</summary>\n"
        yield from _details(result, verdict, fullness)
        yield "</details>\n"


def _summary_text(result: CheckResult) -> str:
    """A title inside an HTML tag, where Markdown's escapes mean nothing."""
    title = one_line(result.check.title)
    return "".join(c if c.isalnum() or c in " .,()=+-" else f"&#{ord(c)};" for c in title)


def _details(result: CheckResult, verdict: Verdict, fullness: _Fullness) -> Iterator[str]:
    if sentence(result) != result.check.title:
        yield f"{prose(result.message)}\n"
    detail = result.detail
    if detail and detail.example:
        yield code_block("\n".join(detail.example), "python") + "\n"
    if detail and detail.exception and detail.exception not in result.message:
        yield f"{code_span(detail.exception)}\n"
    if detail and detail.place:
        yield code_block(f"{place_line(detail.place, verdict)}\n    {detail.place.text}") + "\n"
    if detail and detail.output.strip() and fullness.printed_lines:
        lines = shortened(detail.output.rstrip("\n").split("\n"), fullness.printed_lines)
        yield "Printed:\n\n" + code_block("\n".join(lines)) + "\n"
    if result.check.hints:
        yield f"**Hint:** {prose(result.check.hints[0])}\n"
    if detail and detail.graph and fullness.drawings:
        yield from _graph(detail.graph)


def _graph(text: str) -> Iterator[str]:
    """The graph drawn, and its text form under it."""
    drawing = mermaid_graph(text)
    if drawing:
        yield f"```mermaid\n{drawing}\n```\n"
    yield "<details><summary>The graph as text</summary>\n\n" + code_block(text) + "\n\n</details>\n"


def mermaid_graph(text: str) -> str:
    """A Mermaid flow chart of assignments, one a line (`c = a * b`): arrows from each value to its uses.

    "" when a line is no assignment, or when there are more than GRAPH_NODES.
    """
    lines = [line.partition("=") for line in text.splitlines() if line.strip()]
    names = [name.strip() for name, _, _ in lines]
    if not lines or len(lines) > GRAPH_NODES or not all(name.isidentifier() for name in names):
        return ""
    drawn = ["flowchart LR"]
    numbers: dict[str, int] = {}
    for number, (name, (_, _, expression)) in enumerate(zip(names, lines, strict=True)):
        drawn.append(f'    n{number}["{mermaid(f"{name} = {expression.strip()}")}"]')
        used = re.findall(r"(?<![\w.])[A-Za-z_]\w*", expression)
        drawn += [f"    n{numbers[word]} --> n{number}" for word in used if word in numbers]
        numbers[name] = number
    return "\n".join(drawn)
