"""Courses are read as they are described, and a description that is not understood is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from handgrad.catalog import find_course, load_course
from handgrad.errors import ExerciseError, UsageError

COURSE = 'format = 1\ntitle = "Toys"\n'
EXERCISE = 'format = 1\ntitle = "T"\nlevel = "easy"\nsummary = "s"\npoints = 3\nchecks = 2\n'


def write_course(root: Path, course: str = COURSE, **exercises: str) -> Path:
    """A course folder with the given `course.toml` and one exercise a keyword."""
    root.mkdir(exist_ok=True)
    (root / "course.toml").write_text(course)
    for slug, text in exercises.items():
        folder = root / "exercises" / slug
        folder.mkdir(parents=True)
        (folder / "exercise.toml").write_text(text)
    return root


def test_the_course_is_found_from_any_folder_inside_it(tmp_path: Path) -> None:
    """`find_course` walks up to the nearest `course.toml`."""
    root = write_course(tmp_path / "course", stack=EXERCISE)

    assert find_course(root / "exercises" / "stack") == root


def test_no_course_is_one_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    """Outside of a course the error names the folder and the option."""
    with pytest.raises(UsageError, match=r"no `course.toml` in .* name it with --course"):
        find_course(tmp_path)


def test_an_exercise_has_what_its_file_says(tmp_path: Path) -> None:
    """Every key lands in the field of its name, limits among them."""
    text = EXERCISE + 'goals = ["g"]\npreload = ["numpy"]\n[limits]\ncpu_seconds = 5\n'
    exercise = load_course(write_course(tmp_path / "c", stack=text)).exercise("stack")

    assert (exercise.title, exercise.points, exercise.checks) == ("T", 3, 2)
    assert (exercise.goals, exercise.preload, exercise.limits.cpu_seconds) == (("g",), ("numpy",), 5)
    assert exercise.solution_path == tmp_path / "c" / "exercises" / "stack" / "solution.py"


def test_exercises_stand_in_the_order_of_the_roadmap(tmp_path: Path) -> None:
    """An exercise comes after those it names; a name that is not in the course (a bundle) is no error."""
    root = write_course(
        tmp_path / "c",
        a=EXERCISE + 'after = ["z", "elsewhere"]\n',
        m=EXERCISE,
        z=EXERCISE + 'reveals = ["q"]\n',
    )

    assert [e.slug for e in load_course(root).exercises] == ["m", "z", "a"]


def test_a_circle_in_after_is_refused(tmp_path: Path) -> None:
    """Two exercises that wait for each other are named."""
    root = write_course(tmp_path / "c", a=EXERCISE + 'after = ["b"]\n', b=EXERCISE + 'after = ["a"]\n')

    with pytest.raises(ExerciseError, match="circle among a, b"):
        load_course(root)


def test_an_unknown_slug_lists_the_known_ones(tmp_path: Path) -> None:
    """The learner who mistyped sees what there is."""
    course = load_course(write_course(tmp_path / "c", stack=EXERCISE, deck=EXERCISE))

    with pytest.raises(
        UsageError, match=r"no exercise `stak`: did you mean `stack`\? \(this course has deck, stack\)"
    ):
        course.exercise("stak")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (EXERCISE + "colour = 1\n", "exercise.toml: unknown key `colour`"),
        (EXERCISE + "minutes = '5'\n", "exercise.toml: `minutes` must be a whole number"),
        (EXERCISE + "minutes = true\n", "exercise.toml: `minutes` must be a whole number"),
        (EXERCISE + "minutes = -1\n", "exercise.toml: `minutes` must not be negative"),
        (EXERCISE + "tags = [1]\n", "exercise.toml: `tags` must be a list of texts"),
        (EXERCISE.replace("easy", "brutal"), "exercise.toml: `level` is `brutal`: it must be one of easy"),
        (EXERCISE.replace("points = 3\n", ""), "exercise.toml: the key `points` is missing"),
        (
            EXERCISE.replace("format = 1", "format = 2"),
            "exercise.toml: `format` is `2`: this handgrad reads format 1",
        ),
        (EXERCISE + "[limits]\nspeed = 1\n", "exercise.toml: unknown key `limits.speed`"),
        (
            EXERCISE + "[limits]\nmemory_bytes = 1.5\n",
            "exercise.toml: `limits.memory_bytes` must be a whole number",
        ),
        (EXERCISE + "[limits]\ncpu_seconds = 0\n", "exercise.toml: `limits.cpu_seconds` must be above 0"),
        (EXERCISE + "[limits]\nchecks = 3\n", "exercise.toml: `limits.checks` must be a table"),
        (
            EXERCISE + "[limits.checks]\ntest_x = -1\n",
            "exercise.toml: `limits.checks.test_x` must be above 0",
        ),
        (
            EXERCISE + "[limits.checks]\ntest_x = true\n",
            "exercise.toml: `limits.checks.test_x` must be a number",
        ),
        (EXERCISE + "[limits]\ncpu_seconds = nan\n", "exercise.toml: `limits.cpu_seconds` must be above 0"),
        (EXERCISE + "title = \n", "exercise.toml is not valid TOML"),
        pytest.param(EXERCISE + "tags = " + "[" * 100_000, "not valid TOML: nested too deep", id="nested"),
    ],
)
def test_what_is_not_understood_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    """File and key stand in the error, and what would be right."""
    with pytest.raises(ExerciseError) as caught:
        load_course(write_course(tmp_path / "c", stack=text))

    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            'format = 1\ntitle = "T"\nfeedback = "none"\n',
            "`feedback` is `none`: it must be one of full, rule, score",
        ),
        ('format = 1\ntitle = "T"\nrequire_level = 4\n', "`require_level` is `4`: it must be 0, 1, 2 or 3"),
        ('format = 1\ntitle = "T"\nsecret = "gone"\n', "the `secret` file `gone` cannot be read"),
        ("title = 1\n", "`title` must be a text"),
    ],
)
def test_a_wrong_course_file_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    """The same holds for course.toml."""
    with pytest.raises(ExerciseError) as caught:
        load_course(write_course(tmp_path / "c", text))

    assert sentence in str(caught.value)


def test_a_description_that_is_not_utf8_is_told(tmp_path: Path) -> None:
    """An author's editor may save in another encoding."""
    root = write_course(tmp_path / "c", stack=EXERCISE)
    (root / "course.toml").write_bytes(b'title = "\xe9"\n')

    with pytest.raises(ExerciseError, match="not UTF-8: save it as UTF-8"):
        load_course(root)


