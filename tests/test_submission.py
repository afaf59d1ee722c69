"""Whatever is handed in becomes a Submission: canonical text, or one sentence that says why not."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from handgrad.model import Limits, Submission
from handgrad.submission import brief, canonical, read_submission, submitted_at

CODE = "class Stack:\n    pass\n"


def read_file(tmp_path: Path, raw: bytes | str, name: str = "solution.py") -> Submission:
    """The submission made from a file with these bytes."""
    path = tmp_path / name
    path.write_bytes(raw.encode() if isinstance(raw, str) else raw)
    return read_submission(path)


def test_a_plain_file_is_read_as_it_is(tmp_path: Path) -> None:
    """Nothing to mend, nothing to note."""
    submission = read_file(tmp_path, CODE)

    assert (submission.text, submission.problem, submission.notes) == (CODE, "", ())


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbf" + CODE.encode(),
        CODE.replace("\n", "\r\n").encode(),
        CODE.replace("\n", "\r").encode(),
        CODE.rstrip().encode(),
        CODE.encode() + b"\n  \n\n",
    ],
    ids=["BOM", "CRLF", "CR", "no last newline", "blanks at the end"],
)
def test_harmless_differences_leave_the_same_text_and_digest(tmp_path: Path, raw: bytes) -> None:
    """The digest, and so the seed of hidden checks, does not depend on how the editor saves."""
    submission = read_file(tmp_path, raw)

    assert submission.text == CODE
    assert submission.digest == read_file(tmp_path, CODE).digest


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "`solution.py` is empty: write your answer in it and save it"),
        (b"  \n\t\n", "`solution.py` is empty: write your answer in it and save it"),
        (b"\xef\xbb\xbf", "`solution.py` is empty: write your answer in it and save it"),
        (CODE.encode("utf-16"), "`solution.py` is saved as UTF-16: save it as UTF-8"),
        (CODE.encode("utf-16-le"), "`solution.py` is saved as UTF-16: save it as UTF-8"),
        (CODE.encode("utf-16-be"), "`solution.py` is saved as UTF-16: save it as UTF-8"),
        (CODE.encode("utf-32"), "`solution.py` is saved as UTF-32: save it as UTF-8"),
        (
            CODE.encode() + b"\0",
            "`solution.py` has a NUL byte on line 3: delete it, or save the file again as UTF-8",
        ),
        (
            b"# caf\xe9\r\n" + CODE.encode(),
            "`solution.py` is not UTF-8: line 1 has the byte 0xE9 (`é` in Windows-1252): save it as UTF-8",
        ),
        (
            CODE.encode() + b"x = 'na\xefve'\n",
            "`solution.py` is not UTF-8: line 3 has the byte 0xEF (`ï` in Windows-1252): save it as UTF-8",
        ),
        (b"x = 1\n\x81\n", "`solution.py` is not UTF-8: line 2 has the byte 0x81: save it as UTF-8"),
        (b"x" * 2_000_000, "`solution.py` is too large (1.9 MB): at most 1 MB are read"),
    ],
)
def test_a_broken_file_is_one_sentence(tmp_path: Path, raw: bytes, sentence: str) -> None:
    """The text is never graded as if it were empty: the sentence names what is wrong and what mends it."""
    submission = read_file(tmp_path, raw)

    assert (submission.problem, submission.text) == (sentence, "")


def test_a_line_of_50_megabytes_is_not_read(tmp_path: Path) -> None:
    """The size is asked before anything is read."""
    path = tmp_path / "solution.py"
    with path.open("wb") as file:
        file.truncate(50 * 1024 * 1024)

    assert read_submission(path).problem == "`solution.py` is too large (50 MB): at most 1 MB are read"


def test_small_limits_are_told_in_bytes(tmp_path: Path) -> None:
    """No `0 MB`."""
    path = tmp_path / "solution.py"
    path.write_text("x" * 200)

    problem = read_submission(path, limits=Limits(submission_bytes=100)).problem

    assert problem == "`solution.py` is too large (200 bytes): at most 100 bytes are read"


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    """Nothing is raised."""
    problem = read_submission(tmp_path / "solution.py").problem

    assert problem == "`solution.py` is missing: save your answer under this name"


def test_a_folder_is_one_sentence(tmp_path: Path) -> None:
    """A folder called solution.py is named as one."""
    (tmp_path / "solution.py").mkdir()

    problem = read_submission(tmp_path / "solution.py").problem

    assert problem == "`solution.py` is a folder: hand in the file inside it"


def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    """A FIFO without a writer would block a plain open for ever."""
    os.mkfifo(tmp_path / "solution.py")

    assert "is a pipe, not a file" in read_submission(tmp_path / "solution.py").problem


def test_a_socket_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket is not opened."""
    monkeypatch.chdir(tmp_path)
    server = socket.socket(socket.AF_UNIX)
    server.bind("solution.py")
    server.close()

    assert "is a socket, not a file" in read_submission(Path("solution.py")).problem


