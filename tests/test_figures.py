"""Programs drawn as graphs: readable by programs too, and the same at every drawing."""

from __future__ import annotations

import importlib.util
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from handgrad.build.figures import draw, draw_points
from handgrad.program import Program

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    """The words in the drawing, in order."""
    return [node.text or "" for node in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_a_drawing_shows_every_value_and_every_operation() -> None:
    """Values carry their names and notes, operations their signs and plain numbers."""
    program = Program.trace(lambda a: -(a * 2), (3.0,))

    picture = draw(program, title="minus twice a", notes=("3", "6", "−6"))

    assert texts(picture) == ["a", "3", "b", "6", "c", "−6", "× 2", "−"]


def test_a_value_used_twice_by_one_operation_sends_two_lines() -> None:
    """The square of a value shows both uses."""
    picture = draw(Program.trace(lambda a: a * a, (3.0,)), title="a squared")

    lines = [node for node in ElementTree.fromstring(picture).iter(f"{SVG}path") if " C" in node.get("d", "")]
    assert len({node.get("d") for node in lines}) == 2


def test_a_drawing_is_named_for_those_who_cannot_see_it() -> None:
    """The title is text of the file, escaped."""
    picture = draw(Program.trace(lambda a: a + a), title="a + a < 3 & more")

    assert ElementTree.fromstring(picture).findtext(f"{SVG}title") == "a + a < 3 & more"


def test_no_two_values_overlap() -> None:
    """Each value has a place of its own."""
    program = Program.trace(lambda a, b, c: (a * b + c) * (b + c) * a, (1.0, 2.0, 3.0))

    boxes = [
        (float(node.get("x", "")), float(node.get("y", "")))
        for node in ElementTree.fromstring(draw(program, title="t")).iter(f"{SVG}rect")
        if node.get("class") == "line"
    ]
    assert len(set(boxes)) == len(program)


def test_points_stand_where_they_are_and_groups_can_be_told_apart() -> None:
    """Up is up, filled are the first group, and each group is named below the points."""
    picture = draw_points([(0, 0), (0, 1)], [(2, 0)], title="t", names=("near", "far"), scale=10)

    dots = [
        (node.get("class"), float(node.get("cx", "")), float(node.get("cy", "")))
        for node in ElementTree.fromstring(picture).iter(f"{SVG}circle")
    ]
    assert [kind for kind, _, _ in dots] == [
        "tip",
        "tip",
        "line",
        "tip",
        "line",
    ]  # the last two are the legend
    (_, x, y), (_, above_x, above_y), (_, right_x, right_y) = dots[:3]
    assert (above_x - x, above_y - y, right_x - x, right_y - y) == (0, -10, 20, 0)
    assert texts(picture) == ["near", "far"]


def _figures() -> dict[str, str]:
    spec = importlib.util.spec_from_file_location("figures_tool", ROOT / "tools" / "figures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.figures())


@pytest.mark.parametrize(("name", "text"), _figures().items())
def test_the_pictures_of_the_statements_are_those_the_tool_draws(name: str, text: str) -> None:
    """`python tools/figures.py` mends it."""
    assert (ROOT / name).read_text("utf-8") == text


@pytest.mark.parametrize("name", _figures())
def test_every_picture_stands_in_its_statement_with_a_text_form_below(name: str) -> None:
    """Who cannot see the picture reads the listing under it."""
    path = ROOT / name
    statement = (path.parent / "README.md").read_text("utf-8")

    after = statement.partition(f"]({path.name})")[2]
    assert after.lstrip().startswith("```text")
