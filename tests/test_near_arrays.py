"""`near` on arrays: the shape counts first, and an array without axes is its number."""

from __future__ import annotations

import numpy as np
import pytest

from handgrad.check import near


def test_an_array_without_axes_is_near_its_number() -> None:
    """NumPy code has a 0-d array where plain code has a float."""
    got = np.array(2.0)

    assert got == near(2.0)
    assert np.float64(2.0) == near(2.0)
    assert np.int32(2) == near(2.0)
    assert [got, 1.0] == near([2.0, np.array(1.0)])


@pytest.mark.parametrize(
    "got",
    [
        np.array([2.0]),
        np.array(True),
        np.bool_(True),
        np.float64(2.1),
        np.array("2.0"),
        np.array(2.0, dtype=object),
        np.array(np.nan),
        np.array(2.1),
    ],
    ids=repr,
)
def test_what_is_no_real_number_without_axes_is_near_none(got: object) -> None:
    """A shape too many, another kind of element, NaN: each is refused."""
    assert got != near(2.0)


def test_a_subclass_that_equals_everything_is_near_nothing() -> None:
    """Only NumPy's own array type is looked into."""

    class Sly(np.ndarray):
        def __eq__(self, other: object) -> bool:  # type: ignore[override]
            return True

    got = np.array(1.0).view(Sly)

    assert not near(2.0).__eq__(got)


def test_the_shape_counts_before_the_numbers() -> None:
    """A gradient of the result's shape is wrong, even where it would broadcast to equal numbers."""
    got = np.ones((2, 3))

    assert got != near(np.ones(3))
    assert got != near(np.ones((1, 3)))
    assert got == near(np.ones((2, 3)))


def test_nan_is_near_nothing_in_an_array() -> None:
    """One NaN among right numbers is wrong, also where NaN was expected."""
    got = np.array([1.0, np.nan])

    assert got != near(np.array([1.0, np.nan]))


@pytest.mark.parametrize("got", [10**400, -(10**400), [10**400, 1.0]])
def test_a_whole_number_beyond_every_float_is_near_itself_alone(got: object) -> None:
    """`math.isclose` cannot hold it; the answer is plain all the same."""
    assert got != near(6.0)
    assert got != near([6.0, 1.0])
    assert got == near(got)
