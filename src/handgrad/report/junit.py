"""JUnit's XML, which CI systems show as a list of tests: a suite a verdict, a case a check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from handgrad.model import Audience, CheckResult, Status, Verdict
from handgrad.report.escape import xml
from handgrad.report.view import seen_by
from handgrad.report.wording import explanation, sentence


def render(
    verdicts: Sequence[Verdict],
    *,
    audience: Audience = Audience.LEARNER,
    feedback: str = "full",
    **_options: Any,
) -> str:
    """One XML document. A check not started is a failure; one that was not run is skipped.

    A file that no check could be run on is an error of its own: many systems take skipped for good.
    """
    views = [seen_by(verdict, audience, feedback=feedback) for verdict in verdicts]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    for verdict in views:
        lines += _suite(verdict)
    return "\n".join([*lines, "</testsuites>", ""])


def _suite(verdict: Verdict) -> Iterator[str]:
    name = f"{verdict.exercise} {verdict.learner}".rstrip()
    if verdict.ungraded:
        yield f'  <testsuite name="{xml(name)}" tests="1" failures="0" errors="1" skipped="0" time="0.000">'
        yield f'    <testcase classname="{xml(name)}" name="ungraded" time="0.000">'
        yield f'      <error message="{xml(verdict.ungraded)}"></error>'
        yield "    </testcase>"
        yield "  </testsuite>"
        return
    statuses = [result.status for result in verdict.results]
    failures = statuses.count(Status.FAILED) + statuses.count(Status.NOT_STARTED)
    unusable = bool(verdict.message) and set(statuses) <= {Status.NOT_RUN}
    errors = statuses.count(Status.ERROR) + unusable
    counts = f'tests="{len(statuses) + unusable}" failures="{failures}" errors="{errors}"'
    seconds = sum(result.cpu_seconds for result in verdict.results)
    skipped = statuses.count(Status.NOT_RUN)
    yield f'  <testsuite name="{xml(name)}" {counts} skipped="{skipped}" time="{seconds:.3f}">'
    if unusable:
        yield f'    <testcase classname="{xml(name)}" name="the file" time="0.000">'
        yield f'      <error message="{xml(verdict.message)}"></error>'
        yield "    </testcase>"
    for result in verdict.results:
        yield from _case(result, verdict, name)
    if verdict.message or verdict.output:
        yield f"    <system-out>{xml(_about_the_file(verdict))}</system-out>"
    yield "  </testsuite>"


def _case(result: CheckResult, verdict: Verdict, suite: str) -> Iterator[str]:
    start = f'    <testcase classname="{xml(suite)}" name="{xml(result.check.title)}"'
    start += f' time="{result.cpu_seconds:.3f}"'
    if result.status is Status.PASSED:
        yield start + " />"
        return
    yield start + ">"
    if result.status is Status.NOT_RUN:
        yield f'      <skipped message="{xml(result.message or verdict.message)}" />'
    else:
        tag = "error" if result.status is Status.ERROR else "failure"
        body = xml("\n".join(explanation(result, verdict)))
        yield f'      <{tag} message="{xml(sentence(result))}">{body}</{tag}>'
    yield "    </testcase>"


def _about_the_file(verdict: Verdict) -> str:
    return "\n".join(text for text in (verdict.message, verdict.output) if text)
