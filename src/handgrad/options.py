"""What reads the words of a command's options."""

from __future__ import annotations

from collections.abc import Callable


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """What reads an option's number, for argparse: whole, `least` or more, and `most` or less."""

    def read(text: str) -> int:
        from argparse import ArgumentTypeError

        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1
        if number < least or (most is not None and number > most):
            known = f"from {least} on" if most is None else f"from {least} to {most}"
            raise ArgumentTypeError(f"`{text}` is not a whole number {known}")
        return number

    return read
