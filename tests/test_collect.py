"""What lies in `submitted/` is put in order before nbgrader copies any of it."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from deep import dig, fill_in

from handgrad.errors import ToolError
from handgrad.integrations.collect import Handed, State, account, collect, lay_over, same_code

SLUG = "toy"
NOTEBOOK = json.dumps(
    {
        "cells": [
            {
                "cell_type": "code",
                "id": "solution",
                "metadata": {"nbgrader": {"solution": True, "grade": False, "grade_id": "solution"}},
                "source": ["x = 1"],
                "outputs": [],
                "execution_count": None,
            }
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)


def time_of(text: str) -> datetime | None:
    """A stand-in for nbgrader's reading of times."""
    return datetime.fromisoformat(text)


def put(course: Path, name: str, text: str = NOTEBOOK, learner: str = "s1") -> Path:
    """A file in a learner's folder."""
    path = course / "submitted" / learner / SLUG / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def one(course: Path, **words: object) -> Handed:
    """The one learner's record."""
    (handed,) = collect(course, SLUG, time_of=time_of, **words)  # type: ignore[arg-type]
    return handed


def test_a_notebook_under_its_name_is_ready(tmp_path: Path) -> None:
    """Nothing to say, nothing moved."""
    put(tmp_path, "toy.ipynb")

    handed = one(tmp_path)

    assert (handed.state, handed.notes) == (State.READY, ())
    assert handed.submission is not None
    assert handed.submission.text == "x = 1\n"


@pytest.mark.parametrize("name", ["toy (1).ipynb", "deep/er/toy.ipynb", "TOY.IPYNB"])
def test_the_only_notebook_is_taken_whatever_its_name(tmp_path: Path, name: str) -> None:
    """It is copied to where nbgrader looks, and that is said."""
    put(tmp_path, name)

    handed = one(tmp_path)

    assert handed.state is State.READY
    assert handed.notes == (f"`{name}` was taken as `toy.ipynb`",)


def test_a_second_run_says_and_does_the_same(tmp_path: Path) -> None:
    """What was made here is not taken for the learner's: a newer file of theirs counts."""
    put(tmp_path, "toy (1).ipynb")
    first = one(tmp_path)
    put(tmp_path, "toy (1).ipynb", NOTEBOOK.replace("x = 1", "x = 2"))

    second = one(tmp_path)

    assert first.notes == second.notes == ("`toy (1).ipynb` was taken as `toy.ipynb`",)
    assert second.submission is not None
    assert second.submission.text == "x = 2\n"


def test_work_outside_the_folder_is_moved_in(tmp_path: Path) -> None:
    """As when an archive was unpacked one folder too high."""
    (tmp_path / "submitted/s1").mkdir(parents=True)
    (tmp_path / "submitted/s1/toy.ipynb").write_text(NOTEBOOK)

    assert one(tmp_path).state is State.READY


SLUGS = ("toy", "toy_two", "box", "first_box")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("toy.ipynb", "toy"),
        ("toy (1).ipynb", "toy"),
        ("toy_final.ipynb", "toy"),
        ("Mueller_toy.ipynb", "toy"),
        ("Ada Lovelace_12345_assignsubmission_file_toy.ipynb", "toy"),
        ("Toy.IPYNB", "toy"),
        ("toy.py", "toy"),
        ("toy_two.ipynb", "toy_two"),
        ("Mueller_toy_two (1).ipynb", "toy_two"),
        ("first_box-toy.py", "first_box"),
        ("toy_box.ipynb", ""),
        ("toyota.ipynb", ""),
        ("toy2.ipynb", ""),
        ("mytoy.ipynb", ""),
        ("solution.py", ""),
    ],
)
def test_a_file_beside_the_folders_goes_to_the_exercise_that_its_name_tells(
    tmp_path: Path, name: str, slug: str
) -> None:
    """The longest slug of the course that stands in it; to none where that is not clear."""
    for each in SLUGS:
        (tmp_path / each / "submitted/s1").mkdir(parents=True)
        (tmp_path / each / "submitted/s1" / name).write_text(NOTEBOOK)

        collect(tmp_path / each, each, slugs=SLUGS)

    moved = [each for each in SLUGS if (tmp_path / each / "submitted/s1" / each / name).exists()]
    assert moved == ([slug] if slug else [])


