"""The commands around nbgrader: what they say, what they refuse, and their exit codes."""

from __future__ import annotations

import json
import os
import shutil
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from handing_in import FULL, REFERENCE, SLUG, TOP, WRONG, answer, hand_in, make_course

from handgrad.catalog import Course, load_course
from handgrad.errors import ToolError, UsageError
from handgrad.integrations import notebooks as commands
from handgrad.integrations.logs import last_line
from handgrad.integrations.releasing import build, release

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own, of which there are many


class Room:
    """A course and what was said in it."""

    def __init__(self, notebooks: Path) -> None:
        self.notebooks = notebooks
        self.said: list[str] = []

    @property
    def course(self) -> Course:
        """The course as its files are now."""
        return load_course(self.notebooks.parent)

    def __call__(self, name: str, *words: str) -> int:
        """One command; its exit code."""
        self.said.clear()
        parser = ArgumentParser()
        command = commands.COMMANDS[name]
        command.options(parser)
        return command.run(self.course, parser.parse_args(words), self.said.append, lambda text: None)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy course, released once, to copy from."""
    room = Room(make_course(tmp_path_factory.mktemp("made") / "course"))
    assert room("release", SLUG) == 0, room.said
    return room.notebooks.parent


@pytest.fixture
def room(made: Path, tmp_path: Path) -> Room:
    """A copy to change."""
    shutil.copytree(made, tmp_path / "course")
    return Room(tmp_path / "course" / "notebooks")


def test_a_class_goes_from_hand_in_to_table(room: Room) -> None:
    """collect, autograde, feedback, export: each says what it did."""
    hand_in(room.notebooks, "s1", answer(REFERENCE))
    hand_in(room.notebooks, "s2", answer(WRONG))
    hand_in(room.notebooks, "s3", answer(REFERENCE))
    hand_in(room.notebooks, "s4", lambda folder, notebook: None)

    assert room("collect", SLUG) == 0
    assert room.said[-2:] == ["4 folders: 1 not handed in, 3 ready", "the same code: s1, s3"]
    assert room("autograde", SLUG, "--require-level", "1") == 0
    assert room.said == [
        "s1    14/14",
        "s2    10/14",
        "s3    14/14",
        "s4           not handed in: the folder is empty",
        "4 folders: 3 graded, 1 not handed in",
        "the same code: s1, s3",
    ]
    assert room("feedback", SLUG) == 0
    assert room.said[0] == "3 of 3 pages written"
    assert room("export") == 0
    assert f"stack,,,s1,,,,{FULL}" in (room.notebooks / "grades.csv").read_text("utf-8")


def test_one_learner_can_be_chosen_and_a_wrong_name_is_misuse(room: Room) -> None:
    """--only and --skip take names that are there."""
    hand_in(room.notebooks, "s1", answer(REFERENCE))
    hand_in(room.notebooks, "s2", answer(WRONG))

    assert room("autograde", SLUG, "--only", "s2", "--require-level", "1") == 0
    assert room.said[-1] == "1 folder: 1 graded"
    with pytest.raises(UsageError, match="nobody called `s9`"):
        room("autograde", SLUG, "--skip", "s9")


@pytest.mark.parametrize("name", ["collect", "autograde"])
def test_who_is_skipped_stops_nothing(room: Room, name: str) -> None:
    """Their folder is not even looked at."""
    hand_in(room.notebooks, "s1", answer(REFERENCE))
    left = hand_in(room.notebooks, "s2", lambda folder, notebook: (folder / "x").symlink_to("y"))

    assert room(name, SLUG, "--skip", "s2", *(["--require-level", "1"] if name == "autograde" else [])) == 0
    assert (left / "x").is_symlink()


def test_what_needs_a_look_makes_the_exit_code_1(room: Room) -> None:
    """All were accounted for, and some are not as they should be."""
    hand_in(
        room.notebooks, "s1", lambda folder, notebook: (folder / f"{SLUG}.ipynb").write_bytes(b"{") and None
    )

    assert room("collect", SLUG) == 1
    for _ in range(2):  # the second run has nothing to do, and says the same of it
        assert room("autograde", SLUG, "--require-level", "1") == 1
        assert room.said[-1] == "1 folder: 1 unreadable"


def test_a_fault_of_ours_makes_it_3(room: Room) -> None:
    """Nobody gets points, and nobody a zero."""
    hand_in(room.notebooks, "s1", answer(REFERENCE))
    (room.notebooks.parent / "graders/stack/test_1_stack.py").write_text("def broken(:\n", "utf-8")

    assert room("autograde", SLUG) == 3
    assert any("test_1_stack.py:1" in line for line in room.said)
    assert room.said[-1] == "1 folder: 1 ungraded"


def test_what_cannot_be_done_yet_says_what_to_do_first(room: Room) -> None:
    """Nothing handed in, nothing graded, nothing released."""
    for name in ("collect", "autograde"):
        with pytest.raises(UsageError, match="nothing was handed in: put it in"):
            room(name, SLUG)
    with pytest.raises(UsageError, match="run `make autograde EX=stack` first"):
        room("feedback", SLUG)
    with pytest.raises(UsageError, match="run `make release EX=shelf` first"):
        room("validate", "shelf")


def test_a_broken_or_a_missing_gradebook_is_named(room: Room) -> None:
    """With what is wrong, and not with where one can read on."""
    hand_in(room.notebooks, "s1", answer(REFERENCE))
    assert room("autograde", SLUG, "--require-level", "1") == 0
    assert room("export", SLUG) == 0
    table = (room.notebooks / "grades.csv").read_bytes()
    (room.notebooks / "gradebook.db").write_text("no database" * 100)

    with pytest.raises(ToolError, match="file is not a database"):
        room("export")
    assert (room.notebooks / "grades.csv").read_bytes() == table
    assert room("feedback", SLUG) == 3
    assert "file is not a database" in room.said[0]
    (room.notebooks / "gradebook.db").unlink()
    assert room("feedback", SLUG) == 3
    assert "there is no gradebook" in room.said[0]


def test_a_table_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    """Whatever stops it on the way."""
    from handgrad.integrations.nbgrader import CsvExport

    class Broken:
        assignments = (object(),)

    (tmp_path / "grades.csv").write_text("the old one")
    with pytest.raises(AttributeError):
        CsvExport(to=str(tmp_path / "grades.csv")).export(Broken())

    assert (tmp_path / "grades.csv").read_text() == "the old one"


def test_the_table_can_be_of_one_exercise(room: Room) -> None:
    """Named as in the commands before it; another name is misuse."""
    hand_in(room.notebooks, "s1", answer(REFERENCE))
    assert room("release", "shelf") == 0, room.said
    assert room("autograde", SLUG, "--require-level", "1") == 0

    assert room("export", "shelf") == 0
    assert "stack" not in (room.notebooks / "grades.csv").read_text("utf-8")
    with pytest.raises(UsageError):
        room("export", "shelve")


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("a\nb", "b"),
        ("", ""),
        (
            "x\ne.DatabaseError: no database\n[SQL: SELECT a\nFROM b]\n(Background on this error at: https://x)",
            "e.DatabaseError: no database",
        ),
        (
            "e.DatabaseError: no database\n(Background on this error at: https://x)",
            "e.DatabaseError: no database",
        ),
    ],
)
def test_the_telling_line_of_a_log_is_its_last(log: str, line: str) -> None:
    """But for what SQLAlchemy says after its own."""
    assert last_line(log) == line


def test_a_source_notebook_passes_nbgraders_validate(room: Room) -> None:
    """In a kernel, which knows nothing of handgrad."""
    assert room("validate", SLUG) == 0
    assert room.said == ["stack: Success! Your notebook passes all the tests."]


def test_a_folder_without_our_settings_is_no_place_to_grade(room: Room) -> None:
    """nbgrader would do it in its own way."""
    (room.notebooks / "nbgrader_config.py").unlink()

    with pytest.raises(UsageError, match=r"nbgrader_config\.py"):
        room("collect", SLUG)


def test_without_nbgrader_the_way_to_it_is_said(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an extra of the package."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    with pytest.raises(ToolError, match="run `make setup`"):
        room("release", SLUG)


def test_the_settings_that_are_handed_out_are_those_of_the_course() -> None:
    """`notebooks/nbgrader_config.py` and what `handgrad demo` writes are one text."""
    assert (TOP / "notebooks/nbgrader_config.py").read_text("utf-8") == commands.CONFIG


def test_shares_are_disjoint_and_none_is_too_small() -> None:
    """Each learner in one process, and no process for nearly nothing."""
    learners = [f"s{n}" for n in range(11)]

    shares = commands._shares(learners, 8)

    assert sorted(name for share in shares for name in share) == sorted(learners)
    assert [len(share) for share in shares] == [4, 4, 3]
    assert commands._shares([], 2) == []


def test_a_process_that_dies_is_a_problem_and_not_a_zero(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left of its share stays ungraded."""
    monkeypatch.setattr(commands, "_environment", lambda: {"PYTHONHOME": "/nowhere"})

    problems = commands.run_parts(
        "autograde", room.notebooks, SLUG, [{"s1": ()}], lambda record: None, ["1", "0"]
    )

    assert len(problems) == 1
    assert "read `" in problems[0]


