"""Which file of a learner's folder is the hand-in: decided here for `grade`, `collect` and `autograde` alike.

One thing differs. A `solution.py` in no exercise's folder tells no exercise: `grade` takes it for the one
that it is called for, and `collect`, which is called for each in turn, only where there is but one.

By names and kinds alone, and nothing is moved. Where the choice is not plain none is made: a sentence says
why, and there is no grade until somebody has looked.

At the end is what all three must know of a course folder's `.handgrad/`, where `collect` keeps what it has
set aside and which notebooks it has made: these are read, and compared by their digests.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from handgrad.submission import brief

IGNORED: Final = frozenset({".ipynb_checkpoints", "__pycache__", ".git", "__MACOSX", ".DS_Store"})
ARCHIVES: Final = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar", ".bz2", ".xz")
MOST_FILES: Final = 1000  # in one learner's folder
DEEPEST: Final = 8  # folders inside one another: no path may become too long for the system
NOT_HAND_INS: Final = re.compile(r"\..*|__MACOSX|__.*__|.*~|conftest\.py|test_.*\.py|.*_test\.py")


class Choice(NamedTuple):
    """The file that counts, or why there is none; `notes` say what was passed over for it."""

    path: Path | None
    notes: tuple[str, ...] = ()
    why: str = ""
    empty: bool = False  # nothing was handed in


def names_of(slug: str) -> tuple[str, ...]:
    """What a hand-in is called when it is named right."""
    return (f"{slug}.ipynb", "solution.py", f"{slug}.py")


def is_for(name: str, slug: str, slugs: Collection[str]) -> bool:
    """Whether a file that lies in no exercise's folder belongs to this exercise."""
    known = {slug, *slugs}
    return slug_in(name, known) == slug or (name == "solution.py" and len(known) == 1)


def loose_in(home: Path, slug: str, slugs: Collection[str]) -> list[Path]:
    """Files of a right name beside the exercise's folder."""
    found = [home / name for name in names_of(slug) if is_for(name, slug, slugs)]
    return [path for path in found if is_plain(path)]


def files_in(folder: Path) -> list[Path]:
    """The regular files under a folder that a learner may have made, no link followed.

    Raises OSError where nothing is found because something cannot be listed.
    """
    found: list[Path] = []
    unlisted: list[Path] = []
    for path in walk(folder):
        if len(found) == MOST_FILES:
            break
        if any(no_learner_made(name) for name in path.relative_to(folder).parts):
            continue
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            found.append(path)
        elif stat.S_ISDIR(mode):
            unlisted.append(path)
    for path in () if found else unlisted:
        os.scandir(path).close()
    return found


def choose(
    folder: Path,
    slug: str,
    files: Sequence[Path],
    *,
    slugs: Collection[str] = (),
    beside: Sequence[Path] = (),
) -> Choice:
    """The hand-in among `files`, which lie in `folder`.

    `beside` are files of a right name that lie outside of it. A right name counts before another one, a
    notebook before a Python file; two of a right name, or several of none, are never chosen from.
    """
    code = candidates(files, slug, slugs)
    right = [p for p in code if p.parent == folder and p.name in names_of(slug)]
    if len(right) + len(beside) > 1 or (beside and code):
        named = [*beside, *(right or code[:1])]
        above = beside[0].parent if beside else folder
        listed = " and ".join(f"`{_shown(p, above)}`" for p in named[:3])
        return Choice(None, why=f"{listed} were both handed in: keep one of them")
    notebooks = [p for p in code if p.suffix.lower() == ".ipynb"]
    scripts = [p for p in code if p.suffix.lower() != ".ipynb"]
    scripts = [p for p in scripts if p.name in names_of(slug)] or scripts
    found = right or notebooks or scripts
    if len(found) == 1:
        return Choice(found[0], _passed_over(found[0], code, folder))
    if found:
        shown = ", ".join(f"`{_shown(p, folder)}`" for p in found[:4])
        wanted = f"{slug}.ipynb" if notebooks else "solution.py"
        return Choice(None, why=f"which one counts? none of {shown} is called `{wanted}`")
    return Choice(None, why=_why_none(folder, slug, files, slugs), empty=not files)


def candidates(files: Sequence[Path], slug: str, slugs: Collection[str]) -> list[Path]:
    """The code among the files that may be the hand-in: no test file, and none of another exercise."""
    return [p for p in _code(files) if not _other_in(p.name, slug, slugs)]


def holds_work(files: Sequence[Path], slug: str, slugs: Collection[str]) -> bool:
    """Whether the hand-in is among the files, or in an archive among them: else it lies elsewhere."""
    return bool(candidates(files, slug, slugs)) or any(is_archive(p.name) for p in files)


def without_made(files: Sequence[Path], expected: Path, receipt: Path) -> list[Path]:
    """The files less the notebook `expected` where `collect` made it of another one of them."""
    made = any(is_code(p.name) for p in files if p != expected) and is_ours(expected, receipt)
    return [p for p in files if not (made and p == expected)]


def link_above(folder: Path, home: Path) -> Path | None:
    """The exercise's folder, or the one it lies in, where that is a link: it is not followed."""
    return next((p for p in (folder.parent, folder) if p != home and p.is_symlink()), None)


