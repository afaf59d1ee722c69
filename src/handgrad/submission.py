"""A learner's .py file or .ipynb notebook -> a `Submission` in canonical text.

Nothing that a learner wrote raises here: what cannot be graded is said in one sentence in
`Submission.problem`, what was mended or left out in `Submission.notes`. Nothing is run, either.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from handgrad.files import OURS, refused
from handgrad.model import Limits, Submission

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

NOTEBOOK_BYTES = 32 * 1024 * 1024  # a notebook carries pictures; its code must still fit `submission_bytes`
LONGEST_EXTRA_CELL = 50_000
MOST_CELLS = 2000
TIMESTAMP = "timestamp.txt"
MOST_TIMESTAMP_BYTES = 200
MOST_NOTES = 20
LONGEST_WORD = 100  # characters of a name of the learner's, in a sentence
LONGEST_SENTENCE = 1000
MOST_BRACKETS = 1_000_000  # in a notebook: ten million empty lists fit its bytes, and fill a gigabyte

_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_TEST_FILES = re.compile(
    r"conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|test_.*\.py|.*_test\.py"
)


class _Unreadable(Exception):
    """Why a file cannot be graded: the text of a `problem`."""


class _Code(NamedTuple):
    """What a file comes down to."""

    text: str
    notes: tuple[str, ...] = ()
    line_offset: int = 0


def read_submission(path: Path, *, learner: str = "", limits: Limits | None = None) -> Submission:
    """Read what was handed in, as a file or as a notebook.

    Blocks on nothing (pipes, devices and links are refused unopened or unread), reads at most the limit,
    and never raises for what it finds. Raises ToolError where it is the machine that cannot read.
    """
    path = Path(path)
    limits = limits or Limits()
    notebook = path.suffix.lower() == ".ipynb"
    source = "notebook" if notebook else "file"
    try:
        raw = _read_bytes(path, NOTEBOOK_BYTES if notebook else limits.submission_bytes)
        name = brief(path.name)
        text = canonical(_decode(raw, name))
        code = _from_notebook(text, name, limits.submission_bytes) if notebook else _Code(text)
        _refuse_unusable(code.text, name, limits.submission_bytes)
    except _Unreadable as problem:
        return Submission(learner=learner, text="", path=path, source=source, problem=str(problem))
    return Submission(
        learner=learner,
        text=code.text,
        path=path,
        source=source,
        notes=few(code.notes) + ignored_beside(path),
        line_offset=code.line_offset,
    )


def canonical(text: str) -> str:
    """The text with LF line ends and one at the end, without a byte-order mark or blanks at the end."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").rstrip()
    return text + "\n" if text else ""


def brief(text: str, most: int = LONGEST_WORD) -> str:
    """What a learner wrote or named, short enough for a sentence: its beginning and its end."""
    if len(text) <= most:
        return text
    return f"{text[: most - most // 2 - 1]}…{text[len(text) - most // 2 :]}"


def few(notes: Sequence[str]) -> tuple[str, ...]:
    """As many notes as one reads, each no longer than a sentence; the rest is counted."""
    kept = [brief(note, LONGEST_SENTENCE) for note in notes[:MOST_NOTES]]
    more = len(notes) - len(kept)
    return (*kept, f"and {more} more of that kind") if more else tuple(kept)


def ignored_beside(path: Path) -> tuple[str, ...]:
    """One note that names the files beside a submission which look as if they could change grading."""
    try:
        names = sorted(entry.name for entry in os.scandir(path.parent) if entry.name != path.name)
    except OSError:
        return ()
    standard = sys.stdlib_module_names
    found = [n for n in names if _TEST_FILES.fullmatch(n) or (n.endswith(".py") and n[:-3] in standard)]
    if not found:
        return ()
    shown = ", ".join(f"`{brief(name)}`" for name in found[:5]) + (" and more" if len(found) > 5 else "")
    verb = "is" if len(found) == 1 else "are"
    return (f"only `{brief(path.name)}` is graded: {shown} beside it {verb} ignored",)


