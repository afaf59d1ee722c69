"""`verdict/1`: the verdict as JSON, one object a line. `docs/verdict-1.schema.json` describes it.

Every other format shows a part of this one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from handgrad.model import Audience, CheckResult, Detail, Place, Verdict
from handgrad.report.view import seen_by
from handgrad.report.wording import standing

FORMAT = "verdict/1"


def render(
    verdicts: Sequence[Verdict],
    *,
    audience: Audience = Audience.LEARNER,
    feedback: str = "full",
    indent: int | None = None,
    **_options: Any,
) -> str:
    """One object a line, ASCII only; `indent` spreads them out for people instead."""
    views = [seen_by(verdict, audience, feedback=feedback) for verdict in verdicts]
    objects = [_whole(verdict_object(view, audience)) for view in views]
    return "".join(json.dumps(each, allow_nan=False, indent=indent) + "\n" for each in objects)


def verdict_object(verdict: Verdict, audience: Audience) -> dict[str, Any]:
    """The verdict as plain dicts, lists, strings and numbers. It must already be what `audience` may see."""
    return {
        "format": FORMAT,
        "audience": audience.value,
        "exercise": verdict.exercise,
        "learner": verdict.learner,
        "standing": standing(verdict),
        "score": None if verdict.ungraded else verdict.score,
        "max_score": verdict.max_score,
        "ungraded": verdict.ungraded,
        "message": verdict.message,
        "place": _place(verdict.place),
        "output": verdict.output,
        "notes": list(verdict.notes),
        "source": verdict.source,
        "submitted_at": verdict.submitted_at,
        "level": verdict.level,
        "seeds": verdict.seeds,
        "grader_digest": verdict.grader_digest,
        "submission_digest": verdict.submission_digest,
        "versions": dict(verdict.versions),
        "checks": [_check(result) for result in verdict.results],
    }


def _check(result: CheckResult) -> dict[str, Any]:
    check = result.check
    return {
        "name": check.name,
        "title": check.title,
        "hidden": check.hidden,
        "status": result.status.value,
        "points": result.points,
        "max_points": check.points,
        "message": result.message,
        "hints": list(check.hints),
        "cpu_seconds": round(result.cpu_seconds, 6),
        "detail": _detail(result.detail),
    }


def _detail(detail: Detail | None) -> dict[str, Any] | None:
    if detail is None:
        return None
    return {
        "expression": detail.expression,
        "expected": detail.expected,
        "actual": detail.actual,
        "example": list(detail.example),
        "exception": detail.exception,
        "place": _place(detail.place),
        "output": detail.output,
        "graph": detail.graph,
        "seed": detail.seed,
    }


def _place(place: Place | None) -> dict[str, Any] | None:
    return {"line": place.line, "text": place.text, "name": place.name} if place else None


def _whole(value: Any) -> Any:
    """The same with lone surrogates replaced: JSON could carry them, but many readers refuse them."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_whole(key): _whole(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_whole(inner) for inner in value]
    return value
