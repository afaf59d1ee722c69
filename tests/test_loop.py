"""Hints, the road map, the starter back, a class carried over: the learner's loop beside checking."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from handgrad.build.carry import carry
from handgrad.catalog import Course, load_course
from handgrad.errors import ToolError, UsageError
from handgrad.loop import (
    is_started,
    next_hint,
    remember,
    remember_hint,
    reset,
    road_map,
    start,
    starter_text,
)
from handgrad.model import Check, CheckResult, Exercise, Status, Verdict
from handgrad.state import State

TOYS = Path(__file__).parent / "course"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """The toy course in a folder that may be written to."""
    shutil.copytree(TOYS, tmp_path / "course")
    return load_course(tmp_path / "course")


@pytest.fixture
def stack(course: Course) -> Exercise:
    """The stack exercise of that course."""
    return course.exercise("stack")


def solve(exercise: Exercise) -> None:
    """Put the reference where the learner works."""
    shutil.copy(exercise.reference_path, exercise.solution_path)


def verdict(slug: str = "stack", *statuses: Status, message: str = "", digest: str = "d") -> Verdict:
    """A verdict with one check of 2 points a status."""
    checks = [
        Check(f"test_{i}", f"Title {i}.", 2, ("nudge", "idea", "nearly"), False, Path("t.py"), 1)
        for i in range(len(statuses))
    ]
    results = tuple(CheckResult(c, s) for c, s in zip(checks, statuses, strict=True))
    return Verdict(slug, "", results, 1, "g", digest, message=message)


# ---- started or not


def test_the_starter_is_not_started(course: Course) -> None:
    """The text alone tells, however its lines end."""
    for exercise in course.exercises:
        text = exercise.solution_path.read_text()
        exercise.solution_path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())

        assert not is_started(exercise)


def test_any_change_is_a_start(stack: Exercise) -> None:
    """One line more is the learner's work."""
    stack.solution_path.write_text(stack.solution_path.read_text() + "# mine\n")

    assert is_started(stack)


def test_a_placeholder_deleted_is_a_start(stack: Exercise) -> None:
    """A file that lost nothing but a stub differs from the starter, and the starter can be had back."""
    starter = stack.solution_path.read_text()
    lines = starter.split("\n")
    stub = next(line for line in lines if line.strip().startswith("raise NotImplementedError("))
    stack.solution_path.write_text("\n".join(line for line in lines if line != stub))

    assert is_started(stack)
    assert "your file is kept" in reset(stack, State(stack.root))
    assert stack.solution_path.read_text() == starter


def test_a_file_that_cannot_be_read_is_started(stack: Exercise) -> None:
    """It must be checked, so that its sentence is read."""
    stack.solution_path.write_bytes(b"")

    assert is_started(stack)


def test_a_bundle_without_references_brings_its_starter(stack: Exercise) -> None:
    """`starter.py` beside the exercise stands in for the reference."""
    text = stack.solution_path.read_text()
    stack.reference_path.unlink()
    (stack.folder / "starter.py").write_text(text)

    assert starter_text(stack) == text
    assert not is_started(stack)


def test_without_reference_and_starter_one_sentence_says_so(stack: Exercise) -> None:
    """`is_started` then takes the file for work; the starter cannot be given back."""
    stack.reference_path.unlink()

    assert is_started(stack)
    with pytest.raises(UsageError, match="no starter for `stack` here"):
        starter_text(stack)


# ---- hints


def test_hints_come_one_at_a_time(stack: Exercise, tmp_path: Path) -> None:
    """Each call gives the next hint of the first failing check, and the last one again in the end."""
    state = State(tmp_path)
    failing = verdict("stack", Status.PASSED, Status.FAILED, Status.ERROR)
    texts = []
    for _ in range(4):
        hint = next_hint(stack, failing, state)
        remember_hint(stack, hint, state)
        texts.append(hint.text)

    assert texts[0] == "stack: Title 1.\nhint 1 of 3: nudge"
    assert texts[1].endswith("hint 2 of 3: idea")
    assert texts[2].endswith("hint 3 of 3: nearly")
    assert texts[3] == texts[2] + "\n(that was the last one)"


