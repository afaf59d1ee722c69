"""The two views of one verdict: what a learner may see of it, and the whole.

Every format shows a verdict through `seen_by`, so that none shows a hidden check's values by mistake.
"""

from __future__ import annotations

from pathlib import Path

from handgrad.catalog import FEEDBACK
from handgrad.model import Audience, Check, CheckResult, Status, Verdict

# All that is said of a hidden check beside its title and hint: nothing in it comes from the learner's code.
_HIDDEN_MESSAGES = {
    Status.PASSED: "",
    Status.FAILED: "",
    Status.ERROR: "your code raised an exception in this check",
    Status.NOT_STARTED: "what it needs is still to be written",
    Status.NOT_RUN: "this check could not be run to its end",
}


def seen_by(verdict: Verdict, audience: Audience, *, feedback: str = "full") -> Verdict:
    """The verdict as `audience` may see it; an instructor sees all of it."""
    return verdict if audience is Audience.INSTRUCTOR else learner_view(verdict, feedback=feedback)


def learner_view(verdict: Verdict, *, feedback: str = "full") -> Verdict:
    """The verdict without what only an instructor may see.

    Hidden checks keep name, title, hints, points and status; no values, output, exception text, time or seed.
    Visible checks lose their seed. `feedback` is the course's: `full`; `rule` (an exam: which rule is broken,
    but no hint and no value); `score` (points alone, checks without names). Raises ValueError for another.
    """
    results = tuple(
        result_for_learner(result, number, feedback=feedback)
        for number, result in enumerate(verdict.results, start=1)
    )
    return verdict._replace(results=results, seeds="")


def result_for_learner(result: CheckResult, number: int, *, feedback: str = "full") -> CheckResult:
    """One result of `learner_view`; its number, from 1, stands for the name where that is not shown."""
    if feedback not in FEEDBACK:
        raise ValueError(f"`feedback` is `{feedback}`: it must be `full`, `rule` or `score`")
    seen = _hidden(result) if result.check.hidden else _visible(result)
    if feedback != "full":
        seen = _title_only(seen)
    return _nameless(seen, number) if feedback == "score" else seen


def _visible(result: CheckResult) -> CheckResult:
    detail = result.detail._replace(seed="") if result.detail else None
    return result._replace(detail=detail)


def _hidden(result: CheckResult) -> CheckResult:
    check = result.check._replace(path=Path("hidden"), line=0)
    return CheckResult(check, result.status, _HIDDEN_MESSAGES[result.status])


def _title_only(result: CheckResult) -> CheckResult:
    return CheckResult(result.check._replace(hints=()), result.status)


def _nameless(result: CheckResult, number: int) -> CheckResult:
    points = result.check.points
    check = Check(f"check_{number}", f"check {number}", points, (), result.check.hidden, Path("hidden"), 0)
    return CheckResult(check, result.status)
