"""Whatever a learner hands in gets one sentence that says what is wrong, and costs only what it must."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import TOYS, Desk, desk

from handgrad.catalog import load_course
from handgrad.grade import grade
from handgrad.judge.proxy import Link
from handgrad.model import Status, Verdict
from handgrad.sandbox.starter import WorkerStarter, open_starter
from handgrad.submission import read_submission

__all__ = ["desk"]

_MARKED = (TOYS / "solutions" / "stack" / "solution.py").read_text("utf-8")
RIGHT = re.sub(r"^ *(### (BEGIN|END) SOLUTION|# TODO.*)\n", "", _MARKED, flags=re.MULTILINE)
LINES = RIGHT.count("\n")
STUB = 'raise NotImplementedError("Stack.push is still to be written")'
FULL, NO_POP = 14, 10  # points: everything; everything but the two checks that use pop's result


def pop(*lines: str) -> str:
    """The right stack with another end of `pop`."""
    body = "".join(f"        {line}\n" for line in lines)
    return RIGHT.replace("        return self.items.pop()\n", body)


def below(*lines: str) -> str:
    """The right stack with further lines at the end of the file."""
    return RIGHT + "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkerStarter]:
    """The best sandbox that this machine has."""
    with open_starter() as starter:
        yield starter


def judged(folder: Path, text: str, starter: WorkerStarter, **limits: float) -> Verdict:
    """The verdict of a file with this text."""
    course = load_course(TOYS)
    exercise = course.exercise("stack")
    exercise = exercise._replace(limits=exercise.limits._replace(**limits))  # type: ignore[arg-type]
    path = folder / "solution.py"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return grade(exercise, read_submission(path), starter=starter, course=course, source="solution.py")


def first_message(verdict: Verdict) -> str:
    """What is said of the whole file, else of the first check that does not pass."""
    return verdict.message or next((r.message for r in verdict.results if r.status is not Status.PASSED), "")


# ---- the file cannot be loaded

UNLOADABLE = {
    "syntax error": (
        RIGHT.replace("push(self, item):", "push(self, item)"),
        "SyntaxError: expected ':', line 10",
    ),
    "tab among blanks": (
        RIGHT.replace("        return len(", "\treturn len("),
        "tabs and spaces are mixed, line 21: indent with spaces only",
    ),
    "no-break space": (
        RIGHT.replace("return len", "return\u00a0len"),
        "SyntaxError: a no-break space stands where a plain space belongs (U+00A0), line 21",
    ),
    "curly quotes": (
        below("name = \u201cx\u201d"),
        f"SyntaxError: a curly quote stands where a straight one belongs (U+201C), line {LINES + 1}",
    ),
    "invisible character": (
        below("x = 1\u200b"),
        "an invisible character (zero-width space) stands in the code",
    ),
    "too many parentheses": (below("x = " + "(" * 500 + "1" + ")" * 500), "too many nested parentheses"),
    "too deep an expression": (below("x = " + "-" * 100_000 + "1"), "ran out of memory"),
    "old print": (below("print 'hello'"), "SyntaxError: Missing parentheses in call to 'print'"),
    "a package that is used": (
        "import torch\nx = torch.zeros(1)\n" + RIGHT,
        "not available here: torch, line 1",
    ),
    "a plot": (
        "import matplotlib.pyplot as plt\n" + below("plt.show()"),
        "not available here: matplotlib, line 1",
    ),
    "pytest": ("import pytest\n" + pop("pytest.skip()"), "not available here: pytest, line 1"),
    "a module beside it": ("from helper import x\nprint(x)\n" + RIGHT, "not available here: helper, line 1"),
    "relative import": (
        "from .helper import x\n" + RIGHT,
        "a relative import cannot work in a single file, line 1",
    ),
    "input": (
        below("name = input('name? ')"),
        f"your file calls input() while it is being loaded, line {LINES + 1}, and nobody is here to type",
    ),
    "an assert that fails": (
        below("assert len(Stack([1])) == 2"),
        f"an assert of your own fails while your file is being loaded, line {LINES + 1}",
    ),
    "exit()": (below("exit()"), f"your file ends Python while it is being loaded, line {LINES + 1}"),
    "sys.exit": (
        "import sys\nsys.exit(0)\n" + RIGHT,
        "your file ends Python while it is being loaded, line 2",
    ),
    "endless recursion": (below("def f(): return f()", "f()"), "your file raises RecursionError"),
    "the stub's raise below the class": (
        below(STUB),
        f"your file raises NotImplementedError: Stack.push is still to be written while it is being loaded, "
        f"line {LINES + 1}",
    ),
}


@pytest.mark.parametrize("name", UNLOADABLE)
def test_a_file_that_cannot_be_loaded_is_one_sentence(
    tmp_path: Path, worker: WorkerStarter, name: str
) -> None:
    """Nothing is run, every check says so, and the sentence names the line. In-process it is the same."""
    text, sentence = UNLOADABLE[name]
    verdict = judged(tmp_path, text, worker)

    assert sentence in verdict.message
    assert "\n" not in verdict.message and not verdict.ungraded
    assert {r.status for r in verdict.results} == {Status.NOT_RUN}
    with open_starter(0) as inside:
        assert judged(tmp_path, text, inside).message == verdict.message


KILLING = {
    "os._exit": (
        below("import os", "os._exit(0)"),
        "your code ended Python, while your file was being loaded",
    ),
    "a crash": ("import ctypes\nctypes.string_at(0)\n" + RIGHT, "while your file was being loaded"),
    "an endless loop": (below("while True: pass"), f"being loaded, line {LINES + 1}"),
    "endless output": (below("while True: print(1)"), f"being loaded, line {LINES + 1}"),
    "waiting": (below("import time", "time.sleep(60)"), f"being loaded, line {LINES + 2}"),
    "100 GB": (
        below("x = bytearray(100_000_000_000)"),
        f"out of memory while it was being loaded, line {LINES + 1}",
    ),
    "growing": (
        below("x = []", "while True: x.append(' ' * 10_000_000)"),
        f"out of memory while it was being loaded, line {LINES + 2}",
    ),
}


@pytest.mark.parametrize("name", KILLING)
def test_a_file_that_kills_or_hangs_is_one_sentence(tmp_path: Path, worker: WorkerStarter, name: str) -> None:
    """It ends at a stated limit, and the next file is not affected."""
    text, sentence = KILLING[name]
    cpu_seconds = 0.4 if name.startswith(("an endless", "endless")) else 5.0
    wall_seconds = 1.5 if name == "waiting" else 60.0
    verdict = judged(tmp_path, text, worker, cpu_seconds=cpu_seconds, wall_seconds=wall_seconds)

    assert sentence in verdict.message and not verdict.ungraded
    assert verdict.score == 0
    assert judged(tmp_path, RIGHT, worker).score == FULL


# ---- the file loads, and something in it is wrong

PARTLY = {
    "no class": ("# nothing yet\n", 0, "your file defines no Stack"),
    "the class is deleted": (below("del Stack"), 0, "your file defines no Stack"),
    "a number for a class": ("Stack = 3\n", 0, "not callable"),
    "a function for a class": ("def Stack(items=()):\n    return list(items)\n", 4, "and has no `push`"),
    "a class of another library's kind": (
        "class Stack:\n    def __init__(self, data, requires_grad=False):\n        self.data = data\n",
        0,
        "'Stack' object has no attribute 'push'",
    ),
    "the stub's raise above the answer": (
        RIGHT.replace("        self.items.append(item)", f"        {STUB}\n        self.items.append(item)"),
        8,
        "the placeholder raise on line 12 is still there: delete it, your code below it never runs",
    ),
    "the stub's raise below the answer": (
        RIGHT.replace(
            "        self.items.append(item)",
            f"        self.items.append(item)\n        return\n        {STUB}",
        ),
        FULL,
        "",
    ),
    "exit in a method": (pop("exit()"), NO_POP, "your code ended Python (exit)"),
    "os._exit in a method": (pop("import os", "os._exit(0)"), NO_POP, "your code ended Python"),
    "deep recursion": (pop("return self.pop()"), NO_POP, "calls itself too deep (RecursionError)"),
    "memory that grows while it is walked": (
        RIGHT.replace("return iter(self.items[::-1])", "return self.grow()")
        + "\n    def grow(self):\n        for item in self.items: self.items.append(' ' * 10_000_000)\n",
        12,
        "your code ran out of memory",
    ),
    "a package in a method": (
        pop("import torch", "return torch.tensor(self.items.pop())"),
        NO_POP,
        "ModuleNotFoundError: not available here: torch, line 18",
    ),
    "a package by __import__": (pop("return __import__('torch')"), NO_POP, "not available here: torch"),
    "NaN": (pop("self.items.pop()", "return float('nan')"), NO_POP, "expected top to be 3, got nan"),
    "a string": (pop("return str(self.items.pop())"), NO_POP, "expected top to be 3, got '3'"),
    "None": (pop("self.items.pop()"), NO_POP, "expected top to be 3, got None"),
    "complex": (
        pop("return complex(self.items.pop())"),
        NO_POP,
        "expected top to be 3, got an object of type complex",
    ),
    "a huge number": (pop("self.items.pop()", "return 10 ** 10_000"), NO_POP, "expected top to be 3, got"),
    "an object equal to everything": (
        "class Any:\n    def __eq__(self, other): return True\n" + pop("self.items.pop()", "return Any()"),
        NO_POP,
        "expected top to be 3, got an object of type Any",
    ),
    "a number equal to everything": (
        "class Any(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n"
        + pop("self.items.pop()", "return Any(99)"),
        NO_POP,
        "expected top to be 3, got an object of type Any",
    ),
    "half a character": (pop("self.items.pop()", "return '\\ud800'"), NO_POP, "got '\\ud800'"),
    "an exception of no usual kind": (
        "class Odd(BaseException): pass\n" + pop("raise Odd('so')"),
        NO_POP,
        "Odd: so",
    ),
}


@pytest.mark.parametrize("name", PARTLY)
def test_only_the_checks_that_meet_the_fault_are_lost(
    tmp_path: Path, worker: WorkerStarter, name: str
) -> None:
    """The others keep their points; the first that fails says in one line what came."""
    text, score, sentence = PARTLY[name]
    verdict = judged(tmp_path, text, worker)

    assert verdict.score == score and not verdict.ungraded
    assert sentence in first_message(verdict) and "\n" not in first_message(verdict)


# ---- odd, and right

HARMLESS = {
    "a package that is not used": "import torch\n" + RIGHT,
    "a block for running it alone": below("if __name__ == '__main__':", "    assert False"),
    "200,000 printed lines": below("for i in range(200_000): print('line', i)"),
    "one printed line of 50 MB": below("print('x' * 50_000_000)"),
    "prints in a method": pop("print('popping', self.items)", "return self.items.pop()"),
    "a warning": "import warnings\n" + pop("warnings.warn('x')", "return self.items.pop()"),
    "writes to standard error": "import sys\n" + pop("sys.stderr.write('x')", "return self.items.pop()"),
    "a future import": "from __future__ import annotations\n" + RIGHT,
    "a byte-order mark": "\ufeff" + RIGHT,
    "Windows line ends": RIGHT.replace("\n", "\r\n"),
    "terminal codes in what it prints": below("print('\\x1b[2J\\u202e')"),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_only_odd_costs_nothing(tmp_path: Path, worker: WorkerStarter, name: str) -> None:
    """Full score, and what is kept of the output has a limit."""
    verdict = judged(tmp_path, HARMLESS[name], worker, cpu_seconds=20.0, wall_seconds=60.0)

    assert (verdict.score, verdict.message) == (FULL, "")
    assert len(verdict.output) <= 70_000


def test_a_package_that_is_not_used_is_only_noted(tmp_path: Path, worker: WorkerStarter) -> None:
    """By name and line."""
    (note,) = judged(tmp_path, "import torch\n" + RIGHT, worker).notes

    assert note == "line 1: `torch` is not available here, and not used: the import is left out"


def test_notes_are_few_and_short_whatever_a_worker_sends(
    tmp_path: Path, worker: WorkerStarter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be in a learner's hands."""
    monkeypatch.setattr(Link, "load", lambda link, files, preload: ("n" * 100_000,) * 1_000)
    verdict = judged(tmp_path, below(), worker)

    assert len(verdict.notes) == 21
    assert max(map(len, verdict.notes)) == 1_000


