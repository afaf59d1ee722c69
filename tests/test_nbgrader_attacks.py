"""Attacks on nbgrader itself: each scores what its honest code would, and touches nobody else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from handing_in import (
    FULL,
    REFERENCE,
    SLUG,
    Notebook,
    Write,
    answer,
    beside,
    cell,
    command,
    copied,
    extra,
    graded,
    hand_in,
    insert,
    linked,
    make_course,
    marks,
    retyped,
    right,
    saved,
    scores,
    tagged,
)

from handgrad.build.starter import make_starter

STARTER = make_starter(REFERENCE)


def starter_and(code: str) -> Write:
    """The unsolved starter with an attack above it: it deserves nothing."""
    return answer(code + "\n" + STARTER)


def own_cell(code: str) -> Write:
    """The unsolved starter with the attack in a cell of its own."""

    def write(folder: Path, notebook: Notebook) -> None:
        insert(notebook, "solution", extra(code))
        saved(notebook, folder)

    return write


def starter_with(change: object) -> Write:
    """The unsolved starter in a notebook to which something was done."""
    return right(change, code=STARTER)  # type: ignore[arg-type]


SHELL = "get_ipython()."
COURSE = "import os, pathlib\nroot = pathlib.Path('../../..')\n"
EQUAL = """class Yes:
    def __eq__(self, other): return True
    def __lt__(self, other): return True
    def __len__(self): return 7
    def __abs__(self): return self
    items = property(lambda self: Yes())
    def push(self, item): return Yes()
    def pop(self): return Yes()
    def __iter__(self): return iter([Yes()] * 3)
