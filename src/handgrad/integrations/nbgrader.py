"""nbgrader with our judge in the place of its kernel. The one module that imports nbgrader.

`configure(c)`, called by `notebooks/nbgrader_config.py`, puts our steps around three of nbgrader's
converters, for the assignments that are exercises of the course; any other assignment stays nbgrader's
own. nbgrader has no hook before it looks for submissions, so `start` of each converter is wrapped.

- generate_assignment: the starter's own stubs; a check can be added after work was handed in.
- autograde: `collect` first; then each submission's code is laid over the released notebook, the judge
  grades it in its worker, and what it says is written as the outputs from which nbgrader makes points.
- generate_feedback: hidden checks leave the page.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import logging
import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self

import nbformat
from nbconvert.exporters import NotebookExporter
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader import api, utils
from nbgrader.api import BaseCell, Comment, Grade, Gradebook, InvalidEntry, MissingEntry
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import CsvExportPlugin
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    GetGrades,
    IncludeHeaderFooter,
    LimitOutput,
    LockCells,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)
from sqlalchemy.exc import DatabaseError, IntegrityError
from traitlets import Bool, List
from traitlets.config import PyFileConfigLoader

from handgrad.batch import Grading
from handgrad.build.starter import make_starter
from handgrad.catalog import Course, find_course, load_course
from handgrad.errors import ExerciseError, HandgradError, ToolError, UsageError
from handgrad.files import write_safely
from handgrad.integrations.cells import note_cell, outputs_of, stray_cells, whole_file_outputs
from handgrad.integrations.collect import Handed, State, account, collect, lay_over, learners_in, same_code
from handgrad.integrations.logs import last_line
from handgrad.model import Exercise, Verdict
from handgrad.pool import Background, cores
from handgrad.report.escape import csv_cell, one_line
from handgrad.report.view import learner_view

FEWEST: Final = 4  # submissions for which further processes are worth starting
LOCK_SECONDS: Final = 60  # for another process to be done with the gradebook
KNOWN_CELLS: Final = ("statement", "how_to", "helpers")  # not repeated on a feedback page
STAMP: Final = "handgrad"  # the key of our own metadata in an autograded notebook


@dataclass(slots=True)
class Batch:
    """What one run of autograde works with."""

    course: Course
    exercise: Exercise
    folder: Path  # the nbgrader course folder
    release: str  # the released notebook, as JSON text
    grader: str  # grader_digest
    handed: dict[str, Handed]
    starter: Any
    gradebook: _Gradebook
    checks: tuple[Any, ...]
    require: int  # the lowest sandbox level that makes a grade
    told: Callable[[dict[str, Any]], None] = lambda record: None
    ahead: Callable[[str], Verdict | None] = lambda learner: None  # a verdict made by another process
    again: dict[str, str] = field(default_factory=dict)  # learner -> why they are graded again
    done: dict[str, Verdict] = field(default_factory=dict)
    restored: str = ""  # the released notebook with its hidden checks, as JSON text, once it is made
    failed: dict[str, str] = field(default_factory=dict)  # learner -> why they stay ungraded

    def verdict(self, learner: str) -> Verdict:
        """One learner's verdict. Raises ToolError when the code stays ungraded through our fault."""
        from handgrad.grade import grade

        submission = self.handed[learner].submission
        if submission is None:
            raise ToolError(f"nothing of `{learner}` was collected: run autograde again")
        verdict = self.ahead(learner) or grade(
            self.exercise,
            submission,
            starter=self.starter,
            course=self.course,
            checks=self.checks,
            require=self.require,
            source=submission.path.name,
        )
        if verdict.ungraded:
            self.failed[learner] = verdict.ungraded
            raise ToolError(f"`{learner}` stays ungraded: {verdict.ungraded}")
        self.done[learner] = verdict
        self.told({"progress": learner})
        return verdict


def configure(config: Any, *, roots: Sequence[str | Path] = ()) -> None:
    """Put our steps around nbgrader's converters; called by `nbgrader_config.py` with its `c`.

    `roots` are folders that add private checks, as `--root` of the command does.
    """
    for root in roots:
        add_root(Path(root))
    config.GenerateFeedback.force = True  # a page is made anew from what is graded now
    if "plugin_class" not in config.ExportApp:
        config.ExportApp.plugin_class = CsvExport
    install()


_ROOTS: Final[list[Path]] = []  # nbgrader makes its converters itself: nothing can be handed to them


def add_root(root: Path) -> None:
    """Add a folder of private checks, for this process."""
    if root.resolve() not in _ROOTS:
        _ROOTS.append(root.resolve())


