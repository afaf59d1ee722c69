"""A program drawn as a graph, in SVG: values as boxes, operations as circles, left to right.

The drawing takes its colour from the page it stands in; as a picture of its own it brings a sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from handgrad.program import Program, Step

COLUMN: Final = 230  # pixels from one column of values to the next
ROW: Final = 108
BOX: Final = (96, 52)  # width and height of a value
RADIUS: Final = 15  # of an operation
REACH: Final = 74  # from the middle of an operation to the middle of its result
MARGIN: Final = 24
SIGNS: Final = {"*": "×", "-": "−", "/": "÷", "neg": "−"}
STYLE: Final = """
  .sheet { fill: none; }
  svg { color: #1f2328; font-family: ui-sans-serif, system-ui, sans-serif; }
  svg .sheet { fill: #ffffff; stroke: #d0d7de; }
  @media (prefers-color-scheme: dark) {
    svg { color: #e6edf3; }
    svg .sheet { fill: #161b22; stroke: #30363d; }
  }
  .line { fill: none; stroke: currentColor; stroke-width: 1.5; }
  .tip, .words { fill: currentColor; }
  .words { font-size: 14px; text-anchor: middle; }
  .name { font-size: 17px; font-style: italic; }
"""


@dataclass(frozen=True, slots=True)
class Spot:
    """The middle of a value's box, in pixels."""

    x: float
    y: float


def draw(program: Program, *, title: str, names: Sequence[str] = (), notes: Sequence[str] = ()) -> str:
    """The graph of `program` as an SVG file's text, `title` for those who cannot see it.

    `names` and `notes` are one each a value, in the program's order: what stands in its box, and below that.
    """
    names = names or program.names()
    notes = notes or [""] * len(program)
    spots = _spots(program)
    width = max(spot.x for spot in spots) + BOX[0] / 2 + MARGIN
    height = max(spot.y for spot in spots) + BOX[1] / 2 + MARGIN
    parts = [_value(spot, name, note) for spot, name, note in zip(spots, names, notes, strict=True)]
    for position, step in enumerate(program.steps, len(program.inputs)):
        parts += _operation(step, spots, spots[position])
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title" '
            f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">',
            f'<title id="title">{escape(title)}</title>',
            f"<style>{STYLE}</style>",
            f'<rect class="sheet" x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="8"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def _spots(program: Program) -> list[Spot]:
    """A column for each depth; within one, the values in their order, around the middle."""
    depths = [0] * len(program.inputs)
    for step in program.steps:
        depths.append(1 + max((depths[a] for a in step.arguments if isinstance(a, int)), default=0))
    columns = [[i for i, d in enumerate(depths) if d == depth] for depth in range(max(depths) + 1)]
    tallest = max(len(column) for column in columns)
    spots = [Spot(0, 0)] * len(program)
    for depth, column in enumerate(columns):
        top = MARGIN + BOX[1] / 2 + (tallest - len(column)) * ROW / 2
        for row, position in enumerate(column):
            spots[position] = Spot(MARGIN + BOX[0] / 2 + depth * COLUMN, top + row * ROW)
    return spots


def _value(spot: Spot, name: str, note: str) -> str:
    width, height = BOX
    x, y = spot.x - width / 2, spot.y - height / 2
    parts = [f'<rect class="line" x="{x:g}" y="{y:g}" width="{width}" height="{height}" rx="7"/>']
    if note:
        return "\n".join(
            [*parts, _words(spot.x, spot.y - 5, name, "name"), _words(spot.x, spot.y + 15, note)]
        )
    return "\n".join([*parts, _words(spot.x, spot.y + 5, name, "name")])


def _words(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text class="{f"words {kind}".strip()}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _operation(step: Step, spots: Sequence[Spot], result: Spot) -> list[str]:
    middle = Spot(result.x - REACH - BOX[0] / 2 + RADIUS, result.y)
    sources = sorted((spots[a] for a in step.arguments if isinstance(a, int)), key=lambda spot: spot.y)
    apart = [(rank - (len(sources) - 1) / 2) * RADIUS for rank in range(len(sources))]
    numbers = [str(a.value) for a in step.arguments if not isinstance(a, int)]
    sign = " ".join([SIGNS.get(step.name, step.name.lstrip(".")), *numbers])
    return [
        *(_curve(source, middle, off) for source, off in zip(sources, apart, strict=True)),
        f'<circle class="line" cx="{middle.x:g}" cy="{middle.y:g}" r="{RADIUS}"/>',
        _words(middle.x, middle.y + 5, sign),
        _arrow(Spot(middle.x + RADIUS, middle.y), Spot(result.x - BOX[0] / 2, result.y)),
    ]


def _curve(source: Spot, middle: Spot, off: float) -> str:
    """From a value to the rim of an operation; a long way stays level first, to pass what lies between."""
    start, end = source.x + BOX[0] / 2, middle.x - (RADIUS**2 - off**2) ** 0.5
    level = max(start, end - COLUMN + BOX[0] + REACH + RADIUS)
    bend, y = (level + end) / 2, middle.y + off
    return (
        f'<path class="line" d="M{start:g} {source.y:g} H{level:g} '
        f'C{bend:.1f} {source.y:g} {bend:.1f} {y:g} {end:.1f} {y:g}"/>'
    )


def _arrow(start: Spot, end: Spot) -> str:
    return (
        f'<path class="line" d="M{start.x:g} {start.y:g} H{end.x - 6:g}"/>'
        f'<path class="tip" d="M{end.x:g} {end.y:g} l-9 -4.5 v9 z"/>'
    )
