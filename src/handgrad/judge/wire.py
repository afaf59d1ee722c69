"""The closed decoder: what a worker sends becomes plain data and opaque references, or a Violation.

A frame is 4 bytes of JSON length and 4 bytes of tail length (little-endian), the JSON, and the tail:
the raw bytes of the arrays that the JSON names, one behind the other. Nothing read here is ever called,
imported, unpickled or compared by a method of its own.

Values in the JSON: null, true, false, numbers and strings stand for themselves, a list for a list; an
object with one key stands for the rest:
  {"t": [..]} tuple   {"s": [..]} set   {"f": [..]} frozenset   {"d": {..}} dict   {"b": "hex"} bytes
  {"a": [dtype, shape]} array, its bytes next in the tail   {"o": [id, type name]} an opaque reference
  {"os": [[id, ..], type name]} a Row: many opaque references to objects of one type; nothing is around it
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from handgrad.worker.frames import encode, frame

MAX_DEPTH: Final = 24
MAX_SET: Final = 1000  # things in one set: numbers of one hash make building it quadratic
MAX_REFERENCES: Final = 400_000
MAX_EMPTY: Final = 1 << 20  # rows that an array without elements may have: a check may walk them
MAX_SMALL: Final = 1 << 21  # elements of under eight bytes in one answer: bytes bound the others
DTYPES: Final = frozenset({"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"})

PLAIN: Final = frozenset({float, int, str, bool, type(None)})  # stand for themselves
_NUMBERS: Final = frozenset({float, int})
_decode: Final = json.JSONDecoder().raw_decode


class Row(NamedTuple):
    """Many of the learner's objects, by their numbers: a graph of them is named in one message."""

    numbers: list[int]
    type_name: str = ""


class Violation(Exception):
    """The worker sent something that the protocol does not know."""


def pack(message: Any, tail: bytes = b"") -> bytes:
    """A frame, ready to be sent to a worker. What we send is not bounded."""
    return frame(encode(message), tail)


def bound(json_limit: int, tail_limit: int) -> Callable[[int, int], None]:
    """What raises Violation for a frame with more bytes of JSON, or of arrays, than the limits."""

    def refuse(body: int, tail: int) -> None:
        if body > json_limit:
            raise Violation(
                f"your code handed over {body:,} bytes of data in one answer, and {json_limit:,} are "
                "looked at"
            )
        if tail > tail_limit:
            raise Violation(
                f"your code handed over arrays of {tail:,} bytes in one answer, and {tail_limit:,} are "
                "looked at: did a small array stretch into a large one?"
            )

    return refuse


def unpack(body: bytes) -> Any:
    """The JSON of a frame. Raises Violation for anything that is not JSON within Python's own limits."""
    try:
        message, end = _decode(body.decode("ascii"))
    except (ValueError, RecursionError) as error:  # bad JSON, not ASCII, an int of too many digits, too deep
        raise Violation(f"not a message: {type(error).__name__}") from None
    if end != len(body):
        raise Violation("not a message: more than one")
    return message


class Decoder:
    """Decodes the values of one frame. `reference` makes the proxy of (id, type name)."""

    def __init__(self, tail: bytes, reference: Callable[[int, str], Any]) -> None:
        self._tail = tail
        self._position = 0
        self._elements = 0
        self._reference = reference

    def value(self, coded: Any, depth: int = 0) -> Any:
        """The plain value that `coded` stands for. Raises Violation for everything else."""
        kind = type(coded)
        if kind in PLAIN:
            return coded
        if depth > MAX_DEPTH:
            raise Violation("an answer nested too deep")
        if kind is list:
            if _NUMBERS.issuperset(map(type, coded)):
                return coded
            return [self.value(item, depth + 1) for item in coded]
        if kind is dict and len(coded) == 1:
            ((tag, content),) = coded.items()
            return self._tagged(tag, content, depth + 1)
        raise Violation("an answer of an unknown form")

    def finish(self) -> None:
        """Raises Violation when bytes of the tail were left over."""
        if self._position != len(self._tail):
            raise Violation("array bytes that belong to no array")

    def _tagged(self, tag: str, content: Any, depth: int) -> Any:
        kind = type(content)
        if tag == "o" and kind is list and len(content) == 2:
            return self._opaque(*content)
        if tag == "os" and depth == 1 and kind is list and len(content) == 2 and type(content[0]) is list:
            return self._row(*content)
        if tag == "t" and kind is list:
            return tuple(self.value(item, depth) for item in content)
        if tag in ("s", "f") and kind is list:
            return self._set(content, depth, frozenset if tag == "f" else set)
        if tag == "d" and kind is dict:
            return {key: self.value(item, depth) for key, item in content.items()}
        if tag == "b" and kind is str:
            return _bytes(content)
        if tag == "a" and kind is list and len(content) == 2:
            return self._array(*content)
        raise Violation("an answer of an unknown form")

    def _opaque(self, number: Any, name: Any) -> Any:
        if type(number) is not int or type(name) is not str or not 0 <= number <= MAX_REFERENCES:
            raise Violation("a reference of an unknown form")
        return self._reference(number, name[:80])

    def _row(self, numbers: list[Any], name: Any) -> Row:
        known = {int}.issuperset(map(type, numbers)) and type(name) is str
        if not known or (numbers and not 0 <= min(numbers) <= max(numbers) <= MAX_REFERENCES):
            raise Violation("a reference of an unknown form")
        return Row(numbers, name[:80])

    def _set(self, content: list[Any], depth: int, make: Callable[[list[Any]], Any]) -> Any:
        if len(content) > MAX_SET:
            raise Violation("a set of an unknown size")
        try:
            return make([self.value(item, depth) for item in content])
        except TypeError:
            raise Violation("a set of things that cannot be in one") from None

    def _array(self, dtype: Any, shape: Any) -> Any:
        if type(dtype) is not str or dtype not in DTYPES:
            raise Violation("an array of an unknown type")
        if type(shape) is not list or len(shape) > 32:
            raise Violation("an array of an unknown shape")
        count, rows = int(dtype[1:]), 1
        for length in shape:
            if type(length) is not int or not 0 <= length <= 1 << 40:
                raise Violation("an array of an unknown shape")
            count *= length
            rows *= length or 1
        if not count and rows > MAX_EMPTY:
            raise Violation("an array of an unknown shape")
        if self._position + count > len(self._tail):
            raise Violation("an array with fewer bytes than its shape needs")
        self._elements += count // int(dtype[1:])
        most = max(MAX_SMALL, len(self._tail) // 8)
        if self._elements > most:  # a check that lists them needs a hundred bytes for each
            raise Violation(f"your code handed over arrays of more than {most:,} elements in one answer")
        try:
            import numpy as np
        except ImportError:
            raise Violation("an array, where no arrays are used") from None

        raw = self._tail[self._position : self._position + count]
        self._position += count
        try:
            if dtype == "b1":  # a byte that is neither 0 nor 1 would be a third truth value
                return (np.frombuffer(raw, dtype="u1") != 0).reshape(shape)
            return np.frombuffer(raw, dtype="<" + dtype).reshape(shape).copy()
        except ValueError:
            raise Violation("an array of an unknown shape") from None


def _bytes(content: str) -> bytes:
    try:
        return bytes.fromhex(content)
    except ValueError:
        raise Violation("bytes that are no bytes") from None