def test_a_file_that_is_taken_for_nothing_is_named(tmp_path: Path) -> None:
    """Its folder is not called empty."""
    (tmp_path / "submitted/s1").mkdir(parents=True)
    (tmp_path / "submitted/s1/toyota.ipynb").write_text(NOTEBOOK)

    handed = one(tmp_path)

    assert handed.state is State.NOTHING
    assert "`toyota.ipynb` is not named after `toy`" in handed.notes[0]


def test_a_solution_beside_the_folder_is_for_the_only_exercise(tmp_path: Path) -> None:
    """Its name tells no exercise, and needs not where there is one."""
    (tmp_path / "submitted/s1").mkdir(parents=True)
    (tmp_path / "submitted/s1/solution.py").write_text("x = 2\n")
    (tmp_path / "release.ipynb").write_text(NOTEBOOK)

    assert one(tmp_path, release=tmp_path / "release.ipynb").state is State.READY


@pytest.mark.parametrize("name", ["toy_two.ipynb", "toy_two.py", "first_box (1).ipynb"])
def test_another_exercises_file_in_the_folder_is_no_answer(tmp_path: Path, name: str) -> None:
    """It would be graded as a wrong one."""
    put(tmp_path, name)
    (tmp_path / "release.ipynb").write_text(NOTEBOOK)

    handed = one(tmp_path, slugs=SLUGS, release=tmp_path / "release.ipynb")

    assert handed.state is State.SET_ASIDE
    assert f"`{name}` is named after" in handed.notes[-1]


def test_another_exercises_file_beside_the_answer_is_no_question(tmp_path: Path) -> None:
    """One of the two is plainly meant."""
    put(tmp_path, "toy_two.ipynb")
    put(tmp_path, "Mueller_toy.ipynb")

    assert one(tmp_path, slugs=SLUGS).notes == ("`Mueller_toy.ipynb` was taken as `toy.ipynb`",)


def huge(course: Path) -> None:
    """A notebook that is too large, and takes no room here."""
    with put(course, "toy.ipynb", "").open("wb") as file:
        file.truncate(64 * 2**20)


def link(name: str) -> Callable[[Path], None]:
    """A link in the place of a learner's folder, or in it."""

    def write(course: Path) -> None:
        path = course / "submitted" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to("/etc/passwd")

    return write


@pytest.mark.parametrize(
    "write",
    [huge, link("s1"), link("s1/toy"), link("s1/toy/toy.ipynb")],
    ids=["huge", "home", "folder", "file"],
)
def test_what_was_set_aside_is_told_in_every_run(tmp_path: Path, write: Callable[[Path], None]) -> None:
    """It was handed in: "the folder is empty" would be wrong."""
    write(tmp_path)
    first = one(tmp_path)
    second = one(tmp_path)
    third = one(tmp_path)

    assert first.state is State.SET_ASIDE
    assert "and was set aside" in first.notes[0]
    assert first == second == third


def test_a_thing_beside_the_work_that_was_set_aside_is_told_in_every_run(tmp_path: Path) -> None:
    """As long as it is kept."""
    put(tmp_path, "toy.ipynb")
    link("s1/toy/data")(tmp_path)
    first = one(tmp_path)
    second = one(tmp_path)
    (tmp_path / ".handgrad/set_aside/toy/s1/data").unlink()
    third = one(tmp_path)

    assert first == second
    assert second.notes == ("`data` is a link to another place, and was set aside",)
    assert third.notes == ()


def test_a_new_file_in_the_place_of_one_that_was_set_aside_is_the_work(tmp_path: Path) -> None:
    """Nothing is said of the old one any longer."""
    huge(tmp_path)
    one(tmp_path)
    put(tmp_path, "toy.ipynb")

    assert (one(tmp_path).state, one(tmp_path).notes) == (State.READY, ())


