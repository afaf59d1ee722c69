"""A program drawn as a graph, in SVG: values as boxes, operations as circles, left to right. Tables. Points.

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
CELL: Final = (46, 34)  # width and height of one place in a table
GAP: Final = 14  # between a table and what stands beside it
DOT: Final = 4  # radius of a point
SIGNS: Final = {"*": "×", "-": "−", "/": "÷", "neg": "−", ".sum": "Σ"}
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
class Table:
    """Rows of words under a name. What lies beyond the own rows or columns (None: all) is drawn as a copy."""

    name: str
    cells: tuple[tuple[str, ...], ...]
    own_rows: int | None = None
    own_columns: int | None = None


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
    return _sheet(title, width, height, parts)


def draw_tables(lines: Sequence[Sequence[Table | str]], *, title: str) -> str:
    """Tables beside each other, signs or words between them, line below line, as an SVG file's text."""
    parts: list[str] = []
    width, y = 0.0, MARGIN + 12.0
    for line in lines:
        height = max(len(item.cells) for item in line if isinstance(item, Table)) * CELL[1]
        x = float(MARGIN)
        for item in line:
            wide = _width(item)
            if isinstance(item, Table):
                parts += _table(item, x, y + (height - len(item.cells) * CELL[1]) / 2)
            else:
                parts.append(_words(x + wide / 2, y + height / 2 + 5, item))
            x += wide + GAP
        width, y = max(width, x - GAP), y + height + 58
    return _sheet(title, width + MARGIN, y - 58 + MARGIN, parts)


def draw_points(
    filled: Sequence[tuple[float, float]],
    hollow: Sequence[tuple[float, float]],
    *,
    title: str,
    names: tuple[str, str],
    scale: float,
) -> str:
    """Two groups of points, `scale` pixels a unit, with their names below, as an SVG file's text."""
    points = [*filled, *hollow]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    bottom, top = min(y for _, y in points), max(y for _, y in points)
    width, height = (right - left) * scale + 2 * MARGIN, (top - bottom) * scale + 2 * MARGIN
    parts = [
        _point(MARGIN + (x - left) * scale, MARGIN + (top - y) * scale, kind)
        for kind, group in (("tip", filled), ("line", hollow))
        for x, y in group
    ]
    for kind, name, middle in (("tip", names[0], width / 4), ("line", names[1], width * 3 / 4)):
        parts.append(_point(middle - 5 * len(name), height + 3, kind))
        parts.append(_words(middle + 6, height + 8, name))
    return _sheet(title, width, height + MARGIN, parts)


def _point(x: float, y: float, kind: str) -> str:
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{DOT}"/>'


def _width(item: Table | str) -> float:
    return len(item.cells[0]) * CELL[0] if isinstance(item, Table) else 9.0 * max(2, len(item))


def _table(table: Table, x: float, y: float) -> list[str]:
    width, height = CELL
    parts = [_words(x + len(table.cells[0]) * width / 2, y - 8, table.name, "name")]
    for i, row in enumerate(table.cells):
        for j, text in enumerate(row):
            copy = (table.own_rows is not None and i >= table.own_rows) or (
                table.own_columns is not None and j >= table.own_columns
            )
            left, top = x + j * width, y + i * height
            dashes = ' stroke-dasharray="4 4" opacity="0.55"' if copy else ""
            parts.append(
                f'<rect class="line" x="{left:g}" y="{top:g}" width="{width}" height="{height}"{dashes}/>'
            )
            if text:
                parts.append(_words(left + width / 2, top + height / 2 + 5, text))
    return parts


def _sheet(title: str, width: float, height: float, parts: Sequence[str]) -> str:
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
        _words(middle.x, middle.y + (5 if len(sign) < 4 else -RADIUS - 6), sign),  # a long word stands above
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
