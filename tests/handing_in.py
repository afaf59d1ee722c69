"""What the tests around nbgrader share: a course in a folder of its own, and every kind of hand-in."""

from __future__ import annotations

import base64
import copy
import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOP = Path(__file__).parent.parent
SLUG = "stack"
FULL = 14.0
QUEUE = 10.0  # the mistake `queue`: two visible checks of two points fail
REFERENCE = (TOP / "tests/course/solutions/stack/solution.py").read_text("utf-8")
WRONG = (TOP / "tests/course/graders/stack/mistakes/queue.py").read_text("utf-8")

Notebook = dict[str, Any]
Write = Callable[[Path, Notebook], None]  # puts files into submitted/<learner>/stack/; gets the release


def make_course(folder: Path) -> Path:
    """The toy course with an nbgrader folder; where that is."""
    shutil.copytree(TOP / "tests/course", folder, dirs_exist_ok=True)
    (folder / "notebooks").mkdir()
    shutil.copyfile(TOP / "notebooks/nbgrader_config.py", folder / "notebooks/nbgrader_config.py")
    return folder / "notebooks"


def command(notebooks: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`handgrad …` or `nbgrader …` as typed in the notebooks folder."""
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=notebooks,
        env=os.environ | {"PYTHONPATH": str(TOP / "src")} | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=900,
        check=False,
    )


def released(notebooks: Path, slug: str = SLUG) -> Notebook:
    """The released notebook."""
    notebook: Notebook = json.loads((notebooks / "release" / slug / f"{slug}.ipynb").read_text("utf-8"))
    return notebook


def hand_in(notebooks: Path, learner: str, write: Write, slug: str = SLUG) -> Path:
    """Let `write` fill the learner's folder."""
    folder = notebooks / "submitted" / learner / slug
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, released(notebooks, slug))
    return folder


def scores(notebooks: Path, slug: str = SLUG) -> dict[str, float]:
    """What nbgrader's own export says of each learner who is in its gradebook with this work."""
    done = command(notebooks, "nbgrader", "export")
    assert done.returncode == 0, done.stderr
    with (notebooks / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {
            r["student_id"]: float(r["raw_score"]) for r in csv.DictReader(file) if r["assignment"] == slug
        }


# ---- ways to hand in


def saved(notebook: Notebook, folder: Path, name: str = f"{SLUG}.ipynb") -> None:
    """Write a notebook."""
    (folder / name).write_text(json.dumps(notebook), encoding="utf-8")


def cell(notebook: Notebook, grade_id: str) -> Notebook:
    """The cell with this grade_id."""
    found: Notebook = next(
        c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id
    )
    return found


def graded(notebook: Notebook) -> list[Notebook]:
    """The cells that carry points."""
    return [c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade")]


def answered(notebook: Notebook, code: str = REFERENCE) -> Notebook:
    """The notebook with `code` in its solution cell."""
    cell(notebook, "solution")["source"] = code
    return notebook


def answer(code: str) -> Write:
    """Hand in a notebook that holds `code`, and is otherwise as it was handed out."""
    return lambda folder, notebook: saved(answered(notebook, code), folder)


def right(change: Callable[[Notebook], object], code: str = REFERENCE) -> Write:
    """Hand in a right answer (or `code`) in a notebook to which something was done."""

    def write(folder: Path, notebook: Notebook) -> None:
        changed = change(answered(notebook, code))
        saved(changed if isinstance(changed, dict) else notebook, folder)

    return write


def extra(code: str, *, kind: str = "code") -> Notebook:
    """A cell of the learner's own."""
    new: Notebook = {
        "cell_type": kind,
        "id": f"own-{abs(hash(code)) % 10**8}",
        "metadata": {},
        "source": code,
    }
    return new | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def insert(notebook: Notebook, after: str, new: Notebook) -> None:
    """Put a cell behind the one with this grade_id."""
    place = notebook["cells"].index(cell(notebook, after)) + 1
    notebook["cells"].insert(place, new)


def raw(data: bytes, name: str = f"{SLUG}.ipynb") -> Write:
    """Hand in a file with these bytes."""
    return lambda folder, notebook: (folder / name).write_bytes(data) and None


def beside(write: Write, name: str, data: bytes) -> Write:
    """The same with another file in the folder."""

    def both(folder: Path, notebook: Notebook) -> None:
        write(folder, notebook)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)

    return both


def encoded(encode: Callable[[str], bytes]) -> Write:
    """A right notebook whose text went through `encode`."""

    def write(folder: Path, notebook: Notebook) -> None:
        text = json.dumps(answered(notebook), indent=1, ensure_ascii=False)
        (folder / f"{SLUG}.ipynb").write_bytes(encode(text))

    return write


def linked(name: str, target: str) -> Write:
    """A right notebook and a link beside it, or in its place."""

    def write(folder: Path, notebook: Notebook) -> None:
        if name != f"{SLUG}.ipynb":
            saved(answered(notebook), folder)
        (folder / name).symlink_to(target)

    return write


def elsewhere(name: str) -> Write:
    """A right notebook under another name or in a folder of its own."""

    def write(folder: Path, notebook: Notebook) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        saved(answered(notebook), folder, name)

    return write


def starter_and_copy(folder: Path, notebook: Notebook) -> None:
    """The starter under the right name, and the answer under the name a browser gives a second download."""
    saved(copy.deepcopy(notebook), folder)
    saved(answered(notebook), folder, "stack (1).ipynb")


def with_pipe(folder: Path, notebook: Notebook) -> None:
    """A right notebook, and a pipe that whoever reads it waits for ever."""
    saved(answered(notebook), folder)
    os.mkfifo(folder / "p")


def script(folder: Path, notebook: Notebook) -> None:
    """A Python file and no notebook."""
    (folder / "solution.py").write_text(REFERENCE, encoding="utf-8")


def as_format_3(notebook: Notebook) -> Notebook:
    """As an old Jupyter would have saved it."""
    cells = []
    for c in notebook["cells"]:
        old = {"cell_type": c["cell_type"], "metadata": c["metadata"]}
        if c["cell_type"] == "code":
            old |= {"input": c["source"], "language": "python", "outputs": [], "collapsed": False}
        else:
            old |= {"source": c["source"]}
        cells.append(old)
    return {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells}]}


