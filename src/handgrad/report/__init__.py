"""One file a format, each one function: verdicts and audience in, text out.

`FORMATS` maps the names that `--format` takes to those functions, and imports each when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Protocol

from handgrad.model import Audience, Verdict


class Render(Protocol):
    """What every format is. An option that a format does not know is left aside by it."""

    def __call__(self, verdicts: Sequence[Verdict], *, audience: Audience, **options: Any) -> str:
        """The report as text, ending with a line end."""


class _Formats(Mapping[str, Render]):
    """A mapping whose values are imported when they are asked for: `check` needs one of them, and soon."""

    def __init__(self, modules: dict[str, str]) -> None:
        self._modules = modules

    def __getitem__(self, name: str) -> Render:
        render: Render = import_module(f"handgrad.report.{self._modules[name]}").render
        return render

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


FORMATS: Final[Mapping[str, Render]] = _Formats(
    {
        "terminal": "terminal",
        "json": "json_",
        "junit": "junit",
        "html": "html",
        "markdown": "markdown",
        "gradescope": "gradescope",
        "classroom50": "classroom50",
        "csv": "csv_",
    }
)
