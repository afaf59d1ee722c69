"""The starter is the reference without its answers, and a marker that is not quite one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from handgrad.build.starter import cut, find_regions, make_starter, starter_messages
from handgrad.errors import ExerciseError

REFERENCE = '''"""A stack."""

class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        """Put an item on top."""
        # TODO: append it
        ### BEGIN SOLUTION
        def inner():
            self.items.append(item)
        inner()
        ### END SOLUTION

    def pop(self):
        ### BEGIN SOLUTION
        return self.items.pop()
        ### END SOLUTION


def empty():
    stack = Stack()
    ### BEGIN SOLUTION
    stack.items.clear()
    ### END SOLUTION
    return stack
'''


def test_every_region_becomes_one_raise_that_names_its_method() -> None:
    """Code outside the regions stays to the letter; comments above a region stay too."""
    starter = make_starter(REFERENCE)

    assert starter.split("\n")[8:14] == [
        "        # TODO: append it",
        '        raise NotImplementedError("Stack.push is still to be written")',
        "",
        "    def pop(self):",
        '        raise NotImplementedError("Stack.pop is still to be written")',
        "",
    ]
    assert starter.endswith(
        '    raise NotImplementedError("empty is still to be written")\n    return stack\n'
    )


def test_the_messages_of_a_starter_are_those_of_its_stubs() -> None:
    """They are what tells "not started" from any other NotImplementedError."""
    messages = starter_messages(make_starter(REFERENCE))

    assert messages == {f"{m} is still to be written" for m in ("Stack.push", "Stack.pop", "empty")}


def test_a_starter_has_no_marker_and_compiles() -> None:
    """A learner sees no trace of the machinery."""
    starter = make_starter(REFERENCE)

    compile(starter, "solution.py", "exec")
    assert "SOLUTION" not in starter
    assert make_starter(starter) == starter


def test_regions_can_be_filled_in_one_at_a_time() -> None:
    """`filled=1` is the work of a learner who has written the first method."""
    first = make_starter(REFERENCE, filled=1)

    assert "self.items.append(item)" in first
    assert starter_messages(first) == {
        "Stack.pop is still to be written",
        "empty is still to be written",
    }
    assert starter_messages(make_starter(REFERENCE, filled=3)) == frozenset()


def test_a_region_inside_a_block_keeps_the_indentation_of_its_marker() -> None:
    """A region may be one branch of a function."""
    reference = (
        "def f(x):\n    if x:\n        ### BEGIN SOLUTION\n        return 1\n        ### END SOLUTION\n"
    )

    assert make_starter(reference) == (
        'def f(x):\n    if x:\n        raise NotImplementedError("f is still to be written")\n'
    )


@pytest.mark.parametrize(
    ("reference", "line", "words"),
    [
        ("def f():\n    ### begin solution\n    return 1\n    ### END SOLUTION\n", 2, "exactly as"),
        ("def f():\n    # BEGIN SOLUTION\n    return 1\n    ### END SOLUTION\n", 2, "exactly as"),
        ("def f():\n    ### BEGIN SOLUTOIN\n    return 1\n    ### END SOLUTION\n", 2, "exactly as"),
        ("def f():\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTON\n", 4, "exactly as"),
        ("def f():\n    ### BEGIN SOLUTION here\n    return 1\n    ### END SOLUTION\n", 2, "exactly as"),
        ("def f():\n    ### BEGIN SOLUTION\n    return 1\n", 2, "never closed"),
        ("def f():\n    return 1\n    ### END SOLUTION\n", 3, "closes nothing"),
        ("def f():\n    ### BEGIN SOLUTION\n    ### BEGIN SOLUTION\n    return 1\n", 3, "inside the region"),
        ("def f():\n    ### BEGIN SOLUTION\n    return 1\n  ### END SOLUTION\n", 4, "align"),
        ("def f():\n  ### BEGIN SOLUTION\n    return 1\n  ### END SOLUTION\n", 2, "align"),
        (
            "def f():\n    x = 1  ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION\n",
            2,
            "line of its own",
        ),
        ('def f():\n    """\n    ### BEGIN SOLUTION\n    """\n', 3, "inside a string"),
        ("def f():\n    ### BEGIN SOLUTION\n    ### END SOLUTION\n    return 1\n", 2, "holds no code"),
        ("### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n", 1, "inside a function"),
        ("class C:\n    ### BEGIN SOLUTION\n    x = 1\n    ### END SOLUTION\n", 2, "inside a function"),
        (
            "def f():\n    ### BEGIN SOLUTION\n    for i in ():\n        pass\n    ### END SOLUTION\n        pass\n",
            5,
            "cuts a statement",
        ),
        ("def f(:\n    pass\n", 1, "not Python"),
    ],
)
def test_a_marker_problem_is_refused_with_its_line(reference: str, line: int, words: str) -> None:
    """Each way of getting a marker wrong would otherwise hand out the answer, or eat the starter."""
    with pytest.raises(ExerciseError, match=words) as refusal:
        make_starter(reference, name="solutions/toy/solution.py")

    assert str(refusal.value).startswith(f"solutions/toy/solution.py:{line}: ")


def test_a_region_that_runs_over_two_functions_is_refused() -> None:
    """Its code is indented less than its marker somewhere."""
    reference = (
        "def f():\n    ### BEGIN SOLUTION\n    return 1\ndef g():\n    return 2\n    ### END SOLUTION\n"
    )

    with pytest.raises(ExerciseError, match="solution.py:2: .*align"):
        find_regions(reference)


def test_prose_about_a_solution_is_no_marker() -> None:
    """Only what comes close to a marker is refused."""
    text = "def f():\n    # the solution of the equation, in the end\n    return 1  # begin here\n"

    assert make_starter(text) == text


ROOT = Path(__file__).parent.parent
REFERENCES = [
    *sorted(ROOT.glob("solutions/*/solution.py")),
    *sorted(ROOT.glob("tests/course/solutions/*/solution.py")),
]


@pytest.mark.parametrize("path", REFERENCES, ids=lambda path: path.parent.name)
def test_the_starter_can_be_read_off_the_indentation(path: Path) -> None:
    """The quick way says what the thorough one says, for every reference there is."""
    reference = path.read_text("utf-8")

    assert cut(reference) == make_starter(reference)


def test_the_quick_way_knows_nested_and_neighbouring_scopes() -> None:
    """A function after a class is not in it, and words of a docstring are no scope."""
    text = 'class A:\n    async def f(self):\n        ### BEGIN SOLUTION\n        ### END SOLUTION\n\n\ndef g():\n    """\n    class of its own\n    """\n    ### BEGIN SOLUTION\n'

    assert starter_messages(cut(text)) == {"A.f is still to be written", "g is still to be written"}
