"""Doctor finds what is planted, says where, and finds nothing in a sound course."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from handgrad.catalog import load_course
from handgrad.cli import main
from handgrad.doctor import examine, fast_enough, fix, worth_it
from handgrad.inspection import lint
from handgrad.judge.loader import load_text
from handgrad.trial import IN_PROCESS, NOTEBOOK, PLAIN, Case, Outcome, available_modes, cases_of

TOYS = Path(__file__).parent / "course"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course with the stack alone, that may be written to."""
    for kind in ("exercises", "solutions", "graders"):
        shutil.copytree(TOYS / kind / "stack", tmp_path / kind / "stack")
    for mistake in (tmp_path / "graders" / "stack" / "mistakes").iterdir():
        if mistake.stem not in ("queue", "shared_default"):
            mistake.unlink()
    shutil.copy(TOYS / "course.toml", tmp_path)
    return tmp_path


def problems(root: Path, *modes: str, seeds: int = 0, pristine: bool = False) -> str:
    """What doctor says of the course, a line each, with paths from the course folder."""
    course = load_course(root)
    found = examine(
        course,
        course.exercises,
        modes=modes or (IN_PROCESS,),
        seeds=seeds,
        pristine=pristine,
        thorough=True,
        jobs=1,
    )
    return "\n".join(str(problem) for problem in found.problems)


def edit(path: Path, old: str, new: str) -> None:
    """Replace a piece of text that must be there."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_sound_course_has_no_problems(root: Path) -> None:
    """In every mode that this machine has, and under other seeds."""
    assert problems(root, *available_modes(), seeds=1, pristine=True) == ""


def test_where_no_clock_ends_a_loop_nothing_runs_in_doctors_own_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Windows has no `setitimer`: a mistake that loops would hold doctor for ever."""
    import signal

    monkeypatch.delattr(signal, "setitimer")

    assert not {IN_PROCESS, NOTEBOOK} & set(available_modes())


def test_a_byte_order_mark_changes_nothing(root: Path) -> None:
    """Some editors write one into what an author saves: command and notebook read each file without it."""
    starter = root / "exercises/stack/solution.py"
    for path in [*root.rglob("*.py"), *root.rglob("*.md"), *root.rglob("*.toml")]:
        if path != starter:
            path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert problems(root, IN_PROCESS, NOTEBOOK, pristine=True) == ""


def test_a_reference_that_is_no_python_is_a_finding(root: Path) -> None:
    """The author's slip, in words, and no fault of the kit's."""
    path = root / "solutions/stack/solution.py"
    path.write_text(path.read_text("utf-8") + "def (\n", "utf-8")

    assert "the reference is not Python (" in problems(root, IN_PROCESS)


def test_what_is_slow_or_much_alike_is_run_less_often(root: Path) -> None:
    """Everything in the first mode; the reference in all; a quick mistake in one more worker; `thorough`: all."""
    modes = ("level 3", "level 2", PLAIN, IN_PROCESS, NOTEBOOK)
    exercise = load_course(root).exercise("stack")
    cases = [case for case in cases_of(exercise, modes, 0) if case.kind != "step"]
    slow = Outcome(next(c for c in cases if c.name == "queue"), (), seconds=9.0)

    def ways(*outcomes: Outcome) -> dict[str, list[str]]:
        kept = worth_it([c for c in cases if c.mode != modes[0]], outcomes, modes)
        return {
            name: [c.mode for c in kept if (c.name or c.kind) == name]
            for name in ("reference", "queue", "linked")
        }

    assert ways()["reference"] == list(modes[1:])
    assert ways()["queue"][1:] == [IN_PROCESS, NOTEBOOK] and len(ways()["linked"]) == 3
    assert ways(slow)["queue"] == [] and len(ways(slow)["linked"]) == 3


# ---- what is seen without running

STACK = "graders/stack/test_1_stack.py"
TOML = "exercises/stack/exercise.toml"

