"""Time the references against micrograd, HIPS autograd and torch, on the same graphs.

    python benchmarks/engines.py [--quick]

Needs NumPy. Of the others (`pip install micrograd autograd torch`) it takes what is installed, and says what
is not. All take turns, round after round, so that a busy machine slows them alike: a time is the median over
the rounds, a ratio the median of the rounds' own ratios. Scalars are timed in CPU time, arrays in wall time.
A node is one value of the graph, leaves and constants too.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import importlib.util
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # read when NumPy is imported; one thread, as where work is graded

import numpy as np  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
ROWS = {1_000: 143, 10_000: 1_429, 100_000: 14_286, 1_000_000: 142_858}  # nodes: rows, at 7 nodes a row
SECONDS = 1.0  # for the rounds of one measurement, times the number of those who take turns
ROUNDS = {1_000_000: 3}  # at least; with the collector on, a round of the largest graphs takes half a minute
LEAST = 15  # rounds for all others
TORCH = 10_000  # nodes: beyond, torch would take minutes, since its tensors are made for whole arrays


@dataclass(frozen=True, slots=True)
class Timing:
    """The seconds of every round, forward and backward, for a graph of `nodes` values."""

    nodes: int
    rounds: list[tuple[float, float]] = field(default_factory=list)

    @property
    def nanoseconds(self) -> tuple[float, float, float]:
        """A node's time in the middle round: forward, backward, and both together."""
        kinds = (*zip(*self.rounds, strict=True), [sum(both) for both in self.rounds])
        forward, backward, together = (median(kind) / self.nodes * 1e9 for kind in kinds)
        return forward, backward, together

    @property
    def share(self) -> float:
        """What backward costs, forward being 1."""
        return median(backward / forward for forward, backward in self.rounds)

    def times_faster_than(self, other: Timing) -> float:
        """The ratio of speeds, round by round."""
        return median(sum(b) / sum(a) for a, b in zip(self.rounds, other.rounds, strict=True))


def main() -> None:
    """Measure, and say which goals are met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="leave out the graphs of 1,000,000 nodes")
    quick = parser.parse_args().quick
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}\n")
    scalars = scalar_table([n for n in ROWS if n < 1_000_000 or not quick])
    steps = array_table()
    print("\ngoals")
    for said, met in goals(scalars, steps):
        print(f"  {'met   ' if met else 'MISSED'}  {said}")


# ---- single numbers


def scalar_table(sizes: list[int]) -> dict[tuple[str, int, bool], Timing]:
    """Time a squared error over many rows, for every engine that is here, with the collector on and off."""
    engines: dict[str, Callable[[float], Any]] = {
        "scalar_engine": reference("scalar_engine").Value,
        "scalar_training": reference("scalar_training").Value,
    }
    micrograd = installed("micrograd.engine")
    if micrograd:
        engines["micrograd"] = micrograd.Value
    torch = installed("torch")
    if torch:
        engines["torch"] = lambda number: torch.tensor(number, dtype=torch.float64, requires_grad=True)
    print(f"{'scalars':16} {'nodes':>9}  collector  {'forward':>8} {'backward':>8}  ns a node")
    timings = {}
    for size in sizes:
        found = time_scalars({n: make for n, make in engines.items() if n != "torch" or size <= TORCH}, size)
        for (name, collecting), timing in found.items():
            timings[name, size, collecting] = timing
            forward, backward, together = timing.nanoseconds
            head = f"{name:16} {timing.nodes:9,}  {'on' if collecting else 'off':9}"
            print(f"{head}  {forward:8.0f} {backward:8.0f}  {together:9.0f}")
    return timings


def squared_error(make: Callable[[float], Any], rows: int) -> Any:
    """A loss over `rows` rows of a line. Summed in pairs: micrograd's search calls itself, level by level."""
    w, b = make(0.5), make(1.0)
    terms = []
    for row in range(rows):
        error = w * (row / rows) + b
        terms.append(error * error * 0.5)
    while len(terms) > 1:
        terms = [sum(terms[i + 1 : i + 2], terms[i]) for i in range(0, len(terms), 2)]
    return terms[0]


def time_scalars(engines: dict[str, Callable[[float], Any]], size: int) -> dict[tuple[str, bool], Timing]:
    """Every engine's times, collector on and off."""
    timings = {
        (name, collecting): Timing(7 * ROWS[size] + 1) for name in engines for collecting in (True, False)
    }
    for _ in repetitions(SECONDS * len(timings), ROUNDS.get(size, LEAST)):
        for (name, collecting), timing in timings.items():
            timing.rounds.append(time_once(engines[name], ROWS[size], collecting))
    return timings


def time_once(make: Callable[[float], Any], rows: int, collecting: bool) -> tuple[float, float]:
    """CPU seconds of one forward and one backward pass."""
    gc.collect()
    (gc.enable if collecting else gc.disable)()
    start = time.process_time()
    loss = squared_error(make, rows)
    middle = time.process_time()
    loss.backward()
    end = time.process_time()
    gc.enable()
    return middle - start, end - middle


# ---- arrays