def test_a_device_is_one_sentence() -> None:
    """/dev/zero never ends."""
    assert read_submission(Path("/dev/zero")).problem.startswith("`zero` is a device, not a file")


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A link could name the reference or a secret."""
    (tmp_path / "secret").write_text(CODE)
    (tmp_path / "solution.py").symlink_to(tmp_path / "secret")

    problem = read_submission(tmp_path / "solution.py").problem

    assert problem == "`solution.py` is a link to another place: hand in the file itself"


def test_a_file_that_cannot_be_opened_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Permission denied is told, not raised."""
    (tmp_path / "solution.py").write_text(CODE)

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)

    assert "cannot be read (permission denied)" in read_submission(tmp_path / "solution.py").problem


def test_a_name_that_no_system_allows_is_one_sentence() -> None:
    """A NUL in the path raises ValueError inside the standard library."""
    assert "cannot be read" in read_submission(Path("a\0b.py")).problem


def test_files_beside_it_that_could_steer_tests_are_named(tmp_path: Path) -> None:
    """A conftest or a module named like a standard one changes nothing, and the learner hears of it."""
    for name in ("conftest.py", "test_mine.py", "math.py", "notes.md", "plot.png"):
        (tmp_path / name).write_text("")

    notes = read_file(tmp_path, CODE).notes

    assert notes == (
        "only `solution.py` is graded: `conftest.py`, `math.py`, `test_mine.py` beside it are ignored",
    )


def test_canonical_keeps_blanks_inside_the_text() -> None:
    """Only the end is trimmed: a blank inside may belong to a string."""
    assert canonical('x = """a  \n"""  \n\n') == 'x = """a  \n"""\n'


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-01-02 10:00:00.123456 UTC", "2026-01-02T10:00:00+00:00"),
        ("2026-01-02 10:00:00 Europe/Berlin", "2026-01-02T09:00:00+00:00"),
        ("2026-01-02 10:00:00 +0900\n", "2026-01-02T01:00:00+00:00"),
        ("2026-01-02T10:00:00-05:30", "2026-01-02T15:30:00+00:00"),
        ("2026-01-02T10:00Z", "2026-01-02T10:00:00+00:00"),
        ("2026-01-02 10:00", "2026-01-02T10:00:00+00:00"),
        ("2026-13-02 10:00", ""),
        ("2026-01-02 10:00 Europe", ""),
        ("2026-01-02 10:00 ../../etc/passwd", ""),
        ("2026-01-02 10:00 +99", ""),
        ("0001-01-01 00:00 +0900", ""),
        ("yesterday", ""),
        ("", ""),
        ("2026-01-02 10:00" + " " * 500, ""),
    ],
)
def test_a_time_is_told_in_utc_or_not_at_all(tmp_path: Path, text: str, time: str) -> None:
    """As nbgrader writes it, in any zone; what is no time is none."""
    (tmp_path / "timestamp.txt").write_text(text)

    assert submitted_at(tmp_path) == time


def test_a_time_behind_a_link_is_none(tmp_path: Path) -> None:
    """Nor is one that is not there."""
    (tmp_path / "other").write_text("2026-01-02 10:00")
    (tmp_path / "timestamp.txt").symlink_to("other")

    assert submitted_at(tmp_path) == submitted_at(tmp_path / "gone") == ""


# ---- notebooks