def test_a_copy_made_earlier_is_not_graded_for_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """What an earlier run made of the file before is not what is handed in now."""
    put(tmp_path, "solution.py", "x = 2\n")
    (tmp_path / "release.ipynb").write_text(NOTEBOOK)
    one(tmp_path, release=tmp_path / "release.ipynb")
    put(tmp_path, "solution.py").write_bytes(b"\xff\xfex\x00")

    handed = one(tmp_path, release=tmp_path / "release.ipynb")

    assert handed.state is State.UNREADABLE
    assert handed.submission is not None
    assert handed.submission.text == ""


def test_who_has_handed_in_something_else_is_no_case_for_us(tmp_path: Path) -> None:
    """Folders of other exercises only: no record."""
    (tmp_path / "submitted/s1/other").mkdir(parents=True)
    (tmp_path / "submitted/s2/exercises/other").mkdir(parents=True)
    (tmp_path / "submitted/s2/exercises/other/solution.py").write_text("x = 1\n")
    (tmp_path / "submitted/s3/homework").mkdir(parents=True)
    (tmp_path / "submitted/s3/homework/homework.ipynb").write_text(NOTEBOOK)
    (tmp_path / "source/homework").mkdir(parents=True)

    assert collect(tmp_path, SLUG, slugs=[SLUG, "other"]) == ()


@pytest.mark.parametrize(
    ("names", "state", "why"),
    [
        (
            ["hw/solution.py"],
            State.SET_ASIDE,
            "`hw/solution.py` lies in no folder called `toy`: if it belongs there, move it into that folder",
        ),
        (
            ["box/box.ipynb", "hw/try.py"],
            State.NOTHING,
            "`hw/try.py` lies in no folder called `toy`: if it belongs there, move it into that folder",
        ),
        (
            ["box/box.ipynb", "solution.py"],
            State.NOTHING,
            "`solution.py` is not named after `toy`: if it belongs there, move it into that folder",
        ),
        (
            ["hw/hw.zip"],
            State.SET_ASIDE,
            "`hw/hw.zip` lies in no folder called `toy`: if it belongs there, move it into that folder",
        ),
        (["hw.zip"], State.SET_ASIDE, "`hw.zip` is an archive: unpack it in a folder `toy`"),
        (["hw/notes.txt"], State.NOTHING, "the folder holds no notebook and no Python file"),
    ],
)
def test_work_that_tells_no_exercise_is_accounted_for(
    tmp_path: Path, names: list[str], state: State, why: str
) -> None:
    """It is in the list, with what to do; it is no fault where the learner has handed in other exercises."""
    for name in names:
        path = tmp_path / "submitted/s1" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(NOTEBOOK)

    handed = one(tmp_path, slugs=SLUGS)

    assert (handed.state, handed.notes) == (state, (why,))


def test_work_in_a_clone_of_the_course_is_taken(tmp_path: Path) -> None:
    """As `grade` takes it; the second run finds the same."""
    clone = tmp_path / "submitted/s1/exercises/toy"
    clone.mkdir(parents=True)
    (clone / "solution.py").write_text("x = 2\n")
    (tmp_path / "release.ipynb").write_text(NOTEBOOK)

    for notes in (("`exercises/toy/solution.py` was moved into the folder `toy`",), ()):
        handed = one(tmp_path, slugs=SLUGS, release=tmp_path / "release.ipynb")
        assert handed.submission is not None
        assert handed.submission.text == "x = 2\n"
        assert handed.notes == (*notes, "there was no notebook, so `solution.py` was taken")