@pytest.mark.parametrize("share", [{"s1": ()}, {"s1": ("long",) * 100_000}])
def test_a_process_that_breaks_off_is_told(
    room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, share: dict[str, tuple[str, ...]]
) -> None:
    """In the middle of a line, or before it has read what it is to do: no traceback, and nothing is missed."""
    package = tmp_path / "handgrad" / "integrations"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("")
    lines = json.dumps({"progress": "s1"}) + '\n{"learner": "s'
    (package / "part.py").write_text(
        f"import os, sys\nsys.stdout.write({lines!r})\nsys.stdout.flush()\nos._exit(9)\n"
    )
    monkeypatch.setattr(commands, "_environment", lambda: {**os.environ, "PYTHONPATH": str(tmp_path)})
    records: list[dict[str, object]] = []

    problems = commands.run_parts("autograde", room.notebooks, SLUG, [share], records.append, ["1", "0"])

    assert records == [{"progress": "s1"}]
    assert problems == ['a process of nbgrader broke off at `{"learner": "s`']


def test_the_words_of_a_count() -> None:
    """Numbers before words, in a fixed order."""
    assert commands._counted(Counter({"graded": 2, "unreadable": 1})) == "3 folders: 2 graded, 1 unreadable"


def test_the_demonstration_shows_a_class_of_twelve(made: Path, tmp_path: Path) -> None:
    """From release to table, in a folder of its own."""
    shutil.copytree(made, tmp_path / "course")
    room = Room(tmp_path / "course" / "notebooks")
    old = tmp_path / "course" / "demo" / "notebooks"
    old.mkdir(parents=True)
    for path in (old.parent / ".handgrad-demo", old / "grades.csv"):
        path.write_text("of the last demonstration")

    assert room("demo") == 0, room.said
    text = "\n".join(room.said)
    assert "12 folders: 10 graded, 1 not handed in, 1 unreadable" in text
    assert "11 of 11 pages written" in text
    assert (tmp_path / "course/demo/notebooks/grades.csv").is_file()