PLANTED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a renamed grader": (
        lambda r: (r / STACK).rename(r / "graders/stack/stack.py"),
        "graders/stack/stack.py: is read by nothing: rename it to `test_….py`, or remove it",
    ),
    "fewer checks than promised": (
        lambda r: (r / STACK).unlink(),
        "exercises/stack/exercise.toml:9: says `checks = 8`, and the graders hold 2",
    ),
    "other points than promised": (
        lambda r: edit(r / TOML, "points = 14", "points = 15"),
        "exercises/stack/exercise.toml:8: says `points = 15`, and the graders hold 14",
    ),
    "an exercise that is not there": (
        lambda r: (r / TOML).write_text((r / TOML).read_text() + 'after = ["queue"]\n'),
        "exercises/stack/exercise.toml:10: `after` names `queue`: no exercise here",
    ),
    "a file that is not there": (
        lambda r: (r / TOML).write_text((r / TOML).read_text() + 'files = ["data.csv"]\n'),
        "exercises/stack/exercise.toml:10: `files` names `data.csv`: not there",
    ),
    "no statement": (
        lambda r: (r / "exercises/stack/README.md").write_text(" \n"),
        "exercises/stack/README.md: is missing or empty",
    ),
    "no starter": (
        lambda r: (r / "exercises/stack/solution.py").unlink(),
        "exercises/stack/solution.py: is missing (handgrad doctor --fix)",
    ),
    "no reference": (
        lambda r: (r / "solutions/stack/solution.py").unlink(),
        "solutions/stack/solution.py: is missing: write the reference in it",
    ),
    "a marker without its end": (
        lambda r: edit(
            r / "solutions/stack/solution.py", "self.items.append(item)\n        ### END SOLUTION", "pass"
        ),
        "solutions/stack/solution.py:19: ",
    ),
    "a grader that is no Python": (lambda r: (r / STACK).write_text("def (\n"), f"{STACK}:1: "),
    "a folder of no exercise": (
        lambda r: (r / "graders" / "queue").mkdir(),
        "graders/queue: belongs to no exercise: add `exercises/queue/exercise.toml`, or remove it",
    ),
    "an expected value of the learner's": (
        lambda r: edit(r / STACK, "assert count == 3", "assert count == len(stack.items)"),
        f"{STACK}:50: the right side reads `stack`, which comes from the learner's code",
    ),
    "a word that clashes in the notebook": (
        lambda r: edit(r / STACK, "import check, equal, raises", "import check, equal, raises as Stack"),
        "is a word of",
    ),
    "a mistake that says nothing": (
        lambda r: (r / "graders/stack/mistakes/queue.py").write_text("Stack = 3\n"),
        "graders/stack/mistakes/queue.py:1: has no docstring: its first line is what a learner should read",
    ),
    "a mistake that names no check": (
        lambda r: edit(r / "graders/stack/mistakes/queue.py", "test_pop_takes", "test_pop_make"),
        "graders/stack/mistakes/queue.py:3: names `test_pop_make_the_top_away`, which is no visible check",
    ),
    "a mistake like another that is gone": (
        lambda r: edit(r / "graders/stack/mistakes/queue.py", "_away\n", "_away\nsame as: stack_of_doom\n"),
        "graders/stack/mistakes/queue.py:4: is the same as `stack_of_doom`, which is not there",
    ),
    "a variant without a word": (
        lambda r: edit(
            r / "graders/stack/variants/linked.py", '"""A chain of pairs instead of a list."""', ""
        ),
        "graders/stack/variants/linked.py:1: has no docstring",
    ),
    # ---- what running shows
    "a mistake that passes everything": (
        lambda r: edit(r / "graders/stack/mistakes/queue.py", "pop(0)", "pop()"),
        "graders/stack/mistakes/queue.py:1: passes everything (in-process): add a check that catches it "
        "(handgrad check stack --submission graders/stack/mistakes/queue.py --in-process)",
    ),
    "a mistake that fails more than it says": (
        lambda r: edit(r / "graders/stack/mistakes/queue.py", "return len(self.items)", "return 7"),
        "graders/stack/mistakes/queue.py:1: fails `test_len_counts_the_items`, too (in-process): add to `fails:`",
    ),
    "a mistake that fails less than it says": (
        lambda r: edit(
            r / "graders/stack/mistakes/queue.py", "_away\n", "_away, test_len_counts_the_items\n"
        ),
        "says that it fails `test_len_counts_the_items`, and passes there",
    ),
    "a variant that fails": (
        lambda r: edit(r / "graders/stack/variants/linked.py", "sum(1 for", "sum(2 for"),
        "graders/stack/variants/linked.py: must pass everything, and fails `test_len_counts_the_items` (in-process)",
    ),
    "a variant that does not load": (
        lambda r: edit(r / "graders/stack/variants/linked.py", "class Stack:", "class Stack("),
        "graders/stack/variants/linked.py: does not load (in-process): SyntaxError",
    ),
    "a reference that fails": (
        lambda r: edit(r / "solutions/stack/solution.py", "return len(self.items)", "return 7"),
        "solutions/stack/solution.py: must pass everything, and fails `test_len_counts_the_items`",
    ),
    "a check that a starter passes": (
        lambda r: edit(
            r / STACK,
            "    count = len(stack)\n\n    assert count == 3",
            "    count = 3\n\n    assert count == 3",
        ),
        "the starter passes `test_len_counts_the_items` (in-process): it must earn nothing",
    ),
    "a check that calls a starter wrong": (
        lambda r: (
            edit(
                r / "solutions/stack/solution.py",
                "    def __len__(self):",
                "    size = 0\n\n    def __len__(self):",
            )
            or edit(r / STACK, "    count = len(stack)\n", "    count = stack.size\n")
        ),
        "the starter is not told as not started by `test_len_counts_the_items` (in-process)",
    ),
    "a TODO that turns nothing green": (
        lambda r: edit(
            r / STACK, "    count = len(stack)\n", "    count = len(stack) + (0 if [*stack] else 1)\n"
        ),
        "solutions/stack/solution.py:28: filling in `Stack.__len__` turns no check green",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_is_found(root: Path, name: str) -> None:
    """With the place and what mends it."""
    plant, sentence = PLANTED[name]
    plant(root)

    assert sentence in problems(root)


def test_a_starter_that_was_edited_is_a_learners_work(root: Path) -> None:
    """Fine, unless everything is to be pristine; then --fix mends it and keeps the file."""
    edit(root / "exercises/stack/solution.py", "TODO 1", "mine")

    assert problems(root) == ""
    assert "exercises/stack/solution.py: is not the starter cut from the reference" in problems(
        root, pristine=True
    )
    course = load_course(root)
    said = list(fix(course, course.exercises, lambda exercise: root / "kept.py"))
    assert said == [
        "exercises/stack/solution.py: cut anew from the reference, what was there is kept as kept.py"
    ]
    assert problems(root, pristine=True) == ""
    assert list(fix(course, course.exercises, lambda exercise: root / "kept.py")) == []


def test_a_limit_that_is_too_tight_is_found(root: Path) -> None:
    """The reference must need a tenth of it at most. (Played: clocks are too coarse for a small one.)"""
    exercise = load_course(root).exercise("stack")
    case = Case("stack", "reference", "", exercise.reference_path, "", IN_PROCESS)

    def found(slowest: float) -> list[str]:
        outcome = Outcome(case, (), slowest=slowest, slowest_check="test_push")
        return [p.what for p in fast_enough(exercise, outcome, "solution.py")]

    assert found(0.19) == []
    assert found(0.3) == [
        "needs 0.30 s of CPU for `test_push`, and a limit must be 10 times that: raise `limits.cpu_seconds` above 3.0"
    ]


def test_a_limit_for_a_check_that_is_not_there_is_found(root: Path) -> None:
    """A renamed check would lose its time unseen."""
    path = root / "exercises/stack/exercise.toml"
    path.write_text(path.read_text("utf-8") + "\n[limits.checks]\ntest_gone = 4.0\n", "utf-8")

    assert "has a limit for `test_gone`, and the graders hold no such check" in problems(root)


def test_a_verdict_that_hangs_on_the_seed_is_found(root: Path) -> None:
    """A hidden check that catches a mistake only now and then."""
    edit(
        root / "graders/stack/hidden/test_2_use.py",
        "[rng.randrange(1000) for _ in range(8)]",
        "[rng.randrange(2) for _ in range(2)]",
    )

    found = problems(root, seeds=8)
    assert "another seed changes the verdict of `test_everything_comes_back_in_reverse (seed" in found

    queue = root / "graders/stack/mistakes/queue.py"
    edit(queue, "_away\n", "_away\nmay fail: test_everything_comes_back_in_reverse\n")
    assert "another seed" not in problems(root, seeds=8)

    edit(queue, "fails: test_pop_takes_the_top_away", "fails: none")
    assert "graders/stack/mistakes/queue.py:4: fails nothing for sure: add a check" in problems(root, seeds=0)


def test_a_difference_between_modes_is_found(root: Path) -> None:
    """Here: a mistake that only a notebook shows."""
    edit(
        root / "graders/stack/variants/linked.py",
        "class Stack:",
        "import handgrad\n\nassert handgrad\n\n\nclass Stack:",
    )

    found = problems(root, IN_PROCESS, NOTEBOOK)
    assert (
        "graders/stack/variants/linked.py: " in found
        and "differs between in-process and notebook cell" in found
    )


def test_what_never_ends_is_ended_here_too(root: Path) -> None:
    """Without a sandbox the clock of this process ends it: in the same place as a worker's would."""
    text = (root / "graders/stack/mistakes/queue.py").read_text()
    text = text.replace("return len(self.items)", "while True: pass").replace("pop(0)", "pop()")
    text = text.replace(
        "test_pop_takes_the_top_away",
        "test_len_counts_the_items\nmay fail: test_iteration_runs_from_the_top_down",
    )
    (root / "graders/stack/mistakes/queue.py").write_text(text)
    (root / TOML).write_text((root / TOML).read_text() + "[limits]\ncpu_seconds = 0.3\n")

    assert problems(root, IN_PROCESS, NOTEBOOK) == ""


# ---- the words of a check


def linted(body: str) -> list[str]:
    """What lint says of one check with this body."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    text = f'from handgrad.check import *\n\n\n@check(points=1, hint="h")\ndef test_x(Stack, rng):\n    """T."""\n{lines}'
    (item,) = load_text(text, Path("t.py"), hidden=False)
    return [problem.what for problem in lint(item, "t.py")]


@pytest.mark.parametrize(
    "body",
    [
        "a = Stack()\nb = 3\nassert a.items == b",
        "a, n = Stack(), rng.random()\nassert a.x == near(n)",
        "numbers = [rng.random() for _ in range(3)]\na = Stack(numbers)\nassert list(a) == numbers[::-1]",
        "a = Stack()\nb = a.me\nassert b is a",
        "for s, n in zip([Stack()], [1]):\n    assert s.size == n",
        "with raises(IndexError):\n    Stack().pop()",
        "a = Stack()\nassert equal(a, a)",
    ],
)
def test_expected_values_of_the_checks_own_are_fine(body: str) -> None:
    """Numbers, drawn ones, pairs, identity."""
    assert linted(body) == []


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("a = Stack()\nassert a.grad == 2 * a.data", "the right side reads `a`"),
        ("a = Stack()\nn = len(a)\nm = n + 1\nassert a.size == m", "the right side reads `m`"),
        ("for s in [Stack()]:\n    assert 1 == s.size", "the right side reads `s`"),
        ("with Stack() as s:\n    pass\nassert 1 == s.x", "the right side reads `s`"),
        ("n = 0\nn += Stack().x\nassert 1 == n", "the right side reads `n`"),
        ("if (s := Stack()):\n    assert 1 == s.x", "the right side reads `s`"),
        ("assert Stack().x == [t for t in Stack()]", "the right side reads `Stack`"),
        ("Stack()", "`test_x` asserts nothing: it passes whatever is written"),
        ("assert Stack().x == 1, 'no'", "the assert has a message of its own"),
    ],
)
def test_what_a_check_must_not_do_is_told(body: str, sentence: str) -> None:
    """An engine whose data and grad are always 0 passes `a.grad == 2 * a.data`."""
    assert any(said.startswith(sentence) for said in linted(body))


LATIN = "# Größe\n".encode("latin-1")


@pytest.mark.parametrize(
    "name",
    [
        "exercises/stack/README.md",
        "exercises/stack/exercise.toml",
        "solutions/stack/solution.py",
        "graders/stack/test_1_stack.py",
        "graders/stack/mistakes/queue.py",
        "graders/stack/variants/linked.py",
    ],
)
def test_a_file_in_another_encoding_is_one_finding(
    root: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says which file and what to do, and is no traceback; without a description there is no course."""
    (root / name).write_bytes(LATIN + (root / name).read_bytes())
    code = main(["doctor", "--course", str(root), "--quick", "--seeds", "0", "--pristine", "--fix"])
    said = capsys.readouterr()

    wanted = "not UTF-8: save it as UTF-8"
    if name.endswith(".toml"):
        assert (code, wanted in said.err) == (3, True)
    else:
        assert (code, said.out.splitlines()) == (1, [f"{name}: {wanted}"])


def test_a_text_in_another_encoding_costs_the_others_nothing(root: Path) -> None:
    """They are run, and what is wrong with them is found."""
    (root / "graders/stack/mistakes/queue.py").write_bytes(LATIN)
    edit(root / "graders/stack/mistakes/shared_default.py", "fails:", "fails: test_len_counts_the_items,")

    found = problems(root)
    assert "graders/stack/mistakes/queue.py: not UTF-8: save it as UTF-8" in found
    assert "says that it fails `test_len_counts_the_items`, and passes there" in found
    assert "has no docstring" not in found


def test_a_starter_in_another_encoding_is_not_the_one_cut_from_the_reference(root: Path) -> None:
    """Nor does it end the visit."""
    (root / "exercises/stack/solution.py").write_bytes(LATIN)

    assert "is not the starter cut from the reference" in problems(root, pristine=True)


def test_fix_passes_over_a_reference_that_is_not_there(root: Path) -> None:
    """It is a finding, as without `--fix`; the others are mended."""
    (root / "solutions/stack/solution.py").unlink()
    course = load_course(root)

    assert list(fix(course, course.exercises, lambda exercise: exercise.solution_path)) == []
    assert "solutions/stack/solution.py: is missing: write the reference in it" in problems(root)