def install() -> None:
    """Wrap `start` of the three converters, once in a process."""
    for kind, around in (
        (Autograde, _autograde),
        (GenerateFeedback, _feedback),
        (GenerateAssignment, _generate),
    ):
        if not hasattr(kind.start, "handgrad"):
            kind.start = _wrapped(kind.start, around)
    _find_alembic()


def _find_alembic() -> None:
    """nbgrader calls `alembic` by name when it makes a gradebook: look beside this Python for it, too."""
    beside = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", "")
    if beside not in path.split(os.pathsep):
        os.environ["PATH"] = f"{beside}{os.pathsep}{path}"


def _wrapped(start: Callable[[Any], None], around: Callable[..., Any]) -> Callable[[Any], None]:
    def started(self: Any) -> None:
        try:
            found = exercise_of(self.coursedir)
            if found is None:
                self.log.info("handgrad leaves `%s` to nbgrader alone", self.coursedir.assignment_id)
                start(self)
                return
            with around(self, *found):
                start(self)
        except HandgradError as error:
            self.log.error("handgrad: %s", error)
            raise NbGraderException(str(error)) from error
        except DatabaseError as error:
            self.log.error("handgrad: the gradebook cannot be used: %s", error.orig)
            raise NbGraderException("the gradebook cannot be used") from error

    started.handgrad = True  # type: ignore[attr-defined]
    return started


def exercise_of(coursedir: Any) -> tuple[Course, Exercise] | None:
    """The course and exercise behind nbgrader's assignment; None when it is no exercise of ours.

    None lets nbgrader go on by itself and run what learners wrote, so only a whole course may say so.
    Raises HandgradError when the course cannot be read, or when the assignment may be an exercise after all.
    """
    course = load_course(find_course(Path(coursedir.root)), _ROOTS)
    name = coursedir.assignment_id
    for exercise in course.exercises:
        if exercise.slug == name:
            return course, exercise
    last = Path(os.path.normpath(name)).name.casefold()  # nbgrader takes paths and patterns, too
    for exercise in course.exercises:
        if fnmatch.fnmatchcase(exercise.slug.casefold(), last):
            raise UsageError(f"`{name}` stands for the exercise `{exercise.slug}`, too: name one exercise")
    places = [root / kind / name for root in course.roots for kind in ("exercises", "solutions", "graders")]
    places.append(Path(coursedir.root) / ".handgrad" / "verdicts" / name)
    left = next((place for place in places if place.is_dir()), None)
    if left is not None:
        raise ExerciseError(
            f"`{name}` is no exercise, and yet there is `{left}`: "
            f"put its `exercise.toml` back, or remove that folder"
        )
    return None


# ---- generate_assignment


@contextmanager
def _generate(converter: Any, course: Course, exercise: Exercise) -> Iterator[None]:
    converter.preprocessors = [
        IncludeHeaderFooter,
        LockCells,
        Starter,
        ClearOutput,
        CheckCellMetadata,
        ComputeChecksums,
        *(() if converter.no_database else (KeepSubmissions,)),
        ClearHiddenTests,
        ClearMarkScheme,
        ComputeChecksums,
        CheckCellMetadata,
    ]
    yield


class Starter(ClearSolutions):  # type: ignore[misc]
    """Cut solutions out as the course's own starters are cut, so that a stub says what is to be written."""

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> Any:
        """Replace the solution regions of a solution cell."""
        if not utils.is_solution(cell) or cell.cell_type != "code":
            return super().preprocess_cell(cell, resources, cell_index)
        cell.source = make_starter(cell.source, name=f"cell {cell.metadata.nbgrader.grade_id}").rstrip("\n")
        return cell, resources


