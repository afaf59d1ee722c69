"""Learners' text cannot act where it is shown."""

from __future__ import annotations

import html as html_library
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from handgrad.report import escape

ANY = st.text(st.characters(), max_size=60)  # lone surrogates among them
NASTY = "\x1b[31m\x07\u202eevil\u2066\ud800\r\x00\u2028\ufffe<b>&\"'`|\n::error::x\n##[error]y @octocat #1"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("a\rb", "a\\rb"),
        ("a\r\nb", "a\nb"),
        ("\u202eevil", "\\u202eevil"),
        ("\ud800", "\\ud800"),
        ("\u2028", "\\u2028"),
        ("\x85\x9b", "\\x85\\x9b"),
        ("\U000e0041", "\\U000e0041"),
        ("naïve 中文 👩\u200d🔬\tx", "naïve 中文 👩\u200d🔬\tx"),
        ("a\u00a0b", "a\u00a0b"),
    ],
)
def test_what_acts_or_hides_is_written_out(text: str, shown: str) -> None:
    """Terminal codes, marks of direction and halves of characters become visible; letters stay."""
    assert escape.terminal(text) == shown


@given(ANY)
def test_a_terminal_gets_no_control_character(text: str) -> None:
    """Whatever was printed, only line ends and tabs are left of all controls, and it can be encoded."""
    shown = escape.terminal(text)

    assert all(c >= " " or c in "\n\t" for c in shown)
    assert not set(shown) & set("\x7f\x9b\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069")
    shown.encode("utf-8")


@given(ANY)
def test_html_reads_back_as_the_visible_text(text: str) -> None:
    """Nothing is markup, and nothing is lost."""
    escaped = escape.html(text)

    assert not set(escaped) & set("<>\"'")
    assert html_library.unescape(escaped) == escape.visible(text)


@given(ANY)
def test_xml_always_parses_and_reads_back(text: str) -> None:
    """In an attribute as in a text, line ends included."""
    escaped = escape.xml(text)

    element = ElementTree.fromstring(f'<a b="{escaped}">{escaped}</a>')
    assert (element.text or "") == escape.visible(text)
    assert element.attrib["b"] == escape.visible(text)


@given(ANY)
def test_markdown_is_one_paragraph_of_plain_text(text: str) -> None:
    """No heading, list, link, image, HTML or code comes out of a learner's text."""
    tokens = MarkdownIt("commonmark").enable("table").parse("x " + escape.markdown(text))

    kinds = {token.type for token in tokens} | {child.type for t in tokens for child in t.children or ()}
    assert kinds <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}


@given(st.one_of(ANY, st.text("ab`\\ *_<@#|", max_size=30)))
def test_prose_is_plain_text_and_code(text: str) -> None:
    """Between two backticks stands code; whatever else, it reads as it was written."""
    tokens = MarkdownIt("commonmark").enable("table").parse("x" + escape.prose(text))

    kinds = {token.type for token in tokens} | {child.type for t in tokens for child in t.children or ()}
    assert kinds <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special", "code_inline"}


def test_prose_shows_code_between_backticks() -> None:
    """And backticks that are no pairs as they are."""
    assert escape.prose("use `+=`, not `=`.") == "use `+=`\\, not `=`\\."
    assert escape.prose("`a` @b") == "`a` \\@\u2060b"
    assert escape.prose("an odd ` one") == "an odd \\` one"
    assert escape.prose("nothing `` in it") == "nothing \\`\\` in it"
    assert escape.prose("`a``b`") == "\\`a\\`\\`b\\`"


def test_markdown_mentions_nobody_and_refers_to_nothing() -> None:
    """An at sign or a number sign is parted from what follows."""
    assert escape.markdown("@octocat fixes #1") == "\\@\u2060octocat fixes \\#\u20601"


@given(ANY)
def test_a_code_span_is_one_code_span(text: str) -> None:
    """Backticks inside cannot end it."""
    span = escape.code_span(text)
    if not span:
        return

    children = MarkdownIt("commonmark").parse("x" + span)[1].children or []
    assert [child.type for child in children] == ["text", "code_inline"]


@given(ANY)
def test_a_code_block_is_one_code_block(text: str) -> None:
    """Fences inside cannot close it."""
    tokens = MarkdownIt("commonmark").parse(escape.code_block(text))

    assert [token.type for token in tokens] == ["fence"]


@given(ANY)
def test_a_workflow_command_stays_one_line(text: str) -> None:
    """A learner's line end cannot begin a command of its own."""
    message, value = escape.workflow_command(text), escape.workflow_property(text)

    assert not set(message) & set("\r\n")
    assert not set(value) & set("\r\n:,")


@given(ANY)
def test_no_line_of_a_log_is_a_command(text: str) -> None:
    """Neither way of writing one survives."""
    log = escape.workflow_log(text)

    assert not any(line.lstrip().startswith("::") for line in log.splitlines())
    assert "##[" not in log


@pytest.mark.parametrize(
    "command", ["##[set-output name=score]9", "##vso[task.complete]x", "##VSO[x]", "###[x]"]
)
@pytest.mark.parametrize("shown", [escape.terminal, escape.one_line, escape.html, escape.code_block])
def test_no_command_hides_in_a_line(shown: Callable[[str], str], command: str) -> None:
    """Some systems look for theirs anywhere in a log, and any text may end in one."""
    text = shown(f"all is well {command}")

    assert not re.search(r"##(vso)?\[", text, re.IGNORECASE)
    assert command[-2:] in text


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_a_spreadsheet_sees_no_formula(start: str) -> None:
    """A name that begins like a formula is text."""
    assert escape.csv_cell(f"{start}cmd|'/c calc'!A1").startswith("'" + start)


@pytest.mark.parametrize("text", ["a;=1+1", 'a; "=1+1', "\uff1d1+1", " =1+1", "\t@a"])
def test_no_formula_begins_where_another_country_sees_a_cell(text: str) -> None:
    """After a semicolon, which separates cells where a comma is in numbers; nor with wide signs."""
    assert "'=" in escape.csv_cell(text).replace("@", "=").replace("\uff1d", "=")


def test_a_label_of_a_drawing_is_no_markup() -> None:
    """Quotes, brackets and the like are entities."""
    assert escape.mermaid('a["x"];<b>') == "a#91;#34;x#34;#93;#59;#60;b#62;"


@pytest.mark.parametrize(
    "function",
    [
        escape.terminal,
        escape.html,
        escape.xml,
        escape.markdown,
        escape.prose,
        escape.code_span,
        escape.code_block,
        escape.mermaid,
        escape.workflow_command,
        escape.workflow_property,
        escape.workflow_log,
        escape.csv_cell,
    ],
)
def test_every_way_out_can_be_written(function) -> None:
    """The worst text we know ends as something that UTF-8 can hold, with no escape character."""
    shown = function(NASTY)

    assert "\x1b" not in shown
    assert "\u202e" not in shown
    shown.encode("utf-8")