def split(notebook: Notebook) -> None:
    """What JupyterLab's "split cell" leaves: two cells with the same marks."""
    first = cell(notebook, "solution")
    second = copy.deepcopy(first)
    head, mark, tail = first["source"].partition("    def pop")
    first["source"], second["source"] = head, "class Stack(Stack):\n" + mark + tail
    insert(notebook, "solution", second)


def copied(grade_id: str) -> Callable[[Notebook], None]:
    """The cell once more, right below itself."""
    return lambda notebook: insert(notebook, grade_id, copy.deepcopy(cell(notebook, grade_id)))


def moved(notebook: Notebook) -> None:
    """The answer below all checks."""
    notebook["cells"].append(notebook["cells"].pop(notebook["cells"].index(cell(notebook, "solution"))))


def without_checks(notebook: Notebook) -> None:
    """All graded cells deleted."""
    gone = [id(c) for c in graded(notebook)]
    notebook["cells"] = [c for c in notebook["cells"] if id(c) not in gone]


def unmarked(notebook: Notebook) -> None:
    """As after copying everything into a new notebook."""
    for c in notebook["cells"]:
        c["metadata"] = {}


def retyped(grade_id: str, kind: str) -> Callable[[Notebook], None]:
    """A cell made Markdown or raw."""

    def change(notebook: Notebook) -> None:
        c = cell(notebook, grade_id)
        c["cell_type"] = kind
        c.pop("outputs", None)
        c.pop("execution_count", None)

    return change


def marks(**values: Any) -> Callable[[Notebook], None]:
    """nbgrader's metadata of every graded cell changed."""

    def change(notebook: Notebook) -> None:
        for c in graded(notebook):
            c["metadata"]["nbgrader"] |= values

    return change


def tagged(notebook: Notebook) -> None:
    """The tag with which nbclient leaves a cell out, on every check."""
    for c in graded(notebook):
        c["metadata"]["tags"] = ["skip-execution"]


def kernel(name: str | None, language: str = "python") -> Callable[[Notebook], None]:
    """Another kernel, or none."""

    def change(notebook: Notebook) -> None:
        if name is None:
            notebook["metadata"].pop("kernelspec", None)
        else:
            notebook["metadata"]["kernelspec"] = {"name": name, "display_name": name, "language": language}

    return change


def minor(number: int, *, ids: bool) -> Callable[[Notebook], None]:
    """Another minor format, with or without cell ids, whatever that format says."""

    def change(notebook: Notebook) -> None:
        notebook["nbformat_minor"] = number
        for position, c in enumerate(notebook["cells"]):
            c.pop("id", None)
            if ids:
                c["id"] = f"cell-{position}"

    return change


def same_ids(notebook: Notebook) -> None:
    """Every cell with one id."""
    for c in notebook["cells"]:
        c["id"] = "same"


def from_colab(notebook: Notebook) -> None:
    """What Colab and VS Code add."""
    notebook["metadata"] |= {
        "colab": {"provenance": [], "toc_visible": True},
        "vscode": {"interpreter": {"hash": "0"}},
    }
    for c in notebook["cells"]:
        c["metadata"] |= {
            "id": "Zx9",
            "colab": {"base_uri": "x"},
            "outputId": "q",
            "vscode": {"languageId": "python"},
        }