class KeepSubmissions(SaveCells):  # type: ignore[misc]
    """Let checks come and go after work was handed in; nbgrader's own step refuses that."""

    def _create_notebook(self, nb: Any) -> None:
        try:
            notebook = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        except MissingEntry:
            super()._create_notebook(nb)
            return
        if not notebook.submissions:
            super()._create_notebook(nb)
            return
        backup = back_up(self.db_url)
        self._drop_old_cells(notebook, backup)
        for kind in ("grade", "solution", "task", "source"):
            create = getattr(self.gradebook, f"update_or_create_{kind}_cell")
            for name, info in getattr(self, f"new_{kind}_cells").items():
                create(name, self.notebook_id, self.assignment_id, **info)
        self._add_rows(notebook, backup)

    def _drop_old_cells(self, notebook: Any, backup: str) -> None:
        kept = {*self.new_grade_cells, *self.new_solution_cells, *self.new_task_cells}
        session = self.gradebook.db
        old = (*notebook.grade_cells, *notebook.solution_cells, *notebook.task_cells)
        for cell in {c.id: c for c in old if c.name not in kept}.values():
            self.log.warning(
                "`%s` is no longer in `%s`: its points are dropped%s", cell.name, self.notebook_id, backup
            )
            session.query(Grade).filter(Grade.cell_id == cell.id).delete()
            session.query(Comment).filter(Comment.cell_id == cell.id).delete()
            session.delete(cell)
        for source in [c for c in notebook.source_cells if c.name not in self.new_source_cells]:
            session.delete(source)
        session.commit()

    def _add_rows(self, notebook: Any, backup: str) -> None:
        """Give each earlier submission a row for each new cell, as nbgrader does when one comes in."""
        session = self.gradebook.db
        session.refresh(notebook)
        for submitted in notebook.submissions:
            graded = {g.cell_id for g in submitted.grades}
            commented = {c.cell_id for c in submitted.comments}
            for cell in [c for c in notebook.grade_cells if c.id not in graded]:
                session.add(Grade(cell_id=cell.id, notebook=submitted))
                self.log.info("`%s` is new: grade again to fill it in%s", cell.name, backup)
            for cell in [c for c in notebook.solution_cells if c.id not in commented]:
                session.add(Comment(cell_id=cell.id, notebook=submitted))
        session.commit()


def back_up(db_url: str) -> str:
    """Copy an SQLite gradebook into `.handgrad/backups/`; words that say where, "" for other databases."""
    path = Path(db_url.removeprefix("sqlite:///"))
    if not db_url.startswith("sqlite:///") or not path.is_file():
        return ""
    shelf = path.parent / ".handgrad" / "backups"
    raw = path.read_bytes()
    copy = shelf / f"gradebook-{hashlib.sha256(raw).hexdigest()[:12]}.db"
    if not copy.exists():
        write_safely(copy, raw)
    return f" (the gradebook as it was is kept in `{copy.relative_to(path.parent)}`)"


# ---- autograde


@contextmanager
def _autograde(converter: Any, course: Course, exercise: Exercise) -> Iterator[None]:
    from handgrad.sandbox.starter import open_starter

    with (
        open_starter(None, exercise.preload) as starter,
        _one_engine(),
        _one_gradebook(converter.coursedir.db_url) as opened,
    ):
        batch = _prepare(converter, course, exercise, starter, opened)
        converter.handgrad = batch
        converter.exporter_class = Reader
        converter.preprocessors = [Canonical, SandboxGrade, LimitOutput, Store]
        # nbgrader converts twice, since what it cleans must be in a file before a kernel runs it.
        converter.convert_single_notebook = partial(BaseConverter.convert_single_notebook, converter)
        converter.init_assignment = _whole(batch.gradebook, converter.init_assignment)
        wanted = [h.learner for h in batch.handed.values() if h.submission is not None]
        converter.init_notebooks = lambda: _choose(converter, exercise.slug, wanted)
        try:
            with _graded_ahead(converter, batch):
                yield
        finally:
            _tell(converter.log, batch)


@contextmanager
def _graded_ahead(converter: Any, batch: Batch) -> Iterator[None]:
    """Have other processes grade, on all cores, what nbgrader will ask for; it stores one while they do more.

    The gradebook stays with this one process: several would wait for each other at every commit.
    """
    jobs = getattr(converter, "handgrad_jobs", 0) or cores()
    learners = _to_grade(converter, batch)
    if jobs < 2 or len(learners) < FEWEST:
        yield
        return
    task = Grading(batch.exercise, batch.course, None, batch.require)
    places = {learner: place for place, learner in enumerate(learners)}
    submissions = [found for name in learners if (found := batch.handed[name].submission) is not None]
    with Background(task, submissions, jobs=jobs) as background:
        batch.ahead = lambda learner: background.result(places[learner]) if learner in places else None
        yield


def _to_grade(converter: Any, batch: Batch) -> list[str]:
    """Whose work nbgrader will not skip, in its order; a mistake here costs time and nothing else."""
    coursedir, slug, found = converter.coursedir, batch.exercise.slug, {}
    for learner, handed in batch.handed.items():
        source, copy = converter._format_source(slug, learner), converter._format_dest(slug, learner)
        if handed.submission is None:
            continue
        if Path(copy).exists() and not converter.force:
            new, old = coursedir.get_existing_timestamp(source), coursedir.get_existing_timestamp(copy)
            if new is None or old is None or new <= old:
                continue
        found[source] = learner
    return [found[source] for source in sorted(found)]


