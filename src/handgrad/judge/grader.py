"""A grader file as it is kept between its text and its functions: plain records, quick to import."""

from __future__ import annotations

from types import CodeType
from typing import Final, NamedTuple

from handgrad.explain import AssertSite

KEEP: Final = "__handgrad_assert__"  # what the code calls in the place of an assert: KEEP(site, left, right)


class Outline(NamedTuple):
    """A check as its text says."""

    name: str
    line: int
    title: str  # "" where it has no docstring
    parameters: tuple[str, ...]
    example: tuple[str, ...]  # the arrange and act lines as the learner may read them


class Grader(NamedTuple):
    """A grader file, ready to be run: `code` calls KEEP with a number of `sites`."""

    code: CodeType
    sites: tuple[AssertSite, ...]
    checks: tuple[Outline, ...]
