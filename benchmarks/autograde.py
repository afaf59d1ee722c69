"""nbgrader's own autograde against ours, on the same submissions, in one run.

    python benchmarks/autograde.py [NUMBER ...]        (default: 1 20; 200 takes stock some minutes)

Both grade right answers to the toy course's stack. Stock is nbgrader without our configuration; "by hand"
is `nbgrader autograde` with it, "by make" is `handgrad autograde`; both of these grade on all cores.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
SLUG = "stack"
STOCK = "c = get_config()\nc.CourseDirectory.root = {root!r}\nc.CourseDirectory.course_id = 'stock'\n"


def make_course(folder: Path, *, stock: bool) -> Path:
    """The toy course, released; where its notebooks are."""
    notebooks = folder / "notebooks"
    shutil.copytree(TOP / "tests/course", folder)
    notebooks.mkdir()
    shutil.copyfile(TOP / "notebooks/nbgrader_config.py", notebooks / "nbgrader_config.py")
    run(notebooks, "handgrad", "release", SLUG)
    if stock:
        (notebooks / "nbgrader_config.py").write_text(STOCK.format(root=str(notebooks)), "utf-8")
    return notebooks


def run(notebooks: Path, *words: str) -> None:
    """One command, which must work."""
    environment = os.environ | {
        "PYTHONPATH": str(TOP / "src"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=notebooks,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)}:\n{done.stdout}{done.stderr}")


def hand_in(notebooks: Path, number: int) -> None:
    """So many right answers, each with a comment of its own."""
    reference = (TOP / "tests/course/solutions/stack/solution.py").read_text("utf-8")
    release = json.loads((notebooks / "release" / SLUG / f"{SLUG}.ipynb").read_text("utf-8"))
    shutil.rmtree(notebooks / "submitted", ignore_errors=True)
    shutil.rmtree(notebooks / "autograded", ignore_errors=True)
    for n in range(number):
        for cell in release["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("solution"):
                cell["source"] = f"# {n}\n{reference}"
        folder = notebooks / "submitted" / f"s{n:03}" / SLUG
        folder.mkdir(parents=True)
        (folder / f"{SLUG}.ipynb").write_text(json.dumps(release), "utf-8")


def measured(notebooks: Path, number: int, *words: str) -> tuple[float, float]:
    """Wall and CPU seconds of grading so many submissions that nobody graded before."""
    hand_in(notebooks, number)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    run(notebooks, *words, SLUG)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(numbers: list[int]) -> None:
    """Print a line a number of submissions and way."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        stock = make_course(Path(folder) / "stock", stock=True)
        ours = make_course(Path(folder) / "ours", stock=False)
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print("submissions  way       wall s   CPU s   times faster (wall, CPU)")
        for number in numbers:
            base = measured(stock, number, "nbgrader", "autograde")
            print(f"{number:11}  stock    {base[0]:7.2f} {base[1]:7.2f}", flush=True)
            for way, words in (
                ("by hand", ("nbgrader", "autograde")),
                ("by make", ("handgrad", "autograde")),
            ):
                wall, cpu = measured(ours, number, *words)
                faster = f"{base[0] / wall:.1f}, {base[1] / cpu:.1f}"
                print(f"{number:11}  {way}  {wall:7.2f} {cpu:7.2f}   {faster}", flush=True)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [1, 20])
