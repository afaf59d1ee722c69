"""The report a person reads in a terminal: a line a check, and the first thing to mend in full."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from handgrad.model import Audience, CheckResult, Detail, Place, Status, Verdict
from handgrad.report.escape import one_line, terminal
from handgrad.report.view import seen_by
from handgrad.report.wording import WORDS, first_to_mend, place_line, sentence, shortened, summary

PRINTED_LINES: Final = 20  # of what a learner's code printed; the rest is in the other formats

_COLORS: Final = {
    "PASS": "32",
    "FAIL": "31",
    "ERROR": "31",
    "TODO": "33",
    "SKIP": "2",
    "UNGRADED": "35",
    "bold": "1",
    "dim": "2",
}
_PLAIN_SIGNS: Final = {"│": "|", "→": "->", "–": "-", "…": "...", "×": "x", "’": "'", "“": '"', "”": '"'}

Paint = Callable[[str, str], str]


def use_color(environ: Mapping[str, str], *, is_terminal: bool, plain: bool) -> bool:
    """Whether to colour: not with `plain` or NO_COLOR; else with FORCE_COLOR, or on a terminal not dumb."""
    if plain or environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and environ.get("TERM") != "dumb"


def fit(text: str, encoding: str) -> str:
    """`text` with what `encoding` lacks replaced: our signs by plain ones, all else by `\\u…`."""
    try:
        text.encode(encoding)
    except LookupError:
        return fit(text, "ascii")
    except UnicodeEncodeError:
        for sign, plain in _PLAIN_SIGNS.items():
            text = text.replace(sign, plain)
        return text.encode(encoding, "backslashreplace").decode(encoding)
    return text


def render(
    verdicts: Sequence[Verdict],
    *,
    audience: Audience = Audience.LEARNER,
    plain: bool = False,
    brief: bool = False,
    color: bool = False,
    encoding: str = "utf-8",
    hint_command: str = "",
    hints_given: Mapping[str, int] | None = None,
    feedback: str = "full",
    selected: bool = False,
    **_options: Any,
) -> str:
    """The report as text: a block for each verdict, or a line a learner when there are several.

    Of several exercises those that pass take a line each, so that what is to mend stands out.
    `plain` uses ASCII signs and no colour; `brief` leaves out the line a check. `hint_command` is the command
    that gives the next hint where the report is read; `{slug}` in it is replaced. `hints_given` counts, by
    exercise, the hints for what is to mend first that were seen already. `selected` tells that not all checks
    ran, so that no exercise passes whole. `encoding` is that of the place it is written to.
    """
    bar = "|" if plain else "│"
    page = _Page(_painter(color and not plain), bar, hint_command, hints_given or {}, brief)
    verdicts = [seen_by(verdict, audience, feedback=feedback) for verdict in verdicts]
    if len({verdict.learner for verdict in verdicts}) > 1:
        lines = [_class_line(verdict, page) for verdict in verdicts]
    elif len(verdicts) > 1:
        lines = list(_several(verdicts, page, selected))
    else:
        lines = [line for verdict in verdicts for line in _block(verdict, page)]
    return fit("\n".join([*lines, ""]), encoding)


def _painter(color: bool) -> Paint:
    def paint(style: str, text: str) -> str:
        return f"\x1b[{_COLORS[style]}m{text}\x1b[0m" if color else text

    return paint


class _Page(NamedTuple):
    """How this report is drawn."""

    paint: Paint
    bar: str
    hint_command: str
    hints_given: Mapping[str, int]
    brief: bool

    def quoted(self, text: str, most: int = PRINTED_LINES) -> list[str]:
        """A learner's text behind a bar, a line each, the middle of it left out when it is long."""
        lines = shortened(terminal(text).rstrip("\n").split("\n"), most)
        return [f"    {self.bar} {line}".rstrip() for line in lines]


def _several(verdicts: Sequence[Verdict], page: _Page, selected: bool) -> Iterator[str]:
    """Several exercises of one learner: a line for each that passes whole, a block for the others."""
    short = [verdict.passed and not selected for verdict in verdicts]
    for number, verdict in enumerate(verdicts):
        if number and not (short[number] and short[number - 1]):
            yield ""
        if short[number]:
            yield f"{page.paint('PASS', 'PASS ')} {one_line(verdict.exercise)}  {summary(verdict)}"
            yield from (f"note: {one_line(note)}" for note in verdict.notes)
        else:
            yield from _block(verdict, page)
    if all(short):
        yield from ("", page.paint("PASS", f"all {len(verdicts)} exercises pass"))


