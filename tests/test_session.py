"""A session: every way a learner's file can end, in every way a worker can be started."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judging import DOUBLE, LINUX, WAYS, exercise_of, loaded, one_line, starter_of, submission

from handgrad.errors import ToolError
from handgrad.judge.session import NOT_AGAIN, Session, Starter, imports_of, require_level
from handgrad.model import CheckResult, Limits, Status
from handgrad.sandbox.starter import WorkerStarter, open_starter
from handgrad.worker.agent import Output

CHECKS = loaded(
    DOUBLE
    + '''
@check(points=1, hint="x")
def test_same(same):
    """same gives back."""
    n = 3

    answer = same(n)

    assert answer == 3
'''
)
RIGHT = "def double(n):\n    return 2 * n\ndef same(n):\n    return n\n"
FAST = {"cpu_seconds": 0.4, "impatient_cpu_seconds": 0.2, "wall_seconds": 8.0}


@pytest.fixture(scope="module", params=[way for way in WAYS if way != "in-process"])
def starter(request: pytest.FixtureRequest) -> Iterator[WorkerStarter]:
    """Both ways to have a process for the learner's code."""
    with starter_of(request.param) as starter:
        yield starter


class Counting:
    """A starter that counts the workers it is asked for."""

    def __init__(self, starter: WorkerStarter) -> None:
        self._starter, self.level, self.started = starter, starter.level, 0

    def start(self, *arguments: Any, **words: Any) -> Any:
        """See WorkerStarter."""
        self.started += 1
        return self._starter.start(*arguments, **words)


def judged(text: str, starter: Starter, **limits: float) -> tuple[list[CheckResult], Session]:
    """The results of both checks, and the session as it was left."""
    with Session(
        exercise_of(**{**FAST, **limits}),
        submission(text),
        starter=starter,
        stubs=frozenset({"double is still to be written"}),
    ) as session:
        return [session.run(check) for check in CHECKS], session


def test_right_code_passes(starter: WorkerStarter) -> None:
    """Both checks, nothing said."""
    results, session = judged(RIGHT, starter)

    assert [r.status for r in results] == [Status.PASSED, Status.PASSED]
    assert (session.problem, session.level) == ("", 1)


def test_a_wrong_answer_is_told_with_its_numbers(starter: WorkerStarter) -> None:
    """Expected and got, and what was called; the other check keeps its points."""
    results, _ = judged(RIGHT.replace("2 * n", "n + 2"), starter)

    assert one_line(results[0]) == "failed: with n = 3, answer = double(n): expected answer to be 6, got 5"
    assert results[1].points == 1


FORGOTTEN = loaded('''
@check(points=1, hint="x")
def test_box(Box):
    """Box wraps."""
    box = Box(1).wrapped()

    box.size = 2

    assert box.size == 2

@check(points=1, hint="x")
def test_parts(Box):
    """Box has parts."""
    box = Box(1)

    parts = box.parts

    assert len(parts) == 1
''')


def test_a_forgotten_return_and_a_forgotten_comma_are_told_where_they_show(starter: WorkerStarter) -> None:
    """Python's own words name neither the variable nor the attribute."""
    text = "class Box:\n    def __init__(self, n):\n        self.parts = (self)\n    def wrapped(self): Box(self)\n"
    with Session(exercise_of(**FAST), submission(text), starter=starter) as session:
        told = [one_line(session.run(check)) for check in FORGOTTEN]

    assert told[0].endswith(": box is None, as when a `return` is missing (AttributeError)")
    assert told[1].endswith(
        ": box.parts is an object of type Box (TypeError: object of type 'Box' has no len())"
    )


TRIPS = """
@check(points=1, hint="x")
def test_it(make):
    \"\"\"make makes.\"\"\"
    n = 3

    {act}

    assert {claim}
"""