# ---- when it was handed in


def submitted_at(folder: Path) -> str:
    """What nbgrader's `timestamp.txt` in the folder says: ISO 8601 in UTC, "" when it says no time.

    Like nbgrader it takes a time without a zone for UTC.
    """
    from datetime import datetime

    try:
        text = _read_bytes(folder / TIMESTAMP, MOST_TIMESTAMP_BYTES).decode().strip()
        found = re.fullmatch(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)\s*(\S*)", text)
        return utc_text(datetime.fromisoformat(found[1]).replace(tzinfo=_zone(found[2]))) if found else ""
    except (_Unreadable, ValueError, LookupError, OverflowError, OSError):
        return ""


def _zone(name: str) -> tzinfo:
    """Raises ValueError, LookupError or OSError for what is no zone."""
    from datetime import UTC, datetime

    if name in ("", "Z"):
        return UTC
    if name[0] in "+-":
        return datetime.fromisoformat(f"2000-01-01 00:00{name}").tzinfo or UTC
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


def utc_text(time: datetime) -> str:
    """A time as verdicts hold it; one without a zone is UTC."""
    from datetime import UTC

    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="seconds")


# ---- from the disk to text


def _read_bytes(path: Path, most: int) -> bytes:
    """The file's bytes: a regular file of at most `most` bytes, opened so that nothing can block."""
    name = brief(path.name)
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    )
    try:
        mode = os.lstat(path).st_mode
        if not stat.S_ISREG(mode):
            raise _Unreadable(not_a_file(name, mode))
        with os.fdopen(os.open(path, flags | getattr(os, "O_CLOEXEC", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise _Unreadable(f"`{name}` is not a plain file: save your answer as a plain file")
            size = os.fstat(file.fileno()).st_size
            raw = b"" if size > most else file.read(most + 1)
    except FileNotFoundError:
        raise _Unreadable(f"`{name}` is missing: save your answer under this name") from None
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in OURS:
            raise refused(name, error) from None
        reason = getattr(error, "strerror", None) or str(error)
        raise _Unreadable(
            f"`{name}` cannot be read ({reason.lower()}): save it again as a plain file"
        ) from None
    if size > most or len(raw) > most:
        raise _Unreadable(
            f"`{name}` is too large ({_megabytes(max(size, len(raw)))}): at most {_megabytes(most)} are read"
        )
    return raw


def not_a_file(name: str, mode: int) -> str:
    """What to do about a thing that is no regular file."""
    if stat.S_ISDIR(mode):
        return f"`{name}` is a folder: hand in the file inside it"
    if stat.S_ISLNK(mode):
        return f"`{name}` is a link to another place: hand in the file itself"
    kind = "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
    return f"`{name}` is {kind}, not a file: save your answer as a plain file"


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0") + " MB" if size >= 104858 else f"{size} bytes"


def _decode(raw: bytes, name: str) -> str:
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            raise _Unreadable(f"`{name}` is saved as {encoding}: save it as UTF-8")
    if b"\0" in raw:
        if raw[0::2].count(0) * 3 > len(raw) or raw[1::2].count(0) * 3 > len(raw):
            raise _Unreadable(f"`{name}` is saved as UTF-16: save it as UTF-8")
        line = _line_of(raw, raw.index(b"\0"))
        raise _Unreadable(
            f"`{name}` has a NUL byte on line {line}: delete it, or save the file again as UTF-8"
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start : error.start + 1]
        meant = byte.decode("cp1252", "replace")
        meant = f" (`{meant}` in Windows-1252)" if meant.isprintable() and meant != "\ufffd" else ""
        line = _line_of(raw, error.start)
        raise _Unreadable(
            f"`{name}` is not UTF-8: line {line} has the byte 0x{byte.hex().upper()}{meant}: save it as UTF-8"
        ) from None


def _line_of(raw: bytes, position: int) -> int:
    before = raw[:position].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return before.count(b"\n") + 1


def _refuse_unusable(text: str, name: str, most: int) -> None:
    if not text.strip():
        raise _Unreadable(f"`{name}` is empty: write your answer in it and save it")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise _Unreadable(
            f"`{name}` has half a character on line {line}: type the text of that line anew"
        ) from None
    if size > most:
        raise _Unreadable(_too_much_code(name, size, most))
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise _Unreadable(f"`{name}` has a NUL character on line {line}: delete it")


def _too_much_code(name: str, size: int, most: int) -> str:
    return f"the code in `{name}` is too large ({_megabytes(size)}): at most {_megabytes(most)} are read"


# ---- notebooks


class _Cell(NamedTuple):
    """A code cell, with what nbgrader's metadata says it is for."""

    number: int  # counted from 1 over all cells, as the learner sees them
    kind: str  # solution | check | extra
    grade_id: str
    text: str


def _from_notebook(text: str, name: str, most: int) -> _Code:
    """The code of a notebook: solution cells as they are, extra cells so that their errors cost nothing.

    Extra cells count when they stand before the first check that follows the last solution cell.
    """
    notes: list[str] = []
    cells = list(_code_cells(_parse_notebook(text, name, notes), notes))
    solution = [cell for cell in cells if cell.kind == "solution"]
    if not solution:
        cells = _guess_solution(cells)
        solution = [cell for cell in cells if cell.kind == "solution"]
        if not solution:
            raise _Unreadable(
                f"`{name}` has no solution cell: copy your answer into a fresh copy of the notebook"
            )
        notes.append(
            "the notebook has lost its grading marks, so its code cells up to the first check were taken"
        )
    notes += _doubled(solution)
    counting = _short_enough(_counting(cells), notes)
    size = sum(len(cell.text) for cell in counting)
    if size > most:  # before it is taken apart, line by line
        raise _Unreadable(_too_much_code(name, size, most))
    pieces, offset = _pieces(counting, notes)
    if not any(piece.strip() for piece in pieces) and notes:
        raise _Unreadable(f"`{name}` has no code to grade: {notes[-1]}")
    return _Code(canonical("\n".join(pieces)), tuple(notes), offset)


def holds_too_much(notebook: str) -> bool:
    """Whether a notebook's JSON would take far more memory than its text."""
    return notebook.count("[") + notebook.count("{") > MOST_BRACKETS


def _parse_notebook(text: str, name: str, notes: list[str]) -> list[Any]:
    import json

    if holds_too_much(text):
        raise _Unreadable(f"`{name}` holds too much beside its code: clear all outputs and save it again")
    try:
        notebook = json.loads(text.rstrip())
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise _Unreadable(
            f"`{name}` is not a notebook: its JSON is broken{where}: download or save the notebook again"
        ) from None
    version = notebook.get("nbformat") if isinstance(notebook, dict) else None
    if version == 3:
        notes.append("the notebook is in the old format 3, and was read as it is")
        sheets = notebook.get("worksheets")
        cells = (
            [c for s in sheets if isinstance(s, dict) for c in _list(s.get("cells"))]
            if _list(sheets)
            else None
        )
    elif version == 4:
        cells = notebook.get("cells")
    else:
        raise _Unreadable(f"`{name}` is not a notebook of format 4: open it in Jupyter and save it again")
    if not isinstance(cells, list) or not cells:
        raise _Unreadable(f"`{name}` has no cells: copy your answer into a fresh copy of the notebook")
    if len(cells) > MOST_CELLS:
        raise _Unreadable(
            f"`{name}` has {len(cells):,} cells: at most {MOST_CELLS:,} are read, so delete what is not yours"
        )
    language = _dict(_dict(notebook.get("metadata")).get("kernelspec")).get("language")
    if isinstance(language, str) and language.lower() != "python":
        raise _Unreadable(
            f"`{name}` is a notebook for {brief(language)}: choose the Python kernel and save it again"
        )
    return cells


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _code_cells(cells: list[Any], notes: list[str]) -> Iterator[_Cell]:
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict):
            continue
        marks = _dict(_dict(cell.get("metadata")).get("nbgrader"))
        solution = marks.get("solution") is True and marks.get("grade") is not True  # both: a check, tampered
        if cell.get("cell_type") != "code":
            if not (solution and marks.get("cell_type") == "code"):
                continue
            notes.append(f"cell {number} was a code cell when it was handed out, and is read as one")
        kind = "solution" if solution else "check" if marks else "extra"
        source = cell.get("source", cell.get("input", ""))
        text = (
            "".join(part for part in source if isinstance(part, str)) if isinstance(source, list) else source
        )
        if isinstance(text, str):
            grade_id = marks.get("grade_id")
            yield _Cell(number, kind, grade_id if isinstance(grade_id, str) else "", canonical(text))


def _guess_solution(cells: list[_Cell]) -> list[_Cell]:
    """For a notebook without marks: cells that define something are the solution, up to the first check."""
    guessed: list[_Cell] = []
    for cell in cells:
        defines = re.search(r"^(class|def) (\w+)", cell.text, re.MULTILINE)
        if cell.kind == "check" or (defines and defines[2].startswith("test_")):
            if any(c.kind == "solution" for c in guessed):
                break
            continue
        guessed.append(_Cell(cell.number, "solution" if defines else "extra", "", cell.text))
    return guessed


def _doubled(solution: list[_Cell]) -> list[str]:
    names = Counter(cell.grade_id for cell in solution if cell.grade_id)
    return [
        f"the cell `{brief(name)}` is there {count} times: all were read, and the last one counts"
        for name, count in names.items()
        if count > 1
    ]


def _counting(cells: list[_Cell]) -> list[_Cell]:
    last = max(i for i, cell in enumerate(cells) if cell.kind == "solution")
    end = next((i for i, cell in enumerate(cells) if i > last and cell.kind == "check"), len(cells))
    return [cell for cell in cells[:end] if cell.kind != "check"]


def _short_enough(cells: list[_Cell], notes: list[str]) -> list[_Cell]:
    """The cells without long extra ones: some short texts take a parser a minute, and this is the judge."""
    kept = []
    for cell in cells:
        if cell.kind == "extra" and len(cell.text) > LONGEST_EXTRA_CELL:
            notes.append(
                f"cell {cell.number} has more than {LONGEST_EXTRA_CELL:,} characters and was left out"
            )
        else:
            kept.append(cell)
    return kept


def _pieces(cells: list[_Cell], notes: list[str]) -> tuple[list[str], int]:
    """The text of each cell, and how many lines stand before the first solution cell."""
    pieces: list[str] = []
    features: list[str] = []
    lines, offset = 0, -1
    for cell in cells:
        piece = _without_magics(cell, notes)
        if len(cells) > 1:
            piece = _without_future(piece, features)
        if cell.kind == "extra":
            piece = _harmless(piece, cell.number, notes)
        elif offset < 0:
            offset = lines
        if piece.strip():
            pieces.append(piece.rstrip("\n"))
            lines += pieces[-1].count("\n") + 1
    if features:  # a future import must be the first thing in a file
        pieces.insert(0, f"from __future__ import {', '.join(dict.fromkeys(features))}")
        offset += 1
    return pieces, max(offset, 0)


_FUTURE = re.compile(r"from\s+__future__\s+import\s*(?:\(([\w\s,]*)\)|([\w\s,]*))")


def _without_future(text: str, features: list[str]) -> str:
    """The text without its future imports, whose names go into `features`; other lines keep their numbers.

    What is no future import to this Python stays where it is.
    """
    if "__future__" not in text:
        return text
    import __future__

    lines, states = text.split("\n"), _line_states(text)
    starts = [number for number, state in enumerate(states) if state == "start"]
    for begin, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        head, _, rest = "\n".join(lines[begin:end]).partition(";")
        if "#" in head.split("\n")[-1]:
            rest = ""  # the semicolon was part of a comment
        found = _FUTURE.fullmatch(re.sub(r"#[^\n]*|\\\n", " ", head).rstrip())
        names = re.findall(r"\w+", found[1] or found[2]) if found else []
        if names and set(names) <= set(__future__.all_feature_names):
            features += names
            kept = rest.strip().split("\n")
            lines[begin:end] = kept + [""] * (end - begin - len(kept))
    return "\n".join(lines)


_KEEPS_BODY = re.compile(r"%%(time|capture|timeit|prun)\b")
_MAGIC = re.compile(r"(%|!|\?+\s*[\w.]+\s*$|[\w.]+\?+\s*$|[\w, ]+=\s*(!|%\w))")


def _without_magics(cell: _Cell, notes: list[str]) -> str:
    """The cell without what only IPython understands; other lines keep their numbers."""
    lines = cell.text.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        word = lines[first].split()[0]
        if not _KEEPS_BODY.match(word):
            notes.append(
                f"cell {cell.number} starts with `{brief(word)}`, so it was not read: take that line out"
            )
            return ""
        lines[first] = ""
    states = _line_states("\n".join(lines))
    kept = [
        f"{indent}pass" if state == "start" and _MAGIC.match(line, len(indent)) else line
        for line, state in zip(lines, states, strict=True)
        for indent in [line[: len(line) - len(line.lstrip())]]  # a pattern would try every part of it
    ]
    return "\n".join(kept)


def _harmless(text: str, number: int, notes: list[str]) -> str:
    """An extra cell so wrapped that an error in it costs nothing; dropped when it is no Python at all."""
    if not text.strip():
        return ""
    states = _line_states(text)
    body = [
        line if state == "string" or not line.strip() else f"    {line}"
        for line, state in zip(text.split("\n"), states, strict=True)
    ]
    wrapped = "\n".join(["try:", *body, "    pass", "except (Exception, SystemExit):", "    pass"])
    if not _compiles(wrapped):
        notes.append(f"cell {number} has a syntax error and was left out")
        return ""
    return wrapped


def _compiles(text: str) -> bool:
    """Whether Python takes the text, to its last step: a `return` that stands alone passes the parser.

    That step writes the end of each `try` several times, one in another ever more often; so those ends are
    put elsewhere first.
    """
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree: Any = ast.parse(text)
            node: Any
            for node in ast.walk(tree):
                if getattr(node, "finalbody", None):
                    place = {"lineno": node.lineno, "col_offset": node.col_offset}
                    node.handlers = node.handlers or [ast.ExceptHandler(body=[ast.Pass(**place)], **place)]
                    node.orelse, node.finalbody = [*node.orelse, *node.finalbody], []
            compile(tree, "cell", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return True


_TOKEN = re.compile(r"#[^\n]*|[rRbBuUfF]{0,2}(\"\"\"|'''|\"|')|\\\n|[()\[\]{}]|\n")


def _line_states(text: str) -> list[str]:
    """For each line: `start` of a statement, `inside` one, or begun inside a `string`."""
    states, depth, position = ["start"], 0, 0
    while found := _TOKEN.search(text, position):
        token, position = found[0], found.end()
        if token == "\n":
            states.append("inside" if depth else "start")
        elif token == "\\\n":
            states.append("inside")
        elif found[1]:
            end = _string_end(text, position, found[1])
            states += ["string"] * text.count("\n", position, end)
            position = end
        elif token in "([{":
            depth += 1
        elif token in ")]}":
            depth = max(0, depth - 1)
    return states


def _string_end(text: str, position: int, quote: str) -> int:
    """Where the string that was opened with `quote` ends; a one-line string ends with its line."""
    stop = re.compile(rf"\\[\s\S]|{quote}" if len(quote) == 3 else rf"\\[\s\S]|{quote}|(?=\n)")
    while found := stop.search(text, position):
        position = found.end()
        if not found[0].startswith("\\"):
            return position
    return len(text)
