"""Look through what lies in `submitted/` before nbgrader copies any of it, and put it in order.

nbgrader follows links, skips folders and notebooks whose names it does not expect, and gives up on a
timestamp it cannot read. Here each learner's folder ends as one of four: ready, unreadable, nothing
handed in, or set aside; what was moved or mended is said in a note. Nothing is run and nothing deleted:
what cannot stay moves to `.handgrad/set_aside/<slug>/<learner>/`, and why is kept in
`.handgrad/reasons/<slug>/<learner>.json`, so that every later run goes on saying it.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from handgrad.choice import (
    MOST_FILES,
    candidates,
    choose,
    digest_of,
    files_in,
    holds_work,
    is_archive,
    is_code,
    is_for,
    is_ours,
    link_above,
    linked_away,
    loose_in,
    no_learner_made,
    reasons_of,
    reasons_path,
    receipt_path,
    set_aside_earlier,
    slug_in,
    taken,
    walk,
    without_made,
)
from handgrad.errors import ToolError
from handgrad.files import OURS, replace_file
from handgrad.model import Limits, Submission
from handgrad.report.escape import one_line, visible
from handgrad.submission import (
    MOST_TIMESTAMP_BYTES,
    NOTEBOOK_BYTES,
    TIMESTAMP,
    brief,
    read_submission,
    utc_text,
)

LARGEST: Final = NOTEBOOK_BYTES
MOST_TOLD: Final = 20  # of what was set aside, by name
LONGEST_NAME: Final = 200  # bytes of a learner's: `<learner>.json` must be a name that systems take


class State(StrEnum):
    """What can be done with one learner's folder."""

    READY = "ready"
    UNREADABLE = "unreadable"  # there is a notebook, and it gets a verdict of no points that says why
    NOTHING = "not handed in"
    SET_ASIDE = "set aside"  # nothing is left that could be graded


@dataclass(frozen=True, slots=True)
class Handed:
    """One learner's folder, after it was put in order."""

    learner: str
    folder: Path  # submitted/<learner>/<slug>
    state: State
    notes: tuple[str, ...] = ()
    submission: Submission | None = None


def collect(
    course: Path,
    slug: str,
    *,
    slugs: Collection[str] = (),
    learners: Collection[str] = (),
    skip: Collection[str] = (),
    release: Path | None = None,
    limits: Limits | None = None,
    time_of: Callable[[str], datetime | None] = lambda text: None,
) -> tuple[Handed, ...]:
    """Put `submitted/*/<slug>` under the folder `course` in order; one record a learner, sorted by name.

    `slugs` are those of all exercises: a file that is named after another one is not taken for this one.
    `learners` and `skip` narrow it down: of others nothing is touched. `release` is the released notebook,
    needed to take in a `.py` file; `time_of` reads a timestamp as nbgrader does, and raises ValueError for
    what it cannot. Raises ToolError when the disk refuses.
    """
    submitted = course / "submitted"
    chosen = [n for n in learners_in(course, slug) if (not learners or n in learners) and n not in skip]
    order = _Order(course, slug, {slug, *slugs}, release, limits or Limits(), time_of)
    try:
        handed = [order.look_through(name) for name in chosen]
    except OSError as error:
        raise ToolError(
            f"`{error.filename or submitted}` cannot be put in order ({error.strerror}): mend the disk"
        ) from None
    strays = () if learners else _strays(submitted, slug, {slug, *slugs})
    return tuple(h for h in [*handed, *strays] if h is not None)


def _strays(submitted: Path, slug: str, slugs: Collection[str]) -> list[Handed]:
    """Files that lie beside the learners' folders, but those that are named after another exercise."""
    if not submitted.is_dir():
        return []
    names = sorted(e.name for e in os.scandir(submitted) if e.is_file(follow_symlinks=False))
    strays = [n for n in names if (is_code(n) or is_archive(n)) and slug_in(n, slugs) in ("", slug)]
    why = f"it lies in no learner's folder: move it to `<learner>/{slug}/`"
    return [Handed(n, submitted / n, State.SET_ASIDE, (why,)) for n in strays if not no_learner_made(n)]