def test_another_check_begins_its_own_ladder(stack: Exercise, tmp_path: Path) -> None:
    """Counts belong to a check, not to the exercise."""
    state = State(tmp_path)
    remember_hint(stack, next_hint(stack, verdict("stack", Status.FAILED), state), state)

    assert "hint 1 of 3" in next_hint(stack, verdict("stack", Status.PASSED, Status.NOT_STARTED), state).text


@pytest.mark.parametrize(
    ("given", "feedback", "sentence"),
    [
        (
            verdict("stack", Status.PASSED),
            "full",
            "stack: every check passes, so there is nothing left to hint at",
        ),
        (
            verdict("stack", Status.NOT_RUN, message="line 3 is no Python"),
            "full",
            "stack: line 3 is no Python",
        ),
        (verdict("stack", Status.FAILED), "score", "stack: this course gives no hints"),
    ],
)
def test_where_there_is_no_hint_a_sentence_says_why(
    stack: Exercise, tmp_path: Path, given: Verdict, feedback: str, sentence: str
) -> None:
    """And nothing is counted."""
    hint = next_hint(stack, given, State(tmp_path), feedback)
    remember_hint(stack, hint, State(tmp_path))

    assert hint.text == sentence
    assert not (tmp_path / ".handgrad").exists()


@pytest.mark.parametrize(
    "junk", ["", "[1]", "{", '{"stack": 7}', '{"stack": {"test_0": "x"}}', '{"stack": {"test_0": -5}}']
)
def test_a_broken_memory_begins_anew(stack: Exercise, tmp_path: Path, junk: str) -> None:
    """What cannot be read counts as nothing."""
    (tmp_path / ".handgrad").mkdir()
    (tmp_path / ".handgrad" / "hints.json").write_text(junk)

    assert "hint 1 of 3" in next_hint(stack, verdict("stack", Status.FAILED), State(tmp_path)).text


# ---- the road map


def test_the_road_map_says_each_mark_in_words(course: Course, stack: Exercise) -> None:
    """Passed, points, not started: no mark is colour alone."""
    state = State(course.root)
    solve(stack)
    solve(course.exercise("shelf"))
    from handgrad.submission import read_submission

    digest = read_submission(stack.solution_path).digest
    remember([verdict("stack", Status.PASSED, digest=digest)], state)

    lines = road_map(course, state).splitlines()
    assert lines[0] == "Toys"
    assert lines[2].startswith("passed 2 of 2") and "A stack" in lines[2]
    assert "not started" in lines[3] and "started, not checked yet" in lines[4]
    assert lines[-1] == "1 of 3 exercises passed"


def test_a_file_changed_after_its_check_is_marked(course: Course, stack: Exercise) -> None:
    """An old mark is not taken for the present file's."""
    solve(stack)
    remember([verdict("stack", Status.PASSED, Status.FAILED, digest="of another text")], State(course.root))

    assert "2 of 4 points, changed since" in road_map(course, State(course.root))


def test_an_ungraded_verdict_leaves_the_mark(course: Course, stack: Exercise) -> None:
    """A fault of ours is never a learner's zero."""
    state = State(course.root)
    remember([verdict("stack", Status.PASSED)], state)
    remember([verdict("stack", Status.FAILED)._replace(ungraded="no sandbox")], state)

    assert state.read("progress")["stack"]["passed"] is True


def test_a_course_without_exercises_says_so(tmp_path: Path) -> None:
    """A fresh course folder."""
    (tmp_path / "course.toml").write_text('format = 1\ntitle = "Empty"\n')

    assert road_map(load_course(tmp_path), State(tmp_path)) == "this course has no exercises yet"


# ---- reset and start


