"""The leak check finds what must stay hidden, wherever and however it was put."""

from __future__ import annotations

import base64
import html
import io
import json
import zipfile
from pathlib import Path

import pytest

from handgrad.build.leaks import Secrets, compile_problems, find_leaks, marker_problems, secrets_of
from handgrad.build.notebook import GraderFile, check_texts

REFERENCE = '''class Stack:
    def top(self):
        """Look at it."""
        ### BEGIN SOLUTION
        return self.items[-1]
        ### END SOLUTION

    def pop(self):
        """Take it away."""
        # TODO
        ### BEGIN SOLUTION
        if not self.items:
            raise IndexError("nothing left")
        return self.items.pop()
        ### END SOLUTION
'''
HIDDEN = '''"""Hidden."""
from handgrad.check import check

SECRET_NUMBERS = (3, 1, 4, 1, 5)


@check(points=1, hint="A public hint of it.")
def test_secret(Stack):
    """A public title of it."""
    stack = Stack(SECRET_NUMBERS)

    stack.pop()

    assert stack.items == [3, 1, 4, 1]
'''
FILES = (GraderFile(Path("hidden/test_2.py"), HIDDEN, True),)
RUN = 'if not self.items:\n    raise IndexError("nothing left")'


def secrets(*public: str) -> Secrets:
    """The secrets of the toy."""
    return secrets_of(
        "toy",
        reference=REFERENCE,
        files=FILES,
        checks=check_texts(FILES),
        public=public,
        canaries=["bluebird"],
    )


def zipped(text: str) -> bytes:
    """An archive with one file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("folder/file.txt", text)
    return buffer.getvalue()


def notebook(**where: object) -> bytes:
    """A notebook with something in its first cell."""
    cell = {
        "cell_type": "code",
        "id": "c",
        "metadata": {},
        "source": [],
        "outputs": [],
        "execution_count": None,
    }
    return json.dumps({"cells": [cell | where], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


LINES = ["        " + line + "\n" for line in RUN.split("\n")]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.py", RUN.encode()),
        ("a.ipynb", notebook(source=LINES)),
        ("a.ipynb", notebook(source="".join(LINES))),
        ("a.ipynb", notebook(outputs=[{"output_type": "stream", "name": "stdout", "text": RUN}])),
        ("a.ipynb", notebook(metadata={"old": {"deep": [RUN]}})),
        ("a.ipynb", notebook(attachments={"x.txt": {"text/plain": base64.b64encode(RUN.encode()).decode()}})),
        ("a.zip", zipped(RUN)),
        ("a.ipynb", notebook(source=["stack = Stack(SECRET_NUMBERS)"])),
        ("a.py", b"SECRET_NUMBERS = (3, 1, 4, 1, 5)"),
        ("a.py", b"# bluebird"),
        ("a.py", base64.b64encode(b"# there is a bluebird in here")),
        ("a.py", base64.b64encode(base64.b64encode(b"# there is a bluebird in here"))),
        ("bluebird.zip", zipped("bluebird")),
        ("a.py", b'"""Look at it."""\n\n    return self.items[-1]\n'),
        ("a.py", b"### BEGIN SOLUTION\nreturn self.items[-1]\n"),
        ("a.html", f"<pre><b>if</b> {html.escape(RUN[3:])}</pre>".encode()),
        (
            "a.html",
            b'<script type="application/json" id="data">' + json.dumps({"a": RUN}).encode() + b"</script>",
        ),
    ],
)
def test_a_leak_is_found(name: str, data: bytes) -> None:
    """In sources, outputs, metadata, attachments and archives, plain and in base64."""
    assert find_leaks(name, data, secrets()) != ()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("postcodes.csv", b"PK,town\n1,Leeds\n"),
        ("rows.json", b'{"a": 1}\n{"b": 2}\n'),
        ("notes.json", b"\xff\xfe no JSON at all"),
        ("deep.json", b"[" * 100_000 + b"]" * 100_000),
        ("deep.json", b"[" * 2_000 + b"]" * 2_000),
    ],
)
def test_a_file_that_is_not_what_it_seems_is_searched_as_it_is(name: str, data: bytes) -> None:
    """Neither two letters at its head nor the end of its name make an archive or JSON of it."""
    leaking = data + b"\n# bluebird\n"

    assert find_leaks(name, data, secrets()) == ()
    assert find_leaks(name, leaking, secrets()) != ()


def test_json_lines_are_read_one_by_one() -> None:
    """In the raw text a line end inside a string hides two lines of a solution."""
    data = b"{}\n" + json.dumps({"answer": RUN}).encode() + b"\n"

    assert find_leaks("rows.json", data, secrets()) != ()


@pytest.mark.parametrize("damage", ["cut", "encrypted", "one byte"])
def test_an_archive_that_cannot_be_searched_is_a_finding(damage: str) -> None:
    """What was not looked into is not found clean."""
    raw = bytearray(zipped("nothing of interest " * 9))
    if damage == "cut":
        del raw[:60]
    if damage == "encrypted":
        raw[raw.index(b"PK\x01\x02") + 8] |= 1
    if damage == "one byte":
        raw[raw.index(b"nothing")] ^= 1

    (problem,) = find_leaks("data.zip", bytes(raw), secrets())

    assert problem.startswith("`data.zip` is an archive that cannot be searched (")


@pytest.mark.parametrize(
    "data",
    [
        b"if not self.items:\n    return None",  # one line of a solution is anybody's
        b'"""A public title of it."""\nA public hint of it.',
        b"def test_secret(Stack):\nfrom handgrad.check import check",
        b"def top(self):\nreturn self.items[-1]",  # a single line is, too
        b"stack.pop()",  # too short to give anything away
    ],
)
def test_what_is_public_is_no_leak(data: bytes) -> None:
    """Names, titles and hints of hidden checks may be read, and so may single lines."""
    assert find_leaks("a.py", data, secrets()) == ()


def test_what_the_statement_says_itself_is_no_leak() -> None:
    """It may show lines of the solution."""
    assert find_leaks("a.py", RUN.encode(), secrets(f"Write:\n\n    {RUN}\n")) == ()


def test_every_hidden_cell_has_a_planted_word() -> None:
    """So that whatever is left of a hidden cell is found."""
    assert len(secrets().canaries) == 2


@pytest.mark.parametrize(
    "line", ["### BEGIN SOLUTION", "# end hidden tests", "### Begin Mark Scheme", "#begin_solution"]
)
def test_markers_where_they_do_not_belong_are_named(line: str) -> None:
    """With file and line: nbgrader would cut there."""
    (problem,) = marker_problems(Path("README.md"), f"fine\n{line}\n")

    assert problem.startswith("README.md:2: ")


def test_a_cell_that_no_longer_compiles_is_named() -> None:
    """As one whose only body was cut out."""
    released = notebook(source=["for i in [1]:\n"], metadata={"nbgrader": {"grade_id": "test_x"}}).decode()

    (problem,) = compile_problems(released)

    assert problem.startswith("cell 1 (`test_x`), line 1, does not compile")
