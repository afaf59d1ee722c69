"""Folders deeper than Python calls itself: `os.walk`, `shutil.rmtree` and `makedirs` do not get to their end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEPTH = 1100


@contextmanager
def back_here_afterwards() -> Iterator[None]:
    """Like `contextlib.chdir`, for a way that is walked step by step."""
    here = Path.cwd()
    try:
        yield
    finally:
        os.chdir(here)


def dig(folder: Path) -> None:
    """Make `a/a/a/…` in the folder."""
    with back_here_afterwards():
        os.chdir(folder)
        for _ in range(DEPTH):
            Path("a").mkdir()
            os.chdir("a")


def fill_in(folder: Path) -> None:
    """Remove what is left of `a/a/a/…` in the folder, so that pytest can tidy up."""
    depth = 0
    with back_here_afterwards():
        os.chdir(folder)
        while Path("a").is_dir():
            os.chdir("a")
            depth += 1
        for _ in range(depth):
            os.chdir("..")
            Path("a").rmdir()