def test_the_demonstration_leaves_a_folder_of_ones_own_alone(room: Room) -> None:
    """It is no command's to replace, whatever is in it."""
    own = room.notebooks.parent / "demo" / "lecture.py"
    own.parent.mkdir()
    own.write_text("mine")

    with pytest.raises(
        UsageError, match=r"demo` is there and was not made by this command: move it away first"
    ):
        room("demo")
    assert [path.name for path in own.parent.iterdir()] == ["lecture.py"]


PRIVATE = '''"""Private."""
from handgrad.check import check


@check(points=5, hint="Ask us.")
def test_private(Stack):
    """Something private."""
    stack = Stack([1])

    stack.push(2)

    assert stack.items == [1, 2]
'''


def test_private_checks_come_from_another_folder(room: Room, tmp_path: Path) -> None:
    """`--root` adds them to release and grading, and nothing of them lies in the course."""
    private = tmp_path / "private"
    (private / "graders/stack/hidden").mkdir(parents=True)
    (private / "graders/stack/hidden/test_9.py").write_text(PRIVATE)
    (private / "graders/stack/totals.toml").write_text("points = 5\nchecks = 1\n")
    course = load_course(room.notebooks.parent, [private])
    words = Namespace(slug=SLUG, slugs=[SLUG], only=[], skip=[], jobs=None, require_level=1, reveal=False)

    assert commands.COMMANDS["release"].run(course, words, room.said.append, lambda text: None) == 0, (
        room.said
    )
    hand_in(room.notebooks, "s1", answer(REFERENCE))
    assert commands.COMMANDS["autograde"].run(course, words, room.said.append, lambda text: None) == 0, (
        room.said
    )
    assert room.said[-2:] == ["s1    19/19", "1 folder: 1 graded"]


# ---- release