def huge_outputs(notebook: Notebook) -> None:
    """Five megabytes of output saved in the file."""
    cell(notebook, "solution")["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": "x" * 5_000_000}
    ]


def attachments(notebook: Notebook) -> None:
    """A picture pasted into a note."""
    note = extra("![p](attachment:p.png)", kind="markdown")
    note["attachments"] = {"p.png": {"image/png": base64.b64encode(b"\x89PNG" * 500).decode()}}
    insert(notebook, "solution", note)


@dataclass(frozen=True)
class Case:
    """A hand-in, what it must score, and words that must be said of it. None: there is nothing to score."""

    write: Write
    score: float | None
    says: str = ""


def also(code: str) -> Write:
    """A right answer and a cell of the learner's own, right below it."""
    return right(lambda notebook: insert(notebook, "solution", extra(code)))


def at_the_end(code: str) -> Write:
    """A right answer and a cell of the learner's own, below all checks."""
    return right(lambda notebook: notebook["cells"].append(extra(code)))


CASES: dict[str, Case] = {
    "right": Case(answer(REFERENCE), FULL),
    "wrong": Case(answer(WRONG), QUEUE),
    "starter": Case(lambda folder, notebook: saved(notebook, folder), 0.0, "not started"),
    # files
    "byte_order_mark": Case(encoded(lambda t: b"\xef\xbb\xbf" + t.encode()), FULL),
    "crlf": Case(encoded(lambda t: t.replace("\n", "\r\n").encode()), FULL),
    "utf16": Case(encoded(lambda t: t.encode("utf-16")), 0.0, "UTF-16"),
    "renamed": Case(elsewhere("stack (1).ipynb"), FULL, "`stack (1).ipynb` was taken"),
    "two_names": Case(starter_and_copy, 0.0, "only `stack.ipynb` is graded"),
    "two_others": Case(
        lambda folder, notebook: (
            [saved(answered(notebook), folder, n) for n in ("a.ipynb", "b.ipynb")] and None
        ),
        None,
        "which one counts?",
    ),
    "nested": Case(elsewhere("stack/stack.ipynb"), FULL, "`stack/stack.ipynb` was taken"),
    "stray_notebook": Case(beside(answer(REFERENCE), "scratch.ipynb", b"{}"), FULL, "not `scratch.ipynb`"),
    "empty_folder": Case(lambda folder, notebook: None, None, "not handed in"),
    "only_an_archive": Case(raw(b"PK\x03\x04", "hw.zip"), None, "unpack"),
    "only_a_script": Case(script, FULL, "`solution.py` was taken"),
    "bad [x] (y)": Case(answer(REFERENCE), FULL),
    "O'Brien, Zoë 李": Case(answer(REFERENCE), FULL),
    "broken_json": Case(raw(b'{"cells": ['), 0.0, "JSON is broken"),
    "empty_file": Case(raw(b""), 0.0, "unreadable"),
    "folder_for_the_notebook": Case(
        elsewhere(f"{SLUG}.ipynb/x.ipynb"), None, "is a folder where a file belongs"
    ),
    "binary": Case(raw(bytes(range(256)) * 8), 0.0, "unreadable"),
    "deep_json": Case(raw(b"[" * 100_000), 0.0, "unreadable"),
    "link_to_another": Case(linked(f"{SLUG}.ipynb", "../../right/stack/stack.ipynb"), None, "is a link"),
    "link_to_a_secret": Case(linked("data.csv", "/etc/passwd"), FULL, "is a link"),
    "pipe": Case(with_pipe, FULL, "no plain file"),
    "modules_beside": Case(beside(answer(REFERENCE), "ast.py", b"raise SystemExit"), FULL, "ast.py"),
    "conftest_beside": Case(beside(answer(WRONG), "conftest.py", b"raise SystemExit"), QUEUE, "conftest.py"),
    "picture_with_space": Case(beside(answer(REFERENCE), "my plot.png", b"\x89PNG"), FULL),
    # times
    "time_garbage": Case(beside(answer(REFERENCE), "timestamp.txt", b"yesterday-ish"), FULL, "no time"),
    "time_too_long": Case(
        beside(answer(REFERENCE), "timestamp.txt", b"9" * 60 + b":" + b"9" * 60), FULL, "no time"
    ),
    "time_binary": Case(beside(answer(REFERENCE), "timestamp.txt", b"\xff\xfe\x00"), FULL, "no time"),
    "time_a_folder": Case(
        beside(answer(REFERENCE), "timestamp.txt/x", b""), FULL, "is a folder where a file belongs"
    ),
    "time_with_zone": Case(beside(answer(REFERENCE), "timestamp.txt", b"2026-01-02 10:00:00 +0900"), FULL),
    "time_without_zone": Case(beside(answer(REFERENCE), "timestamp.txt", b"2026-01-02 00:00"), FULL),
    "time_to_come": Case(
        beside(answer(REFERENCE), "timestamp.txt", b"2999-01-02 00:00:00 UTC"), FULL, "future"
    ),
    # formats
    "format_3": Case(right(as_format_3), FULL),
    "minor_4_with_ids": Case(right(minor(4, ids=True)), FULL),
    "minor_5_without_ids": Case(right(minor(5, ids=False)), FULL),
    "minor_0": Case(right(minor(0, ids=False)), FULL),
    "same_ids": Case(right(same_ids), FULL),
    "colab": Case(right(from_colab), FULL),
    "huge_outputs": Case(right(huge_outputs), FULL),
    "attachments": Case(right(attachments), FULL),
    "kernel_unknown": Case(right(kernel("conda-env-x-py")), FULL),
    "kernel_missing": Case(right(kernel(None)), FULL),
    "kernel_of_r": Case(right(kernel("ir", "R")), 0.0, "notebook for R"),
    # cells
    "answer_copied": Case(right(copied("solution")), FULL, "2 times"),
    "check_copied": Case(right(copied("test_len_counts_the_items")), FULL),
    "answer_split": Case(right(split), FULL, "2 times"),
    "answer_moved": Case(right(moved), FULL),
    "answer_as_markdown": Case(right(retyped("solution", "markdown")), FULL, "was a code cell"),
    "check_as_markdown": Case(right(retyped("test_len_counts_the_items", "markdown")), FULL),
    "check_as_raw": Case(right(retyped("test_len_counts_the_items", "raw")), FULL),
    "checks_deleted": Case(right(without_checks), FULL),
    "marks_lost": Case(right(unmarked), FULL, "lost its grading marks"),
    "points_changed": Case(right(marks(points=1000), code=WRONG), QUEUE),
    "grade_off": Case(right(marks(grade=False), code=WRONG), QUEUE),
    "solution_on": Case(right(marks(solution=True), code=WRONG), QUEUE),
    "schema_2": Case(right(marks(schema_version=2)), FULL),
    "schema_99": Case(right(marks(schema_version=99)), FULL),
    "ids_doubled": Case(right(marks(grade_id="solution")), FULL),
    "id_renamed": Case(right(marks(grade_id="x y z")), FULL),
    "marks_a_list": Case(
        right(lambda n: [c["metadata"].update(nbgrader=["x"]) for c in graded(n)] and None), FULL
    ),
    "skip_execution": Case(right(tagged, code=WRONG), QUEUE),
    "check_edited": Case(
        right(lambda n: [c.update(source="pass") for c in graded(n)] and None, code=WRONG), QUEUE
    ),
    "not_run": Case(answer(REFERENCE), FULL),
    # what is in them
    "syntax_error": Case(answer(REFERENCE + "\n\ndef broken(:\n"), 0.0),
    "magics": Case(answer("%matplotlib inline\n!pip install x\n" + REFERENCE), FULL),
    "timed": Case(answer("%%time\n" + REFERENCE), FULL),
    "written_away": Case(answer("%%writefile solution.py\n" + REFERENCE), 0.0, "%%writefile"),
    "own_error": Case(also("1 / 0"), FULL),
    "own_syntax_error": Case(also("def broken(:"), FULL, "syntax error"),
    "own_plot": Case(also("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"), FULL),
    "own_name_reused": Case(at_the_end("Stack = 3"), FULL),
    "own_endless_end": Case(at_the_end("while True:\n    pass"), FULL),
    "endless": Case(answer(REFERENCE + "\nwhile True:\n    pass\n"), 0.0),
    "input": Case(at_the_end("name = input()"), FULL),
    "missing_package": Case(answer("import torch\n" + REFERENCE), FULL, "torch"),
    "printing": Case(answer(REFERENCE + "\nfor n in range(200_000):\n    print(n)\n"), FULL),
    "one_long_line": Case(answer(REFERENCE + "\nprint('x' * 20_000_000)\n"), FULL),
    "warnings": Case(answer("import warnings\nwarnings.warn('careful')\n" + REFERENCE), FULL),
    "markers_in_the_answer": Case(answer(REFERENCE + "\n### BEGIN HIDDEN TESTS\n### BEGIN SOLUTION\n"), FULL),
    "leaves_python": Case(answer("import os\nos._exit(0)\n" + REFERENCE), 0.0),
    "hostile_page": Case(
        right(lambda n: n["cells"].append(extra("<script>alert(1)</script>", kind="markdown"))), FULL
    ),
}