def array_table() -> dict[tuple[str, int], list[float]]:
    """Time one step of training an MLP, forward and backward and moving: the seconds of every round."""
    print(f"\n{'arrays: one step of an MLP':40} {'ms':>8}")
    steps: dict[tuple[str, int], list[float]] = {}
    for rows, sizes in ((150, [2, 16, 1]), (1_000, [64, 128, 128, 1])):
        draw = np.random.default_rng(0)
        x = draw.normal(size=(rows, sizes[0]))
        y = draw.normal(size=(rows, 1))
        made = {"array_training": our_step, "autograd": hips_step, "torch": torch_step}
        ready = {name: step for name, make in made.items() if (step := make(sizes, x, y))}
        for _ in repetitions(SECONDS * len(ready), LEAST):
            for name, step in ready.items():
                start = time.perf_counter()
                step()
                steps.setdefault((name, rows), []).append(time.perf_counter() - start)
        for name in ready:
            label = f"{name} {'-'.join(map(str, sizes))}, {rows} rows"
            print(f"{label:40} {median(steps[name, rows]) * 1e3:8.3f}")
    return steps


def our_step(sizes: list[int], x: Any, y: Any) -> Callable[[], None] | None:
    """A step of the reference of `array_training`."""
    ours = reference("array_training")
    model = ours.MLP(sizes)

    def step() -> None:
        loss = ours.mse(model(x), y)
        loss.backward()
        ours.step(model.parameters(), 1e-3)

    return step


def hips_step(sizes: list[int], x: Any, y: Any) -> Callable[[], None] | None:
    """The same with HIPS autograd."""
    autograd = installed("autograd")
    if autograd is None:
        return None
    anp = importlib.import_module("autograd.numpy")
    parameters = initial(sizes)

    def loss(parameters: list[Any]) -> Any:
        h = x
        for i in range(0, len(parameters) - 2, 2):
            h = anp.tanh(h @ parameters[i] + parameters[i + 1])
        return anp.mean((h @ parameters[-2] + parameters[-1] - y) ** 2)

    gradient = autograd.grad(loss)

    def step() -> None:
        for parameter, slope in zip(parameters, gradient(parameters), strict=True):
            parameter -= 1e-3 * slope

    return step


def torch_step(sizes: list[int], x: Any, y: Any) -> Callable[[], None] | None:
    """The same with torch, on one CPU."""
    torch = installed("torch")
    if torch is None:
        return None
    parameters = [torch.tensor(p, requires_grad=True) for p in initial(sizes)]
    x, y = torch.tensor(x), torch.tensor(y)

    def step() -> None:
        h = x
        for i in range(0, len(parameters) - 2, 2):
            h = torch.tanh(h @ parameters[i] + parameters[i + 1])
        ((h @ parameters[-2] + parameters[-1] - y) ** 2).mean().backward()
        with torch.no_grad():
            for parameter in parameters:
                parameter -= 1e-3 * parameter.grad
                parameter.grad = None

    return step


def initial(sizes: list[int]) -> list[Any]:
    """Weights and biases, layer by layer."""
    draw = np.random.default_rng(0)
    return [p for n, m in pairwise(sizes) for p in (draw.normal(size=(n, m)) / np.sqrt(n), np.zeros(m))]


# ---- what both need


def goals(
    scalars: dict[tuple[str, int, bool], Timing], steps: dict[tuple[str, int], list[float]]
) -> Iterator[tuple[str, bool]]:
    """Each goal with its figures, and whether it is met."""
    for name in ("scalar_engine", "scalar_training"):
        for size, wanted in ((1_000, 1.25), (100_000, 1.4)):
            for collecting in (True, False):
                peer = scalars.get(("micrograd", size, collecting))
                if peer:
                    ratio = scalars[name, size, collecting].times_faster_than(peer)
                    said = f"{name}, {size:,} nodes, collector {'on' if collecting else 'off'}: {ratio:.2f}"
                    yield f"{said} times micrograd's nodes a second (goal {wanted})", ratio >= wanted
        for size, collecting in ((s, c) for s in (1_000, 100_000) for c in (True, False)):
            share = scalars[name, size, collecting].share
            said = f"{name}, {size:,} nodes, collector {'on' if collecting else 'off'}: backward costs"
            yield f"{said} {share:.2f} of forward (goal 1)", share < 1
        sizes = [n for n in ROWS if n >= 10_000 and (name, n, False) in scalars]
        each = [scalars[name, n, False].nanoseconds[2] for n in sizes]
        spread = max(each) / min(each)
        said = f"{name}, {sizes[0]:,} to {sizes[-1]:,} nodes, collector off: a node's cost varies"
        yield f"{said} by a factor of {spread:.2f} (goal 2)", spread <= 2
    for rows in (150, 1_000):
        if ("autograd", rows) in steps:
            pairs = zip(steps["autograd", rows], steps["array_training", rows], strict=True)
            ratio = median(theirs / ours for theirs, ours in pairs)
            yield f"array_training, {rows} rows: {ratio:.2f} times HIPS autograd's speed (goal 1)", ratio >= 1


def reference(slug: str) -> ModuleType:
    """The solution of an exercise, as a module."""
    spec = importlib.util.spec_from_file_location(slug, ROOT / "solutions" / slug / "solution.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"there is no `solutions/{slug}/solution.py` here")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def installed(name: str, missing: set[str] = set()) -> ModuleType | None:  # noqa: B006  (remembers what it said)
    """The module, or None; says so once when it is not there."""
    try:
        return importlib.import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        if package not in missing:
            print(f"({package} is not installed: left out)")
            missing.add(package)
        return None


def repetitions(seconds: float, least: int) -> Iterator[int]:
    """Counts up for about `seconds`, at least `least` times."""
    end = time.perf_counter() + seconds
    count = 0
    while count < least or time.perf_counter() < end:
        yield count
        count += 1


if __name__ == "__main__":
    main()
