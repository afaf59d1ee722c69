"""Writes what a host needs to grade with handgrad: workflows for GitHub, autograders for two other hosts.

Every function gives files by path; writing them is the command's part.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Final

from handgrad import __version__
from handgrad.build.bundle import bundle_files, grader_bytes
from handgrad.build.starter import make_starter
from handgrad.catalog import Course
from handgrad.errors import UsageError
from handgrad.files import required_text
from handgrad.model import Exercise

KINDS: Final = ("github", "gradescope", "classroom50")
_TEMPLATES: Final = Path(__file__).resolve().parent / "templates"
_SANDBOX: Final = ("seccompy", "landlockpy")  # pure Python, so they can travel in an archive


def github_files(*, pinned: bool, course: str = ".") -> dict[str, bytes]:
    """The workflows, by their path in the repository. `course` is where the course lies in it.

    The one that keeps packages in the cache is of use only where requirements/grade.txt has them `pinned`.
    Raises UsageError for a name of the course's folder that cannot stand in a workflow.
    """
    if not re.fullmatch(r"[\w./ -]+", course) or course.startswith("-"):
        raise UsageError(
            f"`{course}` cannot stand in a workflow: "
            "call the folder by letters, digits, `.`, `-`, `_` and blanks alone"
        )
    files = {}
    for path in sorted((_TEMPLATES / "github").glob("*.yml")):
        if path.name == "handgrad-packages.yml" and not pinned:
            continue
        text = path.read_text("utf-8").replace("@VERSION@", __version__)
        text = text.replace("--course .", f"--course {quote(course)}")
        files[f".github/workflows/{path.name}"] = text.encode()
    return files


def gradescope_files(course: Course, exercise: Exercise) -> dict[str, bytes]:
    """An autograder for one exercise: handgrad, its checks (hidden ones, too), and two scripts.

    Raises ExerciseError when two roots have a grader file of one name.
    """
    files = _course_files(course, exercise)
    del files[f"exercises/{exercise.slug}/starter.py"]  # with it, it would be a student bundle
    files |= grader_bytes(exercise, hidden=True)
    description = f"exercises/{exercise.slug}/exercise.toml"
    files[description] = _with_totals(files[description], exercise)
    if course.secret:
        files["secret"] = course.secret
        files["course.toml"] += b'secret = "secret"\n'
    return files | _scripts("gradescope", course, exercise)


def classroom50_files(course: Course, exercise: Exercise) -> dict[str, bytes]:
    """What goes into `autograders/<assignment>/`: handgrad, the visible checks, and autograder.py.

    Classroom 50 publishes that folder at an address that is only not told, so nothing hidden is in it.
    """
    return _course_files(course, exercise) | _scripts("classroom50", course, exercise)


def _course_files(course: Course, exercise: Exercise) -> dict[str, bytes]:
    files = bundle_files(exercise, title=course.title, starter=_starter(exercise))
    del files["README.md"]
    settings = f'feedback = "{course.feedback}"\nrequire_level = {course.require_level}\n'
    lines = files["course.toml"].decode().splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(("feedback", "require_level"))]
    files["course.toml"] = ("".join(kept) + settings).encode()
    return files | _vendored()


def _starter(exercise: Exercise) -> str:
    if exercise.reference_path.is_file():
        return make_starter(required_text(exercise.reference_path))
    return required_text(exercise.solution_path)


def _vendored() -> dict[str, bytes]:
    """The sandbox's libraries, which a bare machine lacks. Raises UsageError where they are not installed."""
    files = {}
    for name in _SANDBOX:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise UsageError(
                f"`{name}` is not installed, and the archive must hold it: "
                "run `make setup` in a clone of handgrad, or install it for this Python"
            )
        folder = Path(spec.origin).parent
        for path in sorted(folder.rglob("*.py")):
            files[f"vendor/{name}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    return files


def _scripts(kind: str, course: Course, exercise: Exercise) -> dict[str, bytes]:
    words = {
        "@SLUG@": exercise.slug,
        "@LEVEL@": str(course.require_level),
        "@MODULES@": " ".join(exercise.preload) or "sys",
    }
    files = {}
    for path in sorted((_TEMPLATES / kind).iterdir()):
        if path.is_file():
            text = path.read_text("utf-8")
            for word, value in words.items():
                text = text.replace(word, value)
            files[path.name] = text.encode()
    return files


def _with_totals(description: bytes, exercise: Exercise) -> bytes:
    """exercise.toml with the points and checks of all roots together."""
    text = description.decode("utf-8")
    for key, number in (("points", exercise.points), ("checks", exercise.checks)):
        text = re.sub(rf"^{key}\s*=.*$", f"{key} = {number}", text, count=1, flags=re.MULTILINE)
    return text.encode()
