"""The prose says nothing that is not so: links lead somewhere, commands and files exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from handgrad import cli
from handgrad.report import FORMATS

TOP = Path(__file__).parent.parent
PAGES = sorted([*TOP.glob("*.md"), *TOP.glob("docs/*.md"), *TOP.glob("exercises/*/README.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    """Links are relative, so they hold on a code host, in a clone and in an editor."""
    links = re.findall(
        r"\]\(([^)#]+)(?:#[^)]*)?\)", re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    )

    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]

    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def test_every_make_command_of_a_page_is_a_target(page: Path) -> None:
    """A command that is printed works."""
    targets = set(re.findall(r"^([a-z]+):", (TOP / "Makefile").read_text("utf-8"), flags=re.MULTILINE))

    named = set(re.findall(r"`make ([a-z]+)", page.read_text("utf-8")))

    assert named <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def test_every_handgrad_command_of_a_page_is_one(page: Path) -> None:
    """So does one without make."""
    named = set(
        re.findall(r"(?:`|^|-m )handgrad ([a-z][a-z-]+)", page.read_text("utf-8"), flags=re.MULTILINE)
    )

    assert named <= set(cli.COMMANDS)


def test_every_target_names_a_command_that_there_is() -> None:
    """make calls nothing that handgrad does not know."""
    called = set(re.findall(r"-m handgrad ([a-z-]+)", (TOP / "Makefile").read_text("utf-8")))

    assert called <= set(cli.COMMANDS)


def test_a_course_repository_is_warned_of_a_name_that_anybody_may_take() -> None:
    """What the workflows install by name is on no index yet."""
    text = (TOP / "docs/course-repo.md").read_text("utf-8")

    assert "handgrad init DIR" in text
    assert "No release of handgrad is in the package index yet" in text
    assert "git+https://" in text and "#sha256=" in text


def test_the_readme_fits_a_screen_or_two() -> None:
    """A newcomer reads it whole."""
    lines = (TOP / "README.md").read_text("utf-8").splitlines()

    assert len(lines) <= 85


def test_the_command_offers_every_format() -> None:
    """`--format` and the formats there are do not drift apart."""
    assert tuple(cli.FORMATS) == tuple(FORMATS)


def test_the_schema_is_a_schema() -> None:
    """It is valid, and names the format that is written."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((TOP / "docs/verdict-1.schema.json").read_text("utf-8"))

    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"]["format"]["const"] == "verdict/1"