@contextmanager
def _one_engine() -> Iterator[None]:
    """Wait for another process that writes into the gradebook, and prepare what opens it once."""
    make = api.create_engine
    made: dict[str, Any] = {}

    def create_engine(url: str, **options: Any) -> Any:
        if url not in made:
            patient = {"connect_args": {"timeout": LOCK_SECONDS}} if url.startswith("sqlite") else {}
            made[url] = make(url, **patient, **options)
        return made[url]

    api.create_engine = create_engine
    try:
        yield
    finally:
        api.create_engine = make
        for engine in made.values():
            engine.dispose()


@contextmanager
def _one_gradebook(url: str) -> Iterator[Callable[..., Any]]:
    """What opens the gradebook, for us and nbgrader; while a batch runs it stays open.

    nbgrader opens it eight times a submission, and looks for all of its tables each time.
    """
    kept: list[_Gradebook] = []

    def opened(db_url: str, course_id: str = "default_course") -> Gradebook:
        if db_url != url:
            return Gradebook(db_url, course_id)
        if not kept:
            kept.append(_Gradebook(url, course_id))
        kept[0].see(course_id)
        return kept[0]

    for module in _OPENING:
        module.Gradebook = opened
    try:
        yield opened
    finally:
        for module in _OPENING:
            module.Gradebook = Gradebook
        for gradebook in kept:
            gradebook.close()


_OPENING: Final[tuple[Any, ...]] = (
    import_module("nbgrader.converters.autograde"),
    import_module("nbgrader.preprocessors.latesubmissions"),
    import_module("nbgrader.preprocessors.overwritecells"),
    import_module("nbgrader.preprocessors.overwritekernelspec"),
    import_module("nbgrader.preprocessors.saveautogrades"),
)


class _Gradebook(Gradebook):  # type: ignore[misc]
    """Stores what one `with` block changes at its end, whole or not at all, and stays open after it.

    Blocks in another one end with that. nbgrader commits after each cell and asks for each cell's grade by
    itself: as many waits for the disk, and all rows read anew.
    """

    def __init__(self, db_url: str, course_id: str) -> None:
        super().__init__(db_url, course_id)
        self._seen = {course_id}
        self._inside = 0
        self._grades: dict[tuple[str, str, str], dict[str, Any]] = {}

    def see(self, course_id: str) -> None:
        """Have a row for a course, as each opening makes one."""
        if course_id not in self._seen:
            self.check_course(course_id)
            self._seen.add(course_id)

    def __enter__(self) -> Self:
        self._inside += 1
        self.db.commit = lambda: None
        return self

    def find_grade(self, grade_cell: str, notebook: str, assignment: str, student: str) -> Any:
        """As nbgrader's, which asks the database for one grade at a time."""
        key = notebook, assignment, student
        if key not in self._grades:
            submitted = self.find_submission_notebook(*key)
            grades = self.db.query(Grade, BaseCell.name).join(BaseCell, BaseCell.id == Grade.cell_id)
            rows = grades.filter(Grade.notebook_id == submitted.id).all()
            self._grades[key] = {name: grade for grade, name in rows}
        return self._grades[key].get(grade_cell) or super().find_grade(grade_cell, *key)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._inside -= 1
        if self._inside:
            return
        del self.db.commit
        self._grades.clear()
        try:
            if kind is None:
                self.db.commit()
            else:
                self._seen = {self.course_id}
        finally:
            self.db.remove()  # what others write meanwhile is read at the next use


def _whole(gradebook: _Gradebook, work: Callable[..., None]) -> Callable[..., None]:
    """The same work, stored at its end; once more when another process made one of its rows meanwhile."""

    def once(*arguments: Any) -> None:
        with gradebook:
            work(*arguments)

    def done(*arguments: Any) -> None:
        try:
            once(*arguments)
        except (InvalidEntry, IntegrityError):
            once(*arguments)

    return done


