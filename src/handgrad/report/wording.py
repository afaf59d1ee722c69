"""The words that all formats share: how a verdict and a status are called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from handgrad.model import CheckResult, Place, Status, Verdict

WORDS: Final = {
    Status.PASSED: "PASS",
    Status.FAILED: "FAIL",
    Status.ERROR: "ERROR",
    Status.NOT_STARTED: "TODO",
    Status.NOT_RUN: "SKIP",
}

# The order in which a learner mends things: what is wrong before what is missing.
_URGENCY: Final = (Status.FAILED, Status.ERROR), (Status.NOT_STARTED,), (Status.NOT_RUN,)


def standing(verdict: Verdict) -> str:
    """The verdict in one word: `passed`, `failed`, `not_started` or `ungraded`."""
    if verdict.ungraded:
        return "ungraded"
    if verdict.passed:
        return "passed"
    return "failed" if verdict.started else "not_started"


def summary(verdict: Verdict) -> str:
    """Points and checks in words: `12/20 points, 8 of 12 checks pass`."""
    passed = sum(result.status is Status.PASSED for result in verdict.results)
    return f"{verdict.score}/{verdict.max_score} points, {passed} of {len(verdict.results)} checks pass"


def first_to_mend(verdict: Verdict) -> CheckResult | None:
    """The result to show in full: the first wrong one, else the first not started, else the first not run."""
    for statuses in _URGENCY:
        for result in verdict.results:
            if result.status in statuses:
                return result
    return None


def sentence(result: CheckResult) -> str:
    """What a result says, its title where it says nothing."""
    return result.message or result.check.title


def shortened(lines: list[str], most: int) -> list[str]:
    """At most `most` lines: head and tail, with a line between them that says how many are left out."""
    if len(lines) <= most:
        return lines
    head, tail = most - most // 2, most // 2 - 1
    return [*lines[:head], f"... {len(lines) - head - tail} lines left out ...", *lines[len(lines) - tail :]]


def of_the_file(verdict: Verdict) -> list[str]:
    """What is said of the whole file, as plain lines: what is wrong, what was noted, and where."""
    texts = [verdict.message, *verdict.notes]
    if verdict.place and verdict.place.text:
        texts.append(f"line {verdict.place.line}: {verdict.place.text}")
    return [text for text in texts if text]


def explanation(result: CheckResult, verdict: Verdict, *, printed_lines: int = 40) -> Iterator[str]:
    """A result in full as plain lines: sentence, example, place, printouts, hint. Nothing is escaped yet."""
    yield sentence(result)
    detail = result.detail
    if detail and detail.example:
        yield from ("", *(f"    {line}" for line in detail.example))
    if detail and detail.exception and detail.exception not in result.message:
        yield from ("", detail.exception)
    if detail and detail.place:
        yield from ("", place_line(detail.place, verdict))
        yield from ([f"    {detail.place.text}"] if detail.place.text else [])
    if detail and detail.graph:
        yield from ("", "the graph:", *(f"    {line}" for line in detail.graph.splitlines()))
    if detail and detail.output.strip():
        lines = shortened(detail.output.rstrip("\n").split("\n"), printed_lines)
        yield from ("", "printed:", *(f"    {line}" for line in lines))
    if result.check.hints and result.status is not Status.PASSED:
        yield from ("", f"hint: {result.check.hints[0]}")


def place_line(place: Place, verdict: Verdict) -> str:
    """Where in the learner's file, as `path:line: in name`."""
    where = f"{verdict.source or 'solution.py'}:{place.line}:" if place.line else verdict.source
    return f"{where} in {place.name}" if place.name else where