def test_a_byte_order_mark_in_a_description_is_dropped(tmp_path: Path) -> None:
    """A mark at the start changes nothing."""
    root = write_course(tmp_path / "c", "\ufeff" + COURSE)

    assert load_course(root).title == "Toys"


def test_the_secret_is_the_bytes_of_its_file(tmp_path: Path) -> None:
    """`secret` names a file beside course.toml."""
    root = write_course(tmp_path / "c", COURSE + 'secret = "s.key"\n')
    (root / "s.key").write_bytes(b"\x00xyz")

    assert load_course(root).secret == b"\x00xyz"


def test_an_added_root_brings_checks_and_exercises(tmp_path: Path) -> None:
    """The first root describes an exercise; totals of an added one are added; its own exercises come along."""
    first = write_course(tmp_path / "c", stack=EXERCISE)
    extra = write_course(tmp_path / "x", stack=EXERCISE.replace('"T"', '"Other"'), queue=EXERCISE)
    (extra / "graders" / "stack" / "hidden").mkdir(parents=True)
    (extra / "graders" / "stack" / "totals.toml").write_text("points = 4\nchecks = 1\n")
    course = load_course(first, [extra])

    stack = course.exercise("stack")
    assert (stack.title, stack.root, stack.roots) == ("T", first, (first, extra))
    assert (stack.points, stack.checks) == (7, 3)
    assert course.exercise("queue").root == extra


def test_an_added_root_must_say_how_much_it_adds(tmp_path: Path) -> None:
    """Without totals a lost private grader would go unseen."""
    first, extra = write_course(tmp_path / "c", stack=EXERCISE), tmp_path / "x"
    (extra / "graders" / "stack").mkdir(parents=True)

    with pytest.raises(ExerciseError, match=r"totals.toml cannot be read.*how many `points` and `checks`"):
        load_course(first, [extra])


def test_a_description_that_is_a_folder_is_told(tmp_path: Path) -> None:
    """One sentence for the author."""
    root = write_course(tmp_path, stack=EXERCISE)
    path = root / "exercises/stack/exercise.toml"
    path.unlink()
    path.mkdir()

    with pytest.raises(ExerciseError, match=r"exercise\.toml: is no plain file"):
        load_course(root)


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("", "adds nothing: checks belong into its"),
        ("private/graders/stack", "adds nothing"),  # one folder too high was named
        ("stack/hidden", "adds nothing"),  # and one too low
        ("graders/stak", "has checks for `stak`: this course has stack"),
    ],
)
def test_an_added_root_that_adds_nothing_is_a_slip(tmp_path: Path, folder: str, said: str) -> None:
    """Its checks would be missing for everybody, and nobody would see it."""
    (tmp_path / "x" / folder).mkdir(parents=True)

    with pytest.raises(UsageError, match=said):
        load_course(write_course(tmp_path / "c", stack=EXERCISE), [tmp_path / "x"])


def test_an_added_root_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A mistyped --root is misuse."""
    with pytest.raises(UsageError, match="added root .* is not a folder"):
        load_course(write_course(tmp_path / "c"), [tmp_path / "nowhere"])
