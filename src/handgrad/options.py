"""What reads the words of a command's options."""

from __future__ import annotations

from collections.abc import Callable


def whole(least: int) -> Callable[[str], int]:
    """What reads an option's number, for argparse: whole, and `least` or more."""

    def read(text: str) -> int:
        from argparse import ArgumentTypeError

        if not text.isascii() or not text.isdecimal() or len(text) > 9 or int(text) < least:
            raise ArgumentTypeError(f"`{text}` is not a whole number from {least} on")
        return int(text)

    return read