def code_cell(text: str | list[str], kind: str = "", grade_id: str = "c") -> dict[str, Any]:
    """A code cell; `kind` solution, check or helper gives it nbgrader's marks."""
    marks = {
        "solution": kind == "solution",
        "grade": kind == "check",
        "locked": kind != "solution",
        "grade_id": grade_id,
    }
    metadata: dict[str, Any] = {"nbgrader": {**marks, "cell_type": "code"}} if kind else {}
    return {"cell_type": "code", "metadata": metadata, "source": text, "outputs": []}


def read_cells(tmp_path: Path, *cells: dict[str, Any], **more: Any) -> Submission:
    """The submission made from a notebook of these cells."""
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells), **more}
    return read_file(tmp_path, json.dumps(notebook), "stack.ipynb")


SOLUTION = code_cell(CODE, "solution")


def test_a_notebook_has_the_text_of_its_solution_cell(tmp_path: Path) -> None:
    """Same canonical text and digest as the .py file with the same code; checks and prose are left out."""
    prose = {"cell_type": "markdown", "metadata": {}, "source": "# Stack"}
    submission = read_cells(
        tmp_path, prose, code_cell("near = 1", "helper"), SOLUTION, code_cell("assert 0", "check")
    )

    assert (submission.source, submission.text, submission.notes) == ("notebook", CODE, ())
    assert submission.digest == read_file(tmp_path, CODE).digest


def test_source_may_be_a_list_of_lines(tmp_path: Path) -> None:
    """The notebook format allows both, and CRLF inside."""
    cell = code_cell(["class Stack:\r\n", "    pass"], "solution")

    assert read_cells(tmp_path, cell).text == CODE


def test_a_byte_order_mark_before_a_notebook_is_dropped(tmp_path: Path) -> None:
    """JSON readers refuse it; this one does not."""
    raw = b"\xef\xbb\xbf" + json.dumps({"nbformat": 4, "cells": [SOLUTION]}).encode()

    assert read_file(tmp_path, raw, "stack.ipynb").text == CODE


def run(text: str) -> dict[str, Any]:
    """The names that running the canonical text leaves."""
    names: dict[str, Any] = {}
    exec(text, names)
    return names


def test_extra_cells_before_the_next_check_are_run(tmp_path: Path) -> None:
    """Imports above and helpers below the solution belong to it; cells after the check do not."""
    text = read_cells(
        tmp_path,
        code_cell("import heapq\ntext = '''\nkept\n'''"),
        SOLUTION,
        code_cell("class Extra(Stack):\n\n    def pop(self):\n        return 1"),
        code_cell("assert 0", "check"),
        code_cell("late = True"),
    ).text

    names = run(text)
    assert names["Extra"]().pop() == 1
    assert (names["heapq"].__name__, names["text"], "late" in names) == ("heapq", "\nkept\n", False)


def test_an_error_in_an_extra_cell_costs_nothing(tmp_path: Path) -> None:
    """The solution below a failing scratch cell still counts; one that is no Python is left out by name."""
    submission = read_cells(
        tmp_path,
        code_cell("print(undefined)"),
        code_cell("a b"),
        code_cell("exit()"),
        code_cell("# later"),
        SOLUTION,
    )

    assert "Stack" in run(submission.text)
    assert submission.notes == ("cell 2 has a syntax error and was left out",)


def test_the_offset_leads_back_to_the_line_of_the_cell(tmp_path: Path) -> None:
    """Line n of the text is line n - offset of the solution cell."""
    submission = read_cells(tmp_path, code_cell("x = 1"), SOLUTION)

    assert submission.text.split("\n")[submission.line_offset] == "class Stack:"


def test_a_future_import_moves_to_the_top(tmp_path: Path) -> None:
    """It is only allowed there, and cells before the solution would push it down."""
    future = code_cell("from __future__ import annotations\n" + CODE, "solution")
    submission = read_cells(tmp_path, code_cell("x = 1"), future)

    assert "Stack" in run(submission.text)
    assert submission.text.split("\n")[submission.line_offset + 1] == "class Stack:"


