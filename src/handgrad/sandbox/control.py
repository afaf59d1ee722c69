"""The socket between a judge and its zygote: a message is JSON, and descriptors can come with it.

Over `_socket` alone, which is what `socket` is made of: that one takes both sides 4 ms to import, and adds
nothing that is needed here.
"""

from __future__ import annotations

import _socket
import json
import sys
from collections.abc import Sequence
from typing import Any

MOST_BYTES = 65536
MOST_DESCRIPTORS = 2
_INT = 4  # bytes of a descriptor's number in a control message


def tell(control: _socket.socket, message: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
    """Send a message. Raises OSError when nobody listens any more."""
    numbers = b"".join(number.to_bytes(_INT, sys.byteorder) for number in descriptors)
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)] if numbers else []
    control.sendmsg([json.dumps(message).encode()], rights)


def hear(control: _socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The next message, and the descriptors that came with it; ({}, []) when the other side has ended.

    Raises OSError.
    """
    raw, ancillary, _, _ = control.recvmsg(MOST_BYTES, _socket.CMSG_SPACE(MOST_DESCRIPTORS * _INT))
    numbers = b"".join(data for _, kind, data in ancillary if kind == _socket.SCM_RIGHTS)
    found = [int.from_bytes(numbers[i : i + _INT], sys.byteorder) for i in range(0, len(numbers), _INT)]
    return (json.loads(raw) if raw else {}), found
