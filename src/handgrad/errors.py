"""The two kinds of fault that are never a learner's: each is one clear sentence."""

from __future__ import annotations

from collections.abc import Callable


class HandgradError(Exception):
    """Something stopped handgrad before it could judge. The text is one sentence and says what to do."""


class ExerciseError(HandgradError):
    """The author of an exercise must act: a broken grader, a wrong total, an unknown key."""


class ToolError(HandgradError):
    """The machine must be mended: no sandbox, no room on the disk, a worker that cannot start."""


class UsageError(HandgradError):
    """The command was called with words it cannot use."""


def whole(least: int) -> Callable[[str], int]:
    """What reads an option's number, for argparse: whole, and `least` or more."""

    def read(text: str) -> int:
        from argparse import ArgumentTypeError

        if not text.isascii() or not text.isdecimal() or len(text) > 9 or int(text) < least:
            raise ArgumentTypeError(f"`{text}` is not a whole number from {least} on")
        return int(text)

    return read
