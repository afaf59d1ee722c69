"""Which file of a learner's folder is the hand-in: `grade` and `collect` decide alike, and say the same."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from test_collect import NOTEBOOK, SLUG, SLUGS

from handgrad.batch import HandIn, find_hand_in, find_hand_ins, read_hand_in
from handgrad.catalog import load_course
from handgrad.errors import ToolError
from handgrad.integrations.collect import collect

TOYS = Path(__file__).parent / "course"
STACK = load_course(TOYS).exercise("stack")
OTHER = NOTEBOOK.replace("x = 1", "x = 3")

# What lies in submitted/s1/, the code that counts (None: there is no grade), and what both must say.
FOLDERS: dict[str, tuple[dict[str, str | bytes], str | None, str]] = {
    "right name": ({"toy/toy.ipynb": NOTEBOOK}, "x = 1\n", ""),
    "another name": (
        {"toy/Toy final.ipynb": NOTEBOOK},
        "x = 1\n",
        "`Toy final.ipynb` was taken as `toy.ipynb`",
    ),
    "a second download": (
        {"toy/toy(1).ipynb": NOTEBOOK},
        "x = 1\n",
        "`toy(1).ipynb` was taken as `toy.ipynb`",
    ),
    "nested": ({"toy/a/b/toy.ipynb": NOTEBOOK}, "x = 1\n", "`a/b/toy.ipynb` was taken as `toy.ipynb`"),
    "a script": ({"toy/solution.py": "x = 2\n"}, "x = 2\n", ""),
    "a script beside": (
        {"toy/toy.ipynb": NOTEBOOK, "toy/solution.py": "x = 2\n"},
        None,
        "`solution.py` and `toy.ipynb` were both handed in: keep one of them",
    ),
    "another script beside": (
        {"toy/toy.ipynb": NOTEBOOK, "toy/try.py": "x = 2\n"},
        "x = 1\n",
        "only `toy.ipynb` is graded, not `try.py` beside it",
    ),
    "a copy beside": (
        {"toy/toy.ipynb": NOTEBOOK, "toy/toy (1).ipynb": OTHER},
        "x = 1\n",
        "only `toy.ipynb` is graded, not `toy (1).ipynb` beside it",
    ),
    "two of other names": (
        {"toy/x.ipynb": NOTEBOOK, "toy/x (1).ipynb": OTHER},
        None,
        "which one counts? none of `x (1).ipynb`, `x.ipynb` is called `toy.ipynb`",
    ),
    "two scripts": (
        {"toy/x.py": "x = 1\n", "toy/y.py": "x = 2\n"},
        None,
        "which one counts? none of `x.py`, `y.py` is called `solution.py`",
    ),
    "outside": ({"toy.ipynb": NOTEBOOK, "toy/": ""}, "x = 1\n", ""),
    "inside and outside": (
        {"toy.ipynb": OTHER, "toy/toy.ipynb": NOTEBOOK},
        None,
        "`toy.ipynb` and `toy/toy.ipynb` were both handed in: keep one of them",
    ),
    "in a clone": ({"exercises/toy/solution.py": "x = 2\n"}, "x = 2\n", ""),
    "in a clone and outside": (
        {"exercises/toy/solution.py": "x = 2\n", "toy.ipynb": NOTEBOOK},
        None,
        "`toy.ipynb` and `exercises/toy/solution.py` were both handed in: keep one of them",
    ),
    "two in a clone": (
        {"exercises/toy/solution.py": "x = 2\n", "exercises/toy/toy.ipynb": NOTEBOOK},
        None,
        "`solution.py` and `toy.ipynb` were both handed in: keep one of them",
    ),
    "outside, and no code inside": (
        {"toy.ipynb": NOTEBOOK, "toy/README.md": "x", "toy/toy_two.ipynb": OTHER, "toy/test_toy.py": ""},
        "x = 1\n",
        "",
    ),
    "another exercise's": ({"toy/toy_two.ipynb": NOTEBOOK}, None, "`toy_two.ipynb` is named after `toy_two`"),
    "an archive": ({"toy/hw.zip": b"PK"}, None, "`hw.zip` is an archive: unpack it in this folder"),
    "no code": ({"toy/notes.txt": "x"}, None, "the folder holds no notebook and no Python file"),
    "an empty folder": ({"toy/": ""}, None, "the folder is empty"),
    "a broken notebook": ({"toy/toy.ipynb": b"{"}, "", "JSON is broken"),
    "no UTF-8": ({"toy/solution.py": b"x = '\xe9'\n"}, "", "is not UTF-8"),
}


def write(submitted: Path, files: dict[str, str | bytes]) -> None:
    """Fill a learner's folder."""
    for name, content in files.items():
        path = submitted / "s1" / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def graded(submitted: Path) -> tuple[str | None, str]:
    """The code that `grade` would grade, None where there is no grade; and all that it says."""
    (hand_in,) = find_hand_ins(submitted, SLUG, SLUGS).hand_ins
    if hand_in.problem:
        return None, hand_in.problem
    submission = read_hand_in(hand_in, STACK)
    return submission.text, "; ".join([submission.problem, *submission.notes])