def test_a_link_in_a_clone_is_not_followed(tmp_path: Path) -> None:
    """Neither is anything moved."""
    (tmp_path / "elsewhere/toy").mkdir(parents=True)
    (tmp_path / "elsewhere/toy/solution.py").write_text("x = 2\n")
    (tmp_path / "submitted/s1").mkdir(parents=True)
    (tmp_path / "submitted/s1/exercises").symlink_to(tmp_path / "elsewhere")

    handed = one(tmp_path)

    assert handed.state is State.SET_ASIDE
    assert handed.notes == ("`exercises` is a link to another place: hand in the files themselves",)
    assert (tmp_path / "elsewhere/toy/solution.py").exists()


@pytest.mark.parametrize(
    "place",
    ["TOY/toy.ipynb", "Toy/x.ipynb", "Toy/", "my toy/solution.py", "week 1/toy.ipynb", "week 1/toy/toy.py"],
)
def test_work_in_a_folder_of_another_name_is_accounted_for(tmp_path: Path, place: str) -> None:
    """It is in the list, with what to do; folders of other exercises change nothing."""
    for name in ("box/box.ipynb", place):
        path = tmp_path / "submitted/s1" / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True)
        if not name.endswith("/"):
            path.write_text(NOTEBOOK)

    handed = one(tmp_path, slugs=SLUGS)

    assert handed.state is State.SET_ASIDE
    assert handed.notes == (f"`{place.rstrip('/')}` lies in no folder called `toy`: rename that folder",)


def test_a_file_in_no_learners_folder_is_accounted_for(tmp_path: Path) -> None:
    """Unless its name tells another exercise."""
    put(tmp_path, "toy.ipynb")
    for name in ("loose.ipynb", "toy.py", "hw.zip", "box.ipynb", "roster.csv"):
        (tmp_path / "submitted" / name).write_text(NOTEBOOK)

    handed = collect(tmp_path, SLUG, slugs=SLUGS)

    assert [h.learner for h in handed] == ["s1", "hw.zip", "loose.ipynb", "toy.py"]
    assert {h.state for h in handed[1:]} == {State.SET_ASIDE}
    assert handed[1].notes == ("it lies in no learner's folder: move it to `<learner>/toy/`",)


def test_of_who_is_left_out_nothing_is_touched(tmp_path: Path) -> None:
    """Whichever way they are."""
    for learner in ("s1", "s2", "s3"):
        put(tmp_path, "toy (1).ipynb", learner=learner)

    assert [h.learner for h in collect(tmp_path, SLUG, learners=["s1", "s2"], skip=["s2"])] == ["s1"]
    assert [h.learner for h in collect(tmp_path, SLUG, skip=["s1", "s2"])] == ["s3"]
    assert not (tmp_path / "submitted/s2/toy/toy.ipynb").exists()


def test_nothing_submitted_at_all_is_nobody(tmp_path: Path) -> None:
    """No folder, no error."""
    assert collect(tmp_path, SLUG) == ()


def test_links_are_set_aside_and_kept(tmp_path: Path) -> None:
    """Of files, of the exercise's folder and of the learner's: the link moves, its target is not read."""
    put(tmp_path, "toy.ipynb")
    (tmp_path / "submitted/s1/toy/data.csv").symlink_to("/etc/passwd")
    (tmp_path / "submitted/s2").symlink_to("s1")
    (tmp_path / "submitted/s3").mkdir()
    (tmp_path / "submitted/s3/toy").symlink_to("../s1/toy")

    states = {h.learner: h.state for h in collect(tmp_path, SLUG)}

    assert states == {"s1": State.READY, "s2": State.SET_ASIDE, "s3": State.SET_ASIDE}
    aside = tmp_path / ".handgrad/set_aside/toy"
    assert {p.relative_to(aside).as_posix() for p in aside.rglob("*") if p.is_symlink()} == {
        "s1/data.csv",
        "s2/s2",
        "s3/toy",
    }


