"""A sentence about arrays names the shape first, and of a large array the first place that differs."""

from __future__ import annotations

import numpy as np
import pytest

from handgrad.check import near
from handgrad.explain import AssertSite, sentence, show


def told(left: object, right: object) -> str:
    return sentence(AssertSite(1, "b.grad", "==", "…"), left, right)


def test_a_wrong_shape_is_told_before_any_number() -> None:
    """The most common mistake of all is a gradient in the shape of the result."""
    claim = told(np.ones((2, 3)), near(np.ones(3)))

    assert claim == "expected b.grad to have shape (3,), got shape (2, 3)"


def test_small_arrays_are_shown_whole() -> None:
    """Their numbers look as in a list."""
    claim = told(np.array([2.5, 3.5, 1 / 3]), near(np.array([5.0, 7.0, 9.0])))

    assert claim == "expected b.grad to be [5.0, 7.0, 9.0], got [2.5, 3.5, 0.333333]"


def test_of_large_arrays_the_first_difference_is_shown() -> None:
    """Nobody compares forty numbers by eye."""
    got, want = np.zeros((4, 10)), np.zeros((4, 10))
    got[2, 7], got[3, 0] = 1.0, 2.0

    claim = told(got, near(want))

    assert claim == "expected b.grad[2, 7] to be 0.0, got 1.0"


def test_rounding_is_no_difference() -> None:
    """The first difference is one that counts for the check."""
    got, want = np.full(20, 1.0 + 1e-12), np.ones(20)
    got[5] = 3.0

    claim = told(got, near(want))

    assert claim == "expected b.grad[5] to be 1.0, got 3.0"


def test_an_array_inside_a_list_is_found() -> None:
    """As in a graph's gradients, all read at once."""
    got = [np.ones(2), np.ones(2), np.ones(2), np.ones(3)]

    claim = told(got, near([np.ones(2)] * 4))

    assert claim == "expected b.grad[3] to have shape (2,), got shape (3,)"


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.array(8.0), "8.0"),
        (np.array([[1, 2]]), "[[1, 2]]"),
        (np.array([np.nan, -np.inf]), "[nan, -inf]"),
        (np.zeros((0, 3)), "an empty array of shape (0, 3)"),
        (np.zeros((9, 9)), "an array of shape (9, 9)"),
        (np.array([1234567.891, 1e-20]), "[1234570.0, 1e-20]"),
    ],
    ids=str,
)
def test_an_array_in_a_sentence(array: np.ndarray, text: str) -> None:
    """One line, however it lies in memory."""
    assert show(array) == text


def test_a_number_where_an_array_belongs_is_shown() -> None:
    """A plain number has no shape to speak of."""
    claim = told(1.0, near(np.ones(2)))

    assert claim == "expected b.grad to be [1.0, 1.0], got 1.0"


def test_what_looks_alike_is_told_apart() -> None:
    """By its kind, or by the digits that are mostly left out."""
    five, third = np.array([5.0, 7.0]), np.array([1 / 3])

    assert told([5.0, 7.0], near(five)) == (
        "expected b.grad to be [5.0, 7.0] (an array of float64), got [5.0, 7.0] (a list)"
    )
    assert told(third.astype("f4"), near(third)) == (
        "expected b.grad to be [0.3333333333333333] (an array of float64), "
        "got [0.3333333432674408] (an array of float32)"
    )
    assert told((1, 2), [1, 2]) == "expected b.grad to be [1, 2], got (1, 2)"
