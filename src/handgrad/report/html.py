"""A page that stands alone: no script, nothing loaded, readable by screen readers and on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from handgrad.model import Audience, CheckResult, Status, Verdict
from handgrad.report.escape import html
from handgrad.report.view import seen_by
from handgrad.report.wording import WORDS, first_to_mend, place_line, sentence, summary

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; vertical-align: top; }
th, td { border-bottom: 1px solid #8884; }
td.points { white-space: nowrap; }
pre { overflow-x: auto; padding: .5rem .75rem; background: #8881; }
.word { font-weight: 600; font-family: ui-monospace, monospace; }
.PASS { color: light-dark(#116329, #57d364); }
.FAIL, .ERROR { color: light-dark(#a40e26, #ff938a); }
.TODO, .SKIP { color: light-dark(#6e5200, #e3b341); }
details { margin: .5rem 0; }
summary { cursor: pointer; font-weight: 600; }
table { margin-bottom: 1rem; }
"""


def render(
    verdicts: Sequence[Verdict],
    *,
    audience: Audience = Audience.LEARNER,
    feedback: str = "full",
    title: str = "",
    **_options: Any,
) -> str:
    """One HTML document with a section for each verdict. The first thing to mend stands open."""
    views = [seen_by(verdict, audience, feedback=feedback) for verdict in verdicts]
    name = html(title or ", ".join(dict.fromkeys(verdict.exercise for verdict in views)) or "handgrad")
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">",
        f"<title>{name}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{name}</h1>",
    ]
    for verdict in views:
        lines += _section(verdict, name)
    return "\n".join([*lines, "</body>", "</html>", ""])


def _section(verdict: Verdict, page: str) -> Iterator[str]:
    heading = html(f"{verdict.exercise} {verdict.learner}".rstrip())
    yield "<section>" if heading == page else f"<section><h2>{heading}</h2>"
    if verdict.ungraded:
        yield f"<p><strong>Not graded:</strong> {html(verdict.ungraded)}</p></section>"
        return
    yield f"<p><strong>{html(summary(verdict))}</strong></p>"
    if verdict.message:
        yield f"<p>{html(verdict.message)}</p>"
    if verdict.place:
        yield f"<pre>{html(place_line(verdict.place, verdict))}\n    {html(verdict.place.text)}</pre>"
    if verdict.notes:
        yield "<ul>" + "".join(f"<li>{html(note)}</li>" for note in verdict.notes) + "</ul>"
    yield from _table(verdict)
    first = first_to_mend(verdict)
    for result in verdict.results:
        if result.status is not Status.PASSED:
            yield from _details(result, verdict, is_open=result is first)
    if verdict.output.strip():
        yield f"<h3>Printed while the file was loaded</h3><pre>{html(verdict.output)}</pre>"
    yield "</section>"


def _table(verdict: Verdict) -> Iterator[str]:
    yield '<table><thead><tr><th scope="col">Result</th><th scope="col">Points</th>'
    yield '<th scope="col">Check</th></tr></thead><tbody>'
    for result in verdict.results:
        word = WORDS[result.status]
        hidden = " <small>(hidden)</small>" if result.check.hidden else ""
        yield (
            f'<tr><td class="word {word}">{word}</td>'
            f'<td class="points">{result.points}/{result.check.points}</td>'
            f"<td>{html(result.check.title)}{hidden}</td></tr>"
        )
    yield "</tbody></table>"


def _details(result: CheckResult, verdict: Verdict, *, is_open: bool) -> Iterator[str]:
    yield f"<details{' open' if is_open else ''}><summary>{html(result.check.title)}</summary>"
    yield f"<p>{html(sentence(result))}</p>"
    detail = result.detail
    if detail and detail.example:
        yield "<pre>" + html("\n".join(detail.example)) + "</pre>"
    if detail and detail.exception and detail.exception not in result.message:
        yield f"<pre>{html(detail.exception)}</pre>"
    if detail and detail.place:
        yield f"<pre>{html(place_line(detail.place, verdict))}\n    {html(detail.place.text)}</pre>"
    if detail and detail.graph:
        yield f"<p>The graph:</p><pre>{html(detail.graph)}</pre>"
    if detail and detail.output.strip():
        yield f"<p>Printed:</p><pre>{html(detail.output)}</pre>"
    if result.check.hints:
        yield f"<p><strong>Hint:</strong> {html(result.check.hints[0])}</p>"
    yield "</details>"