@pytest.mark.parametrize("name", [".git/config", ".DS_Store", "._toy", "__pycache__/x.pyc", ".git/a/b"])
def test_links_hide_in_nothing_that_is_ignored(tmp_path: Path, name: str) -> None:
    """nbgrader copies what is ignored here, and follows links: one to `/dev/zero` would fill the disk."""
    put(tmp_path, "toy.ipynb")
    link = tmp_path / "submitted/s1/toy" / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to("/dev/zero")

    handed = one(tmp_path)

    assert (handed.state, os.path.lexists(link)) == (State.READY, False)
    assert handed.notes == (f"`{link.name}` is a link to another place, and was set aside",)


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31m", "a\u202eb"])
def test_a_name_that_acts_is_set_aside(tmp_path: Path, name: str) -> None:
    """A line end in it made nbgrader give up on all the others."""
    put(tmp_path, "toy.ipynb", learner=name)
    put(tmp_path, "toy.ipynb", learner="z")

    acts, honest = collect(tmp_path, SLUG)

    assert (acts.state, honest.state) == (State.SET_ASIDE, State.READY)
    assert acts.notes == ("its name holds a character that cannot be shown: rename it",)


def test_an_account_shows_what_is_in_a_name(tmp_path: Path) -> None:
    """No file's name adds a line to the list, or moves the cursor."""
    put(tmp_path, "toy.ipynb")
    (tmp_path / "submitted/s1/toy/x\x1b[31m\nadmin  14 of 14").symlink_to("/etc/passwd")

    line = account({"score": 1, "max_score": 2, "outcome": "graded", "notes": one(tmp_path).notes})

    assert "`x\\x1b[31m admin  14 of 14`".replace("  ", " ") in line
    assert line.isprintable()


def test_files_that_are_ignored_stay_and_are_not_counted(tmp_path: Path) -> None:
    """A clone with its history is no reason to set work aside."""
    put(tmp_path, "toy.ipynb")
    for i in range(1010):
        put(tmp_path, f".git/objects/{i}", "")

    handed = one(tmp_path)

    assert (handed.state, handed.notes) == (State.READY, ())
    assert len(list((tmp_path / "submitted/s1/toy/.git/objects").iterdir())) == 1010


def test_folders_without_end_are_set_aside_whole(tmp_path: Path) -> None:
    """Deeper than Python calls itself: the others in the class are looked at all the same."""
    put(tmp_path, "toy.ipynb")
    put(tmp_path, "toy.ipynb", learner="s2")
    dig(tmp_path / "submitted/s1/toy")
    try:
        handed = collect(tmp_path, SLUG)

        assert [h.state for h in handed] == [State.READY, State.READY]
        assert handed[0].notes == ("`a` lies too deep or cannot be listed, and was set aside",)
    finally:
        for folder in ("submitted/s1/toy", ".handgrad/set_aside/toy/s1"):
            fill_in(tmp_path / folder)


@pytest.mark.parametrize(
    ("places", "state"),
    [
        (["toy.ipynb/x.ipynb"], State.SET_ASIDE),
        (["toy.ipynb/toy.ipynb", "toy (1).ipynb"], State.READY),
        (["toy.ipynb/x", "solution.py"], State.READY),
        (["toy.ipynb/"], State.SET_ASIDE),
        (["toy.ipynb/", "../toy.ipynb"], State.READY),
        (["toy.ipynb", "timestamp.txt/"], State.READY),
        (["toy.ipynb", "timestamp.txt/x"], State.READY),
    ],
)
def test_a_folder_where_a_file_belongs_is_set_aside(tmp_path: Path, places: list[str], state: State) -> None:
    """It stood in the way of the whole class: nothing can be written over it."""
    for place in places:
        if place.endswith("/"):
            (tmp_path / "submitted/s1/toy" / place).mkdir(parents=True)
        else:
            put(tmp_path, place, "x = 1\n" if place.endswith(".py") else NOTEBOOK)
    put(tmp_path, "toy.ipynb", learner="s2")
    (tmp_path / "release.ipynb").write_text(NOTEBOOK)

    handed, honest = collect(tmp_path, SLUG, time_of=time_of, release=tmp_path / "release.ipynb")

    assert (handed.state, honest.state) == (state, State.READY)
    assert "is a folder where a file belongs, and was set aside" in handed.notes[0]


