"""How a frame lies in a stream of bytes, for both ends of the pipe. `judge/wire.py` says what is in one."""

from __future__ import annotations

import struct
from collections.abc import Callable

HEADER = struct.Struct("<II")  # the lengths of the JSON and of the tail


def next_frame(
    buffer: bytearray, fill: Callable[[int], None], sizes: Callable[[bytearray], tuple[int, ...]]
) -> tuple[bytes, bytes]:
    """Cut the JSON and the tail of the next frame off `buffer`.

    `fill(size)` reads until the buffer holds that many bytes; `sizes(header)` unpacks both lengths, and may
    refuse them by raising.
    """
    fill(HEADER.size)
    body_size, tail_size = sizes(buffer[: HEADER.size])
    middle = HEADER.size + body_size
    end = middle + tail_size
    fill(end)
    with memoryview(buffer) as view:
        frame = bytes(view[HEADER.size : middle]), bytes(view[middle:end])
    del buffer[:end]
    return frame