def say_of(room: Room, **words: Any) -> tuple[int, list[str]]:
    """Release everything; exit code and what was said."""
    said: list[str] = []
    course = room.course
    code = release(
        course,
        course.exercises,
        notebooks=room.notebooks,
        dist=room.notebooks.parent / "dist",
        say=said.append,
        **words,
    )
    return code, said


def test_one_broken_exercise_leaves_its_old_release_and_stops_no_other(room: Room) -> None:
    """The last line counts, the exit code is 1, the message has file and line."""
    old = (room.notebooks / "release/stack/stack.ipynb").read_bytes()
    reference = room.notebooks.parent / "solutions/stack/solution.py"
    reference.write_text(
        reference.read_text("utf-8").replace("### END SOLUTION", "### END SOLUTON", 1), "utf-8"
    )

    code, said = say_of(room)

    assert (code, said[-1]) == (1, "2 of 3 released")
    assert any("solution.py:" in line for line in said)
    assert (room.notebooks / "release/stack/stack.ipynb").read_bytes() == old


def test_a_planted_word_in_the_statement_is_a_leak(room: Room) -> None:
    """Found in the notebook and in the archive, and neither is released."""
    readme = room.notebooks.parent / "exercises/stack/README.md"
    readme.write_text(readme.read_text("utf-8") + "\nbluebird\n", "utf-8")
    before = (room.notebooks.parent / "dist/stack.zip").read_bytes()

    code, said = say_of(room, canaries=["bluebird"])

    assert code == 1
    assert [line for line in said if "stack.ipynb` holds the planted word `bluebird`" in line]
    assert [line for line in said if "README.md` holds the planted word `bluebird`" in line]
    assert (room.notebooks.parent / "dist/stack.zip").read_bytes() == before


def test_a_gradebook_that_cannot_be_written_leaves_the_old_release(room: Room) -> None:
    """Source and release are as they were, though nbgrader had begun to write."""
    old = {
        p: (room.notebooks / p).read_bytes()
        for p in ("source/stack/stack.ipynb", "release/stack/stack.ipynb")
    }
    (room.notebooks / "gradebook.db").write_text("no database" * 100)
    readme = room.notebooks.parent / "exercises/stack/README.md"
    readme.write_text(readme.read_text("utf-8") + "\nA new sentence.\n", "utf-8")

    code, said = say_of(room)

    assert (code, said[-1]) == (1, "0 of 3 released")
    assert {p: (room.notebooks / p).read_bytes() for p in old} == old
    assert not (room.notebooks / "release/shelf").exists()


def test_an_unknown_file_in_the_source_folder_is_refused(room: Room) -> None:
    """nbgrader would copy it to everybody."""
    (room.notebooks / "source/stack/solution.py.bak").write_text(REFERENCE)

    code, said = say_of(room)

    assert code == 1
    assert any("solution.py.bak: nbgrader would release this file" in line for line in said)


def test_a_marker_in_a_statement_is_refused_with_its_line(room: Room) -> None:
    """nbgrader would cut the statement there."""
    readme = room.notebooks.parent / "exercises/stack/README.md"
    readme.write_text("# A stack\n\n### BEGIN SOLUTION\n", "utf-8")

    _, said = say_of(room)

    assert any("README.md:3: `BEGIN SOLUTION` would be taken for a marker" in line for line in said)


@pytest.mark.parametrize("name", ["README.md", "solution.py"])
def test_a_missing_file_is_named(room: Room, name: str) -> None:
    """With what to do."""
    folder = "exercises/stack" if name == "README.md" else "solutions/stack"
    (room.notebooks.parent / folder / name).unlink()

    _, said = say_of(room)

    assert any(f"{name}: cannot be read" in line for line in said)


def test_a_release_has_the_same_bytes_in_another_place_and_time(room: Room, tmp_path: Path) -> None:
    """Notebook and archive."""
    other = make_course(tmp_path / "elsewhere")
    first = build(room.course, room.course.exercise(SLUG))

    second = build(load_course(other.parent), load_course(other.parent).exercise(SLUG))

    assert (first.source, first.bundle) == (second.source, second.bundle)


def test_a_namespace_is_all_a_command_needs(room: Room) -> None:
    """As the demonstration calls them."""
    hand_in(room.notebooks, "s1", answer(REFERENCE))
    words = Namespace(slug=SLUG, only=[], skip=[])

    assert commands.COMMANDS["collect"].run(room.course, words, room.said.append, lambda text: None) == 0