def _prepare(
    converter: Any, course: Course, exercise: Exercise, starter: Any, opened: Callable[..., Any]
) -> Batch:
    """Everything that can be refused is refused here, before a grade or a file is touched."""
    from handgrad.grade import all_checks
    from handgrad.judge.loader import grader_digest
    from handgrad.judge.session import require_level

    require = getattr(converter, "handgrad_level", None)
    require = course.require_level if require is None else require
    require_level(starter, require)
    folder = Path(converter.coursedir.root)
    path = Path(converter.coursedir.format_path(converter.coursedir.release_directory, ".", exercise.slug))
    release = path / f"{exercise.slug}.ipynb"
    if not release.is_file():
        raise ToolError(
            f"`{exercise.slug}` was not released yet: run `make release EX={exercise.slug}` first"
        )
    text = release.read_text(encoding="utf-8")
    checks = all_checks(exercise)
    released, now = released_points(text), {loaded.check.name: loaded.check.points for loaded in checks}
    if released != now:
        fewer = "; or name the root again that added some (`--root`)" if released.keys() - now.keys() else ""
        raise ToolError(
            f"the checks of `{exercise.slug}` are not those of its release, which has {len(released)} of "
            f"{sum(released.values())} points, and here are {len(now)} of {sum(now.values())}: "
            f"run `make release EX={exercise.slug}` first{fewer}"
        )
    found = collect(
        folder,
        exercise.slug,
        slugs=[e.slug for e in course.exercises],
        learners=_chosen(converter, folder),
        release=release,
        limits=exercise.limits,
        time_of=_time_of,
    )
    if not found:
        raise ToolError(f"nobody called `{converter.coursedir.student_id}` handed in `{exercise.slug}`")
    noted = getattr(converter, "handgrad_notes", {})
    handed = [replace(h, notes=tuple(dict.fromkeys((*noted.get(h.learner, ()), *h.notes)))) for h in found]
    batch = Batch(
        course=course,
        exercise=exercise,
        folder=folder,
        release=text,
        grader=grader_digest(exercise),
        handed={h.learner: h for h in handed},
        starter=starter,
        gradebook=opened(converter.coursedir.db_url, converter.coursedir.course_id),
        checks=checks,
        require=require,
        told=getattr(converter, "handgrad_told", lambda record: None),
    )
    _drop_outdated(converter, batch)
    return batch


def released_points(notebook: str) -> dict[str, float]:
    """The points of each graded cell of a notebook, by its grade_id."""
    marks = [cell["metadata"].get("nbgrader", {}) for cell in json.loads(notebook)["cells"]]
    return {mark["grade_id"]: mark["points"] for mark in marks if mark.get("grade")}


def _chosen(converter: Any, folder: Path) -> Collection[str]:
    """The learners this run is about: nbgrader's `--student` is a name or a pattern."""
    given = getattr(converter, "handgrad_learners", None)
    if given is None:
        names = learners_in(folder, converter.coursedir.assignment_id)
        pattern = converter.coursedir.student_id
        given = [n for n in names if n == pattern or fnmatch.fnmatchcase(n, pattern)]
    excluded = (converter.coursedir.student_id_exclude or "").split(",")
    chosen = [n for n in given if n not in excluded]
    return chosen or [""]  # [""]: nobody, where an empty collection would mean everybody


def _time_of(text: str) -> datetime:
    """The time in UTC that nbgrader reads out of a text. Raises ValueError where it would stop."""
    try:
        time = utils.parse_utc(text)
    except (ArithmeticError, TypeError, AttributeError, LookupError) as error:
        raise ValueError(text) from error
    if not text or not isinstance(time, datetime):
        raise ValueError(text)
    return time


def _choose(converter: Any, slug: str, learners: Sequence[str]) -> None:
    """What nbgrader's `init_notebooks` does by patterns, in which a name with brackets gets lost."""
    converter.assignments = {}
    converter.notebooks = []
    for learner in learners:
        folder = converter._format_source(slug, learner)
        converter.assignments[folder] = [str(Path(folder) / f"{slug}.ipynb")]


def _drop_outdated(converter: Any, batch: Batch) -> None:
    """Remove the autograded copies that nbgrader would skip although the work or the checks changed."""
    with batch.gradebook as gradebook:
        known = {s.student_id for s in gradebook.assignment_submissions(batch.exercise.slug)}
    for learner, handed in batch.handed.items():
        copy = Path(
            converter.coursedir.format_path(
                converter.coursedir.autograded_directory, learner, batch.exercise.slug
            )
        )
        if handed.submission is None or not copy.is_dir():
            continue
        why = _outdated(copy / f"{batch.exercise.slug}.ipynb", handed, batch)
        why = why or ("" if learner in known else "the gradebook had lost the work")
        if why:
            batch.again[learner] = why
            shutil.rmtree(copy)


