"""A table for spreadsheets and learning management systems: a row a verdict."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

from handgrad.model import Audience, Status, Verdict
from handgrad.report.escape import csv_cell
from handgrad.report.view import seen_by
from handgrad.report.wording import standing

COLUMNS: Final = (
    "learner",
    "exercise",
    "score",
    "max_score",
    "standing",
    "checks_passed",
    "checks",
    "submitted_at",
    "level",
    "message",
    "source",
    "submission_digest",
    "grader_digest",
)


def render(
    verdicts: Sequence[Verdict],
    *,
    audience: Audience = Audience.LEARNER,
    feedback: str = "full",
    **_options: Any,
) -> str:
    """A header and a row a verdict, LF at line ends. An ungraded one has an empty score, never a 0."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for verdict in verdicts:
        writer.writerow(_row(seen_by(verdict, audience, feedback=feedback)))
    return file.getvalue()


def _row(verdict: Verdict) -> tuple[str | int, ...]:
    return (
        csv_cell(verdict.learner),
        csv_cell(verdict.exercise),
        "" if verdict.ungraded else verdict.score,
        verdict.max_score,
        standing(verdict),
        sum(result.status is Status.PASSED for result in verdict.results),
        len(verdict.results),
        csv_cell(verdict.submitted_at),
        verdict.level,
        csv_cell(verdict.ungraded or verdict.message),
        csv_cell(verdict.source),
        verdict.submission_digest,
        verdict.grader_digest,
    )