def _class_line(verdict: Verdict, page: _Page) -> str:
    if verdict.ungraded:
        return (
            f"{page.paint('UNGRADED', 'UNGRADED')} {one_line(verdict.learner)}: {one_line(verdict.ungraded)}"
        )
    word = "PASS" if verdict.passed else "FAIL" if verdict.started else "TODO"
    score = f"{verdict.score:>3}/{verdict.max_score}"
    said = f"  {one_line(verdict.message)}" if verdict.message else ""
    return f"{page.paint(word, f'{word:<5}')} {score}  {one_line(verdict.learner)}{said}"


def _block(verdict: Verdict, page: _Page) -> Iterator[str]:
    """One verdict: heading, a line a check, what to mend first, the totals."""
    source = f"  {one_line(verdict.source)}" if verdict.source else ""
    yield page.paint("bold", one_line(verdict.exercise)) + page.paint("dim", source)
    yield from (f"note: {one_line(note)}" for note in verdict.notes)
    if verdict.ungraded:
        yield f"{page.paint('UNGRADED', 'UNGRADED')} {one_line(verdict.ungraded)}"
        return
    if verdict.message and all(result.status is Status.NOT_RUN for result in verdict.results):
        yield from _whole_file(verdict, page)
    else:
        if not page.brief:
            yield from (_check_line(result, page) for result in verdict.results)
        yield from _first(verdict, page)
    yield ""
    yield page.paint("PASS" if verdict.passed else "bold", summary(verdict))


def _whole_file(verdict: Verdict, page: _Page) -> Iterator[str]:
    """Why nothing could be run."""
    yield f"{page.paint('FAIL', 'FAIL')}  {one_line(verdict.message)}"
    if verdict.place:
        yield from _place(verdict.place, verdict, page)
    yield from _printed(verdict.output, "Printed while your file was loaded:", page)


def _check_line(result: CheckResult, page: _Page) -> str:
    word = WORDS[result.status]
    points = f"{result.points}/{result.check.points}"
    hidden = page.paint("dim", " (hidden)") if result.check.hidden else ""
    return f"{page.paint(word, f'{word:<5}')} {points:>5}  {one_line(result.check.title)}{hidden}"


def _first(verdict: Verdict, page: _Page) -> Iterator[str]:
    """The first thing to mend, in full; nothing when all is well."""
    result = first_to_mend(verdict)
    if verdict.message:
        yield from ("", one_line(verdict.message))
    if result is None:
        return
    lead = "Next" if result.status is Status.NOT_STARTED else "First to mend"
    yield ""
    yield page.paint("bold", f"{lead}: {one_line(result.check.title)}")
    if sentence(result) != result.check.title:
        yield f"  {one_line(result.message)}"
    if result.detail:
        yield from _detail(result.detail, result, verdict, page)
    yield from _hint(result, verdict, page)
    if not (result.detail and result.detail.output):
        yield from _printed(verdict.output, "Printed while your file was loaded:", page)


def _detail(detail: Detail, result: CheckResult, verdict: Verdict, page: _Page) -> Iterator[str]:
    if detail.example:
        yield ""
        yield from (f"    {terminal(line)}" for line in detail.example)
    if detail.place:
        yield ""
        if detail.exception and detail.exception not in result.message:
            yield f"  {one_line(detail.exception)}"
        yield from _place(detail.place, verdict, page)
    elif detail.exception and detail.exception not in result.message:
        yield from ("", f"  {one_line(detail.exception)}")
    if detail.graph:
        yield from ("", "  The graph:", *page.quoted(detail.graph))
    yield from _printed(detail.output, "Your code printed:", page)


def _place(place: Place, verdict: Verdict, page: _Page) -> Iterator[str]:
    """A line of the learner's file, as `path:line:`, which editors and terminals make a link of."""
    where, colon, inside = one_line(place_line(place, verdict)).partition(": in ")
    yield f"  {page.paint('bold', where)}{colon}{inside}"
    if place.text:
        yield f"      {one_line(place.text)}"


def _printed(output: str, title: str, page: _Page) -> Iterator[str]:
    if output.strip():
        yield from ("", f"  {title}", *page.quoted(output))


def _hint(result: CheckResult, verdict: Verdict, page: _Page) -> Iterator[str]:
    hints = result.check.hints
    if not hints:
        return
    yield ""
    yield f"  {page.paint('bold', 'Hint:')} {one_line(hints[0])}"
    left = len(hints) - max(1, page.hints_given.get(verdict.exercise, 0))
    if len(hints) > 1 and page.hint_command:
        command = page.hint_command.replace("{slug}", verdict.exercise)
        more = f"{left} more" if left > 0 else "all were given, the last one again"
        yield page.paint("dim", f"  {more}: `{command}`")