@pytest.mark.parametrize("name", FOLDERS)
def test_both_ways_to_grade_take_the_same_file(tmp_path: Path, name: str) -> None:
    """Before `collect` has put the folder in order, by it, and after it."""
    files, code, said = FOLDERS[name]
    submitted = tmp_path / "submitted"
    write(submitted, files)
    (tmp_path / "release.ipynb").write_text(NOTEBOOK)

    before = graded(submitted)
    (handed,) = collect(tmp_path, SLUG, slugs=SLUGS, release=tmp_path / "release.ipynb")
    after = graded(submitted)

    assert (handed.submission.text if handed.submission else None) == code
    assert said in "; ".join(handed.notes)
    for text, words in (before, after):
        assert text == code
        assert said in words


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (["solution.py", "toy/README.md"], "solution.py"),
        (["exercises/toy/solution.py", "toy/notes.txt"], "exercises/toy/solution.py"),
        (["solution.py", "toy/toy_two.ipynb"], "solution.py"),
        (["solution.py", "toy/test_toy.py"], "solution.py"),
        (["toy/solution.py", "toy_two/solution.py"], "toy/solution.py"),
    ],
)
def test_a_folder_without_code_hides_no_work(tmp_path: Path, names: list[str], taken: str) -> None:
    """Notes, another exercise's work, and tests are no hand-in: the next place counts."""
    write(tmp_path, dict.fromkeys(names, "x = 1\n"))

    assert find_hand_ins(tmp_path, SLUG, SLUGS).hand_ins == (HandIn("s1", tmp_path / "s1" / taken),)


def test_a_solution_in_no_folder_is_taken_by_grade_alone(tmp_path: Path) -> None:
    """In a course of several exercises `collect` cannot know whose it is, and says what to do."""
    write(tmp_path / "submitted", {"solution.py": "x = 1\n"})

    (handed,) = collect(tmp_path, SLUG, slugs=SLUGS)
    assert handed.notes == (
        "`solution.py` is not named after `toy`: if it belongs there, move it into that folder",
    )
    assert graded(tmp_path / "submitted") == ("x = 1\n", "")


@pytest.mark.parametrize("name", ["toy/solution.py", "toy/toy_v2.py", "exercises/toy/solution.py"])
def test_a_solution_at_the_top_is_never_passed_over_for_another_one(tmp_path: Path, name: str) -> None:
    """In a course of several exercises as in one of a single one, for `grade` as for `check`."""
    write(tmp_path, {"solution.py": "x = 1\n", name: "x = 2\n"})
    why = f"`solution.py` and `{name}` were both handed in: keep one of them"

    (hand_in,) = find_hand_ins(tmp_path, SLUG, SLUGS).hand_ins
    assert (hand_in.problem, find_hand_in(tmp_path / "s1", SLUG, any_name=True).problem) == (why, why)


@pytest.mark.parametrize("name", ["toy_two/toy_two.ipynb", "exercises/toy_two/solution.py"])
def test_a_solution_that_may_be_another_exercises_is_named_in_a_note(tmp_path: Path, name: str) -> None:
    """Where there is a folder for another exercise, too."""
    write(tmp_path, {"solution.py": "x = 1\n", "toy/toy.ipynb": NOTEBOOK, name: NOTEBOOK})

    (hand_in,) = find_hand_ins(tmp_path, SLUG, SLUGS).hand_ins
    assert hand_in.path == tmp_path / "s1/toy/toy.ipynb"
    assert hand_in.notes == ("only `toy/toy.ipynb` is graded, not `solution.py`",)