@pytest.mark.parametrize(
    ("act", "claim", "body", "told"),
    [
        (
            "out = make(n)",
            "out.grad == 1.0",
            "return 2.0 * n",
            "out is 6.0, of type float, and has no `grad`",
        ),
        (
            "out = make(n); out.grad = 5.0",
            "n == 3",
            "return 6.0",
            "out is 6.0, of type float, and has no `grad`",
        ),
        (
            "out = make(n)",
            "make(n).grad == 1.0",
            "return [n]",
            "what came back is of type list, and has no `grad`",
        ),
        ("w, b = make(n)", "w == b", "n + 1", "make gave None, as when a `return` is missing"),
        ("out = make(n)", "out['a'] == 1", "return {'b': 1}", "out has no key 'a'"),
        (
            "out = make(n)",
            "abs(out) < 9",
            "return make",
            "out is an object of type function, where a number belongs",
        ),
    ],
)
def test_what_the_check_trips_over_is_told_by_name(
    act: str, claim: str, body: str, told: str, starter: WorkerStarter
) -> None:
    """In the check's own names: Python's words name neither the variable nor the function."""
    (check,) = loaded(TRIPS.format(act=act, claim=claim))
    with Session(exercise_of(**FAST), submission(f"def make(n):\n    {body}\n"), starter=starter) as session:
        assert f": {told} (" in one_line(session.run(check))


def test_a_long_value_is_cut_where_a_check_trips_over_it(starter: WorkerStarter) -> None:
    """A sentence stays one, however much the learner's attribute holds."""
    (check,) = loaded('''
@check(points=1, hint="x")
def test_size(Box):
    """Box has a size."""
    box = Box()

    more = box.size + 1

    assert more == 2
''')
    text = "class Box:\n    size = 'x' * 400_000\n"
    with Session(exercise_of(**FAST), submission(text), starter=starter) as session:
        told = one_line(session.run(check))

    assert "box.size is 'xxx" in told and len(told) < 1000


def test_the_starters_own_error_is_not_started(starter: WorkerStarter) -> None:
    """A NotImplementedError with the starter's words is work to come, no mistake."""
    text = RIGHT.replace("return 2 * n", 'raise NotImplementedError("double is still to be written")')
    results, _ = judged(text, starter)

    assert [r.status for r in results] == [Status.NOT_STARTED, Status.PASSED]


def test_any_other_not_implemented_error_is_an_error(starter: WorkerStarter) -> None:
    """Only the starter's own words count."""
    results, _ = judged(RIGHT.replace("return 2 * n", 'raise NotImplementedError("later")'), starter)

    assert results[0].status is Status.ERROR


def test_a_placeholder_left_above_the_answer_is_named(starter: WorkerStarter) -> None:
    """The learner wrote the answer and kept the raise."""
    text = RIGHT.replace(
        "return 2", 'raise NotImplementedError("double is still to be written")\n    return 2'
    )
    results, _ = judged(text, starter)

    assert "the placeholder raise on line 2 is still there" in results[0].message


def test_the_learners_exception_has_its_line(starter: WorkerStarter) -> None:
    """What their code raised, and where."""
    results, _ = judged(RIGHT.replace("return 2 * n", "return 1 / 0"), starter)

    assert one_line(results[0]).endswith("ZeroDivisionError: division by zero")
    place = results[0].detail.place
    assert (place.line, place.text, place.name) == (2, "return 1 / 0", "double")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("import os; os._exit(0)", "your code ended Python"),
        ("raise SystemExit(0)", "your code ended Python (exit)"),
        ("exit()", "your code ended Python (exit)"),
        ("return double(n)", "calls itself too deep"),
        ("x = [0]\n    while True: x = x + x", "ran out of memory"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise AssertionError('mine')", "AssertionError: mine"),
        ("return input('n? ')", "input() has nobody to ask here, line 2"),
    ],
)
def test_a_fault_costs_the_check_that_meets_it(line: str, words: str, starter: WorkerStarter) -> None:
    """Every way to fall over is told in words, and the next check passes."""
    results, _ = judged(RIGHT.replace("return 2 * n", line), starter, memory_bytes=256 << 20, cpu_seconds=4)

    assert results[0].status is Status.ERROR
    assert words in results[0].message
    assert results[1].status is Status.PASSED


@pytest.mark.skipif(not LINUX, reason="signals of this kind are Linux'")
def test_a_crash_costs_the_check_that_meets_it(starter: WorkerStarter) -> None:
    """A segmentation fault ends the worker, and the next check gets a new one."""
    results, _ = judged(RIGHT.replace("return 2 * n", "import ctypes; ctypes.string_at(0)"), starter)

    assert "crashed Python (SIGSEGV)" in results[0].message
    assert results[1].status is Status.PASSED