FUTURES = {
    "plain": "from __future__ import annotations\ny = 1",
    "remark": "from __future__ import annotations  # as in class; y = 0\ny = 1",
    "list": "from __future__ import (\n    annotations,  # new\n    division,\n)\ny = 1",
    "continued": "from __future__ import \\\n    annotations\ny = 1",
    "in one line": "from __future__ import annotations; y = 1",
    "below": "y = 1\nfrom __future__ import annotations",
    "in a string": 'y = 1\nz = """\nfrom __future__ import nothing\n"""',
}


@pytest.mark.parametrize("text", FUTURES.values(), ids=FUTURES)
@pytest.mark.parametrize("kind", ["", "solution"])
def test_a_future_import_in_any_cell_spoils_no_other(tmp_path: Path, text: str, kind: str) -> None:
    """However it is written; the rest of its cell stays, and lines keep their numbers."""
    submission = read_cells(tmp_path, code_cell("x = 1"), code_cell(text, kind), code_cell(CODE, "solution"))

    names = run(submission.text)
    assert (names["y"], "Stack" in names) == (1, True)
    assert names.get("z", "\nfrom __future__ import nothing\n") == "\nfrom __future__ import nothing\n"
    assert submission.notes == () or submission.notes[0].startswith("the cell `c` is there 2 times")


def test_what_a_future_import_stands_with_stays_harmless(tmp_path: Path) -> None:
    """Only the import itself leaves the cell."""
    text = "from __future__ import annotations; 1 / 0"
    names = run(read_cells(tmp_path, code_cell(text), code_cell(CODE, "solution")).text)

    assert "Stack" in names


@pytest.mark.parametrize(
    "text",
    [
        "from __future__ import braces",
        "from __future__ import annotations as a",
        "if x:\n    from __future__ import annotations",
        "return x",
        "await x",
        "break",
        "nonlocal x",
        "*x = 1",
        "def f(x, x): pass",
        "for y in x:\n    try:\n        pass\n    finally:\n        return",
    ],
)
def test_an_extra_cell_that_only_the_compiler_refuses_costs_nothing(tmp_path: Path, text: str) -> None:
    """Python's parser takes it, and would then refuse the whole file."""
    submission = read_cells(tmp_path, code_cell("x = 1"), code_cell(text), code_cell(CODE, "solution"))

    assert "Stack" in run(submission.text)
    assert submission.notes == ("cell 2 has a syntax error and was left out",)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited there alone")
def test_a_cell_whose_ends_would_be_copied_again_and_again_takes_little_memory() -> None:
    """Python writes the end of a `try` twice, and so what is in eighteen in one another 262,144 times."""
    text = "".join(f"{' ' * n}try: pass\n{' ' * n}finally:\n" for n in range(18)) + " " * 18 + "y = 1;" * 5000
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)); "
    reading = f"from handgrad.submission import _compiles; assert _compiles({text!r})"

    subprocess.run([sys.executable, "-c", limit + reading], check=True, timeout=120)


def test_magics_are_blanked_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    """What only IPython understands goes; the same characters inside strings and sums stay."""
    text = "%matplotlib inline\n!pip install x\nx = !ls\nlist?\nif 1:\n    !ls\ny = (7\n    % 4)\nz = '''\n%z\n!z'''\n"
    submission = read_cells(tmp_path, code_cell(text, "solution"))

    names = run(submission.text)
    assert (names["y"], names["z"]) == (3, "\n%z\n!z")
    assert submission.text.count("\n") == text.count("\n")


@pytest.mark.parametrize("magic", ["%%time", "%%capture out", "%%timeit -n 1", "%%prun"])
def test_a_timing_cell_keeps_its_body(tmp_path: Path, magic: str) -> None:
    """`%%time` above an answer does not cost the answer."""
    assert "Stack" in run(read_cells(tmp_path, code_cell(f"\n{magic}\n{CODE}", "solution")).text)


def test_a_writefile_cell_is_explained(tmp_path: Path) -> None:
    """Its body is not Python to Jupyter, so it is not read."""
    problem = read_cells(tmp_path, code_cell("%%writefile solution.py\n" + CODE, "solution")).problem

    assert (
        "has no code to grade: cell 1 starts with `%%writefile`, so it was not read: take that line out"
        in problem
    )


