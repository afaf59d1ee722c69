"""Draw the pictures of the statements: `python tools/figures.py`. The text form stands below each picture."""

import math
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from handgrad.build.figures import Table, draw, draw_points, draw_tables  # noqa: E402
from handgrad.program import Program  # noqa: E402

EXAMPLE = Program.trace(lambda a, b: a * b + a, (2.0, -3.0))
SQUARED_ERROR = Program.trace(lambda w, x, b, y: (w * x + b - y) ** 2, (0.5, 2.0, 1.0, 3.0))
NAMES = ("w", "x", "b", "y", "p", "y_hat", "e", "loss")
LAYER = Program.trace(lambda x, w, b, s: ((x @ w + b) * s).sum(), (0.0,) * 4)
NETWORK = Program.trace(lambda b, x, w, v, c: (x @ w + b).tanh() @ v + c, (0.0,) * 5)


def empty(rows: int, columns: int) -> tuple[tuple[str, ...], ...]:
    """Places without numbers: where only the shape counts."""
    return (("",) * columns,) * rows


def around(least: float, most: float, count: int) -> list[tuple[float, float]]:
    """Points at drawn angles, between two distances from the origin; the same ones each time."""
    drawn = random.Random(0)
    polar = [(drawn.uniform(least, most), drawn.uniform(0, math.tau)) for _ in range(count)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for radius, angle in polar]


def figures() -> dict[str, str]:
    """Each picture's path in the course, with its text."""
    return {
        "exercises/chain_rule/forward.svg": draw(
            SQUARED_ERROR,
            title="The graph of loss = (w * x + b - y) ** 2 with the number of every value.",
            names=NAMES,
            notes=("0.5", "2", "1", "3", "1", "2", "−1", "1"),
        ),
        "exercises/chain_rule/backward.svg": draw(
            SQUARED_ERROR,
            title="The same graph with the adjoint of every value, filled in from the loss back.",
            names=NAMES,
            notes=("−4", "−1", "−2", "2", "−2", "−2", "−2", "1"),
        ),
        "exercises/chain_rule/shared.svg": draw(
            EXAMPLE,
            title="The graph of c = a * b + a with its adjoints; that of a has two contributions.",
            names=("a", "b", "d", "c"),
            notes=("1 + (−3)", "2", "1", "1"),
        ),
        "exercises/scalar_training/batches.svg": draw_tables(
            [
                [
                    Table(f"{way}, batch {number}", (tuple(str(row) for row in rows),))
                    for number, rows in enumerate(batches, 1)
                ]
                for way, batches in (
                    ("file order", [range(4), range(4, 8), range(8, 12)]),
                    ("strides", [range(0, 12, 3), range(1, 12, 3), range(2, 12, 3)]),
                )
            ],
            title="Twelve rows in three batches of four, in file order and in strides.",
        ),
        "exercises/scalar_engine/graph.svg": draw(
            EXAMPLE,
            title="The graph of c = a * b + a: a and b lead to d, and d and a lead to c.",
            names=("a", "b", "d", "c"),
            notes=("2", "−3", "−6", "−4"),
        ),
        "exercises/scalar_engine/walk.svg": draw(
            EXAMPLE,
            title="The same graph after the walk c, d, b, a, with the gradient of each value.",
            names=("a", "b", "d", "c"),
            notes=("grad −2", "grad 2", "grad 1", "grad 1"),
        ),
        "exercises/array_engine/broadcast.svg": draw_tables(
            [
                [
                    Table("X", (("1", "2", "3"), ("4", "5", "6"))),
                    "+",
                    Table("b, stretched", (("10", "20", "30"), ("10", "20", "30")), own_rows=1),
                    "=",
                    Table("out", (("11", "22", "33"), ("14", "25", "36"))),
                ],
                [
                    Table("out.grad", (("1", "2", "3"), ("4", "5", "6"))),
                    "→ add up the rows →",
                    Table("b.grad", (("5", "7", "9"),)),
                ],
            ],
            title="A bias is stretched over two rows; its gradient is the sum of the two rows.",
        ),
        "exercises/array_engine/matmul.svg": draw_tables(
            [
                [Table("A", empty(2, 3)), "@", Table("B", empty(3, 4)), "=", Table("Z", empty(2, 4))],
                [
                    Table("gradient of Z", empty(2, 4)),
                    "@",
                    Table("B transposed", empty(4, 3)),
                    "=",
                    Table("gradient of A", empty(2, 3)),
                ],
                [
                    Table("A transposed", empty(3, 2)),
                    "@",
                    Table("gradient of Z", empty(2, 4)),
                    "=",
                    Table("gradient of B", empty(3, 4)),
                ],
            ],
            title="The shapes of a matrix product, and of the two products that give its gradients.",
        ),
        "exercises/array_engine/layer.svg": draw(
            LAYER,
            title="The graph of ((x @ w + b) * s).sum() with the shape of every array.",
            names=("x", "w", "b", "s", "p", "q", "r", "loss"),
            notes=("(2, 3)", "(3, 2)", "(2,)", "(2, 2)", "(2, 2)", "(2, 2)", "(2, 2)", "()"),
        ),
        "exercises/array_training/network.svg": draw(
            NETWORK,
            title="The graph of an MLP with one hidden layer, with the shape of every array for n rows.",
            names=("b", "x", "w", "v", "c", "p", "q", "h", "r", "out"),
            notes=("(16,)", "(n, 2)", "(2, 16)", "(16, 1)", "(1,)", *("(n, 16)",) * 3, "(n, 1)", "(n, 1)"),
        ),
        "exercises/array_training/rings.svg": draw_points(
            around(0.0, 0.6, 75),
            around(1.0, 1.4, 75),
            title="Points of class -1 in a disc around the origin, and of class 1 in a ring around the disc.",
            names=("class −1", "class 1"),
            scale=90.0,
        ),
    }


if __name__ == "__main__":
    for name, text in figures().items():
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
        print(name)