def learners_in(course: Path, slug: str) -> tuple[str, ...]:
    """Who has a folder in `submitted/`, or had a link there that was set aside; sorted."""
    names = set()
    with suppress(FileNotFoundError):
        names = {
            e.name
            for e in os.scandir(course / "submitted")
            if e.is_dir(follow_symlinks=False) or e.is_symlink()
        }
    for record in (course / ".handgrad" / "reasons" / slug).glob("*.json"):
        if set_aside_earlier(course, slug, record.stem):
            names.add(record.stem)
    return tuple(sorted(name for name in names if not name.startswith(".")))


class _Order:
    """Puts one learner's folder after another in order."""

    def __init__(
        self,
        course: Path,
        slug: str,
        slugs: Collection[str],
        release: Path | None,
        limits: Limits,
        time_of: Callable[[str], datetime | None],
    ) -> None:
        self.course, self.slug, self.slugs, self.release, self.limits = course, slug, slugs, release, limits
        self.time_of = time_of
        self.notes: list[str] = []
        self.reasons: dict[str, tuple[str, str]] = {}
        self.shelves: dict[
            str, int
        ] = {}  # name -> the number of the last shelf that took a thing of that name
        self.told = 0

    def look_through(self, learner: str) -> Handed | None:
        """As `look_at`; what is wrong with a learner's own folder costs the others nothing."""
        home = self.course / "submitted" / learner
        try:
            why = _unusable(learner)
            if why:
                return Handed(learner, home / self.slug, State.SET_ASIDE, (why,))
            return self.look_at(learner)
        except OSError as error:
            if not self._is_theirs(error, home):
                raise
            place = Path(os.fsdecode(error.filename or home)).relative_to(home.parent)
            if isinstance(error, PermissionError):
                why = f"`{place}` may not be read or moved: change its permissions"
            else:
                why = f"`{place}` cannot be put in order ({error.strerror or error}): look at it"
            return Handed(learner, home / self.slug, State.SET_ASIDE, (*self.notes, why))

    def _is_theirs(self, error: OSError, home: Path) -> bool:
        """Whether a learner's own files are to blame, and not the machine or the folders around them."""
        if error.errno in OURS:
            return False
        place = Path(os.fsdecode(error.filename or home))
        if place == home:  # a link in its place, which could not be moved
            return not isinstance(error, PermissionError) or os.access(home.parent, os.W_OK)
        return home in place.parents

    def look_at(self, learner: str) -> Handed | None:
        """The record of one learner; None for one who has handed in other exercises only."""
        self.reasons = reasons_of(self.course, self.slug, learner)
        self.notes = [why for _, why in self.reasons.values()]
        self.shelves.clear()
        self.told = 0
        home = self.course / "submitted" / learner
        folder = home / self.slug
        if home.is_symlink():
            self._set_aside(home, learner, "is a link to another place")
            return Handed(learner, folder, State.SET_ASIDE, tuple(self.notes))
        if not home.exists():
            return Handed(learner, folder, State.SET_ASIDE, tuple(self.notes))
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            self._set_aside(folder, learner, "is no folder of its own")
            return Handed(learner, folder, State.SET_ASIDE, tuple(self.notes))
        for place in (folder / f"{self.slug}.ipynb", folder / TIMESTAMP):
            if place.is_dir() and not place.is_symlink():
                self._set_aside(place, learner, "is a folder where a file belongs")
        empty = not folder.exists() or not self._holds_work(folder)
        refused = self._take_from_clone(home, folder) if empty else ""
        if refused:
            return Handed(learner, folder, State.SET_ASIDE, (*self.notes, refused))
        if empty and not self._take_from_above(home, folder) and not folder.exists():
            if self.notes:
                return Handed(learner, folder, State.SET_ASIDE, tuple(self.notes))
            return self._misplaced(learner, home)
        files = self._clean(folder, learner)
        given = self._check_time(folder, learner)
        handed = self._settle(learner, folder, files)
        if given is None or handed.submission is None:
            return handed
        return replace(handed, submission=handed.submission._replace(submitted_at=utc_text(given)))

    def _holds_work(self, folder: Path) -> bool:
        """Whether something in the folder is a hand-in, or hides one: else one is looked for above."""
        paths = [p for p in walk(folder) if not any(no_learner_made(n) for n in p.relative_to(folder).parts)]
        plain = all(stat.S_ISREG(p.lstat().st_mode) and not is_archive(p.name) for p in paths)
        return not plain or bool(candidates(paths, self.slug, self.slugs))

    def _misplaced(self, learner: str, home: Path) -> Handed | None:
        """The record of who has no folder for the exercise; None for who has handed in other ones only."""
        folder, others = home / self.slug, self._others()
        unknown: list[Path] = []
        elsewhere = False  # work for other exercises is there
        for place in sorted(p for p in home.iterdir() if p.is_dir() and not p.is_symlink()):
            if place.name in others or no_learner_made(place.name):
                elsewhere = elsewhere or place.name in others
                continue
            files = files_in(place)
            code = candidates(files, self.slug, self.slugs)
            mine = [p for p in code if others.isdisjoint(p.relative_to(home).parts)]
            named = [p for p in mine if slug_in(p.name, self.slugs) == self.slug]
            if slug_in(place.name, self.slugs) == self.slug or named:
                path = _inside((named or files or [place])[0], home)
                why = f"`{path}` lies in no folder called `{self.slug}`: rename that folder"
                return Handed(learner, folder, State.SET_ASIDE, (why,))
            unknown += mine or [p for p in files if is_archive(p.name)]
            elsewhere = elsewhere or any(is_code(p.name) and p not in mine for p in files)
        state = State.NOTHING if elsewhere else State.SET_ASIDE
        there = "if it belongs there, move it into that folder"
        if unknown:
            why = f"`{_inside(unknown[0], home)}` lies in no folder called `{self.slug}`: {there}"
            return Handed(learner, folder, state, (why,))
        loose = sorted(e.name for e in os.scandir(home) if e.is_file(follow_symlinks=False))
        archives = [n for n in loose if is_archive(n) and slug_in(n, self.slugs) in ("", self.slug)]
        if archives:
            why = f"`{brief(archives[0])}` is an archive: unpack it in a folder `{self.slug}`"
            return Handed(learner, folder, state, (why,))
        scripts = [n for n in loose if is_code(n) and not (elsewhere and slug_in(n, self.slugs))]
        if scripts:
            why = f"`{brief(scripts[0])}` is not named after `{self.slug}`: {there}"
        elif elsewhere:
            return None
        else:
            filled = next(home.iterdir(), None) is not None
            why = "the folder holds no notebook and no Python file" if filled else "the folder is empty"
        return Handed(learner, folder, State.NOTHING, (why,))

    def _others(self) -> set[str]:
        """The other exercises, and the assignments of nbgrader that are none of the kit's."""
        found = set(self.slugs)
        for name in ("source", "release"):
            with suppress(OSError):
                found |= {e.name for e in os.scandir(self.course / name) if e.is_dir()}
        return found - {self.slug}

    def _take_from_clone(self, home: Path, folder: Path) -> str:
        """Move work in `exercises/<slug>/` into the assignment's folder; why it cannot be, else ""."""
        place = home / "exercises" / self.slug
        linked = link_above(place, home)
        if linked is not None:
            return linked_away(linked.relative_to(home).as_posix())
        files = files_in(place) if place.is_dir() else []
        if not holds_work(files, self.slug, self.slugs):
            return ""
        choice = choose(
            place, self.slug, files, slugs=self.slugs, beside=loose_in(home, self.slug, self.slugs)
        )
        if choice.path is None:
            return choice.why
        folder.mkdir(exist_ok=True)
        shutil.move(choice.path, folder / choice.path.name)
        self.notes.append(f"`{_inside(choice.path, home)}` was moved into the folder `{self.slug}`")
        self.notes += choice.notes
        return ""

    def _take_from_above(self, home: Path, folder: Path) -> bool:
        """Move work that lies beside the assignment's folder into it."""
        loose = [
            e
            for e in os.scandir(home)
            if e.is_file(follow_symlinks=False) and is_code(e.name) and is_for(e.name, self.slug, self.slugs)
        ]
        if not loose:
            return False
        folder.mkdir(exist_ok=True)
        # The one that counts goes first, so that a run which ends in between leaves no lesser one by itself.
        for entry in sorted(loose, key=lambda e: (e.name != folder.name + ".ipynb", e.name.endswith(".py"))):
            shutil.move(entry.path, folder / entry.name)
            self.notes.append(f"`{entry.name}` lay outside the folder `{self.slug}` and was moved into it")
        return True

    def _clean(self, folder: Path, learner: str) -> list[Path]:
        """Set aside what nobody may copy; the regular files that stay."""
        kept: list[Path] = []
        for path in walk(folder):
            mode = path.lstat().st_mode
            if stat.S_ISDIR(mode):
                self._set_aside(path, learner, "lies too deep or cannot be listed")
            elif stat.S_ISLNK(mode):
                self._set_aside(path, learner, "is a link to another place")
            elif not stat.S_ISREG(mode):
                self._set_aside(path, learner, "is no plain file")
            elif path.lstat().st_size > LARGEST:
                self._set_aside(path, learner, f"is larger than {LARGEST // 2**20} MB")
            elif any(no_learner_made(name) for name in path.relative_to(folder).parts):
                continue  # it stays, and nothing in it is graded; nbgrader copies it all the same
            elif len(kept) >= MOST_FILES:
                self._set_aside(path, learner, f"is one of more than {MOST_FILES} files")
            else:
                kept.append(path)
        return kept

    def _set_aside(self, path: Path, learner: str, why: str) -> None:
        base = self.course / ".handgrad" / "set_aside" / self.slug / learner
        number = self.shelves.get(path.name, 0) + 1
        while os.path.lexists((shelf := base / str(number) if number > 1 else base) / path.name):
            number += 1
        self.shelves[path.name] = number
        shelf.mkdir(parents=True, exist_ok=True)
        self.told += 1
        if self.told <= MOST_TOLD:
            self._keep_reason(
                path, learner, shelf / path.name, f"`{brief(path.name)}` {why}, and was set aside"
            )
        elif self.told == MOST_TOLD + 1:
            self.notes.append("more was set aside beside these")
        try:
            path.rename(shelf / path.name)
        except PermissionError:
            if not os.access(shelf, os.W_OK):  # the error names what was to move
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(shelf)) from None
            if path.is_symlink() or not path.is_dir():
                raise
            path.chmod(0o700)  # a folder that may not be written to cannot be moved
            path.rename(shelf / path.name)

    def _keep_reason(self, path: Path, learner: str, shelf: Path, note: str) -> None:
        """Say it, in this run and in later ones."""
        self.notes.append(note)
        place = str(path.relative_to(self.course / "submitted"))
        self.reasons[place] = str(shelf.relative_to(self.course)), note
        kept = dict(list(self.reasons.items())[-MOST_TOLD:])
        replace_file(reasons_path(self.course, self.slug, learner), json.dumps(kept), durable=False)

    def _check_time(self, folder: Path, learner: str) -> datetime | None:
        """When the work was handed in, in UTC; None when nothing tells."""
        path = folder / TIMESTAMP
        if not path.is_file():
            return None
        try:
            time = self.time_of(path.read_bytes()[:MOST_TIMESTAMP_BYTES].decode().strip())
        except ValueError:
            self._set_aside(path, learner, "holds no time that can be read")
            return None
        if time is not None and time > datetime.now(UTC).replace(tzinfo=None):
            self.notes.append("its timestamp lies in the future")
        return time

    def _settle(self, learner: str, folder: Path, files: Sequence[Path]) -> Handed:
        """Find what was handed in, bring it where nbgrader looks for it, and read it."""
        expected = folder / f"{self.slug}.ipynb"
        receipt = receipt_path(self.course, learner, self.slug)
        files = without_made(files, expected, receipt)  # what an earlier run made is made anew
        loose = loose_in(folder.parent, self.slug, self.slugs)
        choice = choose(folder, self.slug, files, slugs=self.slugs, beside=loose)
        if choice.path is None:
            state = State.NOTHING if choice.empty and not self.notes else State.SET_ASIDE
            said = () if choice.empty and self.notes else (choice.why,)
            return Handed(learner, folder, state, (*self.notes, *said))
        submission = read_submission(choice.path, learner=learner, limits=self.limits)
        if choice.path != expected:
            if not self._bring(choice.path, submission, folder, receipt):
                return Handed(learner, folder, State.SET_ASIDE, tuple(self.notes))
            if not submission.problem:
                submission = read_submission(expected, learner=learner, limits=self.limits)
        self.notes += choice.notes
        state = State.UNREADABLE if submission.problem else State.READY
        notes = (*self.notes, submission.problem) if submission.problem else (*self.notes, *submission.notes)
        return Handed(learner, folder, state, notes, submission)

    def _bring(self, path: Path, submission: Submission, folder: Path, receipt: Path) -> bool:
        """Make the expected notebook out of another file; False where that takes a release."""
        expected = folder / f"{self.slug}.ipynb"
        if path.suffix.lower() == ".ipynb":
            _make(expected, path.read_bytes(), receipt)
            self.notes += taken(path, folder, self.slug)
            return True
        if self.release is None or not self.release.is_file():
            self.notes.append(f"`{_inside(path, folder)}` can be taken once `{self.slug}` is released")
            return False
        # Of a file that cannot be read there is no text, and the notebook is the place for its verdict.
        notebook = lay_over(self.release.read_text(encoding="utf-8"), submission.text)
        _make(expected, (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode(), receipt)
        self.notes.append(f"there was no notebook, so `{_inside(path, folder)}` was taken")
        return True


def _make(path: Path, content: bytes, receipt: Path) -> None:
    """Write a notebook in the learner's place, with a receipt, so that no later run takes it for theirs.

    The receipt comes first, and beside the digest of what is to come it keeps that of what is there: wherever
    a run ends in between, what lies there is known as ours, and is made anew.
    """
    old = [digest_of(path)] if is_ours(path, receipt) else []
    new = hashlib.sha256(content).hexdigest()
    if old == [new]:
        return
    replace_file(receipt, "\n".join([new, *old]) + "\n")
    replace_file(path, content)


def account(record: Mapping[str, Any]) -> str:
    """What became of one folder, on one line: the score, and what is to be said of it."""
    score = "" if record["score"] is None else f"{record['score']}/{record['max_score']}"
    words = [] if record["outcome"] == "graded" else [record["outcome"]]
    words += [f"graded again: {record['again']}"] if record.get("again") else []
    said = ": ".join([*words, "; ".join(record["notes"])] if record["notes"] else words)
    return f"{score:>7}  {one_line(said)}".rstrip()


def lay_over(release: str, text: str) -> dict[str, Any]:
    """The released notebook (as JSON text) with `text` in its solution cell, and nothing in any other one."""
    notebook: dict[str, Any] = json.loads(release)
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"], text = text.rstrip("\n"), ""
    return notebook


def _unusable(learner: str) -> str:
    """Why nothing can be filed under a learner's name, "" when it can."""
    try:
        raw = learner.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8: rename it"
    if "\n" in learner or visible(learner) != learner:  # nbgrader's patterns end with a line
        return "its name holds a character that cannot be shown: rename it"
    return "its name is too long: rename it" if len(raw) > LONGEST_NAME else ""


def _inside(path: Path, folder: Path) -> str:
    return brief(path.relative_to(folder).as_posix())


def same_code(handed: Sequence[Handed], starter: str = "") -> tuple[tuple[str, ...], ...]:
    """Groups of learners whose code is the same, character for character; `starter` itself is no finding."""
    groups: dict[str, list[str]] = {}
    for h in handed:
        if h.submission is not None and h.submission.text.strip() not in ("", starter.strip()):
            groups.setdefault(h.submission.digest, []).append(h.learner)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
