"""Grading again: what changed is noticed, and what people wrote into the gradebook stays."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from handing_in import FULL, QUEUE, REFERENCE, SLUG, TOP, WRONG, answer, command, hand_in, make_course, saved

from handgrad.catalog import load_course
from handgrad.errors import HandgradError, ToolError
from handgrad.integrations.releasing import release

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own, of which there are many

NEW_CHECK = '''

@check(points=3, hint="Count again.")
def test_an_empty_stack_has_no_items(Stack):
    """A new stack is empty."""
    stack = Stack()

    count = len(stack)

    assert count == 0
'''


class Classroom:
    """A course that was released, with `s1` right and `s2` wrong, and nbgrader in this process."""

    def __init__(self, notebooks: Path) -> None:
        self.notebooks, self.course = notebooks, notebooks.parent
        self.said: list[str] = []

    def release(self) -> int:
        """Release the exercise once more, from its files as they are now."""
        course = load_course(self.course)
        exercise = course.exercise(SLUG)
        dist = self.course / "dist"
        return release(course, [exercise], notebooks=self.notebooks, dist=dist, say=self.said.append)

    def autograde(self, *learners: str) -> dict[str, dict[str, Any]]:
        """Grade; what became of each."""
        from handgrad.integrations import nbgrader as integration

        config = integration.load_config(self.notebooks)
        records: list[dict[str, Any]] = []
        everybody = [p.name for p in (self.notebooks / "submitted").iterdir()]
        integration.autograde(
            self.notebooks, SLUG, learners or everybody, config=config, told=records.append, level=1
        )
        return {r["learner"]: r for r in records if "learner" in r}

    def grades(self, learner: str) -> dict[str, tuple[float | None, float | None]]:
        """Automatic and manual points of each check, straight out of the gradebook."""
        with sqlite3.connect(self.notebooks / "gradebook.db") as database:
            rows = database.execute(
                "SELECT base_cell.name, auto_score, manual_score FROM grade "
                "JOIN base_cell ON base_cell.id = grade.cell_id "
                "JOIN submitted_notebook n ON n.id = grade.notebook_id "
                "JOIN submitted_assignment a ON a.id = n.assignment_id WHERE a.student_id = ?",
                [learner],
            ).fetchall()
        database.close()
        return {name: (auto, manual) for name, auto, manual in rows}

    def total(self, learner: str) -> float:
        """The automatic points."""
        return sum(auto or 0.0 for auto, _ in self.grades(learner).values())

    def execute(self, statement: str) -> None:
        """Change the gradebook as somebody at a form would."""
        with sqlite3.connect(self.notebooks / "gradebook.db") as database:
            database.execute(statement)
        database.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course, released and graded once, to copy from."""
    room = Classroom(make_course(tmp_path_factory.mktemp("made") / "course"))
    assert room.release() == 0, room.said
    hand_in(room.notebooks, "s1", answer(REFERENCE))
    hand_in(room.notebooks, "s2", answer(WRONG))
    assert {r["outcome"] for r in room.autograde().values()} == {"graded"}
    return room.course


@pytest.fixture
def room(made: Path, tmp_path: Path) -> Iterator[Classroom]:
    """A copy to change."""
    shutil.copytree(made, tmp_path / "course")
    yield Classroom(tmp_path / "course" / "notebooks")


def test_what_did_not_change_is_left_alone(room: Classroom) -> None:
    """A second run grades nobody."""
    outcomes = {learner: record["outcome"] for learner, record in room.autograde().items()}

    assert outcomes == {"s1": "unchanged", "s2": "unchanged"}


def test_a_changed_file_is_graded_again_without_a_newer_time(room: Classroom) -> None:
    """What is in the file decides, not a timestamp."""
    hand_in(room.notebooks, "s2", answer(REFERENCE))

    records = room.autograde()

    assert records["s2"]["again"] == "the work changed"
    assert (room.total("s1"), room.total("s2")) == (FULL, FULL)


def test_a_worse_file_takes_points_away_again(room: Classroom) -> None:
    """No score outlives the work it was given for."""
    hand_in(
        room.notebooks, "s1", lambda folder, notebook: (folder / f"{SLUG}.ipynb").write_bytes(b"{") and None
    )

    room.autograde()

    assert room.total("s1") == 0.0