@pytest.mark.parametrize(
    ("code", "place", "learners"),
    [
        (errno.EISDIR, "submitted/s1/toy/x", True),
        (errno.ENOTDIR, "submitted/s1/toy/x", True),
        (errno.ENAMETOOLONG, "submitted/s1/toy/x", True),
        (errno.EISDIR, None, True),
        (errno.ENOSPC, "submitted/s1/toy/x", False),
        (errno.EROFS, "submitted/s1/toy/x", False),
        (errno.EISDIR, ".handgrad/taken/toy/s1.txt", False),
    ],
)
def test_what_the_system_refuses_in_one_folder_costs_one_learner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, place: str | None, learners: bool
) -> None:
    """Whatever it is; a full or read-only disk, and what lies outside, is ours."""
    put(tmp_path, "toy (1).ipynb")
    put(tmp_path, "toy.ipynb", learner="s2")

    def refuse(path: Path, content: bytes, receipt: Path) -> None:
        raise OSError(code, os.strerror(code), str(tmp_path / place) if place else None)

    monkeypatch.setattr("handgrad.integrations.collect._make", refuse)

    if learners:
        handed, honest = collect(tmp_path, SLUG)
        assert (handed.state, honest.state) == (State.SET_ASIDE, State.READY)
        assert os.strerror(code) in handed.notes[0]
    else:
        with pytest.raises(ToolError, match="mend the disk"):
            collect(tmp_path, SLUG)


def test_a_name_under_which_nothing_can_be_filed_is_set_aside(tmp_path: Path) -> None:
    """With an ending it would be longer than systems take."""
    put(tmp_path, "toy (1).ipynb", learner="a" * 253)
    put(tmp_path, "toy.ipynb", learner="s2")

    long, honest = collect(tmp_path, SLUG)

    assert (long.state, honest.state) == (State.SET_ASIDE, State.READY)
    assert long.notes == ("its name is too long: rename it",)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may list everything")
@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_folder_nobody_may_list_stops_one_learner_at_most(tmp_path: Path, mode: int) -> None:
    """The others are looked at."""
    put(tmp_path, "toy.ipynb")
    put(tmp_path, "toy.ipynb", learner="s2")
    locked = put(tmp_path, "locked/x").parent
    locked.chmod(mode)

    handed = collect(tmp_path, SLUG)
    for path in tmp_path.rglob("locked"):
        path.chmod(0o700)

    assert handed[1].state is State.READY
    assert any("locked" in note for note in handed[0].notes)


def test_many_links_of_one_name_are_told_briefly(tmp_path: Path) -> None:
    """Each is kept on a shelf of its own; twenty names are enough to read."""
    put(tmp_path, "toy.ipynb")
    for i in range(30):
        link = tmp_path / f"submitted/s1/toy/{i}/x"
        link.parent.mkdir()
        link.symlink_to("/etc/passwd")

    assert len(one(tmp_path).notes) == 21
    assert len([p for p in (tmp_path / ".handgrad").rglob("x") if p.is_symlink()]) == 30


def test_a_second_thing_of_one_name_loses_nothing(tmp_path: Path) -> None:
    """Set aside twice: both are kept."""
    for _ in range(2):
        put(tmp_path, "toy.ipynb")
        (tmp_path / "submitted/s1/toy/d").symlink_to("/etc/passwd")
        one(tmp_path)

    assert len([p for p in (tmp_path / ".handgrad").rglob("d") if p.is_symlink()]) == 2


def test_a_pipe_waits_for_nobody(tmp_path: Path) -> None:
    """Reading it would hang."""
    put(tmp_path, "toy.ipynb")
    os.mkfifo(tmp_path / "submitted/s1/toy/pipe")

    assert one(tmp_path).notes == ("`pipe` is no plain file, and was set aside",)


