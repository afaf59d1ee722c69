"""The student bundle: one archive with an exercise and the tool, the same bytes each time.

It holds the statement, the starter, the visible checks and the `handgrad` package itself, so that
`python3 -m handgrad check` works in the unpacked folder with nothing installed and no network.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from handgrad.build.archive import make_archive
from handgrad.catalog import grader_files
from handgrad.errors import ExerciseError
from handgrad.model import Exercise

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_NOT_FOR_LEARNERS: Final = ("integrations/",)  # what instructors and hosts use; the rest is one tool
_READ_ME: Final = """# {title}

1. Read `exercises/{slug}/README.md`.
2. Write your code in `exercises/{slug}/solution.py`.
3. Here, in this folder, run `python3 -m handgrad check` (on Windows `py -m handgrad check`).

Python 3.11 or newer is all it needs{more}. The checks here are the visible ones; hidden ones run when you
hand in.
"""


def bundle_files(exercise: Exercise, *, title: str, starter: str) -> dict[str, bytes]:
    """What goes into the archive, by path. `title` is the course's; `starter` the text of the starter.

    Raises ExerciseError when two roots have a grader file of one name.
    """
    folder = f"exercises/{exercise.slug}"
    files = {
        "README.md": _READ_ME.format(
            title=exercise.title, slug=exercise.slug, more=_needs(exercise)
        ).encode(),
        "course.toml": f"format = 1\ntitle = {_quoted(title)}\nrequire_level = 0\n".encode(),
        f"{folder}/solution.py": starter.encode(),
        f"{folder}/starter.py": starter.encode(),
    }
    for path in sorted(exercise.folder.rglob("*")):
        name = path.relative_to(exercise.folder).as_posix()
        if path.is_file() and not path.is_symlink() and _is_shown(exercise, name):
            files[f"{folder}/{name}"] = path.read_bytes()
    files |= grader_bytes(exercise, hidden=False)
    for path in sorted(_PACKAGE.rglob("*.py")):
        name = path.relative_to(_PACKAGE).as_posix()
        if not name.startswith(_NOT_FOR_LEARNERS):
            files[f"handgrad/{name}"] = path.read_bytes()
    return files


def grader_bytes(exercise: Exercise, *, hidden: bool) -> dict[str, bytes]:
    """The visible grader files of all roots, or the hidden ones, by their path in a course of one root.

    Raises ExerciseError when two roots have a file of one name: one of the two would be lost.
    """
    folder = f"graders/{exercise.slug}" + ("/hidden" if hidden else "")
    files: dict[str, bytes] = {}
    for path, is_hidden in grader_files(exercise):
        if is_hidden is hidden:
            if (name := f"{folder}/{path.name}") in files:
                raise ExerciseError(f"{path}: another root has a file of this name: give it its own")
            files[name] = path.read_bytes()
    return files


def make_bundle(slug: str, files: Mapping[str, bytes]) -> bytes:
    """The files as a zip archive under one folder called `slug`."""
    return make_archive({f"{slug}/{name}": content for name, content in files.items()})


def _is_shown(exercise: Exercise, name: str) -> bool:
    """The statement, its figures and what `files` of exercise.toml names; nothing that merely lies there."""
    if name in ("README.md", "exercise.toml"):
        return True
    return name in exercise.files or name.endswith((".svg", ".png", ".jpg", ".gif"))


def _needs(exercise: Exercise) -> str:
    return f", and {', '.join(exercise.preload)}" if exercise.preload else ""


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
