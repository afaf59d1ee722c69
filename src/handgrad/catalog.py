"""Course roots -> exercises: reads `course.toml` and each `exercise.toml`, and refuses what it does not know.

A course is a list of roots: the course folder, then any that are added. An exercise is described by the
first root that has it; its checks are the union over all roots. An added root says in
`graders/<slug>/totals.toml` how many `points` and `checks` it brings, so that none can go missing unseen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from handgrad.errors import ExerciseError, UsageError
from handgrad.model import Exercise, Limits

FORMAT = 1
LEVELS = ("easy", "medium", "hard")
FEEDBACK = ("full", "rule", "score")

_COURSE_KEYS: dict[str, type] = {
    "format": int,
    "title": str,
    "feedback": str,
    "require_level": int,
    "secret": str,
}
_EXERCISE_KEYS: dict[str, type] = {
    "format": int,
    "title": str,
    "level": str,
    "summary": str,
    "minutes": int,
    "points": int,
    "checks": int,
    "tags": list,
    "goals": list,
    "after": list,
    "reveals": list,
    "preload": list,
    "files": list,
    "limits": dict,
}
_TOTALS_KEYS: dict[str, type] = {"points": int, "checks": int}
_KINDS = {int: "a whole number", str: "a text", list: "a list of texts", dict: "a table"}


class Course(NamedTuple):
    """A course folder, the roots added to it, and their exercises in the order of the roadmap."""

    root: Path
    roots: tuple[Path, ...]
    title: str
    feedback: str  # full | rule | score (an exam: no hints, no values)
    require_level: int  # the sandbox level that a grade needs
    secret: bytes  # what hidden checks' seeds are drawn from, b"" unless course.toml names a file
    exercises: tuple[Exercise, ...]

    def exercise(self, slug: str) -> Exercise:
        """The exercise called `slug`; its folder, as a shell completes it, will do. Raises UsageError."""
        word = slug.replace("\\", "/").removesuffix("/solution.py").rstrip("/")
        name = word.removeprefix("./").removeprefix("exercises/")
        for exercise in self.exercises:
            if exercise.slug == name:
                return exercise
        import difflib

        slugs = [exercise.slug for exercise in self.exercises]
        close = difflib.get_close_matches(name, slugs, 1)
        names = f"this course has {', '.join(slugs) or 'none yet'}"
        meant = f"did you mean `{close[0]}`? ({names})" if close else names
        raise UsageError(f"there is no exercise `{slug}`: {meant}")


def find_course(start: Path) -> Path:
    """The nearest folder from `start` upward that holds a `course.toml`. Raises UsageError when none does."""
    start = Path(start).absolute()
    for folder in (start, *start.parents):
        if (folder / "course.toml").is_file():
            return folder
    raise UsageError(
        f"no `course.toml` in `{start}` or above: go into the course folder, or name it with --course"
    )


def load_course(root: Path, extra_roots: Sequence[Path] = ()) -> Course:
    """The course in `root`, with the exercises and checks that `extra_roots` add.

    Raises ExerciseError, naming file and key, for anything in the description files that is not understood.
    """
    path = root / "course.toml"
    table = _read(path, _COURSE_KEYS, required=("format", "title"))
    feedback, require_level = table.get("feedback", "full"), table.get("require_level", 2)
    if feedback not in FEEDBACK:
        raise ExerciseError(f"{path}: `feedback` is `{feedback}`: it must be one of {', '.join(FEEDBACK)}")
    if require_level not in range(4):
        raise ExerciseError(f"{path}: `require_level` is `{require_level}`: it must be 0, 1, 2 or 3")
    roots = (root, *extra_roots)
    slugs = _slugs(roots)
    for extra in extra_roots:
        _refuse_idle(extra, slugs)
    return Course(
        root=root,
        roots=roots,
        title=table["title"],
        feedback=feedback,
        require_level=require_level,
        secret=_secret(path, table.get("secret", "")),
        exercises=_roadmap([_exercise(slug, roots) for slug in slugs]),
    )


def _refuse_idle(root: Path, slugs: Sequence[str]) -> None:
    """An added root that adds nothing, or to no exercise, is a slip that would cost checks in silence."""
    if not root.is_dir():
        raise UsageError(f"the added root `{root}` is not a folder")
    graded = {path.name for path in root.glob("graders/[!._]*") if path.is_dir()}
    for slug in sorted(graded.difference(slugs)):
        raise UsageError(
            f"the added root `{root}` has checks for `{slug}`: this course has {', '.join(slugs)}"
        )
    if not graded and not any(root.glob("exercises/*/exercise.toml")):
        raise UsageError(
            f"the added root `{root}` adds nothing: checks belong into its `graders/<exercise>/`, "
            "exercises into its `exercises/`"
        )


def grader_files(exercise: Exercise) -> tuple[tuple[Path, bool], ...]:
    """The grader files of all roots and whether each is hidden: visible ones first, then by root and name."""
    return tuple(
        (path, hidden)
        for hidden, folder in ((False, "."), (True, "hidden"))
        for root in exercise.roots
        for path in sorted((root / "graders" / exercise.slug / folder).glob("test_*.py"))
    )


def _secret(path: Path, name: str) -> bytes:
    if not name:
        return b""
    try:
        return (path.parent / name).read_bytes()
    except OSError as error:
        raise ExerciseError(
            f"{path}: the `secret` file `{name}` cannot be read ({error.strerror}): put it there"
        ) from None


def _slugs(roots: Sequence[Path]) -> list[str]:
    return sorted({p.parent.name for root in roots for p in root.glob("exercises/*/exercise.toml")})


def _exercise(slug: str, roots: Sequence[Path]) -> Exercise:
    path = Path("exercises", slug, "exercise.toml")
    root = next((r for r in roots if (r / path).is_file()), None)
    if root is None:
        raise ExerciseError(f"{roots[0] / path}: is no plain file: write the exercise's description in it")
    path = root / "exercises" / slug / "exercise.toml"
    required = ("format", "title", "level", "summary", "points", "checks")
    table = _read(path, _EXERCISE_KEYS, required)
    if table["level"] not in LEVELS:
        raise ExerciseError(f"{path}: `level` is `{table['level']}`: it must be one of {', '.join(LEVELS)}")
    more = [_totals(r, slug) for r in roots if r != root and (r / "graders" / slug).is_dir()]
    return Exercise(
        slug=slug,
        root=root,
        roots=tuple(r for r in roots if r == root or (r / "graders" / slug).is_dir()),
        title=table["title"],
        level=table["level"],
        summary=table["summary"],
        points=table["points"] + sum(points for points, _ in more),
        checks=table["checks"] + sum(checks for _, checks in more),
        minutes=table.get("minutes", 0),
        limits=_limits(path, table.get("limits", {})),
        **{key: tuple(table.get(key, ())) for key, kind in _EXERCISE_KEYS.items() if kind is list},
    )


def _totals(root: Path, slug: str) -> tuple[int, int]:
    path = root / "graders" / slug / "totals.toml"
    table = _read(path, _TOTALS_KEYS, required=("points", "checks"))
    return table["points"], table["checks"]


def _limits(path: Path, table: Mapping[str, Any]) -> Limits:
    known = Limits._field_defaults
    checks = table.get("checks", {})
    if type(checks) is not dict:
        raise ExerciseError(f"{path}: `limits.checks` must be a table")
    for key, value in table.items():
        if key not in known:
            raise ExerciseError(f"{path}: unknown key `limits.{key}`: known are {', '.join(known)}")
        if key != "checks":
            _limit(path, key, value, whole=type(known[key]) is int)
    for name, value in checks.items():
        _limit(path, f"checks.{name}", value, whole=False)
    return Limits(**{**table, "checks": tuple(checks.items())})


def _limit(path: Path, key: str, value: object, *, whole: bool) -> None:
    if not isinstance(value, int if whole else (int, float)) or isinstance(value, bool):
        raise ExerciseError(f"{path}: `limits.{key}` must be a {'whole ' if whole else ''}number")
    if not 0 < value < float("inf"):
        raise ExerciseError(f"{path}: `limits.{key}` must be above 0")


def _read(path: Path, keys: Mapping[str, type], required: Sequence[str]) -> dict[str, Any]:
    """The table in `path`, with only known keys of the right kind in it."""
    table = _parse(path)
    for key, value in table.items():
        if key not in keys:
            raise ExerciseError(f"{path}: unknown key `{key}`: known are {', '.join(keys)}")
        if not _fits(value, keys[key]):
            raise ExerciseError(f"{path}: `{key}` must be {_KINDS[keys[key]]}")
        if keys[key] is int and value < 0:
            raise ExerciseError(f"{path}: `{key}` must not be negative")
    for key in required:
        if key not in table:
            raise ExerciseError(f"{path}: the key `{key}` is missing: add it")
    if table.get("format", FORMAT) != FORMAT:
        raise ExerciseError(f"{path}: `format` is `{table['format']}`: this handgrad reads format {FORMAT}")
    return table


def _fits(value: Any, kind: type) -> bool:
    if isinstance(value, list):
        return kind is list and all(isinstance(item, str) for item in value)
    return type(value) is kind


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        wanted = (
            " (say there how many `points` and `checks` this folder adds)"
            if path.name == "totals.toml"
            else ""
        )
        raise ExerciseError(f"{path} cannot be read: {error.strerror}{wanted}") from None
    except UnicodeDecodeError:
        raise ExerciseError(f"{path} is not UTF-8: save it as UTF-8") from None
    except RecursionError:
        raise ExerciseError(f"{path} is not valid TOML: nested too deep") from None
    except tomllib.TOMLDecodeError as error:
        raise ExerciseError(f"{path} is not valid TOML: {str(error)[:1].lower()}{str(error)[1:]}") from None


def _roadmap(exercises: Sequence[Exercise]) -> tuple[Exercise, ...]:
    """The exercises so that each comes after those of this course that it names in `after`; else by name."""
    known = {exercise.slug for exercise in exercises}
    placed: list[Exercise] = []
    waiting = list(exercises)
    while waiting:
        open_slugs = known - {e.slug for e in placed}
        ready = next((e for e in waiting if open_slugs.isdisjoint(e.after)), None)
        if ready is None:
            names = ", ".join(e.slug for e in waiting)
            raise ExerciseError(f"`after` goes in a circle among {names}: take one of them out")
        placed.append(ready)
        waiting.remove(ready)
    return tuple(placed)