def test_an_answer_turned_to_prose_is_read_as_code(tmp_path: Path) -> None:
    """One wrong key in Jupyter makes a cell markdown; its marks still say what it is."""
    submission = read_cells(tmp_path, SOLUTION | {"cell_type": "markdown"})

    assert submission.text == CODE
    assert submission.notes == ("cell 1 was a code cell when it was handed out, and is read as one",)


def test_a_doubled_cell_is_named(tmp_path: Path) -> None:
    """Split and copied cells share one id: all are read, in order."""
    later = code_cell("class Stack:\n    later = True", "solution")
    submission = read_cells(tmp_path, SOLUTION, later)

    assert run(submission.text)["Stack"].later
    assert submission.notes == ("the cell `c` is there 2 times: all were read, and the last one counts",)


def test_lost_grading_marks_are_no_silent_zero(tmp_path: Path) -> None:
    """Copied into a fresh notebook, the code up to the first check counts."""
    check = code_cell("def test_push(Stack):\n    assert 0\ntest_push(Stack)")
    submission = read_cells(
        tmp_path, code_cell("x = 1"), SOLUTION | {"metadata": {}}, check, code_cell("late = 1")
    )

    assert {"x", "Stack"} <= run(submission.text).keys() and "late" not in submission.text
    assert "has lost its grading marks" in submission.notes[0]


def test_only_the_answer_cell_lost_its_marks(tmp_path: Path) -> None:
    """Marked checks still end the search."""
    submission = read_cells(
        tmp_path, SOLUTION | {"metadata": {}}, code_cell("assert 0", "check"), code_cell("def f(): 0")
    )

    assert submission.text == CODE


def test_an_old_notebook_is_read(tmp_path: Path) -> None:
    """Format 3 has worksheets and `input`."""
    old = {"cell_type": "code", "metadata": SOLUTION["metadata"], "input": CODE}
    raw = json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": [old]}]})
    submission = read_file(tmp_path, raw, "stack.ipynb")

    assert submission.text == CODE
    assert submission.notes == ("the notebook is in the old format 3, and was read as it is",)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (
            "{",
            "`stack.ipynb` is not a notebook: its JSON is broken (line 1): download or save the notebook again",
        ),
        (
            "[" * 200_000,
            "`stack.ipynb` is not a notebook: its JSON is broken: download or save the notebook again",
        ),
        ("[]", "`stack.ipynb` is not a notebook of format 4: open it in Jupyter and save it again"),
        (
            '{"nbformat": 2}',
            "`stack.ipynb` is not a notebook of format 4: open it in Jupyter and save it again",
        ),
        ('{"nbformat": 4}', "`stack.ipynb` has no cells: copy your answer into a fresh copy of the notebook"),
        ('{"nbformat": 3}', "`stack.ipynb` has no cells: copy your answer into a fresh copy of the notebook"),
        (
            '{"nbformat": 4, "cells": [1, {"cell_type": "code", "source": 7}]}',
            "`stack.ipynb` has no solution cell: copy your answer into a fresh copy of the notebook",
        ),
        (
            json.dumps({"nbformat": 4, "cells": [code_cell(" ", "solution")]}),
            "`stack.ipynb` is empty: write your answer in it and save it",
        ),
        (
            json.dumps({"nbformat": 4, "cells": [SOLUTION], "metadata": {"kernelspec": {"language": "R"}}}),
            "`stack.ipynb` is a notebook for R: choose the Python kernel and save it again",
        ),
        (
            json.dumps({"nbformat": 4, "cells": [code_cell("x = '\ud800'", "solution")]}),
            "`stack.ipynb` has half a character on line 1: type the text of that line anew",
        ),
        (
            json.dumps({"nbformat": 4, "cells": [code_cell("x = '\0'", "solution")]}),
            "`stack.ipynb` has a NUL character on line 1: delete it",
        ),
        (
            json.dumps({"nbformat": 4, "cells": [SOLUTION], "metadata": {"x": [[]] * 1_000_001}}),
            "`stack.ipynb` holds too much beside its code: clear all outputs and save it again",
        ),
        (
            json.dumps({"nbformat": 4, "cells": [SOLUTION] * 2001}),
            "`stack.ipynb` has 2,001 cells: at most 2,000 are read, so delete what is not yours",
        ),
        (
            json.dumps({"nbformat": 4, "cells": [SOLUTION, *[code_cell("(" * 49_000, None)] * 40]}),
            "the code in `stack.ipynb` is too large (1.9 MB): at most 1 MB are read",
        ),
        (
            json.dumps({"nbformat": 4, "cells": [code_cell("x" * 2_000_000, "solution")]}),
            "the code in `stack.ipynb` is too large (1.9 MB): at most 1 MB are read",
        ),
    ],
)
def test_a_broken_notebook_is_one_sentence(tmp_path: Path, raw: str, sentence: str) -> None:
    """Unreadable is told apart from empty."""
    submission = read_file(tmp_path, raw, "stack.ipynb")

    assert (submission.problem, submission.text) == (sentence, "")


