"""The closed decoder: whatever a worker sends, only plain data or a Violation comes out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handgrad.judge.wire import MAX_DEPTH, MAX_REFERENCES, Decoder, Row, Violation, bound, pack, unpack
from handgrad.worker.frames import HEADER

PLAIN = (float, int, str, bool, type(None), list, tuple, set, frozenset, dict, bytes)


class Reference:
    """Stands for a proxy."""


def decode(body: bytes, tail: bytes = b"") -> Any:
    """What the judge makes of a frame's value."""
    decoder = Decoder(tail, lambda number, name: Reference())
    value = decoder.value(unpack(body))
    decoder.finish()
    return value


def is_plain(value: Any) -> bool:
    """Exact builtin types, all the way down, arrays and references aside."""
    if type(value) is Row:
        return type(value.type_name) is str and all(type(number) is int for number in value.numbers)
    if type(value) is Reference or type(value).__name__ == "ndarray":
        return True
    if type(value) not in PLAIN:
        return False
    inner = value.values() if type(value) is dict else value if type(value) in PLAIN[5:9] else ()
    return all(is_plain(item) for item in inner)


@given(st.binary(max_size=200))
@example(b"[" * 100_000)
@example(b"1" * 5000)
@example(b'"\\ud800"')
@example(b"NaN")
@settings(max_examples=500, deadline=None)
def test_random_bytes_give_plain_data_or_a_violation(body: bytes) -> None:
    """Nothing but Violation ever comes out of random bytes."""
    try:
        value = decode(body)
    except Violation:
        return

    assert is_plain(value)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
TAGS = st.sampled_from(["t", "s", "f", "d", "b", "a", "o", "os", "p", "q", "x", ""])
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(TAGS, inner, max_size=2)
        | st.builds(lambda tag, item: {tag: item}, TAGS, inner)
        | st.builds(
            lambda d, s: {"a": [d, s]}, st.sampled_from(["f8", "i4", "O", "b1"]), st.lists(st.integers())
        )
        | st.builds(lambda numbers: {"os": [numbers, "x"]}, st.lists(st.integers(-1, 9) | inner, max_size=4))
    ),
    max_leaves=20,
)


@given(TREES, st.binary(max_size=64))
@settings(max_examples=500, deadline=None)
def test_frames_by_grammar_give_plain_data_or_a_violation(tree: Any, tail: bytes) -> None:
    """Nor out of frames that look nearly right."""
    try:
        value = decode(json.dumps(tree).encode(), tail)
    except Violation:
        return

    assert is_plain(value)


@pytest.mark.parametrize(
    ("coded", "value"),
    [
        (b"1.5", 1.5),
        (b'{"t": [1, {"t": []}]}', (1, ())),
        (b'{"s": [1, 2]}', {1, 2}),
        (b'{"f": ["a"]}', frozenset({"a"})),
        (b'{"d": {"t": 1}}', {"t": 1}),
        (b'{"b": "00ff"}', b"\x00\xff"),
        (b"[true, null]", [True, None]),
    ],
)
def test_each_form_has_its_value(coded: bytes, value: object) -> None:
    """The forms of the module's docstring mean what it says."""
    assert decode(coded) == value


@pytest.mark.parametrize(
    "coded",
    [
        b"{}",
        b'{"t": [], "s": []}',
        b'{"o": [1]}',
        b'{"o": [-1, "x"]}',
        b'{"o": [1.0, "x"]}',
        b'{"o": [%d, "x"]}' % (MAX_REFERENCES + 1),
        b'[{"os": [[1], "x"]}]',
        b'{"os": [1, "x"]}',
        b'{"os": [[1]]}',
        b'{"os": [[1], "x", "x"]}',
        b'{"os": [[1], 2]}',
        b'{"os": [[1, -1], "x"]}',
        b'{"os": [[1, true], "x"]}',
        b'{"os": [[1, 1.0], "x"]}',
        b'{"os": [[1, "1"], "x"]}',
        b'{"os": [[NaN], "x"]}',
        b'{"os": [{"1": 1}, "x"]}',
        b'{"os": [[1, %d], "x"]}' % (MAX_REFERENCES + 1),
        b'{"os": [[1], "x"], "o": [1, "x"]}',
        b'{"p": [[1], []]}',
        b'{"q": [[1], []]}',
        b'{"s": [[1]]}',
        b'{"b": "0"}',
        b'{"a": ["f8", [1]]}',
        b'{"a": ["O", []]}',
        b'{"a": ["f8", [-1]]}',
        b'{"a": ["f8", [0, 99999999999999999999]]}',
        b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2),
        b"{",
        b"\xff",
        b"",
    ],
)
def test_every_other_form_is_a_violation(coded: bytes) -> None:
    """What is not in the list is refused."""
    with pytest.raises(Violation):
        decode(coded)


def test_many_references_are_a_row() -> None:
    """In their order, those that are named twice, too; and none is asked for before it is needed."""
    asked: list[int] = []
    decoder = Decoder(b"", lambda number, name: asked.append(number))

    assert decoder.value({"os": [[3, 1, 3], "x" * 99]}) == Row([3, 1, 3], "x" * 80)
    assert decoder.value({"os": [[], "x"]}) == Row([], "x")
    assert asked == []


def test_bytes_that_belong_to_no_array_are_a_violation() -> None:
    """A tail must be used up."""
    with pytest.raises(Violation):
        decode(b"1", b"more")


def test_an_array_comes_out_of_the_tail() -> None:
    """dtype and shape from the JSON, the numbers from the tail."""
    array = decode(b'{"a": ["f8", [1, 2]]}', b"\0" * 16)

    assert (array.shape, array.sum()) == ((1, 2), 0.0)


@pytest.mark.parametrize("announced", [(101, 0), (0, 201), (2**32 - 1, 2**32 - 1)])
def test_a_frame_above_the_limits_is_refused_before_it_is_read(announced: tuple[int, int]) -> None:
    """The sizes alone are enough to refuse."""
    with pytest.raises(Violation, match="are looked at"):
        bound(100, 200)(*announced)


def test_what_is_packed_has_its_sizes_in_front() -> None:
    """A frame is header, JSON, tail."""
    frame = pack([1, "é"], b"abc")

    body, tail = HEADER.unpack_from(frame)

    assert (unpack(frame[8 : 8 + body]), frame[8 + body :], tail) == ([1, "é"], b"abc", 3)


def test_a_large_set_is_refused_before_it_is_built() -> None:
    """Numbers of one hash make building a set quadratic: forty thousand of them take minutes."""
    prime = 2**61 - 1
    decoder = Decoder(b"", lambda number, name: None)

    with pytest.raises(Violation):
        decoder.value({"s": [prime * k for k in range(40_000)]})
