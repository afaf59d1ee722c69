"""`handgrad release`: notebooks through nbgrader, and student bundles, with nothing half done.

Each exercise is first built aside, generated there by nbgrader, and searched for leaks. Only what is sound
then goes through `generate_assignment` in the course's own folder; what is not leaves its old release alone.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handgrad.build.bundle import bundle_files, make_bundle
from handgrad.build.leaks import (
    Secrets,
    compile_problems,
    find_leaks,
    marker_problems,
    secrets_of,
    words_of_the_tool,
)
from handgrad.build.notebook import check_texts, make_notebook, read_graders, shown_pictures
from handgrad.build.starter import make_starter
from handgrad.catalog import Course
from handgrad.errors import ExerciseError, HandgradError
from handgrad.files import required_text, write_safely
from handgrad.model import Exercise

EXPLORE = "explore.py"  # cells for play at the end of the notebook: `exercises/<slug>/explore.py`


@dataclass(frozen=True, slots=True)
class Built:
    """An exercise ready to be released."""

    exercise: Exercise
    source: str  # the source notebook
    bundle: bytes
    files: dict[str, bytes]  # further files that learners get beside the notebook
    secrets: Secrets


def build(course: Course, exercise: Exercise, canaries: Sequence[str] = ()) -> Built:
    """Make notebook and bundle in memory. Raises ExerciseError with file and line."""
    reference = required_text(exercise.reference_path)
    statement = required_text(exercise.folder / "README.md")
    explore = required_text(exercise.folder / EXPLORE) if (exercise.folder / EXPLORE).is_file() else ""
    files = read_graders(exercise)
    checks = check_texts(files)
    _refuse_markers([(exercise.folder / "README.md", statement), (exercise.folder / EXPLORE, explore)])
    _refuse_markers([(file.path, file.text) for file in files])
    starter = make_starter(reference, name=str(exercise.reference_path))
    pictures = {name: _bytes(exercise.folder / name) for name in shown_pictures(statement)}
    further = {name: _bytes(exercise.folder / name) for name in exercise.files}
    source = make_notebook(
        exercise,
        statement=statement,
        reference=reference,
        checks=checks,
        explore=explore,
        pictures=pictures,
    )
    bundle = bundle_files(exercise, title=course.title, starter=starter)
    secrets = secrets_of(
        exercise.slug,
        reference=reference,
        files=files,
        checks=checks,
        public=[statement, starter, explore, *words_of_the_tool()],
        canaries=canaries,
    )
    return Built(exercise, source, make_bundle(exercise.slug, bundle), further, secrets)


def release(
    course: Course,
    exercises: Sequence[Exercise],
    *,
    notebooks: Path,
    dist: Path,
    say: Callable[[str], None],
    reveal: bool = False,
    canaries: Sequence[str] = (),
) -> int:
    """Release the exercises; 0 when all of them were, 1 when one has a leak or a fault in its files."""
    from handgrad.integrations import nbgrader as integration

    config = integration.load_config(notebooks)
    done: list[Exercise] = []
    for exercise in exercises:
        try:
            built = build(course, exercise, canaries)
            with _staging(notebooks) as staging:
                problems = check_release(built, staging, integration.generate, config)
            if not problems:
                _publish(built, notebooks, dist, integration.generate, config)
        except HandgradError as error:
            problems = (str(error),)
        if problems:
            say(f"{exercise.slug}: not released, and its old release is untouched")
            for problem in problems:
                say(f"  {problem}")
            continue
        done.append(exercise)
        say(f"{exercise.slug}: released; searched for {_sought(built.secrets)}, and found none")
        say(f"  notebooks/release/{exercise.slug}/{exercise.slug}.ipynb")
        say(f"  dist/{exercise.slug}.zip")
    for line in [] if reveal else when_to_publish(done, course):
        say(line)
    say(f"{len(done)} of {len(exercises)} released")
    return 0 if len(done) == len(exercises) else 1


def check_release(built: Built, staging: Path, generate: Callable[..., None], config: Any) -> tuple[str, ...]:
    """Let nbgrader generate the release in a folder aside, and say what is wrong with it."""
    slug = built.exercise.slug
    _write_source(built, staging)
    generate(staging, slug, config=config, database=False)
    released = staging / "release" / slug
    problems: list[str] = []
    for path in sorted(p for p in released.rglob("*") if p.is_file()):
        data = path.read_bytes()
        name = path.relative_to(released).as_posix()
        problems += find_leaks(name, data, built.secrets)
        if path.suffix == ".ipynb":
            problems += compile_problems(data.decode("utf-8"))
        elif name not in built.files:
            problems.append(f"`{name}` is no part of the exercise and would be released")
    problems += find_leaks(f"{slug}.zip", built.bundle, built.secrets)
    return tuple(problems)


def when_to_publish(released: Sequence[Exercise], course: Course) -> list[str]:
    """What must wait for what: a starter that holds another exercise's answer."""
    known = {exercise.slug for exercise in course.exercises}
    return [
        f"publish `{exercise.slug}` only after `{other}` is closed: its starter holds that answer"
        for exercise in released
        for other in exercise.reveals
        if other in known
    ]