def test_a_ready_made_package_is_no_solution(tmp_path: Path, worker: WorkerStarter) -> None:
    """Not even on a machine where it is installed, nor in-process."""
    pytest.importorskip("micrograd")
    plain = "from micrograd.engine import Value as Stack\n"
    wrapped = "from micrograd.engine import Value\n\n\nclass Stack(Value):\n    pass\n"
    with open_starter(0) as inside:
        for starter in (worker, inside):
            verdict = judged(tmp_path, plain, starter)
            assert (verdict.score, first_message(verdict)) == (0, "your file defines no Stack")
            assert "`micrograd` is not available here" in verdict.notes[0]
            assert judged(tmp_path, wrapped, starter).message == "not available here: micrograd, line 1"


def test_threads_that_are_left_hold_up_nobody(tmp_path: Path, worker: WorkerStarter) -> None:
    """Where the sandbox allows them they end with their worker; else one sentence says that it does not."""
    text = (
        "import threading, time\n"
        "def run():\n    while True: time.sleep(0.01)\n"
        "threading.Thread(target=run, daemon=True).start()\nthreading.Thread(target=run).start()\n" + RIGHT
    )
    with open_starter(1) as open_one:
        assert judged(tmp_path, text, open_one).score == FULL
    if worker.level > 1:
        assert (
            "can't start new thread while it is being loaded, line 4"
            in judged(tmp_path, text, worker).message
        )