def test_an_endless_loop_is_ended_and_its_line_told(starter: WorkerStarter) -> None:
    """Computing time is read from outside; the line is asked for before the end."""
    results, _ = judged(RIGHT.replace("return 2 * n", "\n    while True:\n        n += 1"), starter)

    assert "still running after 0.4 s of computing, in line" in results[0].message
    assert results[0].detail.place.line in (3, 4)
    assert results[1].status is Status.PASSED


def test_a_loop_that_swallows_everything_is_ended_too(starter: WorkerStarter) -> None:
    """Nothing is raised into the learner's code, so nothing can be swallowed."""
    loop = (
        "\n    while True:\n        try:\n            n += 1\n        except BaseException:\n            pass"
    )
    results, _ = judged(RIGHT.replace("return 2 * n", loop), starter)

    assert results[0].status is Status.ERROR
    assert results[1].status is Status.PASSED


def test_waiting_without_computing_gets_a_second_chance_and_ends(starter: WorkerStarter) -> None:
    """The clock alone is a backstop: tried twice before it counts."""
    counting = Counting(starter)
    results, _ = judged(
        RIGHT.replace("return 2 * n", "import time; time.sleep(60)"), counting, wall_seconds=0.5
    )

    assert "no answer within 0.5 s" in results[0].message
    assert results[1].status is Status.PASSED
    assert counting.started == 3  # two for the check that waits, one for the next


def test_after_two_hits_patience_is_short(starter: WorkerStarter) -> None:
    """An engine that hangs everywhere does not cost the full limit every time."""
    both = "def double(n):\n    while True: pass\nsame = double\n"
    with Session(exercise_of(**FAST), submission(both), starter=starter) as session:
        messages = [session.run(CHECKS[i]).message for i in (0, 1, 0)]

    assert ["0.4 s" in m for m in messages] == [True, True, False]
    assert "0.2 s" in messages[2]


def test_a_check_has_its_own_limit_where_it_needs_longer(starter: WorkerStarter) -> None:
    """All its times grow alike; the other checks keep the short ones."""
    both = "def double(n):\n    while True: pass\nsame = double\n"
    exercise = exercise_of(**FAST)
    exercise = exercise._replace(limits=exercise.limits._replace(checks=(("test_same", 0.8),)))
    with Session(exercise, submission(both), starter=starter) as session:
        messages = [session.run(CHECKS[i]).message for i in (0, 1, 1)]

    assert ["0.4 s" in messages[0], "0.8 s" in messages[1], "0.4 s" in messages[2]] == [True, True, True]


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("def f(:\n", "SyntaxError: invalid syntax, line 1", 1),
        ("if True:\n\tx = 1\n        y = 2\n", "tabs and spaces are mixed, line 3", 3),
        ("x\u00a0= 1\n", "a no-break space stands where a plain space belongs", 1),
        ("x = “1”\n", "a curly quote stands where a straight one belongs", 1),
        ("import torch\nx = torch.tensor(1)\n", "not available here: torch, line 1", 1),
        ("\nfrom .helper import x\n", "a relative import cannot work in a single file, line 2", 2),
        (
            "1 / 0\n",
            "your file raises ZeroDivisionError: division by zero while it is being loaded, line 1",
            1,
        ),
        ("n = input()\n", "your file calls input() while it is being loaded, line 1", 1),
        ("x = 1\nassert x == 2\n", "an assert of your own fails while your file is being loaded, line 2", 2),
        ("exit()\n", "your file ends Python while it is being loaded, line 1", 1),
        ("while True: pass\n", "while your file was being loaded, line 1", 1),
        ("import os\nos._exit(0)\n", "your code ended Python, while your file was being loaded", 0),
    ],
)
def test_a_file_that_cannot_be_loaded_has_one_sentence(
    text: str, problem: str, line: int, starter: WorkerStarter
) -> None:
    """No check runs; the sentence and the line belong to the whole file."""
    results, session = judged(text, starter)

    assert [r.status for r in results] == [Status.NOT_RUN, Status.NOT_RUN]
    assert problem in session.problem
    assert (session.place.line if session.place else 0) == line


