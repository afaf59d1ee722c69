"""What tests of the command share: a course to write in, and `handgrad` called in this process."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from handgrad.cli import main

TOYS = Path(__file__).parent / "course"


@dataclass(frozen=True)
class Answer:
    """What a command did."""

    code: int
    out: str
    err: str


class Desk:
    """A toy course that may be written to, and somebody who types commands in it."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self._capsys = root, capsys
        shutil.copytree(TOYS, root)

    def __call__(self, *words: str) -> Answer:
        """Type `handgrad words…`."""
        self._capsys.readouterr()
        try:
            code = main(words)
        except SystemExit as left:  # argparse, for words it cannot use and for --help
            code = int(left.code or 0)
        out, err = self._capsys.readouterr()
        return Answer(code, out, err)

    def path(self, name: str) -> Path:
        """A file of the course."""
        return self.root / name

    def write(self, text: str | bytes, slug: str = "stack") -> Path:
        """Save a learner's file."""
        path = self.path(f"exercises/{slug}/solution.py")
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def solve(self, slug: str = "stack", mistake: str = "") -> Path:
        """Save the reference, or a known wrong solution, as the learner's file."""
        name = f"graders/{slug}/mistakes/{mistake}.py" if mistake else f"solutions/{slug}/solution.py"
        return self.write(self.path(name).read_text("utf-8"), slug)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A course in a folder with a blank and an accent in its name, and somebody in it."""
    monkeypatch.delenv("MAKELEVEL", raising=False)
    made = Desk(tmp_path / "mein Kürs", capsys)
    monkeypatch.chdir(made.root)
    return made