def _outdated(autograded: Path, handed: Handed, batch: Batch) -> str:
    """Why an autograded copy no longer counts, "" when it does."""
    try:
        stamp = json.loads(autograded.read_text(encoding="utf-8"))["metadata"][STAMP]
    except (OSError, ValueError, KeyError, TypeError):
        return "the last run did not finish"
    if stamp.get("submission") != file_digest(handed):
        return "the work changed"
    if stamp.get("grader") != batch.grader:
        return "the checks changed"
    return "" if stamp.get("level", 0) >= batch.require else "it was graded at a lower sandbox level"


def file_digest(handed: Handed) -> str:
    """SHA-256 of the file that was handed in, in hex."""
    assert handed.submission is not None
    try:
        return hashlib.sha256(handed.submission.path.read_bytes()).hexdigest()
    except OSError:
        return "unreadable"


def _tell(log: Any, batch: Batch) -> None:
    """Account for every folder, in the log of a run and to whoever listens."""
    for learner, handed in batch.handed.items():
        record = _record(batch, handed)
        log.log(
            logging.WARNING if record["notes"] else logging.INFO, "%s: %s", one_line(learner), account(record)
        )
        batch.told(record)
    for group in same_code(tuple(batch.handed.values()), _starter_of(batch)):
        log.warning("the same code: %s", one_line(", ".join(group)))
    log.info("handgrad: %d of %d folders graded in this run", len(batch.done), len(batch.handed))


def _starter_of(batch: Batch) -> str:
    cells = json.loads(batch.release)["cells"]
    return "".join(
        next("".join(c["source"]) for c in cells if c["metadata"].get("nbgrader", {}).get("solution"))
    )


def _record(batch: Batch, handed: Handed) -> dict[str, Any]:
    """What became of one folder, as plain data."""
    learner, verdict = handed.learner, batch.done.get(handed.learner)
    failed = batch.failed.get(learner, "")
    outcome = "graded" if verdict else "unchanged"
    if handed.submission is None:
        outcome = str(handed.state)
    elif not (batch.folder / "autograded" / learner / batch.exercise.slug).is_dir():
        lost = "could not store the grade" if verdict else "did not grade it"
        failed = failed or f"nbgrader {lost}: its log says why"
        outcome, verdict = "ungraded", None
    elif handed.state is State.UNREADABLE:
        outcome = str(handed.state)
    said = "" if verdict is None else verdict.message or ("" if verdict.started else "not started")
    notes = [said, *handed.notes, *(verdict.notes if verdict else ()), failed]
    return {
        "learner": learner,
        "outcome": outcome,
        "score": verdict.score if verdict else None,
        "max_score": verdict.max_score if verdict else None,
        "level": verdict.level if verdict else None,
        "notes": list(dict.fromkeys(note for note in notes if note)),
        "again": batch.again.get(learner, ""),
    }