@pytest.mark.parametrize(
    "line",
    [
        "import torch",
        "import torch as t  # for later",
        "from torch.nn import Module, Linear as Layer",
        "from torch import (Module,\n  Linear)",
        "from torch \\\n    import sys",
        "import torch; import math",
        "import torch, math",
        "if True: import torch",
    ],
)
def test_an_unused_import_of_what_is_not_here_is_noted(line: str, starter: WorkerStarter) -> None:
    """It is left out, and the file is judged; however the import is written."""
    results, session = judged(line + "\n" + RIGHT, starter)

    assert [r.status for r in results] == [Status.PASSED, Status.PASSED]
    assert session.notes == ("line 1: `torch` is not available here, and not used: the import is left out",)


def test_a_missing_name_is_told(starter: WorkerStarter) -> None:
    """The check's parameter is what the file lacks."""
    results, _ = judged("same = abs\n", starter)

    assert one_line(results[0]) == "failed: your file defines no double"


def test_prints_are_kept_for_their_check(starter: WorkerStarter) -> None:
    """What a check printed is with its result; loading has its own."""
    text = "print('hello')\n" + RIGHT.replace("return 2 * n", "print('n is', n); return n")
    results, session = judged(text, starter)

    assert (session.output, results[0].detail.output, results[1].detail.output) == ("hello\n", "n is 3\n", "")


def test_a_flood_of_prints_is_cut_in_the_middle(starter: WorkerStarter) -> None:
    """Head and tail stay, the rest is counted, the verdict is the quiet one's."""
    text = RIGHT.replace("return 2 * n", "\n    for i in range(50000): print('line', i)\n    return 2 * n")
    results, _ = judged(text, starter, cpu_seconds=5)

    output = results[0].detail.output
    assert results[0].status is Status.PASSED
    assert output.startswith("line 0\n")
    assert output.rstrip().endswith("line 49999")
    assert "lines left out]" in output
    assert len(output) < 80_000


def test_one_line_of_fifty_megabytes_is_cut(starter: WorkerStarter) -> None:
    """Length without line ends is cut just so."""
    text = RIGHT.replace("return 2 * n", "print('x' * 50_000_000); return 2 * n")
    results, _ = judged(text, starter, cpu_seconds=5)

    assert results[0].status is Status.PASSED
    assert len(results[0].detail.output) < 80_000


@pytest.mark.parametrize("piece", [1, 7, 40, 99, 100, 5_000])
@pytest.mark.parametrize(
    "line", ["", "ab\n", "a long line of fifty characters, all of them letters" + "\n" * 9]
)
def test_output_is_cut_alike_however_it_is_written(line: str, piece: int) -> None:
    """In one piece or in many: the same head, the same tail, the same number of lines between them."""
    whole = (line or "x") * 200 + "the end"
    sent: list[str] = []
    output = Output(sent.append, limit=100)
    for begin in range(0, len(whole), piece):
        assert output.write(whole[begin : begin + piece]) == len(whole[begin : begin + piece])

    between = whole[50:-50]
    assert "".join(sent) == whole[:50]
    assert output.take() == [between.count("\n") or 1, whole[-50:]]
    assert output.take() == [0, ""]


HIDDEN = loaded(
    DOUBLE.replace("test_double", "test_hidden_double") + DOUBLE.replace("test_double", "test_hidden_again"),
    hidden=True,
)


def test_what_a_hidden_worker_says_while_it_loads_is_not_for_the_learner(
    starter: WorkerStarter, tmp_path: Path
) -> None:
    """The file may know by then what a hidden check asked: here from a file, elsewhere by the clock."""
    note = tmp_path / "note"
    tmp_path.chmod(0o777)
    text = f"""
import os
if os.path.exists({str(note)!r}):
    raise ValueError("a hidden check drew " + open({str(note)!r}).read())
def same(n):
    return n
def double(n):
    open({str(note)!r}, "w").write(str(n))
    os._exit(0)
"""
    with Session(exercise_of(**FAST), submission(text), starter=starter) as session:
        results = [session.run(check) for check in (CHECKS[1], *HIDDEN)]

    assert [r.status for r in results] == [Status.PASSED, Status.ERROR, Status.NOT_RUN]
    assert "a hidden check drew 3" in results[2].message  # which a learner's view replaces
    assert (session.problem, session.place) == (NOT_AGAIN, None)


