"""Arrays cross the pipe as raw bytes: exactly, within a limit, and nothing but numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from handgrad.check import read, there
from handgrad.judge.proxy import Gone, Link, Proxy, ProxyMisuse
from handgrad.judge.wire import Decoder, Violation
from handgrad.model import Limits
from handgrad.sandbox.starter import open_starter

LIMITS = Limits()._replace(array_bytes=1_000_000)
LEARNER = """
import numpy as np

def same(x):
    return x

def make(words):
    return eval(words, {"np": np})

class Odd(np.ndarray):
    pass

def odd():
    return np.zeros(3).view(Odd)

def double(x):
    x *= 2
"""
KINDS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]


@pytest.fixture(scope="module", params=["worker", "in-process"])
def link(request: pytest.FixtureRequest) -> Iterator[Link]:
    level = 0 if request.param == "in-process" else None
    with open_starter(level, preload=("numpy",)) as starter:
        link = open_link(starter)
        yield link
        link.channel.kill()


def open_link(starter) -> Link:
    link = Link(starter.start(LIMITS, imports=("numpy", "numpy.ma"), probes=()))
    link.load({"solution.py": LEARNER}, ("numpy",))
    return link


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (0, 3), (2, 0, 4), (2, 3), (1, 2, 1, 3)], ids=str)
def test_an_array_arrives_as_it_was_sent(link: Link, kind: str, shape: tuple[int, ...]) -> None:
    """Type, shape and every bit survive the way there and back."""
    array = np.arange(np.prod(shape, dtype=int), dtype="f8").reshape(shape).astype(kind)

    back = link.name("same")(array)

    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tobytes() == array.tobytes()


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12.0).reshape(3, 4).T,
        np.arange(12.0)[::-2],
        np.arange(12.0, dtype=">f8"),
        np.arange(12, dtype=">i2").reshape(3, 4)[:, ::2],
        np.broadcast_to(np.arange(3.0), (4, 3)),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    ],
    ids=["transposed", "strided", "big-endian", "big-endian strided", "broadcast", "column by column"],
)
def test_an_array_of_any_layout_arrives_with_its_numbers(link: Link, array: np.ndarray) -> None:
    """What counts is the value at each place, however it lies in memory on either side."""
    back = link.name("same")(array)

    assert back.tolist() == array.tolist()


@pytest.mark.parametrize(
    "words",
    [
        "np.arange(12.0).reshape(3, 4).T",
        "np.arange(12, dtype='>i4')[::3]",
        "np.broadcast_to(np.float32(2.5), (2, 2))",
        "np.zeros((3, 0))",
        "np.array(7.0)",
        "np.array([np.nan, np.inf, -0.0])",
    ],
)
def test_a_learners_array_of_any_layout_arrives(link: Link, words: str) -> None:
    """The same, for arrays that were made on the learner's side."""
    array = eval(words)

    back = link.name("make")(words)

    assert back.shape == array.shape
    assert back.tobytes() == array.astype(array.dtype.newbyteorder("<")).tobytes()


def test_an_array_that_arrives_is_a_copy_that_can_be_written(link: Link) -> None:
    """Neither side can change what the other one holds."""
    array = np.zeros(3)

    back = link.name("same")(array)
    back[0] = 1.0

    assert array.tolist() == [0.0, 0.0, 0.0]


def test_an_uploaded_array_can_be_changed_there_and_read_back(link: Link) -> None:
    """`there` and `read` tell a check what the learner's code did to its argument."""
    mine = np.array([1.0, 2.0])
    theirs = there(mine)

    link.name("double")(theirs)

    assert read(theirs).tolist() == [2.0, 4.0]
    assert mine.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "words",
    [
        "np.array([object()])",
        "np.array(['a'])",
        "np.array([1 + 2j])",
        "np.array([1], dtype='m8[s]')",
        "np.zeros(2, dtype=[('a', 'f8')])",
        "np.ma.masked_array([1.0], [True])",
        "np.zeros(2, dtype=np.longdouble)",
        "np.longdouble(1)",
    ],
)
def test_what_is_no_plain_array_of_numbers_stays_opaque(link: Link, words: str) -> None:
    """An array of objects could carry anything: it equals nothing, and none of its bytes are read."""
    back = link.name("make")(words)

    assert type(back) is Proxy


