"""Draw the pictures of the statements: `python tools/figures.py`. The text form stands below each picture."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from handgrad.build.figures import draw  # noqa: E402
from handgrad.program import Program  # noqa: E402

EXAMPLE = Program.trace(lambda a, b: a * b + a, (2.0, -3.0))


def figures() -> dict[str, str]:
    """Each picture's path in the course, with its text."""
    return {
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
    }


if __name__ == "__main__":
    for name, text in figures().items():
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
        print(name)