Stack = lambda items=(): Yes()
"""

# The numbers are those of the study these come from. What each deserves: 0 unless another score is given.
ATTACKS: dict[str, tuple[Write, float]] = {
    "01_sys_exit": (starter_and("import sys\nsys.exit(0)"), 0),
    "02_os_exit": (starter_and("import os\nos._exit(0)"), 0),
    "03_os_exit_in_a_method": (
        answer(STARTER.replace("raise Not", "import os; os._exit(0)\n        raise Not")),
        0,
    ),
    "04_endless": (
        answer(STARTER.replace("raise Not", "\n        while True: pass\n        raise Not", 1)),
        0,
    ),
    "05_endless_eats_interrupts": (
        answer(
            STARTER.replace(
                "raise Not",
                "\n        while True:\n            try:\n                while True: pass\n"
                "            except BaseException: pass\n        raise Not",
                1,
            )
        ),
        0,
    ),
    "06_memory": (starter_and("x = bytearray(50 * 2**30)"), 0),
    "07_forks": (
        starter_and("import os, time\nfor _ in range(200):\n    if os.fork() == 0: time.sleep(60)"),
        0,
    ),
    "08_kill_the_grader": (starter_and("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"), 0),
    "10_equal_to_everything": (answer(EQUAL), 0),
    "11_patched_builtins": (
        starter_and("import builtins, math\nbuiltins.abs = lambda x: 0\nmath.isclose = lambda *a, **k: True"),
        0,
    ),
    "12_shadowed_names": (starter_and("abs = len = bool = lambda *a: True"), 0),
    "13_ast_transformer": (
        starter_and(
            "import ast\nclass Drop(ast.NodeTransformer):\n    def visit_Assert(self, node): return None\n"
            f"{SHELL}ast_transformers.append(Drop())"
        ),
        0,
    ),
    "14_input_transformer": (starter_and(f"{SHELL}input_transformers_post.append(lambda lines: [])"), 0),
    "15_run_cell": (starter_and(f"{SHELL}run_cell_async = None"), 0),
    "16_do_execute": (starter_and(f"{SHELL}kernel.do_execute = None"), 0),
    "17_custom_exc": (starter_and(f"{SHELL}set_custom_exc((Exception,), lambda *a, **k: None)"), 0),
    "18_forged_partial_credit": (own_cell("from IPython.display import display\n2.0"), 0),
    "18c_forged_nan": (own_cell("float('nan')"), 0),
    "20_read_the_notebook": (
        starter_and("import os\nprint(open('stack.ipynb').read())\nprint(os.listdir('.'))"),
        0,
    ),
    "21_read_the_gradebook": (starter_and(COURSE + "print((root / 'gradebook.db').read_bytes())"), 0),
    "22_run_the_reference": (
        answer(COURSE + "exec((root / '../solutions/stack/solution.py').read_text())"),
        0,
    ),
    "23_update_grades": (
        starter_and(
            "import sqlite3\ndb = sqlite3.connect('../../../gradebook.db')\n"
            "db.execute('UPDATE grade SET manual_score = 99, extra_credit = 99')\ndb.commit()"
        ),
        0,
    ),
    "24_trigger": (
        starter_and(
            "import sqlite3\ndb = sqlite3.connect('../../../gradebook.db')\n"
            "db.execute('CREATE TRIGGER t AFTER UPDATE ON grade BEGIN UPDATE grade SET auto_score = 9; END')\n"
            "db.commit()"
        ),
        0,
    ),
    "25_remove_others": (
        starter_and("import shutil\nshutil.rmtree('../../../submitted/z_good', ignore_errors=True)"),
        0,
    ),
    "26_startup_file": (
        starter_and(
            "import pathlib\np = pathlib.Path.home() / '.ipython/profile_default/startup'\n"
            "p.mkdir(parents=True, exist_ok=True)\n(p / 'zz.py').write_text('raise SystemExit')"
        ),
        0,
    ),
    "27_lock_the_gradebook": (
        starter_and(
            "import sqlite3\ndb = sqlite3.connect('../../../gradebook.db')\ndb.execute('BEGIN EXCLUSIVE')"
        ),
        0,
    ),
    "28_daemon": (
        starter_and(
            "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)'])"
        ),
        0,
    ),
    "29_environment": (starter_and("import os\nprint(dict(os.environ))"), 0),
    "30_checks_deleted": (right(lambda n: [n["cells"].remove(c) for c in graded(n)] and None), FULL),
    "31_skip_execution": (starter_with(tagged), 0),
    "32_kernel_renamed": (right(lambda n: n["metadata"].update(kernelspec={"name": "x"})), FULL),
    "33_points": (starter_with(marks(points=1000)), 0),
    "34_ids_doubled": (starter_with(marks(grade_id="test_len_counts_the_items")), 0),
    "35_grade_off": (starter_with(marks(grade=False)), 0),
    "36_solution_on": (starter_with(marks(solution=True)), 0),
    "37_schema_2": (right(marks(schema_version=2)), FULL),
    "38_schema_99": (right(marks(schema_version=99)), FULL),
    "39_marks_a_list": (
        right(lambda n: [c["metadata"].update(nbgrader=["x"]) for c in graded(n)] and None),
        FULL,
    ),
    "40_checks_as_markdown": (
        starter_with(
            lambda n: (
                [retyped(c["metadata"]["nbgrader"]["grade_id"], "markdown")(n) for c in graded(n)] and None
            )
        ),
        0,
    ),
    "41_checks_first": (
        right(lambda n: n["cells"].append(n["cells"].pop(n["cells"].index(cell(n, "solution"))))),
        FULL,
    ),
    "42_extra_cell": (own_cell(f"{SHELL}ast_transformers.append(None)"), 0),
    "43_id_renamed": (right(marks(grade_id="renamed")), FULL),
    "50_many_lines": (answer(REFERENCE + "\nfor _ in range(10**6): print('x' * 190)\n"), FULL),
    "51_one_line": (
        answer(REFERENCE + "\nimport sys\nfor _ in range(200): sys.stdout.write('x' * 10**6)\n"),
        FULL,
    ),
    "53_warnings": (answer("import warnings\nwarnings.warn('!')\n" + REFERENCE), FULL),
    "54_stderr": (answer("import os\nos.write(2, b'careful')\n" + REFERENCE), FULL),
    "62_link": (
        linked(f"{SLUG}.ipynb", "../../a_good/stack/stack.ipynb"),
        -1,
    ),
    "63_secret_link": (
        linked("d.csv", "/etc/shadow"),
        FULL,
    ),
    "67_time_garbage": (
        beside(answer(REFERENCE), "timestamp.txt", b"x"),
        FULL,
    ),
    "68_module_beside": (
        beside(answer(STARTER), "ast.py", b"raise SystemExit"),
        0,
    ),
    "69_syntax_error": (starter_and("def broken(:"), 0),
    "split_cell": (right(copied("solution")), FULL),
    "feedback_marker": (answer("### BEGIN HIDDEN TESTS\n" + REFERENCE), FULL),
}


def test_no_attack_gains_a_point_or_touches_anybody(tmp_path: Path, subtests: pytest.Subtests) -> None:
    """Two honest learners around every attack, graded by nbgrader's own command. -1: nothing left to grade."""
    notebooks = make_course(tmp_path / "course")
    home = tmp_path / "home"
    home.mkdir()
    assert command(notebooks, "handgrad", "release", SLUG).returncode == 0
    for name in ("a_good", "z_good"):
        hand_in(notebooks, name, answer(REFERENCE))
    for name, (write, _) in ATTACKS.items():
        hand_in(notebooks, f"m{name}", write)

    done = command(notebooks, "nbgrader", "autograde", SLUG, HOME=str(home))
    table = scores(notebooks)

    assert done.returncode == 0, done.stderr[-3000:]
    for name, (_, deserved) in ATTACKS.items():
        with subtests.test(name):
            assert table.get(f"m{name}") == (None if deserved == -1 else deserved)
    with subtests.test("who comes before and who comes after keeps files and points"):
        assert (table["a_good"], table["z_good"]) == (FULL, FULL)
        assert (notebooks / "submitted/z_good/stack/stack.ipynb").is_file()
        assert not (home / ".ipython").exists()
    with subtests.test("no verdict was made below the level that a grade needs"):
        verdicts = [
            json.loads(p.read_text("utf-8")) for p in (notebooks / ".handgrad/verdicts").rglob("*.json")
        ]
        assert {v["level"] >= 2 for v in verdicts} == {True}
    check_pages(notebooks, subtests)


def check_pages(notebooks: Path, subtests: pytest.Subtests) -> None:
    """Whatever they print, their pages hold no hidden line, no secret file and no grade of others."""
    done = command(notebooks, "nbgrader", "generate_feedback", SLUG)
    assert done.returncode == 0, done.stderr[-3000:]

    with subtests.test("nothing hidden reaches an attacker"):
        for page in (p for p in (notebooks / "feedback").rglob("*") if p.is_file()):
            text = page.read_text("utf-8")
            assert page.suffix == ".html"
            for word in ("canary-", "root:", "SQLite format"):
                assert word not in text, page
