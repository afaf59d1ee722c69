"""Two states of a repository as data: which files there are, and what is in the ones we ask for.

Nothing is checked out and nothing in a tree is run. A link is a link, never what it points at.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

from handgrad.errors import ToolError, UsageError

_KINDS = {"100644": "file", "100755": "file", "120000": "link", "160000": "submodule"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One path of a tree."""

    kind: str  # file | link | submodule | special
    size_bytes: int
    digest: str = ""  # of the content, where the tree knows one
    place: Path | None = None  # of the content, where it must be read for that

    def same(self, other: Entry | None) -> bool:
        """Whether kind and content are equal; who may run a file is no matter.

        Only what is equally large is read: a head may hold files that take hours.
        """
        if other is None or (self.kind, self.size_bytes) != (other.kind, other.size_bytes):
            return False
        try:
            return self._identity() == other._identity()
        except OSError:  # gone, or nobody may read it
            return False

    def _identity(self) -> str:
        if self.place is None:
            return self.digest
        with self.place.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


class Tree(Protocol):
    """A state of a repository."""

    def entries(self) -> Mapping[str, Entry]:
        """Every path below the top, with forward slashes."""

    def read(self, path: str) -> bytes:
        """The content of a file. Ask its size first."""


@dataclass(frozen=True, slots=True)
class FolderTree:
    """A folder on the disk, without its `.git`."""

    top: Path

    def entries(self) -> Mapping[str, Entry]:
        """Every path that is not a folder, however deep; links to folders are links."""
        found = {}
        folders = [self.top]
        while folders:
            try:
                inside = list(os.scandir(folders.pop()))
            except OSError:
                continue  # a folder that cannot be listed holds nothing that could be read
            for entry in inside:
                path = Path(entry.path)
                if not entry.is_dir(follow_symlinks=False):
                    found[path.relative_to(self.top).as_posix()] = _disk_entry(path)
                elif entry.name != ".git":
                    folders.append(path)
        return found

    def read(self, path: str) -> bytes:
        """The content of a regular file; a link is not followed."""
        descriptor = os.open(self.top / path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as file:
            return file.read()


def _disk_entry(path: Path) -> Entry:
    try:
        return _read_entry(path)
    except OSError:  # nobody may read it
        return Entry("special", 0)


def _read_entry(path: Path) -> Entry:
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return Entry("link", status.st_size, str(path.readlink()))
    if not stat.S_ISREG(status.st_mode):
        return Entry("special", 0)
    if not os.access(path, os.R_OK):
        return Entry("special", 0)
    return Entry("file", status.st_size, place=path)


@dataclass(frozen=True, slots=True)
class GitTree:
    """A commit of a repository on this machine."""

    repository: Path  # its top: git takes paths from the folder it is called in
    commit: str  # its full digest

    def entries(self) -> Mapping[str, Entry]:
        """Every path of the commit."""
        listing = git(self.repository, "ls-tree", "-r", "-z", "--long", "--full-tree", self.commit)
        found = {}
        for line in listing.split(b"\0"):
            if not line:
                continue
            about, _, name = line.partition(b"\t")
            mode, _, digest, size = about.decode("ascii").split()
            kind = _KINDS.get(mode, "special")
            path = name.decode("utf-8", "surrogateescape")
            found[path] = Entry(kind, int(size) if size.isdigit() else 0, digest)
        return found

    def read(self, path: str) -> bytes:
        """The content of a file, as it was committed: no filter is run over it."""
        return git(self.repository, "cat-file", "blob", f"{self.commit}:{path}")

    def export(self, folder: Path, prefix: str = "") -> None:
        """Write the commit's files below `prefix` into `folder`, at the same paths.

        Only for commits that are trusted. Raises ToolError.
        """
        paths = [prefix] if prefix else []
        archive = git(self.repository, "archive", "--format=tar", self.commit, "--", *paths)
        careful: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # new in 3.11.4
        try:
            with tarfile.open(fileobj=BytesIO(archive)) as tar:
                tar.extractall(folder, **careful)
        except (tarfile.TarError, OSError) as error:
            raise ToolError(f"the base commit cannot be laid out in a folder: {error}") from None


def git(repository: Path, *arguments: str, expected: Sequence[int] = (0,)) -> bytes:
    """What a git command prints. Runs no hook, takes a path as it is written, and not as a pattern.

    Raises ToolError when there is no git, or when it ends with a code that is not `expected`.
    """
    settings = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"]
    command = ["git", "--literal-pathspecs", *settings, *arguments]
    try:
        done = subprocess.run(command, cwd=repository, capture_output=True, check=False)
    except OSError as error:
        raise ToolError(f"git cannot be run here ({error.strerror}): install git") from None
    if done.returncode not in expected:
        said = (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no word why"])[-1]
        raise ToolError(f"`git {arguments[0]}` failed: {said}")
    return done.stdout


def find_top(folder: Path) -> Path:
    """The top folder of the repository that `folder` lies in; of a bare one, the repository itself.

    Raises ToolError where there is none.
    """
    bare = git(folder, "rev-parse", "--is-bare-repository").strip() == b"true"
    top = git(folder, "rev-parse", "--absolute-git-dir" if bare else "--show-toplevel")
    return Path(os.fsdecode(top.removesuffix(b"\n")))


def find_commit(repository: Path, revision: str) -> str:
    """The full digest of the commit that `revision` names. Raises UsageError when it names none."""
    words = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
    found = git(repository, *words, expected=(0, 1)).decode("ascii").strip()
    if not found:
        raise UsageError(f"`{revision}` is no folder and no commit of this repository: fetch it first")
    return found


def merge_base(repository: Path, base: str, head: str) -> str:
    """The commit from which `head` parted from `base`; `base` itself where they share none.

    Raises ToolError where they may share one that this clone does not hold.
    """
    found = git(repository, "merge-base", base, head, expected=(0, 1)).decode("ascii").split()
    if found:
        return found[0]
    if git(repository, "rev-parse", "--is-shallow-repository").strip() != b"false":
        raise ToolError(
            f"no common commit of {base[:12]} and {head[:12]} in this shallow clone: "
            "fetch the whole history (fetch-depth: 0)"
        )
    return base