def linked_away(name: str) -> str:
    """The sentence for a link."""
    return f"`{brief(name)}` is a link to another place: hand in the files themselves"


def _code(files: Sequence[Path]) -> list[Path]:
    return [p for p in files if is_code(p.name) and not NOT_HAND_INS.fullmatch(p.name)]


def taken(path: Path, folder: Path, slug: str) -> tuple[str, ...]:
    """A note on a file that does not lie where it belongs under its right name."""
    if path.parent == folder and path.name in names_of(slug):
        return ()
    wanted = f"{slug}.ipynb" if path.suffix.lower() == ".ipynb" else "solution.py"
    return (f"`{_shown(path, folder)}` was taken as `{wanted}`",)


def _passed_over(chosen: Path, code: Sequence[Path], folder: Path) -> tuple[str, ...]:
    """A note that names other code in the folder; a name of Python's own library gets one elsewhere."""
    others = [p for p in code if p != chosen and p.stem not in sys.stdlib_module_names]
    if not others:
        return ()
    shown = ", ".join(f"`{_shown(p, folder)}`" for p in others[:3])
    return (f"only `{_shown(chosen, folder)}` is graded, not {shown} beside it",)


def _why_none(folder: Path, slug: str, files: Sequence[Path], slugs: Collection[str]) -> str:
    archive = next((p for p in files if is_archive(p.name)), None)
    if archive is not None:
        return f"`{_shown(archive, folder)}` is an archive: unpack it in this folder"
    for path in _code(files):
        if name := _other_in(path.name, slug, slugs):
            return f"`{_shown(path, folder)}` is named after `{name}`: move it there, or rename it"
    return "the folder holds no notebook and no Python file" if files else "the folder is empty"


def _other_in(name: str, slug: str, slugs: Collection[str]) -> str:
    """The exercise that a file is named after when it is not this one, else ""."""
    found = slug_in(name, {slug, *slugs})
    return "" if found == slug else found


def slug_in(name: str, slugs: Collection[str]) -> str:
    """The exercise that a file is named after: of the slugs in its name, as words, the longest.

    `Mueller_stack (1).ipynb` is named after `stack`; where there is a `stack_two`, `stack_two.ipynb` is not.
    "" when there is none, or when two are as long.
    """
    words = r"(?<![^\W_]){}(?![^\W_])"
    found = [s for s in slugs if re.search(words.format(re.escape(s.casefold())), name.casefold())]
    longest = max(map(len, found), default=0)
    best = [slug for slug in found if len(slug) == longest]
    return best[0] if len(best) == 1 else ""


def walk(folder: Path, depth: int = 0) -> Iterator[Path]:
    """Every file under the folder, links not followed; a folder too deep or not to be listed as itself."""
    try:
        entries = sorted(os.scandir(folder), key=lambda e: e.name)
    except PermissionError:
        entries = []
        yield folder
    for entry in entries:
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False) and depth < DEEPEST:
            yield from walk(path, depth + 1)
        else:
            yield path


def is_plain(path: Path) -> bool:
    """Whether it is a regular file, and no link to one."""
    return path.is_file() and not path.is_symlink()


def is_code(name: str) -> bool:
    """Whether a file's name is that of a notebook or of a Python file."""
    return name.lower().endswith((".ipynb", ".py"))


def is_archive(name: str) -> bool:
    """Whether a file's name is that of an archive."""
    return name.lower().endswith(ARCHIVES)


def no_learner_made(name: str) -> bool:
    """Whether a system or a tool put a file of this name there."""
    return name in IGNORED or name.startswith("._")


def _shown(path: Path, folder: Path) -> str:
    return brief(path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name)


# ---- what `collect` keeps of a course folder in `.handgrad/`


def set_aside_earlier(course: Path, slug: str, learner: str) -> tuple[str, ...]:
    """What was set aside and why, a sentence each: while it lies there, and no new one came."""
    return tuple(why for _, why in reasons_of(course, slug, learner).values())


def reasons_of(course: Path, slug: str, learner: str) -> dict[str, tuple[str, str]]:
    """By its place below `submitted/`: where a thing that was set aside lies now, and why."""
    try:
        record = json.loads(reasons_path(course, slug, learner).read_text(encoding="utf-8"))
        return {
            place: (shelf, why)
            for place, (shelf, why) in record.items()
            if os.path.lexists(course / shelf) and not os.path.lexists(course / "submitted" / place)
        }
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def reasons_path(course: Path, slug: str, learner: str) -> Path:
    return course / ".handgrad" / "reasons" / slug / f"{learner}.json"


def receipt_path(course: Path, learner: str, slug: str) -> Path:
    """Where the digests of the notebook are that `collect` made of a learner's other file."""
    return course / ".handgrad" / "taken" / slug / f"{learner}.txt"


def is_ours(path: Path, receipt: Path) -> bool:
    """Whether `collect` made the file, and nobody has changed it since."""
    if not receipt.is_file() or not path.is_file():
        return False
    return digest_of(path).encode() in receipt.read_bytes().split()


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
