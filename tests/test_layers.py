"""The import order is one way: each module imports only what stands at its place or before it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src"

# A part may import itself and the parts before it. A new module or package of handgrad gets its place here.
ORDER = (
    "errors",
    "files",
    "options",
    "program",
    "model",
    "check",
    "explain",
    "catalog",
    "submission",
    "choice",
    "worker",
    "judge",
    "sandbox",
    "build",
    "state",
    "pool",
    "grade",
    "batch",
    "report",
    "integrations",
    "loop",
    "watch",
    "scaffold",
    "inspection",
    "trial",
    "doctor",
    "cli",
    "__main__",
)
NOT_FOR_THE_JUDGE = ("subprocess", "socket", "select", "resource", "signal", "threading", "multiprocessing")


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted((SOURCE / "handgrad").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules of handgrad that a file imports, wherever in the file it does."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name for name in inner if name in known)
            if not all(name in known for name in inner):
                yield node.module


def part(module: str) -> str:
    """`handgrad.judge.run` stands where `judge` stands; the package itself before all."""
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("module", [name for name in modules() if name != "handgrad"])
def test_a_module_imports_nothing_above_it(module: str) -> None:
    """Data flows one way, so that each part can be read with only those before it in mind."""
    known = modules()
    place = ("", *ORDER).index(part(module))

    above = [name for name in imports(known[module], known) if ("", *ORDER).index(part(name)) > place]

    assert above == []


def test_modules_import_each_other_in_no_circle() -> None:
    """No module needs itself, by whatever way round, not even lazily."""
    known = modules()
    graph = {name: set(imports(path, known)) - {name} for name, path in known.items()}

    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))

    assert len(order) == len(known)


def test_the_worker_needs_nothing_of_handgrad() -> None:
    """What runs beside a learner's code knows no grader, no judge and no course."""
    known = modules()
    worker = [path for name, path in known.items() if part(name) == "worker"]

    needed = {name for path in worker for name in imports(path, known) if part(name) != "worker"}

    assert needed <= {"handgrad"}


def test_the_core_imports_the_standard_library_only() -> None:
    """Optional libraries are imported inside the functions that use them, never when a module loads."""
    foreign = {}
    for name, path in modules().items():
        for node in ast.parse(path.read_text("utf-8")).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            roots = {word.split(".")[0] for word in names} - set(sys.stdlib_module_names) - {"handgrad"}
            if roots:
                foreign[name] = roots

    assert foreign.keys() <= {"handgrad.integrations.nbgrader", "handgrad.integrations.pytest_plugin"}


def test_the_judge_loads_without_processes_sockets_and_threads() -> None:
    """`judge/run.py` decides; how a worker is started reaches it as a parameter."""
    block = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); "
    block += f"sys.modules.update(dict.fromkeys({NOT_FOR_THE_JUDGE!r})); "
    end = "; [sys.modules.pop(name) for name in list(sys.modules) if sys.modules[name] is None]"

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", block + "import handgrad.judge.run, handgrad.check" + end],
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (0, "")
