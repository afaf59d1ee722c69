"""What handgrad remembers between commands, in the git-ignored `.handgrad/` of a course.

Nothing here is needed to grade: a state that is lost, broken or cannot be written costs hints and marks only.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from handgrad.files import write_safely
from handgrad.model import Exercise


class State:
    """The memory of one course. Reading never raises; writing raises ToolError."""

    def __init__(self, root: Path) -> None:
        self.folder = root / ".handgrad"

    def read(self, name: str) -> dict[str, Any]:
        """What was remembered under `name`, {} when nothing (or nothing readable) was."""
        try:
            found = json.loads((self.folder / f"{name}.json").read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def write(self, name: str, value: dict[str, Any]) -> None:
        """Remember `value` under `name`."""
        write_safely(
            self.folder / f"{name}.json", json.dumps(value, indent=1, sort_keys=True) + "\n", durable=False
        )

    def keep(self, exercise: Exercise) -> Path:
        """Put a copy of the learner's file aside, numbered, and say where it went."""
        folder = self.folder / "kept" / exercise.slug
        number = 1
        while (folder / f"solution-{number}.py").exists():
            number += 1
        path = folder / f"solution-{number}.py"
        write_safely(path, exercise.solution_path.read_bytes())
        return path