def test_the_starter_of_a_clone_is_named_in_a_note(tmp_path: Path) -> None:
    """Where the work lies in the exercise's own folder."""
    write(tmp_path, {"toy/toy.ipynb": NOTEBOOK, "exercises/toy/solution.py": "x = 2\n"})

    (hand_in,) = find_hand_ins(tmp_path, SLUG, SLUGS).hand_ins
    assert hand_in.notes == ("only `toy/toy.ipynb` is graded, not `exercises/toy/solution.py`",)


def test_what_was_set_aside_is_told_by_grade_too(tmp_path: Path) -> None:
    """Where the folder is that of a course."""
    write(tmp_path / "submitted", {"toy/toy.ipynb/x": ""})
    collect(tmp_path, SLUG)

    text, words = graded(tmp_path / "submitted")

    assert text is None
    assert words == "`toy.ipynb` is a folder where a file belongs, and was set aside"


@pytest.mark.parametrize("place", [".", "submitted", "submitted/s1"])
def test_what_collect_made_is_known_from_within(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Whatever folder one is in; the paths that are shown stay as they were given."""
    write(tmp_path / "submitted", {"toy/solution.py": "x = 2\n"})
    (tmp_path / "release.ipynb").write_text(NOTEBOOK)
    collect(tmp_path, SLUG, release=tmp_path / "release.ipynb")
    monkeypatch.chdir(tmp_path / place)
    folder = Path(os.path.relpath(tmp_path / "submitted"))

    assert find_hand_ins(folder, SLUG).hand_ins == (HandIn("s1", folder / "s1/toy/solution.py"),)
    home = Path(os.path.relpath(tmp_path / "submitted/s1"))
    found = find_hand_in(home, SLUG, any_name=True)
    assert (found.path, found.problem) == (home / "toy/solution.py", "")


def test_what_was_set_aside_is_told_from_within(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As from anywhere else."""
    write(tmp_path / "submitted", {"toy/toy.ipynb/x": ""})
    collect(tmp_path, SLUG)
    monkeypatch.chdir(tmp_path / "submitted/s1")

    assert "was set aside" in find_hand_in(Path(), SLUG, any_name=True).problem


def test_an_archive_for_a_folder_is_a_hand_in_without_a_grade(tmp_path: Path) -> None:
    """Every entry is accounted for."""
    (tmp_path / "jo.zip").write_bytes(b"PK")

    assert find_hand_ins(tmp_path, SLUG).hand_ins == (
        HandIn("jo", tmp_path / "jo.zip", "`jo.zip` is an archive: unpack it in this folder"),
    )


def test_a_folder_that_cannot_be_listed_is_not_called_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And costs nobody else anything."""
    write(tmp_path, {"toy/toy.ipynb": NOTEBOOK})
    (tmp_path / "s2.py").write_text("x = 1\n")
    scandir = os.scandir

    def refuse(path: str | Path) -> object:
        if Path(path) == tmp_path / "s1" / "toy":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return scandir(path)

    monkeypatch.setattr("handgrad.choice.os.scandir", refuse)
    locked, honest = find_hand_ins(tmp_path, SLUG).hand_ins

    assert locked.problem == "`s1/toy` cannot be read (permission denied): change its permissions"
    assert (honest.problem, locked.ours) == ("", False)


@pytest.mark.parametrize("code", [errno.EIO, errno.EMFILE, errno.ENOMEM])
def test_what_the_machine_refuses_is_not_the_learners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """In a folder of many it costs nobody else anything."""
    write(tmp_path, {"toy/toy.ipynb": NOTEBOOK})
    (tmp_path / "s2.py").write_text("x = 1\n")
    scandir = os.scandir

    def refuse(path: str | Path) -> object:
        if Path(path) == tmp_path / "s1" / "toy":
            raise OSError(code, os.strerror(code), str(path))
        return scandir(path)

    monkeypatch.setattr("handgrad.choice.os.scandir", refuse)
    why = f"`s1/toy` cannot be read ({os.strerror(code).lower()}), which is the machine's fault"

    broken, honest = find_hand_ins(tmp_path, SLUG).hand_ins
    assert (broken.problem.startswith(why), broken.ours, honest.problem) == (True, True, "")
    with pytest.raises(ToolError, match="the machine's fault: mend it"):
        find_hand_in(tmp_path / "s1", SLUG, any_name=True)