def test_the_verdict_that_is_kept_tells_when_the_work_was_handed_in(room: Classroom) -> None:
    """As nbgrader's own file says, and not when it was graded."""
    folder = hand_in(room.notebooks, "s2", answer(REFERENCE))
    (folder / "timestamp.txt").write_text("2026-01-02 10:00:00.5 UTC", "utf-8")

    room.autograde()

    verdict = json.loads((room.notebooks / ".handgrad/verdicts/stack/s2.json").read_text("utf-8"))
    assert verdict["submitted_at"] == "2026-01-02T10:00:00+00:00"
    assert len(verdict["seeds"]) == 64


def test_manual_points_and_comments_survive(room: Classroom) -> None:
    """What a person wrote stays, beside the new automatic points."""
    room.execute("UPDATE grade SET manual_score = 1.5 WHERE auto_score = 0")
    room.execute("UPDATE comment SET manual_comment = 'well tried'")
    hand_in(room.notebooks, "s2", answer(REFERENCE))

    room.autograde()

    assert [pair for pair in room.grades("s2").values() if pair[1] is not None] == [(2.0, 1.5), (2.0, 1.5)]
    with sqlite3.connect(room.notebooks / "gradebook.db") as database:
        comments = database.execute("SELECT DISTINCT manual_comment FROM comment").fetchall()
    database.close()
    assert comments == [("well tried",)]