def test_a_file_too_large_is_set_aside(tmp_path: Path) -> None:
    """Without being read: it takes no room here either."""
    path = put(tmp_path, "film.mp4", "")
    with path.open("wb") as file:
        file.truncate(40 * 2**20)

    assert one(tmp_path).state is State.SET_ASIDE


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("2026-01-02 10:00:00", ()),
        ("yesterday", ("`timestamp.txt` holds no time that can be read, and was set aside",)),
        ("", ("`timestamp.txt` holds no time that can be read, and was set aside",)),
        ("2999-01-02 10:00:00", ("its timestamp lies in the future",)),
    ],
)
def test_a_time_that_would_stop_nbgrader_is_set_aside(
    tmp_path: Path, text: str, note: tuple[str, ...]
) -> None:
    """The work is graded all the same."""
    put(tmp_path, "toy.ipynb")
    put(tmp_path, "timestamp.txt", text)

    handed = one(tmp_path)

    assert (handed.state, handed.notes) == (State.READY, note)
    assert handed.submission is not None
    assert handed.submission.submitted_at == ("" if "no time" in str(note) else f"{text[:10]}T10:00:00+00:00")


def test_several_notebooks_and_none_of_the_name_are_no_choice_of_ours(tmp_path: Path) -> None:
    """Never one of them in silence."""
    put(tmp_path, "a.ipynb")
    put(tmp_path, "b.ipynb")

    handed = one(tmp_path)

    assert handed.state is State.SET_ASIDE
    assert "which one counts?" in handed.notes[-1]


def test_a_python_file_is_laid_into_the_released_notebook(tmp_path: Path) -> None:
    """Where there is no notebook, `solution.py` is the answer."""
    put(tmp_path, "solution.py", "x = 2\n")
    release = tmp_path / "release.ipynb"
    release.write_text(NOTEBOOK)

    handed = one(tmp_path, release=release)

    assert handed.submission is not None
    assert handed.submission.text == "x = 2\n"


def test_a_python_file_without_a_release_is_nothing_to_grade(tmp_path: Path) -> None:
    """It cannot be put anywhere."""
    put(tmp_path, "solution.py", "x = 2\n")

    assert one(tmp_path).notes == ("`solution.py` can be taken once `toy` is released",)


def test_a_python_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    """And has no code."""
    put(tmp_path, "solution.py").write_bytes(b"\xff\xfex\x00")
    (tmp_path / "release.ipynb").write_text(NOTEBOOK)

    assert "UTF-16" in one(tmp_path, release=tmp_path / "release.ipynb").notes[-1]


COLLECT = """
import os, sys
from pathlib import Path
from handgrad.integrations.collect import collect
course, end = Path(sys.argv[1]), int(sys.argv[2])
seen = 0
def killed(event, given):
    global seen
    writes = event == "os.rename" or (event == "open" and "w" in str(given[1]))
    if writes and str(given[0]).startswith(sys.argv[1]):  # a coverage run opens files of its own
        seen += 1
        if seen > end:
            os._exit(9)
sys.addaudithook(killed)
collect(course, "toy", release=course / "release.ipynb")
"""


def collect_until(course: Path, end: int) -> subprocess.CompletedProcess[str]:
    """A run that is killed before it opens or renames the file after the first `end` ones."""
    words = [sys.executable, "-B", "-c", COLLECT, str(course), str(end)]
    return subprocess.run(words, capture_output=True, text=True)


@pytest.mark.parametrize("name", ["solution.py", "toy (1).ipynb"])
@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("end", range(5))
def test_a_run_that_is_killed_leaves_no_copy_that_counts(
    tmp_path: Path, name: str, before: bool, end: int
) -> None:
    """Between any two steps, the first time or over what an earlier run made."""
    release = tmp_path / "release.ipynb"
    release.write_text(NOTEBOOK)
    texts = [NOTEBOOK.replace("x = 1", f"x = {n}") if "ipynb" in name else f"x = {n}\n" for n in range(3)]
    if before:
        put(tmp_path, name, texts[0])
        one(tmp_path, release=release)
    put(tmp_path, name, texts[1])
    done = collect_until(tmp_path, end)
    put(tmp_path, name, texts[2])
    handed = one(tmp_path, release=release)

    assert done.returncode == (9 if end < 4 else 0), done.stderr
    assert handed.state is State.READY
    assert handed.submission is not None
    assert handed.submission.text == "x = 2\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of the size of files there")
