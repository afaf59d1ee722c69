"""Learners' text made harmless for the place where it is shown.

Everything that a learner's code wrote (printouts, exceptions, names, lines of source) passes one of these
on its way into a report. All of them first make visible what would act or hide: control characters, marks
that turn the direction of writing, lone surrogates.
"""

from __future__ import annotations

import re

# Kept although `str.isprintable` calls them unprintable: line ends, tabs, wide and unbreakable blanks, and
# the joiners that emoji and several scripts are written with.
_KEPT = frozenset("\n\t\u00a0\u202f\u3000\u200c\u200d" + "".join(chr(c) for c in range(0x2000, 0x200B)))
_MARKUP = re.compile(r"([!-/:-@\[-`{-~])")  # every ASCII sign that Markdown may give a meaning
_FORMULA = re.compile(r"""(^|;["'\s]*)([=+\-@\uff1d\uff0b\uff0d\uff20])""")  # wide signs count as well
_COMMAND = re.compile(r"(##)(\[|vso\[)", re.IGNORECASE)  # GitHub's old commands, and Azure Pipelines'
_WORD_JOINER = "\u2060"


def visible(text: str) -> str:
    """`text` with every character that acts or hides written out as in a Python string: `\\x1b`, `\\u202e`.

    Line ends become LF; a carriage return of its own, which overwrites a line, is written out. What a CI
    system would take for a command wherever it stands in a line is taken apart: any text may end in a log.
    """
    text = text.replace("\r\n", "\n")
    if "##" in text:
        text = _COMMAND.sub(r"\1 \2", text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _KEPT else _written_out(c) for c in text)


def _written_out(character: str) -> str:
    code = ord(character)
    if character == "\r":
        return "\\r"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def one_line(text: str) -> str:
    """`text` on one line: line ends and tabs become single blanks."""
    return " ".join(visible(text).split())


def terminal(text: str) -> str:
    """For a terminal: nothing moves the cursor, changes a colour or turns the line round."""
    return visible(text)


def html(text: str) -> str:
    """For HTML, in text and in quoted attributes."""
    text = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;")


def xml(text: str) -> str:
    """For XML 1.0, in text and in quoted attributes, where line ends must be kept by name."""
    return html(text).replace("&#x27;", "&apos;").replace("\n", "&#10;").replace("\t", "&#9;")


def markdown(text: str) -> str:
    """For a line of Markdown on a code host: no markup, no link, nobody mentioned, no issue referred to."""
    return _without_markup(one_line(text))


def _without_markup(line: str) -> str:
    escaped = _MARKUP.sub(r"\\\1", line)
    return escaped.replace("\\@", "\\@" + _WORD_JOINER).replace("\\#", "\\#" + _WORD_JOINER)


def code_span(text: str) -> str:
    """`text` as one Markdown code span, whatever backticks it holds; for table cells, too."""
    line = one_line(text).replace("|", "\u2502")  # no escape for a bar is read alike everywhere
    if not line:
        return ""
    fence = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def prose(text: str) -> str:
    """As `markdown`, but what stands between two backticks is shown as code."""
    pieces = one_line(text).split("`")
    if len(pieces) % 2 == 0 or not all(piece.strip() for piece in pieces[1:-1]):
        return markdown(text)  # no pairs, or nothing in or between them: signs like others
    return "".join(code_span(piece) if n % 2 else _without_markup(piece) for n, piece in enumerate(pieces))


def code_block(text: str, language: str = "") -> str:
    """`text` as a fenced Markdown block that nothing inside can close."""
    body = visible(text).rstrip("\n")
    fence = "`" * max(3, _longest_run(body) + 1)
    return f"{fence}{language}\n{body}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def mermaid(text: str) -> str:
    """For a quoted label in a Mermaid drawing: all but letters, digits and plain signs as entities."""
    return "".join(c if c.isalnum() or c in " .,=+-*/_()" else f"#{ord(c)};" for c in one_line(text))


def workflow_command(text: str) -> str:
    """For the message of a CI command line (`::error::…`), which must stay one line."""
    return visible(text).replace("%", "%25").replace("\n", "%0A")


def workflow_property(text: str) -> str:
    """For a value among the properties of a CI command line (`file=…,title=…`)."""
    return workflow_command(text).replace(":", "%3A").replace(",", "%2C")


def workflow_log(text: str) -> str:
    """For the log of a CI job: no line of it is read as a command."""
    return re.sub(r"^([^\S\n]*)::", r"\1: :", visible(text), flags=re.MULTILINE)


def csv_cell(text: str) -> str:
    """For a cell that a spreadsheet opens: one line that is never taken for a formula.

    Where numbers are written with a comma a semicolon ends a cell, so that another begins after it.
    """
    return _FORMULA.sub(r"\1'\2", one_line(text))