def test_the_points_of_a_submission_are_stored_together(
    room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What breaks halfway through leaves the old ones, all of them."""
    from nbgrader import utils

    determine, seen = utils.determine_grade, []

    def breaking(cell: Any, log: Any) -> Any:
        seen.append(cell.metadata.nbgrader.grade_id)
        if len(seen) == 8:
            raise RuntimeError("the last of them")
        return determine(cell, log)

    hand_in(room.notebooks, "s2", answer(REFERENCE))
    monkeypatch.setattr(utils, "determine_grade", breaking)

    records = room.autograde("s2")

    assert records["s2"]["outcome"] == "ungraded"
    assert len(seen) == 8
    assert room.total("s2") == QUEUE


def test_changed_checks_must_be_released_first(room: Classroom) -> None:
    """Grades are never made by checks that nobody was given."""
    grader = room.course / "graders/stack/test_1_stack.py"
    grader.write_text(grader.read_text("utf-8") + NEW_CHECK, "utf-8")
    _promise(room, checks=9, points=17)

    with pytest.raises(HandgradError, match="run `make release EX=stack` first"):
        room.autograde()
    assert room.total("s1") == FULL


def test_a_check_can_be_added_after_work_was_handed_in(room: Classroom) -> None:
    """Release and grading go through, and the earlier work gets its points for the new check."""
    grader = room.course / "graders/stack/test_1_stack.py"
    grader.write_text(grader.read_text("utf-8") + NEW_CHECK, "utf-8")
    _promise(room, checks=9, points=17)

    assert room.release() == 0, room.said
    records = room.autograde()

    assert records["s1"]["again"] == "the checks changed"
    assert (room.total("s1"), room.total("s2")) == (FULL + 3, QUEUE + 3)


def test_a_check_can_go_and_the_gradebook_before_is_kept(room: Classroom) -> None:
    """Its points leave the gradebook; a copy of what was there stays."""
    hidden = room.course / "graders/stack/hidden/test_2_use.py"
    kept, _, _ = hidden.read_text("utf-8").partition('@check(points=2, hint="Each stack')
    hidden.write_text(kept, "utf-8")
    _promise(room, checks=7, points=12)

    assert room.release() == 0, room.said
    room.autograde()

    assert room.total("s1") == FULL - 2
    assert len(list((room.notebooks / ".handgrad/backups").glob("gradebook-*.db"))) == 1


def test_a_learner_who_was_removed_comes_back_with_the_grade(room: Classroom) -> None:
    """The gradebook lost the row; the work is still there, and graded."""
    done = command(room.notebooks, "nbgrader", "db", "student", "remove", "s1", "--force")
    assert done.returncode == 0, done.stderr

    records = room.autograde()

    assert records["s1"]["again"] == "the gradebook had lost the work"
    assert room.total("s1") == FULL


def test_a_broken_grader_leaves_the_grades(room: Classroom) -> None:
    """It is refused before anything is touched, with file and line."""
    (room.course / "graders/stack/test_1_stack.py").write_text("def broken(:\n", "utf-8")
    hand_in(room.notebooks, "s2", answer(REFERENCE))

    with pytest.raises(HandgradError, match=r"test_1_stack.py:1"):
        room.autograde()
    assert (room.total("s1"), room.total("s2")) == (FULL, QUEUE)


def test_a_missing_grader_file_leaves_the_grades(room: Classroom) -> None:
    """Fewer checks than promised are no grade."""
    (room.course / "graders/stack/hidden/test_2_use.py").unlink()

    with pytest.raises(HandgradError, match="promises 8 checks"):
        room.autograde("s1")
    assert room.total("s1") == FULL


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of the size of files there")
def test_a_full_disk_leaves_the_grades(room: Classroom) -> None:
    """No file can grow: the run fails, and the old points are still there."""
    hand_in(room.notebooks, "s1", answer(WRONG))
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
        "from nbgrader.apps import NbGraderApp; sys.argv[1:] = ['autograde', 'stack']; NbGraderApp.launch_instance()"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=room.notebooks,
        env=os.environ
        | {"PYTHONPATH": str(TOP / "src"), "PYTHONDONTWRITEBYTECODE": "1"},  # nor half of a module's
        capture_output=True,
        text=True,
    )

    assert done.returncode == 1, done.stderr
    assert room.total("s1") == FULL


def test_a_full_disk_leaves_no_half_of_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict before stays as it was, and no backup stands there that holds less than its name says."""
    from handgrad.integrations import nbgrader as integration
    from handgrad.model import Verdict

    def full(path: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    verdict = Verdict(SLUG, "s1", (), level=2, grader_digest="", submission_digest="")
    kept = tmp_path / ".handgrad/verdicts/stack/s1.json"
    integration.write_verdict(tmp_path, verdict)
    before = kept.read_text("utf-8")
    (tmp_path / "gradebook.db").write_bytes(b"rows")
    monkeypatch.setattr(Path, "replace", full)

    with pytest.raises(ToolError, match="no space left"):
        integration.write_verdict(tmp_path, verdict._replace(message="new"))
    with pytest.raises(ToolError, match="no space left"):
        integration.back_up(f"sqlite:///{tmp_path}/gradebook.db")
    assert kept.read_text("utf-8") == before
    assert list((tmp_path / ".handgrad/backups").iterdir()) == []


def test_without_handgrad_nothing_is_graded(room: Classroom, tmp_path: Path) -> None:
    """Where our part cannot be loaded nbgrader stops, and does not run what learners wrote in its own way."""
    (tmp_path / "handgrad.py").write_text("raise ImportError('broken')\n", "utf-8")

    done = command(room.notebooks, "nbgrader", "autograde", SLUG, "--force", PYTHONPATH=str(tmp_path))

    assert done.returncode == 1
    assert "handgrad cannot be loaded" in done.stderr


def test_a_run_that_was_killed_is_taken_up_again(room: Classroom) -> None:
    """A copy that the run did not finish does not count as graded."""
    autograded = room.notebooks / "autograded/s1/stack/stack.ipynb"
    autograded.chmod(0o644)
    shutil.copyfile(room.notebooks / "release/stack/stack.ipynb", autograded)

    records = room.autograde()

    assert (records["s1"]["outcome"], records["s1"]["again"]) == ("graded", "the last run did not finish")
    assert records["s2"]["outcome"] == "unchanged"


def test_a_grade_made_at_a_lower_level_does_not_count(room: Classroom) -> None:
    """The course asks for a level, and a copy says at which it was graded."""
    copy = room.notebooks / "autograded/s1/stack/stack.ipynb"
    notebook = json.loads(copy.read_text("utf-8"))
    notebook["metadata"]["handgrad"]["level"] = 0
    copy.chmod(0o644)
    copy.write_text(json.dumps(notebook), "utf-8")

    records = room.autograde()

    assert records["s1"]["again"] == "it was graded at a lower sandbox level"
    assert records["s2"]["outcome"] == "unchanged"


def test_a_gradebook_in_use_is_waited_for(room: Classroom) -> None:
    """Another process holds it for longer than SQLite waits by itself."""
    hand_in(room.notebooks, "s2", answer(REFERENCE))
    holder = sqlite3.connect(room.notebooks / "gradebook.db", check_same_thread=False)
    holder.execute("BEGIN EXCLUSIVE")
    release = threading.Timer(7.0, holder.rollback)
    release.start()

    room.autograde()
    release.join()
    holder.close()

    assert room.total("s2") == FULL


def test_a_learner_who_comes_in_twice_at_once_is_graded(
    room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two assignments are graded at the same time, and both runs want to enter the same new learner."""
    from nbgrader.api import Gradebook

    find, met = Gradebook.find_student, []

    def found_too_early(gradebook: Any, student: str) -> Any:
        if student == "new" and not met:
            met.append(student)
            try:
                return find(gradebook, student)  # nobody yet
            finally:
                room.execute("INSERT INTO student (id, lms_user_id) VALUES ('new', '')")
        return find(gradebook, student)

    monkeypatch.setattr(Gradebook, "find_student", found_too_early)
    hand_in(room.notebooks, "new", answer(REFERENCE))

    records = room.autograde("new")

    assert met == ["new"]
    assert records["new"]["outcome"] == "graded"
    assert room.total("new") == FULL


def test_nobody_of_that_name_is_an_error(room: Classroom) -> None:
    """Not a run that graded nothing and says that all is well."""
    done = command(room.notebooks, "nbgrader", "autograde", SLUG, "--student", "s9")

    assert done.returncode == 1
    assert "nobody called `s9` handed in `stack`" in done.stderr


def test_who_is_left_out_is_left_alone(room: Classroom) -> None:
    """A run for one learner touches no other."""
    for learner in ("s1", "s2"):
        hand_in(room.notebooks, learner, lambda folder, notebook: saved(notebook, folder))

    records = room.autograde("s2")

    assert list(records) == ["s2"]
    assert (room.total("s1"), room.total("s2")) == (FULL, 0.0)


def test_nbgraders_own_assignments_stay_its_own(room: Classroom) -> None:
    """An assignment that is no exercise of the course is nbgrader's business."""
    from handgrad.integrations import nbgrader as integration

    config = integration.load_config(room.notebooks)
    folder = integration._coursedir(room.notebooks, "homework", config)

    assert integration.exercise_of(folder) is None


TRIED = f"from pathlib import Path\nPath('ran').write_text('ran')\n{REFERENCE}"


def _misspell_another(course: Path) -> None:
    path = course / "exercises/amounts/exercise.toml"
    path.write_text(path.read_text("utf-8").replace("level =", "levle ="), "utf-8")


def _ask_for_a_secret(course: Path) -> None:
    path = course / "course.toml"
    path.write_text(path.read_text("utf-8") + "\nsecret = 'missing.key'\n", "utf-8")


def _add_a_root(course: Path) -> None:
    path = course / "notebooks/nbgrader_config.py"
    path.write_text(path.read_text("utf-8").replace("configure(c)", "configure(c, roots=['/not/there'])"))


def _remove_the_description(course: Path) -> None:
    (course / "exercises/stack/exercise.toml").unlink()


def _remove_the_course(course: Path) -> None:
    (course / "course.toml").unlink()


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (_misspell_another, "unknown key `levle`"),
        (_ask_for_a_secret, "the `secret` file `missing.key` cannot be read"),
        (_add_a_root, "the added root `/not/there` is not a folder"),
        (_remove_the_description, "`stack` is no exercise, and yet there is"),
        (_remove_the_course, "no `course.toml` in"),
    ],
)
def test_a_broken_course_hands_no_code_to_a_kernel(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, break_it: Callable[[Path], None], said: str
) -> None:
    """What cannot be read is no licence for nbgrader to grade in its own way: it stops and says why."""
    from handgrad.integrations import nbgrader as integration

    monkeypatch.setattr(integration, "_ROOTS", [])
    hand_in(room.notebooks, "s2", answer(TRIED))
    break_it(room.course)

    with pytest.raises(HandgradError, match=said):
        room.autograde()
    assert not list(room.course.rglob("ran"))
    assert (room.total("s1"), room.total("s2")) == (FULL, QUEUE)


def test_the_command_itself_stops_at_a_broken_course(room: Classroom) -> None:
    """As typed by hand: exit code 1, and the file to mend in the log."""
    _misspell_another(room.course)

    done = command(room.notebooks, "nbgrader", "autograde", SLUG, "--force")

    assert done.returncode == 1
    assert "amounts/exercise.toml: unknown key `levle`" in done.stderr


@pytest.mark.parametrize("name", ["*", "sta*", "STACK", "./stack", "stack/", "[st]tack"])
def test_no_other_way_to_write_a_slug_reaches_a_kernel(room: Classroom, name: str) -> None:
    """nbgrader reads an assignment's name as a path and a pattern, and would find the same hand-ins."""
    from handgrad.integrations import nbgrader as integration

    folder = integration._coursedir(room.notebooks, name, integration.load_config(room.notebooks))

    with pytest.raises(HandgradError, match="too: name one exercise"):
        integration.exercise_of(folder)


def _promise(room: Classroom, *, checks: int, points: int) -> None:
    path = room.course / "exercises/stack/exercise.toml"
    lines = path.read_text("utf-8").splitlines()
    kept = [line for line in lines if not line.startswith(("checks", "points"))]
    path.write_text(
        "\n".join([*kept[:1], f"checks = {checks}", f"points = {points}", *kept[1:]]) + "\n", "utf-8"
    )
