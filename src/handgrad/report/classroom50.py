"""Classroom 50's `result.json` (`classroom50/result/v1`): what its runner reads from an autograder.

The runner itself writes owner, assignment type and both times over what stands here, then checks the whole.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from handgrad.errors import ToolError
from handgrad.model import Audience, CheckResult, Status, Verdict
from handgrad.report.escape import visible
from handgrad.report.view import seen_by
from handgrad.report.wording import explanation, of_the_file

# The runner's variable for each field that is not ours to know.
_FROM_THE_RUNNER: Final = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}
_OUTPUT_BYTES: Final = 8 * 1024 * 1024  # of all tests: Classroom 50 collects no result above 10 MiB
_WIDEST: Final = 12  # bytes that JSON may need for one character
_OUTPUT_CHARACTERS: Final = 20_000  # of one test, when they are few


def render(
    verdicts: Sequence[Verdict],
    *,
    audience: Audience = Audience.LEARNER,
    feedback: str = "full",
    environ: Mapping[str, str] | None = None,
    now: datetime | None = None,
    **_options: Any,
) -> str:
    """One JSON object for all verdicts of one submission.

    `environ` holds the runner's variables (the process's own, if none is given). `now` stands for the
    submission time where the verdict has none. Raises ToolError when a verdict is ungraded (the runner then
    records an error, not a 0) or when one of the runner's variables is missing.
    """
    environ = os.environ if environ is None else environ
    ungraded = [verdict.ungraded for verdict in verdicts if verdict.ungraded]
    if ungraded:
        raise ToolError(f"nothing to hand to Classroom 50: {ungraded[0]}")
    views = [seen_by(verdict, audience, feedback=feedback) for verdict in verdicts]
    result = {"schema": "classroom50/result/v1", **_identity(environ)}
    result["datetime"] = _time(views, now or datetime.now(UTC))
    results = [(result, verdict) for verdict in views for result in verdict.results]
    most = min(_OUTPUT_CHARACTERS, _OUTPUT_BYTES // (_WIDEST * max(1, len(results))))
    tests = [_test(result, verdict, most) for result, verdict in results]
    totals = {"score": sum(view.score for view in views), "max-score": sum(view.max_score for view in views)}
    return json.dumps({**result, **totals, "tests": tests}, allow_nan=False, indent=1) + "\n"


def _identity(environ: Mapping[str, str]) -> dict[str, Any]:
    environ = {**environ, "OWNER": environ.get("OWNER") or environ.get("USERNAME", "")}
    missing = [name for name in _FROM_THE_RUNNER.values() if not environ.get(name)]
    if missing:
        raise ToolError(
            f"`{missing[0]}` is not set: the format `classroom50` is for an autograder that Classroom 50's "
            "runner started; see `docs/course-repo.md` of handgrad"
        )
    found = {field: environ[name] for field, name in _FROM_THE_RUNNER.items()}
    found["assignment_type"] = environ.get("ASSIGNMENT_TYPE") or "individual"
    found["review"] = environ.get("REVIEW_URL") or environ["COMMIT_URL"]
    return found


def _time(verdicts: Sequence[Verdict], now: datetime) -> str:
    """The time of submission in UTC, to the second."""
    given = next((verdict.submitted_at for verdict in verdicts if verdict.submitted_at), "")
    try:
        moment = datetime.fromisoformat(given) if given else now
    except ValueError:
        moment = now
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _test(result: CheckResult, verdict: Verdict, most: int) -> dict[str, Any]:
    """One test. The format has no place for what is said of the whole file, so the first test holds that."""
    passed = result.status is Status.PASSED
    about = of_the_file(verdict) if result is verdict.results[0] else []
    lines = [*about, *(() if passed else explanation(result, verdict))]
    output = visible("\n".join(lines))
    return {
        "test-name": visible(result.check.title) or result.check.name,
        "passed": passed,
        "score": result.points,
        "max-score": result.check.points,
        "output": output if len(output) <= most else f"{output[:most]}\n... the rest is left out ...",
    }
