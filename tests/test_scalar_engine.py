"""The scalar engine's statement says what its reference does, and its checks ask no more than it says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from handgrad.build.starter import find_regions
from handgrad.check import near, run
from handgrad.program import Program

ROOT = Path(__file__).parent.parent
REFERENCE = (ROOT / "solutions/scalar_engine/solution.py").read_text("utf-8")
STATEMENT = (ROOT / "exercises/scalar_engine/README.md").read_text("utf-8")


def engine(text: str = REFERENCE) -> Any:
    """The class that a solution's text defines."""
    namespace: dict[str, Any] = {"__name__": "solution"}
    exec(text, namespace)
    return namespace["Value"]


def test_the_statements_example_prints_what_its_comments_promise() -> None:
    """`# -2.0 2.0` stands beside the print."""
    example = next(t for t in re.findall(r"```python\n(.*?)```", STATEMENT, re.DOTALL) if ".backward()" in t)
    printed = io.StringIO()

    with contextlib.redirect_stdout(printed):
        exec(example, {"Value": engine()})

    assert printed.getvalue().strip() == example.strip().rpartition("# ")[2]


def test_the_reference_walks_in_the_order_of_the_statement() -> None:
    """[c, d, b, a]: the result first, and each value after all that use it."""
    Value = engine()
    a, b = Value(2.0), Value(-3.0)
    d = a * b
    c = d + a
    order: list[str] = []
    for name, value in {"a": a, "b": b, "c": c, "d": d}.items():
        value._backward = lambda name=name, rule=value._backward: (order.append(name), rule())

    c.backward()

    assert f"[{', '.join(order)}]" == "[c, d, b, a]"
    assert "[c, d, b, a]" in STATEMENT


def test_each_todo_of_the_starter_is_named_in_the_statement() -> None:
    """In the order in which they are written."""
    methods = [region.method.rpartition(".")[2] for region in find_regions(REFERENCE)]

    found = re.findall(r"\*\*`(\w+)`\*\*", STATEMENT)
    assert found == methods == ["__add__", "__mul__", "tanh", "backward"]


EARLY = """
    def backward(self):
        seen = set()

        def visit(value):
            if value not in seen:
                seen.add(value)
                value._backward()
                for source in value._prev:
                    visit(source)

        self.grad = 1.0
        visit(self)
"""


@pytest.mark.parametrize("reset", [False, True])
def test_a_reset_inside_backward_makes_no_difference_to_one_call(reset: bool) -> None:
    """Whether to reset is a matter of taste here: the checks call backward once a graph."""
    text = (ROOT / "graders/scalar_engine/variants/resets_its_own_graph.py").read_text("utf-8")

    Value = engine(text if reset else REFERENCE)

    graph = run(Program.trace(lambda a, b: (a + b) * (b + a), (1.0, 2.0)), Value)
    graph[-1].backward()
    assert graph.read("grad")[:2] == [6.0, 6.0]


def test_a_walk_during_the_search_is_wrong_where_a_sum_and_a_product_share_inputs() -> None:
    """c = a + b, d = a * b, y = (c + d) + c * d: right in each of the statement's examples, wrong here."""
    Value = engine(REFERENCE.partition("    def backward")[0] + EARLY)
    program = Program.trace(lambda a, b: _shared(a + b, a * b), (2.0, 3.0))
    graph = run(program, Value)

    graph[-1].backward()

    assert program.adjoints()[:2] == [25.0, 19.0]
    assert graph.read("grad") != near(program.adjoints())


def _shared(total: Any, product: Any) -> Any:
    return (total + product) + total * product