def test_a_subclass_of_the_array_type_stays_opaque(link: Link) -> None:
    """Its operators would be the learner's."""
    back = link.name("odd")()

    assert type(back) is Proxy


def test_a_numpy_number_arrives_as_a_plain_number(link: Link) -> None:
    """A float64, an int32 and a bool of NumPy's are what Python would have in their place."""
    back = [link.name("make")(words) for words in ("np.float64(1.5)", "np.int32(2)", "np.bool_(True)")]

    assert [(type(b), b) for b in back] == [(float, 1.5), (int, 2), (bool, True)]


def test_arrays_inside_containers_arrive_in_their_places(link: Link) -> None:
    """The bytes of several arrays lie one behind the other."""
    back = link.name("make")("{'a': [np.ones(2), (np.zeros((0, 2)), np.arange(3))], 'b': np.array(4.0)}")

    assert [back["a"][0].tolist(), back["a"][1][1].tolist(), back["b"].tolist()] == [[1, 1], [0, 1, 2], 4.0]
    assert back["a"][1][0].shape == (0, 2)


@pytest.mark.parametrize("level", [None, 0])
def test_a_huge_array_is_refused_with_a_sentence(level: int | None) -> None:
    """Past the limit nothing is read: the learner hears how much it was, and what may be behind it."""
    with open_starter(level, preload=("numpy",)) as starter:
        link = open_link(starter)

        with pytest.raises(Gone) as refusal:
            link.name("make")("np.zeros((1000, 1000))")

    assert refusal.value.reason == "protocol"
    assert str(refusal.value) == (
        "your code handed over arrays of 8,000,000 bytes in one answer, and 1,000,000 are looked at: "
        "did a small array stretch into a large one?"
    )


@pytest.mark.parametrize(
    "array", [np.array([object()]), np.array(["a"]), np.zeros(1, "m8[s]")], ids=["objects", "texts", "times"]
)
def test_a_grader_cannot_send_objects(link: Link, array: np.ndarray) -> None:
    """Their bytes would be addresses."""
    with pytest.raises(ProxyMisuse, match="cannot be given"):
        link.name("same")(array)


@pytest.mark.parametrize(
    ("dtype", "shape"),
    [
        ("O", [1]),
        ("f8", [-1]),
        ("f8", [2]),
        ("f8", ["1"]),
        ("f8", [True]),
        ("f8", 1),
        ("f8", [1] * 33),
        ("f8", [0, 1 << 40, 1 << 40]),
        ("f8", [1 << 40] * 32),
        ("V8", [1]),
        ("<f8", [1]),
        (8, [1]),
    ],
    ids=str,
)
def test_a_forged_array_is_a_violation(dtype: object, shape: object) -> None:
    """A worker that lies about type or shape is found out before a byte is used."""
    decoder = Decoder(bytes(8), lambda number, name: None)

    with pytest.raises(Violation):
        decoder.value({"a": [dtype, shape]})


def test_bytes_that_belong_to_no_array_are_a_violation() -> None:
    """The tail must be used up."""
    decoder = Decoder(bytes(16), lambda number, name: None)
    decoder.value({"a": ["f8", [1]]})

    with pytest.raises(Violation):
        decoder.finish()


def test_numbers_of_one_byte_are_counted_as_well_as_weighed() -> None:
    """A check may list them, and a list takes a hundred times the bytes."""
    most = 1 << 21

    def decoded(count: int, kind: str, width: int) -> Any:
        decoder = Decoder(bytes(count * width), lambda number, name: None)
        return decoder.value({"a": [kind, [count]]})

    assert decoded(most, "u1", 1).shape == (most,)
    assert decoded(most + 1, "f8", 8).shape == (most + 1,)
    with pytest.raises(Violation, match="more than 2,097,152 elements"):
        decoded(most + 1, "u1", 1)
