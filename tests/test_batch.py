"""A folder of hand-ins: every entry is accounted for, and one bad one stops nobody."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from handgrad.batch import HandIn, find_hand_in, find_hand_ins, grade_many, select
from handgrad.catalog import Course, load_course
from handgrad.errors import ExerciseError, ToolError, UsageError
from handgrad.model import Exercise, Status

TOYS = Path(__file__).parent / "course"
RIGHT = TOYS / "solutions" / "stack" / "solution.py"
WRONG = TOYS / "graders" / "stack" / "mistakes" / "queue.py"


@pytest.fixture
def course() -> Course:
    """The toy course."""
    return load_course(TOYS)


@pytest.fixture
def stack(course: Course) -> Exercise:
    """Its stack."""
    return course.exercise("stack")


def hand_in(path: Path, source: Path = RIGHT) -> None:
    """Put a copy of a solution at `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, path)


def problems(folder: Path) -> dict[str, str]:
    """The learners that were found, with what is wrong with each."""
    return {h.learner: h.problem for h in find_hand_ins(folder, "stack").hand_ins}


# ---- finding


@pytest.mark.parametrize(
    "place",
    [
        "ann/solution.py",
        "ann.py",
        "ann.ipynb",
        "ann/stack/stack.ipynb",
        "ann/stack.ipynb",
        "ann/stack.py",
        "ann/stack/solution.py",
        "ann/exercises/stack/solution.py",
    ],
)
def test_each_shape_is_found(tmp_path: Path, place: str) -> None:
    """A file, a folder a learner, nbgrader's layout, a clone of the course."""
    hand_in(tmp_path / place)

    assert find_hand_ins(tmp_path, "stack").hand_ins == (HandIn("ann", tmp_path / place),)


def test_learners_stand_in_the_order_people_count_in(tmp_path: Path) -> None:
    """s2 before s10, whatever its case."""
    for name in ("s10", "S2", "s1", "Zoë 李", "bad [x] (y)"):
        hand_in(tmp_path / name / "solution.py")

    assert list(problems(tmp_path)) == ["bad [x] (y)", "s1", "S2", "s10", "Zoë 李"]


def test_what_is_no_hand_in_is_named(tmp_path: Path) -> None:
    """A roster, hidden files, caches and test files are left aside by name."""
    for name in ("roster.csv", ".DS_Store", "conftest.py", "test_mine.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "__MACOSX").mkdir()
    hand_in(tmp_path / "ann.py")

    found = find_hand_ins(tmp_path, "stack")
    assert [h.learner for h in found.hand_ins] == ["ann"]
    assert found.ignored == (".DS_Store", "__MACOSX", "conftest.py", "roster.csv", "test_mine.py")


def test_an_empty_folder_handed_in_nothing(tmp_path: Path) -> None:
    """It is named, not dropped."""
    (tmp_path / "ann").mkdir()

    assert problems(tmp_path)["ann"].endswith(" was handed in: the folder is empty")


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("ann/a/b/solution.py", "`a/b/solution.py` lies too deep: move it up to `solution.py`"),
        ("ann/my work (1).ipynb", "`my work (1).ipynb` has another name: rename it to `solution.py`"),
        ("ann/notes.md", "no `solution.py` or `stack/stack.ipynb` was handed in, only `notes.md`"),
    ],
)
def test_a_folder_without_a_hand_in_says_what_to_do(tmp_path: Path, place: str, sentence: str) -> None:
    """Nested, renamed, something else."""
    hand_in(tmp_path / place)

    assert sentence in problems(tmp_path)["ann"]


def test_two_candidates_are_never_chosen_from(tmp_path: Path) -> None:
    """Neither in one folder nor beside it."""
    hand_in(tmp_path / "ann" / "solution.py")
    hand_in(tmp_path / "ann" / "stack" / "stack.ipynb")
    hand_in(tmp_path / "bob" / "solution.py")
    hand_in(tmp_path / "bob.py")

    assert problems(tmp_path) == {
        "ann": "`solution.py` and `stack/stack.ipynb` were both handed in: keep one of them",
        "bob": "`bob/solution.py` and `bob.py` were both handed in: keep one of them",
    }


@pytest.mark.parametrize("name", ["my stack.py", "Untitled 1.ipynb"])
def test_a_single_file_will_do_by_any_name_where_that_is_asked_for(tmp_path: Path, name: str) -> None:
    """A host's upload form renames files; test files and other kinds are no candidates."""
    for each in (name, "conftest.py", "notes.txt"):
        hand_in(tmp_path / each)

    found = find_hand_in(tmp_path, "stack", any_name=True)

    assert (found.learner, found.path, found.problem) == (tmp_path.name, tmp_path / name, "")


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("a.py", "b.py"), "`a.py` and `b.py` were handed in, and none is called `solution.py`: rename"),
        ([f"{n}.py" for n in range(7)], "`3.py` and `4.py` and 2 more were handed in, and none is called"),
        (("solution.py", "stack.py"), "`solution.py` and `stack.py` were both handed in: keep one of them"),
        (("a.py", "deep/er/solution.py"), "`deep/er/solution.py` lies too deep"),
        (("a.txt",), "no `solution.py` or `stack/stack.ipynb` was handed in, only `a.txt`"),
    ],
)
def test_by_any_name_nothing_is_chosen_either(tmp_path: Path, names: list[str], sentence: str) -> None:
    """Every candidate is told."""
    for name in names:
        hand_in(tmp_path / name)

    found = find_hand_in(tmp_path, "stack", any_name=True)
    assert sentence in found.problem
    assert found.path == tmp_path


@pytest.mark.parametrize("name", [".work", "__w__", "x~", "test_x.py", "in/.."])
def test_the_folder_that_is_named_may_be_called_anything(tmp_path: Path, name: str) -> None:
    """What is no hand-in by its name is so in a folder of many."""
    folder = tmp_path / name
    folder.mkdir(parents=True, exist_ok=True)
    hand_in(folder / "solution.py")

    found = find_hand_in(folder, "stack", any_name=True)
    assert (found.path, found.problem) == (folder / "solution.py", "")


def test_links_are_not_followed(tmp_path: Path) -> None:
    """A link could hand in somebody else's work, or the reference."""
    hand_in(tmp_path / "ann" / "solution.py")
    (tmp_path / "bob").symlink_to("ann")
    (tmp_path / "cyd.py").symlink_to(RIGHT)
    (tmp_path / "dan").mkdir()
    (tmp_path / "dan" / "stack").symlink_to(RIGHT.parent)

    found = problems(tmp_path)
    assert found.pop("ann") == ""
    assert set(found) == {"bob", "cyd", "dan"}
    assert all("is a link to another place" in problem for problem in found.values())


def test_a_folder_of_submissions_that_is_not_there_is_misuse(tmp_path: Path) -> None:
    """The path is named."""
    with pytest.raises(UsageError, match="cannot be read: no such file"):
        find_hand_ins(tmp_path / "gone", "stack")


def test_only_and_skip_choose_learners() -> None:
    """By the name of their folder."""
    hand_ins = [HandIn(name, Path(name)) for name in ("ann", "bob", "cyd")]

    assert [h.learner for h in select(hand_ins, ["ann", "bob"], ["bob"])] == ["ann"]
    assert [h.learner for h in select(hand_ins, [], ["bob"])] == ["ann", "cyd"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("amn", "nobody called `amn` handed anything in: did you mean `ann`?"), ("zzz", "there are 1 others")],
)
def test_an_unknown_learner_is_an_error(name: str, sentence: str) -> None:
    """A typing mistake must not mean nobody."""
    for only, skip in (([name], []), ([], [name])):
        with pytest.raises(UsageError) as caught:
            select([HandIn("ann", Path("ann"))], only, skip)

        assert sentence in str(caught.value)


# ---- grading


@pytest.mark.parametrize("jobs", [1, 2])
def test_everyone_gets_a_verdict_in_order(tmp_path: Path, course: Course, stack: Exercise, jobs: int) -> None:
    """Right, wrong, empty and broken ones, in one process or in several."""
    hand_in(tmp_path / "a.py")
    hand_in(tmp_path / "b.py", WRONG)
    (tmp_path / "c").mkdir()
    (tmp_path / "d.py").write_bytes(b"\xff\xfe")
    done: list[str] = []
    verdicts = grade_many(
        stack,
        find_hand_ins(tmp_path, "stack").hand_ins,
        course=course,
        jobs=jobs,
        done=lambda verdict: done.append(verdict.learner),
    )

    assert [(v.learner, v.score) for v in verdicts] == [("a", 14), ("b", 10), ("c", 0), ("d", 0)]
    assert sorted(done) == ["a", "b", "c", "d"]
    assert all(r.status is Status.NOT_RUN for v in verdicts[2:] for r in v.results)
    assert "was handed in: the folder is empty" in verdicts[2].ungraded and "UTF-16" in verdicts[3].message


def test_a_verdict_tells_when_the_work_was_handed_in(tmp_path: Path, course: Course, stack: Exercise) -> None:
    """Where nbgrader's file beside it says so; one that lies beside all hand-ins is nobody's."""
    hand_in(tmp_path / "ann/stack/solution.py")
    hand_in(tmp_path / "bob.py")
    for folder in (tmp_path, tmp_path / "ann/stack"):
        (folder / "timestamp.txt").write_text("2026-01-02 10:00:00.5 UTC")
    found = find_hand_ins(tmp_path, "stack").hand_ins
    verdicts = grade_many(stack, found, course=course)

    assert [v.submitted_at for v in verdicts] == ["2026-01-02T10:00:00+00:00", ""]


def test_a_verdict_tells_what_the_hidden_checks_drew_from(course: Course, stack: Exercise) -> None:
    """Equal work drew from the same; nothing is told where none of them ran."""
    missing = HandIn("cyd", Path("gone.py"))
    found = [HandIn("ann", RIGHT), HandIn("bob", RIGHT), HandIn("dan", WRONG), missing]
    ann, bob, dan, cyd = grade_many(stack, found, course=course)

    seeds = [r.detail.seed for r in ann.results if r.check.hidden and r.detail]
    assert seeds and all(seed.startswith(f"{ann.seeds}:") for seed in seeds)
    assert len({ann.seeds, bob.seeds}) == 1
    assert ann.seeds != dan.seeds != ""
    assert cyd.seeds == ""


def test_a_hostile_hand_in_stops_nobody(tmp_path: Path, course: Course, stack: Exercise) -> None:
    """One that leaves Python, one that never ends: each costs its own checks."""
    hand_in(tmp_path / "a.py")
    (tmp_path / "b.py").write_text("import os\nos._exit(0)\n")
    (tmp_path / "c.py").write_text("while True: pass\n")
    hand_in(tmp_path / "d.py")
    verdicts = grade_many(stack, find_hand_ins(tmp_path, "stack").hand_ins, course=course, jobs=2)

    assert [v.score for v in verdicts] == [14, 0, 0, 14]
    assert "your code ended Python" in verdicts[1].message
    assert "still running" in verdicts[2].message


def test_too_weak_a_sandbox_is_refused_before_anything_runs(course: Course, stack: Exercise) -> None:
    """In this process, and out of the others."""
    for jobs in (1, 2):
        with pytest.raises(ToolError, match="level 1, and level 2 is required"):
            grade_many(
                stack,
                [HandIn("a", RIGHT), HandIn("b", RIGHT)],
                course=course,
                jobs=jobs,
                level=1,
                require_level=2,
            )


def test_broken_graders_are_told_once(tmp_path: Path) -> None:
    """Not once a hand-in, and nobody gets a zero."""
    shutil.copytree(TOYS, tmp_path / "course")
    (tmp_path / "course" / "graders" / "stack" / "test_1_stack.py").write_text("def (\n")
    course = load_course(tmp_path / "course")

    with pytest.raises(ExerciseError, match=r"test_1_stack.py:1: "):
        grade_many(course.exercise("stack"), [HandIn("a", RIGHT)], course=course)


def test_a_file_that_the_machine_cannot_read_costs_no_points(
    tmp_path: Path, course: Course, stack: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no grade, and the others have theirs."""
    hand_in(tmp_path / "a.py")
    hand_in(tmp_path / "b.py")
    opened = os.open

    def refuse(path: str | Path, *words: int) -> int:
        if Path(path) == tmp_path / "a.py":
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return opened(path, *words)

    monkeypatch.setattr("handgrad.submission.os.open", refuse)
    broken, honest = grade_many(stack, find_hand_ins(tmp_path, "stack").hand_ins, course=course, jobs=1)

    assert "`a.py` cannot be read (input/output error), which is the machine's fault" in broken.ungraded
    assert (honest.ungraded, honest.score) == ("", 14)


@pytest.mark.parametrize("place", ["solution.py", "stack/stack.ipynb", "exercises/stack/solution.py"])
@pytest.mark.parametrize("beside", ["", "notes.md", "stack/notes.md"])
def test_what_is_no_file_is_named(tmp_path: Path, place: str, beside: str) -> None:
    """A folder in which it lies is not empty."""
    pipe = tmp_path / "fi" / place
    pipe.parent.mkdir(parents=True)
    os.mkfifo(pipe)
    if beside:
        (tmp_path / "fi/stack").mkdir(exist_ok=True)
        (tmp_path / "fi" / beside).write_text("x")

    assert problems(tmp_path) == {"fi": f"`{place}` is a pipe, not a file: save your answer as a plain file"}


def test_a_pipe_in_the_folder_does_not_block(tmp_path: Path, course: Course, stack: Exercise) -> None:
    """It is told like any other file that is none."""
    os.mkfifo(tmp_path / "a.py")
    (verdict,) = grade_many(stack, find_hand_ins(tmp_path, "stack").hand_ins, course=course)

    assert "is a pipe" in verdict.message