def test_the_same_file_gets_the_same_verdict(tmp_path: Path, worker: WorkerStarter) -> None:
    """Ten times, with drawn numbers and a failing check."""
    text = pop("return self.items.pop(0)")
    seen = {
        tuple((r.check.name, r.status, r.message) for r in judged(tmp_path, text, worker).results)
        for _ in range(10)
    }

    assert len(seen) == 1


# ---- what the command says of it


BROKEN_FILES = {
    "empty": (b"", "`solution.py` is empty: write your answer in it and save it"),
    "UTF-16": (RIGHT.encode("utf-16"), "`solution.py` is saved as UTF-16: save it as UTF-8"),
    "NUL": (RIGHT.encode() + b"\0", "`solution.py` has a NUL byte on line"),
    "Windows-1252 in a comment": (
        b"# caf\xe9\n" + RIGHT.encode(),
        "line 1 has the byte 0xE9 (`é` in Windows-1252)",
    ),
    "Windows-1252 in a string": (RIGHT.encode() + b"x = 'caf\xe9'\n", "is not UTF-8: line"),
    "a line of 50 MB": (b"#" * 50_000_000, "`solution.py` is too large (47.7 MB): at most 1 MB are read"),
}


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_check_and_grade_say_the_same_of_a_broken_file(desk: Desk, tmp_path: Path, name: str) -> None:
    """1 both times; the sentence is the same in every route; other exercises are still checked."""
    raw, sentence = BROKEN_FILES[name]
    desk.write(raw)
    desk.solve("shelf")
    (tmp_path / "in" / "ann").mkdir(parents=True)
    (tmp_path / "in" / "ann" / "solution.py").write_bytes(raw)
    checked = desk("check")
    graded = desk("grade", "stack", str(tmp_path / "in"))

    assert (checked.code, graded.code) == (1, 1)
    assert sentence in checked.out and sentence in graded.out
    assert "9 of 9 checks pass" in checked.out
    assert "1 cannot be read" in graded.err