class Reader(NotebookExporter):  # type: ignore[misc]
    """Writes notebooks, and reads none: of what a learner wrote nothing is taken here."""

    optimistic_validation = Bool(True)  # a notebook is checked once, when all steps are done

    def from_file(self, file_stream: Any, resources: Any = None, **kw: Any) -> Any:
        """A learner's file is never parsed as a notebook: `Canonical` puts the released one in its place."""
        empty = nbformat.from_dict({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
        return super().from_notebook_node(empty, resources=resources, **kw)


def _batch(preprocessor: Any) -> Batch:
    batch: Batch = preprocessor.parent.parent.handgrad
    return batch


class Canonical(NbGraderPreprocessor):  # type: ignore[misc]
    """The released notebook with the learner's code in it: what else they did to it is without effect."""

    def preprocess(self, nb: Any, resources: Any) -> Any:
        """Lay the code over the release; keep what else was in the notebook, as text, at the end."""
        batch = _batch(self)
        handed = batch.handed[resources["nbgrader"]["student"]]
        assert handed.submission is not None
        batch.restored = batch.restored or self._restored(batch.release, resources)
        notebook = lay_over(batch.restored, handed.submission.text)
        known = {c["metadata"].get("nbgrader", {}).get("grade_id", "") for c in notebook["cells"]}
        cells = notebook["cells"] + stray_cells(handed.submission.path, known)
        notebook["cells"] = ([note_cell(handed.notes)] if handed.notes else []) + cells
        return nbformat.from_dict(notebook), resources

    def _restored(self, release: str, resources: Any) -> str:
        """What the gradebook knows of the released cells is the same for everybody."""
        notebook = nbformat.from_dict(lay_over(release, ""))
        for step in (OverwriteKernelspec, Restore):
            notebook, _ = step(parent=self.parent).preprocess(notebook, resources)
        return json.dumps(notebook)


class Restore(OverwriteCells):  # type: ignore[misc]
    """Puts the hidden checks back. The cells come from the release, so nothing found changed is news."""

    def report_change(self, name: str, attr: str, old: Any, new: Any) -> None:
        """Say it in the debug log only."""
        self.log.debug("%s of %s: %r becomes %r", attr, name, new, old)


class SandboxGrade(NbGraderPreprocessor):  # type: ignore[misc]
    """Asks the judge, and writes each result as outputs from which nbgrader makes the same points."""

    def preprocess(self, nb: Any, resources: Any) -> Any:
        """Grade the submission; every graded cell gets an output, or the whole run of the learner fails."""
        batch = _batch(self)
        learner = resources["nbgrader"]["student"]
        verdict = batch.verdict(learner)
        write_verdict(batch.folder, verdict)
        view = learner_view(verdict, feedback=batch.course.feedback)
        shown = zip(verdict.results, view.results, strict=True)
        results = {result.check.name: seen for result, seen in shown}
        first = True
        for cell in (c for c in nb.cells if c.cell_type == "code"):
            cell.outputs, cell.execution_count = [], None
            if utils.is_grade(cell):
                cell.outputs = nodes(outputs_of(results[cell.metadata.nbgrader.grade_id], view))
            elif utils.is_solution(cell) and first:
                first, cell.outputs = False, nodes(whole_file_outputs(view, batch.handed[learner].notes))
        nb.metadata[STAMP] = {
            "submission": file_digest(batch.handed[learner]),
            "grader": batch.grader,
            "level": verdict.level,
        }
        return nb, resources


class Store(NbGraderPreprocessor):  # type: ignore[misc]
    """nbgrader's two steps that write into the gradebook, as one."""

    def preprocess(self, nb: Any, resources: Any) -> Any:
        """Store points, comments and what being late costs."""
        with _batch(self).gradebook:
            for step in (SaveAutoGrades, AssignLatePenalties):
                nb, resources = step(parent=self.parent).preprocess(nb, resources)
        return nb, resources


def nodes(outputs: Sequence[dict[str, Any]]) -> list[Any]:
    """Outputs as nbformat's own objects."""
    return [nbformat.from_dict(output) for output in outputs]


def write_verdict(folder: Path, verdict: Verdict) -> None:
    """Keep the instructor's view of a verdict where no report to learners is made from."""
    from handgrad.model import Audience
    from handgrad.report.json_ import render

    shelf = folder / ".handgrad" / "verdicts" / verdict.exercise
    write_safely(shelf / f"{verdict.learner}.json", render([verdict], audience=Audience.INSTRUCTOR))


# ---- generate_feedback


@contextmanager
def _feedback(converter: Any, course: Course, exercise: Exercise) -> Iterator[None]:
    converter.preprocessors = [GetGrades, HideTests, CSSHTMLHeaderPreprocessor]
    folder = Path(converter.coursedir.root)
    graded = [
        name
        for name in _chosen(converter, folder)
        if name and Path(converter._format_source(exercise.slug, name), f"{exercise.slug}.ipynb").is_file()
    ]
    database = Path(converter.coursedir.db_url.removeprefix("sqlite:///"))
    if converter.coursedir.db_url.startswith("sqlite:///") and not database.is_file():
        raise ToolError(
            f"there is no gradebook `{database}`: bring it back, or run `make autograde EX={exercise.slug}`"
        )
    if graded:
        converter.init_notebooks = lambda: _choose(converter, exercise.slug, graded)
    converter.init_assignment = lambda assignment, learner: _bring_receipts(
        Path(converter._format_source(assignment, learner)), Path(converter._format_dest(assignment, learner))
    )
    yield


def _bring_receipts(source: Path, destination: Path) -> None:
    """Of the files beside a notebook, copy what `nbgrader release_feedback` asks for, and nothing else."""
    for name in ("timestamp.txt", "submission_secret.txt"):
        if (source / name).is_file() and not (source / name).is_symlink():
            destination.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, destination / name)


class HideTests(ClearHiddenTests):  # type: ignore[misc]
    """Takes the hidden checks out of graded cells; other cells hold learners' text, whatever it says."""

    display_data_priority = List(config=True)  # set for every step of the page; unknown ones are warned about

    def preprocess(self, nb: Any, resources: Any) -> Any:
        """Leave out what learners know already: a page is about their code and what came of it."""
        nb.cells = [c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") not in KNOWN_CELLS]
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> Any:
        """Clear a graded cell that is ours alone."""
        if utils.is_grade(cell) and not utils.is_solution(cell):
            return super().preprocess_cell(cell, resources, cell_index)
        return cell, resources


# ---- export


class CsvExport(CsvExportPlugin):  # type: ignore[misc]
    """nbgrader's own table, with cells quoted: a comma in a name moves no column, no cell is a formula."""

    def export(self, gradebook: Any) -> None:
        """Write `grades.csv`, or the file that `--to` names."""
        import csv
        import io

        table = io.StringIO()
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for assignment in gradebook.assignments:
            if self.assignment and assignment.name not in self.assignment:
                continue
            for student in sorted(gradebook.students, key=lambda s: s.id):
                if not self.student or student.id in self.student:
                    writer.writerow(_grade_row(gradebook, assignment, student))
        write_safely(Path(self.to or "grades.csv"), table.getvalue())


_COLUMNS: Final = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)


def _grade_row(gradebook: Any, assignment: Any, student: Any) -> list[str]:
    """One line of the table; who handed in nothing has 0 points and no time."""
    timestamp: Any = ""
    raw_score = penalty = 0.0
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
        timestamp, raw_score = submission.timestamp, submission.score
        penalty = submission.late_submission_penalty or 0.0
    except MissingEntry:
        pass
    names = [student.id, student.last_name, student.first_name, student.email]
    return [
        csv_cell(assignment.name),
        str(assignment.duedate or ""),
        str(timestamp or ""),
        *(csv_cell(name or "") for name in names),
        str(raw_score),
        str(penalty),
        str(max(0.0, raw_score - penalty)),
        str(assignment.max_score),
    ]


# ---- running converters without nbgrader's command line


def load_config(folder: Path) -> Any:
    """nbgrader's configuration of a course folder, as its commands load it."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    config.CourseDirectory.root = str(folder)
    return config


def autograde(
    folder: Path,
    slug: str,
    learners: Collection[str],
    *,
    config: Any,
    told: Callable[[dict[str, Any]], None],
    notes: Mapping[str, Sequence[str]] = MappingProxyType({}),
    level: int | None = None,
    jobs: int = 0,
) -> None:
    """What `nbgrader autograde` does, for some learners; `told` hears what became of each.

    `notes` are what an earlier `collect` had to say. `jobs` processes grade (0: one a core) while this one
    stores what they find. Raises ToolError when nothing could be graded at all.
    """
    converter = Autograde(coursedir=_coursedir(folder, slug, config), config=config)
    converter.handgrad_learners, converter.handgrad_told = learners, told
    converter.handgrad_level, converter.handgrad_jobs, converter.handgrad_notes = level, jobs, notes
    with _listening(converter.log) as log:
        try:
            converter.start()
        except (NbGraderException, SystemExit):
            if not hasattr(converter, "handgrad"):
                raise ToolError(log.last) from None


def feedback(folder: Path, slug: str, learners: Collection[str], *, config: Any) -> None:
    """What `nbgrader generate_feedback --force` does, for some learners. Raises ToolError."""
    converter = GenerateFeedback(coursedir=_coursedir(folder, slug, config), config=config)
    converter.handgrad_learners, converter.force = learners, True
    with _listening(converter.log) as log:
        try:
            converter.start()
        except (NbGraderException, SystemExit):
            raise ToolError(f"nbgrader stopped at `{slug}`: {log.last}") from None


def _coursedir(folder: Path, slug: str, config: Any) -> Any:
    coursedir = CourseDirectory(config=config)
    coursedir.root, coursedir.assignment_id = str(folder), slug
    return coursedir


def generate(folder: Path, slug: str, *, config: Any, database: bool = True) -> None:
    """What `nbgrader generate_assignment --force` does. Raises ToolError with what it said."""
    converter = GenerateAssignment(coursedir=_coursedir(folder, slug, config), config=config)
    converter.force, converter.no_database = True, not database
    with _listening(converter.log) as log:
        try:
            converter.start()
        except (NbGraderException, SystemExit):
            raise ToolError(f"nbgrader stopped at `{slug}`: {log.last}") from None


@contextmanager
def _listening(logger: logging.Logger) -> Iterator[_Log]:
    log = _Log()
    logger.addHandler(log)
    try:
        yield log
    finally:
        logger.removeHandler(log)


class _Log(logging.Handler):
    """Keeps what a run failed of: of a traceback its last line, of other errors the first one."""

    last = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error."""
        text = record.getMessage().strip()
        if record.levelno >= logging.ERROR and (not self.last or "Traceback" in text):
            self.last = last_line(text)
