"""How a frame lies in a stream of bytes, for both ends of the pipe. `judge/wire.py` says what is in one."""

from __future__ import annotations

import json.encoder
import struct
from collections.abc import Callable, Sequence
from typing import Any

HEADER = struct.Struct("<II")  # the lengths of the JSON and of the tail


def _encoder() -> Callable[[Any], bytes]:
    """`JSONEncoder.encode` makes its C part anew for each message, and a small one takes less than that:
    here it is made once, where there is one."""
    whole = json.JSONEncoder(separators=(",", ":"), check_circular=False)
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return lambda message: whole.encode(message).encode("ascii")
    text = json.encoder.encode_basestring_ascii
    parts: Callable[[Any, int], Sequence[str]]
    parts = make(None, whole.default, text, None, ":", ",", False, False, True)
    return lambda message: "".join(parts(message, 0)).encode("ascii")


encode = _encoder()  # a message as JSON


def frame(body: bytes, tail: bytes = b"") -> bytes:
    """A frame, ready to be sent."""
    return HEADER.pack(len(body), len(tail)) + body + tail


class Frames:
    """Cuts frames off a stream.

    `read(size)` gives some bytes (none when there was nothing for a while), best no fewer than `size`;
    `bound(body, tail)` is called with the lengths that a header announces, and may refuse them by raising.
    """

    def __init__(self, read: Callable[[int], bytes], bound: Callable[[int, int], None] | None = None) -> None:
        self._read, self._bound = read, bound
        self._held = b""
        self._start = 0  # of the next frame, in what is held

    def next(self) -> tuple[bytes, bytes]:
        """The JSON and the tail of the next frame."""
        if len(self._held) - self._start < HEADER.size:
            self._hold(HEADER.size)
        body_size, tail_size = HEADER.unpack_from(self._held, self._start)
        if self._bound is not None:
            self._bound(body_size, tail_size)
        size = HEADER.size + body_size + tail_size
        if len(self._held) - self._start < size:
            self._hold(size)
        held, start = self._held, self._start
        middle, end = start + HEADER.size + body_size, start + size
        self._held, self._start = (b"", 0) if end == len(held) else (held, end)
        return held[start + HEADER.size : middle], held[middle:end]

    def _hold(self, size: int) -> None:
        """Read until `size` bytes are held from where the next frame starts."""
        held = self._held[self._start :] or self._read(size)
        if len(held) < size:
            buffer = bytearray(held)
            while len(buffer) < size:
                buffer += self._read(size - len(buffer))
            held = bytes(buffer)
        self._held, self._start = held, 0