def _publish(built: Built, notebooks: Path, dist: Path, generate: Callable[..., None], config: Any) -> None:
    slug = built.exercise.slug
    folders = [notebooks / "source" / slug, notebooks / "release" / slug]
    _refuse_strangers(folders[0], built)
    with _put_back_on_failure(folders, notebooks / ".handgrad"):
        _write_source(built, notebooks)
        generate(notebooks, slug, config=config)
    write_safely(dist / f"{slug}.zip", built.bundle)


@contextmanager
def _put_back_on_failure(folders: Sequence[Path], shelf: Path) -> Iterator[None]:
    """Whatever goes wrong inside, the folders are afterwards as they were before, or gone again."""
    with tempfile.TemporaryDirectory(prefix="old-", dir=shelf) as old:
        for number, folder in enumerate(folders):
            if folder.is_dir():
                shutil.copytree(folder, Path(old) / str(number))
        try:
            yield
        except BaseException:
            for number, folder in enumerate(folders):
                shutil.rmtree(folder, ignore_errors=True)
                if (Path(old) / str(number)).is_dir():
                    shutil.copytree(Path(old) / str(number), folder)
            raise


def _refuse_strangers(source: Path, built: Built) -> None:
    """nbgrader releases every file that lies in its source folder: none may lie there that we did not put."""
    ours = {f"{built.exercise.slug}.ipynb", *built.files}
    for path in sorted(source.rglob("*")) if source.is_dir() else ():
        name = path.relative_to(source).as_posix()
        hidden = any(part.startswith(".ipynb_checkpoints") for part in path.relative_to(source).parts)
        if path.is_file() and name not in ours and not hidden:
            raise ExerciseError(f"{path}: nbgrader would release this file: move it out of `{source}`")


def _write_source(built: Built, course: Path) -> None:
    folder = course / "source" / built.exercise.slug
    for name, data in {f"{built.exercise.slug}.ipynb": built.source.encode(), **built.files}.items():
        write_safely(folder / name, data)


@contextmanager
def _staging(notebooks: Path) -> Iterator[Path]:
    """A folder aside, on the same disk, gone afterwards."""
    shelf = notebooks / ".handgrad"
    shelf.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="staging-", dir=shelf) as folder:
        yield Path(folder)


def _refuse_markers(texts: Sequence[tuple[Path, str]]) -> None:
    problems = [problem for path, text in texts for problem in marker_problems(path, text)]
    if problems:
        raise ExerciseError(problems[0])


def _sought(secrets: Secrets) -> str:
    return (
        f"{len(secrets.runs)} runs of solution lines, {len(secrets.lines)} lines of hidden checks "
        f"and {len(secrets.canaries)} planted words"
    )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ExerciseError(f"{path}:1: cannot be read ({error.strerror}): put it there") from None
