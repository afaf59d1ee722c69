"""Gradescope's `results.json`: what an autograder leaves for it to show and count."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from handgrad.model import Audience, CheckResult, Status, Verdict
from handgrad.report.escape import visible
from handgrad.report.view import seen_by
from handgrad.report.wording import explanation, of_the_file


def render(
    verdicts: Sequence[Verdict],
    *,
    audience: Audience = Audience.LEARNER,
    feedback: str = "full",
    **_options: Any,
) -> str:
    """One JSON object for all verdicts of one submission.

    When one is ungraded the object has neither score nor tests: Gradescope then reports that the autograder
    failed, and an earlier grade stays. What a learner's code prints never reaches Gradescope's own output.
    """
    views = [seen_by(verdict, audience, feedback=feedback) for verdict in verdicts]
    ungraded = [verdict.ungraded for verdict in views if verdict.ungraded]
    if ungraded:
        return json.dumps({"output": visible("\n".join(ungraded)), "stdout_visibility": "hidden"}) + "\n"
    result: dict[str, Any] = {
        "score": sum(verdict.score for verdict in views),
        "output": visible("\n".join(text for verdict in views for text in of_the_file(verdict))),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(result, verdict) for verdict in views for result in verdict.results],
    }
    return json.dumps(result, allow_nan=False, indent=1) + "\n"


def _test(result: CheckResult, verdict: Verdict) -> dict[str, Any]:
    passed = result.status is Status.PASSED
    return {
        "name": visible(result.check.title),
        "score": result.points,
        "max_score": result.check.points,
        "status": "passed" if passed else "failed",
        "visibility": "visible",
        "output": "" if passed else visible("\n".join(explanation(result, verdict))),
    }