def test_a_file_that_cannot_be_loaded_is_told_even_if_only_hidden_checks_run(starter: WorkerStarter) -> None:
    """What stands in the file is no secret to who wrote it."""
    with Session(exercise_of(**FAST), submission("x = 1 / 0\n"), starter=starter) as session:
        result = session.run(HIDDEN[0])

    assert (result.status, result.message) == (Status.NOT_RUN, "")
    assert (
        session.problem
        == "your file raises ZeroDivisionError: division by zero while it is being loaded, line 1"
    )


OWN_OUTPUT = """
import sys
sys.stdout.reconfigure(encoding="utf-8", line_buffering=True)
sys.stdout.buffer.write("bytes é\\n".encode())
sys.stdout.writelines(["lines\\n"])
print(sys.stdout.closed, sys.stdout.writable(), sys.stdout.isatty(), sys.stdout.name, sys.stderr.encoding)
with sys.stdout as out:
    out.write("with\\n")
print("after", file=sys.stderr, flush=True)
"""


@pytest.mark.parametrize("way", WAYS)
def test_what_files_do_with_their_output_works(way: str) -> None:
    """Asking for UTF-8, writing bytes, closing it: none of it costs a point."""
    with starter_of(way) as starter:
        results, session = judged(OWN_OUTPUT + RIGHT, starter)

    assert [r.status for r in results] == [Status.PASSED, Status.PASSED]
    assert session.output == "bytes é\nlines\nFalse True False <stdout> utf-8\nwith\nafter\n"


def test_prints_before_a_crash_are_kept(starter: WorkerStarter) -> None:
    """They left the worker as they came."""
    text = RIGHT.replace("return 2 * n", "print('so far'); import os; os._exit(1)")
    results, _ = judged(text, starter)

    assert results[0].detail.output == "so far\n"


DRIP = """
    import os, time
    frame = b'\\x00\\x00\\x08\\x00' + bytes(4) + b'1' * 1000
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for fd in (1, 3, 4, 5):
            try: os.write(fd, frame[:1])
            except OSError: pass
        time.sleep(0.01)
"""


def test_an_answer_that_comes_byte_by_byte_does_not_stop_the_clock(starter: WorkerStarter) -> None:
    """A worker that writes to the judge's pipe itself is ended at the limit, or for the garbage it is."""
    results, _ = judged(RIGHT.replace("return 2 * n", DRIP), starter, wall_seconds=0.5)

    assert results[0].status is Status.ERROR
    assert results[1].status is Status.PASSED


def test_threads_left_running_end_with_the_worker(starter: WorkerStarter) -> None:
    """A daemon in the background changes no result."""
    text = RIGHT + "import threading, time\n"
    text += "threading.Thread(target=lambda: time.sleep(60), daemon=True).start()\n"
    results, _ = judged(text, starter)

    assert [r.status for r in results] == [Status.PASSED, Status.PASSED]


def test_the_random_module_gives_the_same_numbers_each_time(starter: WorkerStarter) -> None:
    """Same file, same verdict: `random` and the hash of strings are fixed."""
    text = "import random\ndef double(n): return [random.random(), hash('a'), list({'a', 'b', 'c'})]\nsame = abs\n"
    actual = {judged(text, starter)[0][0].detail.actual for _ in range(3)}

    assert len(actual) == 1


def test_hidden_checks_run_in_a_worker_of_their_own(starter: WorkerStarter) -> None:
    """What a visible check left in the learner's globals is not there for a hidden one."""
    text = "seen = []\ndef double(n):\n    seen.append(n)\n    return len(seen)\ndef same(n): return n\n"
    source = '@check(points=1, hint="x")\ndef test_h(double):\n    """h."""\n    n = 1\n\n    c = double(n)\n\n    assert c == 1\n'
    (hidden,) = loaded(source, hidden=True)
    with Session(exercise_of(**FAST), submission(text), starter=starter) as session:
        session.run(CHECKS[0])

        assert session.run(hidden).status is Status.PASSED


def test_an_assert_of_the_learners_is_not_the_checks(starter: WorkerStarter) -> None:
    """An AssertionError from their code is their error, not a failed expectation."""
    results, _ = judged(RIGHT.replace("return 2 * n", "assert n == 4"), starter)

    assert results[0].status is Status.ERROR