@pytest.mark.parametrize("most", [30, 100])
def test_a_full_disk_makes_no_broken_notebook(tmp_path: Path, most: int) -> None:
    """The run stops, for the receipt or for the notebook; the next one takes the work as it is."""
    put(tmp_path, "solution.py", "x = 2\n")
    release = tmp_path / "release.ipynb"
    release.write_text(NOTEBOOK)
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most})); "
        "from pathlib import Path; from handgrad.integrations.collect import collect; "
        f"collect(Path({str(tmp_path)!r}), {SLUG!r}, release=Path({str(release)!r}))"
    )

    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True)
    handed = one(tmp_path, release=release)

    assert "cannot be put in order (File too large)" in done.stderr
    assert handed.state is State.READY
    assert handed.submission is not None
    assert handed.submission.text == "x = 2\n"


def test_a_copy_whose_source_is_gone_is_the_work(tmp_path: Path) -> None:
    """As after renaming the file as a note asked for."""
    path = put(tmp_path, "toy (1).ipynb")
    one(tmp_path)
    path.replace(path.with_name("toy.ipynb"))

    assert one(tmp_path).state is State.READY


def test_a_move_that_was_cut_short_is_taken_up_again(tmp_path: Path) -> None:
    """The folder is there and empty, the work still lies beside it."""
    (tmp_path / "submitted/s1/toy").mkdir(parents=True)
    (tmp_path / "submitted/s1/toy.ipynb").write_text(NOTEBOOK)

    assert one(tmp_path).state is State.READY


def test_an_archive_is_told_to_be_unpacked(tmp_path: Path) -> None:
    """It is not opened here."""
    put(tmp_path, "hw.zip")

    assert one(tmp_path).notes == ("`hw.zip` is an archive: unpack it in this folder",)


def test_a_disk_that_refuses_is_no_learners_fault(tmp_path: Path) -> None:
    """One sentence with the place."""
    put(tmp_path, "toy.ipynb")
    (tmp_path / "submitted/s1/toy/d").symlink_to("/etc/passwd")
    (tmp_path / ".handgrad").write_text("a file where a folder should be")

    with pytest.raises(ToolError, match="cannot be put in order"):
        collect(tmp_path, SLUG)


def test_a_name_that_no_database_takes_is_set_aside(tmp_path: Path) -> None:
    """As an old archive can leave it."""
    (tmp_path / "submitted" / os.fsdecode(b"Zo\xeb") / SLUG).mkdir(parents=True)

    assert one(tmp_path).notes == ("its name is not UTF-8: rename it",)


def test_equal_code_is_named_unless_it_is_the_starter(tmp_path: Path) -> None:
    """Whoever copied, and not whoever did nothing."""
    for learner in ("s1", "s2"):
        put(tmp_path, "toy.ipynb", learner=learner)
        put(tmp_path, "toy.ipynb", NOTEBOOK.replace("x = 1", "starter"), learner=f"{learner}0")

    assert same_code(collect(tmp_path, SLUG), "starter") == (("s1", "s2"),)


def test_code_is_laid_over_the_first_solution_cell() -> None:
    """And nothing stays in another one."""
    two = json.loads(NOTEBOOK)
    two["cells"] *= 2

    sources = [c["source"] for c in lay_over(json.dumps(two), "y = 3\n")["cells"]]

    assert sources == ["y = 3", ""]


def test_an_account_is_one_line() -> None:
    """Score, what is unusual, and the notes."""
    record = {
        "score": 3,
        "max_score": 14,
        "outcome": "unreadable",
        "notes": ["a", "b"],
        "again": "the work changed",
    }

    assert account(record) == "   3/14  unreadable: graded again: the work changed: a; b"