def test_reset_keeps_the_file(course: Course, stack: Exercise) -> None:
    """The starter comes back; every older file stays under a number of its own."""
    state, starter = State(course.root), stack.solution_path.read_text()
    for text in ("# one\n", "# two\n"):
        stack.solution_path.write_text(text)
        said = reset(stack, state)

    assert stack.solution_path.read_text() == starter
    assert said == "stack: the starter is back, and your file is kept as .handgrad/kept/stack/solution-2.py"
    kept = sorted((course.root / ".handgrad" / "kept" / "stack").iterdir())
    assert [path.read_text() for path in kept] == ["# one\n", "# two\n"]


def test_reset_keeps_bytes_that_are_no_text(course: Course, stack: Exercise) -> None:
    """A file in another encoding is kept byte by byte."""
    stack.solution_path.write_bytes(b"# caf\xe9\r\n\0")
    reset(stack, State(course.root))

    kept = course.root / ".handgrad" / "kept" / "stack" / "solution-1.py"
    assert kept.read_bytes() == b"# caf\xe9\r\n\0"


def test_reset_of_a_starter_does_nothing(course: Course, stack: Exercise) -> None:
    """And says so."""
    assert reset(stack, State(course.root)) == "stack: nothing to reset, this is the starter"
    assert not (course.root / ".handgrad").exists()


def test_reset_brings_a_deleted_file_back(course: Course, stack: Exercise) -> None:
    """There is nothing to keep then."""
    stack.solution_path.unlink()

    assert reset(stack, State(course.root)) == "stack: the starter is back"
    assert not is_started(stack)


def test_a_reset_that_cannot_keep_the_file_changes_nothing(course: Course, stack: Exercise) -> None:
    """A full or read-only folder costs nothing but a sentence. (A file stands where the folder should be.)"""
    stack.solution_path.write_text("# mine\n")
    (course.root / ".handgrad").write_text("in the way")

    with pytest.raises(ToolError, match=r"cannot be written \(.*\): make room for it; nothing was changed"):
        reset(stack, State(course.root))
    assert stack.solution_path.read_text() == "# mine\n"


def test_start_says_what_to_read_and_edit(course: Course, stack: Exercise) -> None:
    """The first words after cloning."""
    said = start(course, stack, State(course.root), lambda exercise: verdict())

    assert said == "stack: A stack\nread exercises/stack/README.md, then edit exercises/stack/solution.py"


def test_start_overwrites_nothing(course: Course, stack: Exercise) -> None:
    """Begun work stays."""
    stack.solution_path.write_text("# mine\n")

    said = start(course, stack, State(course.root), lambda exercise: verdict())

    assert said == "stack: you have begun already: exercises/stack/solution.py"
    assert stack.solution_path.read_text() == "# mine\n"


def test_start_names_what_comes_before(course: Course) -> None:
    """A road map is advice, not a lock."""
    said = start(course, course.exercise("shelf"), State(course.root), lambda exercise: verdict())

    assert said.endswith("it comes after stack")


NEXT = """import math


class Stack:
    def __init__(self, items=()):
        self.items = list(items)

    def push(self, item):
        self.items.append(item)

    def clear(self):
        # TODO: write it.
        raise NotImplementedError("Stack.clear is still to be written")

    def peek(self):
        return self.items[-1]


def fill(stack):
    raise NotImplementedError("fill is still to be written")
"""