@pytest.mark.skipif(not LINUX, reason="the zygote is Linux'")
def test_a_killed_zygote_is_started_anew() -> None:
    """Nothing is lost but the workers it had."""
    with open_starter(1) as starter:
        assert judged(RIGHT, starter)[0][0].status is Status.PASSED
        os.kill(starter._zygote.pid, 9)  # type: ignore[attr-defined]

        assert judged(RIGHT, starter)[0][0].status is Status.PASSED


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at /proc")
def test_nothing_is_left_running(tmp_path: Path) -> None:
    """A worker's children die with it, even those that left its session."""
    mark = f"{os.getpid()}.{tmp_path.name}"
    text = (
        "import subprocess, sys\n"
        f"code = 'import os, time; os.setsid(); time.sleep(300) # {mark}'\n"
        "subprocess.Popen([sys.executable, '-c', code])\n" + RIGHT
    )
    with open_starter(1) as starter:
        results, _ = judged(text, starter)
        assert results[0].status is Status.PASSED

    left = [p for p in Path("/proc").glob("[0-9]*/cmdline") if mark.encode() in _bytes(p)]
    assert left == []


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_level_that_is_not_there_is_refused() -> None:
    """Never lowered in silence."""
    with open_starter(0) as starter, pytest.raises(ToolError, match="level 0, and level 2 is required"):
        require_level(starter, 2)


def test_a_library_that_is_not_installed_is_named() -> None:
    """An exercise's preload must be there."""
    with pytest.raises(ToolError, match="`no_such_library` is not installed"):
        open_starter(1, ["no_such_library"])


def test_imports_are_found_wherever_they_stand() -> None:
    """In functions too, and names of packages that may be modules."""
    text = "import a.b, c as d\ndef f():\n    from e import g\n    from . import h\n"

    assert imports_of(text) == ("a.b", "c", "e", "e.g")
    assert imports_of("def (") == ()


@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_equal_results(way: str) -> None:
    """Statuses, messages and places are the same in-process, forked and as a subprocess."""
    text = RIGHT.replace("return 2 * n", "print(n); return n.missing")
    with starter_of(way) as starter:
        results, _ = judged(text, starter)

    assert [one_line(r) for r in results] == [
        "error: with n = 3, answer = double(n): AttributeError: 'int' object has no attribute 'missing'",
        "passed: ",
    ]
    assert (results[0].detail.place.line, results[0].detail.output) == (2, "3\n")


def test_limits_are_data_with_units() -> None:
    """The defaults that the documentation names."""
    limits = Limits()

    assert (limits.cpu_seconds, limits.memory_bytes, limits.output_bytes) == (2.0, 768 << 20, 64 << 10)


@pytest.mark.skipif(not LINUX, reason="the zygote is for Linux")
def test_a_check_whose_zygote_is_killed_is_run_again() -> None:
    """The death of what starts workers costs nobody a point: the check gets a new worker."""
    with open_starter(1) as starter, Session(exercise_of(), submission(RIGHT), starter=starter) as session:
        first = session.run(CHECKS[0])
        os.kill(starter._zygote.pid, 9)
        second = session.run(CHECKS[0])

    assert (first.status, second.status) == (Status.PASSED, Status.PASSED)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("import math, json as j\n", {"math", "json"}),
        ("try: import numpy as np\nexcept ImportError: pass\nnp.linalg.norm\n", {"numpy", "numpy.linalg"}),
        ("from os import (\n    path,\n    sep,\n)\n", {"os", "os.path", "os.sep"}),
        ("import a, \\\n    b\n", {"a", "b"}),
        ("def f():\n    from x.y import z as w; import q\n", {"x.y", "x.y.z", "q"}),
        ("x = 'import nothing'\n# import that\nfrom . import here\n", set()),
    ],
)
def test_imports_are_found_without_parsing(text: str, wanted: set[str]) -> None:
    """Wherever a statement can stand, and in no comment."""
    assert set(imports_of(text)) == wanted


def test_a_text_that_a_parser_chokes_on_is_looked_through_at_once() -> None:
    """Half a million fields in a string, or a megabyte of openings: a pattern that tries each takes hours."""
    looking = """
from handgrad.judge.session import imports_of
for text in ("x = f'" + "{1}" * 300_000 + "'", "from a import (\\n" * 60_000, "import " + "a," * 500_000):
    imports_of(text)
"""
    subprocess.run([sys.executable, "-c", looking], check=True, timeout=120)