def test_a_folder_for_a_file_is_one_sentence(desk: Desk) -> None:
    """As `--submission`, and where the learner's own file should be."""
    desk.path("exercises/stack/solution.py").unlink()
    desk.path("exercises/stack/solution.py").mkdir()

    assert "`solution.py` is a folder: hand in the file inside it" in desk("check", "stack").out
    assert "`solution.py` is a folder" in desk("check", "stack", "--submission", "exercises/stack").out


def test_a_missing_file_is_one_sentence(desk: Desk) -> None:
    """1, and how it comes back."""
    desk.path("exercises/stack/solution.py").unlink()
    answer = desk("check", "stack")

    assert answer.code == 1
    assert "`solution.py` is missing" in answer.out


def test_files_beside_the_answer_change_nothing(desk: Desk) -> None:
    """A conftest, settings and a module named like a standard one are named and not read."""
    desk.solve(mistake="queue")
    folder = desk.path("exercises/stack")
    (folder / "conftest.py").write_text("raise SystemExit(0)\n")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --co\n")
    (folder / "random.py").write_text("raise SystemExit(0)\n")
    answer = desk("check", "stack")

    assert answer.code == 1 and "10/14 points" in answer.out
    assert (
        "only `solution.py` is graded: `conftest.py`, `pytest.ini`, `random.py` beside it are ignored"
        in answer.out
    )