def test_a_line_of_blanks_is_read_at_once(tmp_path: Path) -> None:
    """A pattern that tries every part of it takes hours for a megabyte."""
    cell = code_cell("x = 1\n" + " " * 900_000 + "x", "solution")
    path = tmp_path / "stack.ipynb"
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}))
    reading = f"from pathlib import Path; from handgrad.submission import read_submission as r; r(Path({str(path)!r}))"

    subprocess.run([sys.executable, "-c", reading], check=True, timeout=120)


def test_many_notes_are_told_briefly(tmp_path: Path) -> None:
    """A notebook of a thousand cells that are left out is no report of a thousand lines."""
    notes = read_cells(tmp_path, SOLUTION, *[code_cell("%%html\nx")] * 1000).notes

    assert len(notes) == 21
    assert notes[-1] == "and 980 more of that kind"


@pytest.mark.parametrize("junk", [None, 1, "x", [1], {"a": 1}, [[]], [None]])
@pytest.mark.parametrize("key", ["cells", "metadata", "nbformat", "worksheets"])
def test_junk_in_a_notebook_never_raises(tmp_path: Path, key: str, junk: object) -> None:
    """Whatever stands in the fields, a Submission comes out."""
    for version in (3, 4):
        notebook = {"nbformat": version, "cells": [SOLUTION], key: junk}
        assert isinstance(read_file(tmp_path, json.dumps(notebook), "stack.ipynb"), Submission)


@pytest.mark.parametrize("junk", [None, 1, "x", [1], {"a": 1}])
@pytest.mark.parametrize("key", ["cell_type", "metadata", "source"])
def test_junk_in_a_cell_never_raises(tmp_path: Path, key: str, junk: object) -> None:
    """The same for the fields of a cell, and of nbgrader's marks."""
    assert isinstance(read_cells(tmp_path, SOLUTION | {key: junk}), Submission)
    assert isinstance(read_cells(tmp_path, SOLUTION | {"metadata": {"nbgrader": junk}}), Submission)


LONG = {
    "the name of a doubled cell": [code_cell(CODE, "solution", "*" * 10**6)] * 2,
    "a cell's first word": [SOLUTION, code_cell("%%" + "a" * 10**6, "solution", "d")],
    "a name that is no text": [code_cell(CODE, "solution", ["x"] * 10**5)] * 2,  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", LONG)
def test_a_note_is_short_whatever_a_learner_wrote(tmp_path: Path, case: str) -> None:
    """One of fifteen million characters took the place of a whole class in a report."""
    submission = read_cells(tmp_path, *LONG[case])

    assert submission.text
    assert all(len(note) < 300 for note in submission.notes)


@pytest.mark.parametrize("name", ["x" * 240 + ".py", "x" * 240 + ".ipynb"])
def test_a_problem_is_short_whatever_the_file_is_called(tmp_path: Path, name: str) -> None:
    """Its beginning and its end are told."""
    (tmp_path / name).write_bytes(b"\xff")
    problem = read_submission(tmp_path / name).problem

    assert len(problem) < 250
    assert name[:40] in problem and name[-10:] in problem


def test_a_cut_text_has_the_length_that_was_asked_for() -> None:
    """From one character on."""
    assert [brief("abcdefgh", n) for n in (1, 2, 5, 7, 8)] == ["…", "…h", "ab…gh", "abc…fgh", "abcdefgh"]