@pytest.fixture
def tower(course: Course) -> Course:
    """The toy course with an exercise that goes on from the stack."""
    folder = course.root / "exercises" / "tower"
    folder.mkdir()
    text = (course.root / "exercises" / "stack" / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text(text + 'reveals = ["stack"]\n')
    (folder / "starter.py").write_text(NEXT)
    return load_course(course.root)


def test_start_carries_a_class_that_passed(tower: Course) -> None:
    """A learner goes on with their own code."""
    solve(tower.exercise("stack"))

    said = start(tower, tower.exercise("tower"), State(tower.root), lambda e: verdict(e.slug, Status.PASSED))

    text = tower.exercise("tower").solution_path.read_text()
    assert "your own class is in there" in said
    assert "return iter(self.items[::-1])" in text and "Stack.clear is still to be written" in text


def test_start_leaves_what_was_to_do_behind(tower: Course) -> None:
    """Two comments that say TODO 1, one of them done long ago, would send a learner the wrong way."""
    solve(tower.exercise("stack"))

    start(tower, tower.exercise("tower"), State(tower.root), lambda e: verdict(e.slug, Status.PASSED))

    text = tower.exercise("tower").solution_path.read_text()
    assert "TODO" in tower.exercise("stack").solution_path.read_text()
    assert [line.strip() for line in text.split("\n") if "TODO" in line] == ["# TODO: write it."]


def test_start_says_why_a_class_is_not_carried(tower: Course) -> None:
    """Own code that does not pass would fail here, too."""
    solve(tower.exercise("stack"))

    said = start(tower, tower.exercise("tower"), State(tower.root), lambda e: verdict(e.slug, Status.FAILED))

    assert "the class in it is the given one, since your `stack` does not pass yet" in said
    assert tower.exercise("tower").solution_path.read_text() == NEXT


def test_start_with_given_keeps_the_given_class(tower: Course) -> None:
    """`--given` asks for the class that the starter brings."""
    solve(tower.exercise("stack"))

    start(
        tower,
        tower.exercise("tower"),
        State(tower.root),
        lambda e: verdict(e.slug, Status.PASSED),
        given=True,
    )

    assert tower.exercise("tower").solution_path.read_text() == NEXT


OWN = '''"""Mine."""
import math
from collections import deque


def newest(items):
    return items[-1]


class Stack:
\tdef __init__(self, items=()):
\t\tself.items = deque(items)

\tdef push(self, item):
\t\tself.items.append(item)

\tdef clear(self):
\t\treturn "mine"

\tdef pop(self):
\t\treturn newest(self.items)


print(Stack([1]).pop())
'''


def test_a_carried_class_keeps_todos_and_brings_what_it_needs() -> None:
    """Theirs: methods, imports, helpers. Ours: TODOs, methods they lack, functions. Theirs left out: the demo."""
    names: dict[str, object] = {}
    text = carry(NEXT, OWN)
    exec(text, names)
    stack = names["Stack"]([1, 2])  # type: ignore[operator]

    assert (stack.pop(), stack.peek(), type(stack.items).__name__) == (2, 2, "deque")
    with pytest.raises(NotImplementedError, match=r"Stack.clear is still"):
        stack.clear()
    assert text.count("import math") == 1 and "print" not in text


def test_the_todos_of_a_carried_class_stand_together_in_their_order() -> None:
    """One that the learner's class lacks comes before the next, not at the bottom among what is given."""
    starter = """class Value:
    def power(self):
        # TODO 1
        raise NotImplementedError("Value.power is still to be written")

    def backward(self):
        # TODO 2
        raise NotImplementedError("Value.backward is still to be written")

    def reset(self):
        # TODO 3
        raise NotImplementedError("Value.reset is still to be written")

    def add(self):
        return 1
"""
    own = """class Value:
    def add(self):
        return 2

    def backward(self):
        return 3

    # Given.

    def sub(self):
        return 4

    def reset(self):
        return 5

    def neg(self):
        return 6
"""
    text = carry(starter, own)

    assert re.findall(r"def \w+|TODO \d|Given", text) == [
        "def add",
        *("def power", "TODO 1", "def backward", "TODO 2", "def reset", "TODO 3"),
        "Given",
        *("def sub", "def neg"),
    ]
    assert "\n\n\n" not in text


@pytest.mark.parametrize(
    "own", ["class Queue:\n    pass\n", "class Stack(:\n", "x = '\0'", "class Stack: pass\n"]
)
def test_what_cannot_be_carried_leaves_a_starter_that_is_python(own: str) -> None:
    """Whatever the learner's file looks like, the next exercise can be begun."""
    compile(carry(NEXT, own), "solution.py", "exec")
