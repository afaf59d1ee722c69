"""The problem page: what of a course may be shown, as data, and the folder that is built of it.

A page hides nothing from who reads its files. So only starters, statements and visible checks go into the
data, and the built folder is searched for anything else before it is handed over. The rest (HTML, editor,
Pyodide) is made by `web/build.mjs`, which sees this data and nothing of the course.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import handgrad
from handgrad.build.archive import make_archive
from handgrad.build.leaks import Secrets, find_leaks, secrets_of, words_of_the_tool
from handgrad.build.notebook import check_texts, read_graders
from handgrad.build.starter import make_starter, starter_messages
from handgrad.catalog import Course
from handgrad.errors import ExerciseError, ToolError, UsageError
from handgrad.files import refuse_to_replace, replace_folder, required_text
from handgrad.model import Exercise, Limits

if TYPE_CHECKING:
    from http.server import ThreadingHTTPServer

# What runs in the page's Python: the judge, what carries a class over, and what they need.
KIT: Final = (
    *("catalog", "check", "errors", "explain", "files", "model", "program", "submission"),
    *("judge", "sandbox", "worker", "build/__init__", "build/starter", "build/carry"),
)
STAMP: Final = ".handgrad-page"  # in a folder that was built here, and may be replaced
PYODIDE: Final = "pyodide/"  # not ours, and compared with the digests in web/pyodide.json when it is copied
SLOWER: Final = 2.0  # the page's limits are by the clock, and Python there takes about twice as long
LATER: Final = "Comes later in the course: it begins with working code for an earlier exercise."

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Find = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Built:
    """A finished page."""

    folder: Path
    bytes: int  # of all files
    compressed_bytes: int  # of all files, each compressed as a server would send it
    closed: tuple[str, ...]  # exercises that are named but not handed out, since they give another one away


def describe_course(course: Course, *, reveal: bool = False) -> dict[str, Any]:
    """All that the page shows of a course, ready for JSON.

    Without `reveal`, an exercise whose starter answers another one of this course is named and stays shut.
    Raises ExerciseError for a statement or grader that cannot be read.
    """
    slugs = {exercise.slug for exercise in course.exercises}
    return {
        "course": {"title": course.title},
        "exercises": [
            _outline(exercise) | {"closed": LATER}
            if not reveal and slugs.intersection(exercise.reveals)
            else describe_exercise(exercise)
            for exercise in course.exercises
        ],
    }


def _outline(exercise: Exercise) -> dict[str, Any]:
    """What the roadmap says of an exercise."""
    keys = ("slug", "title", "level", "summary", "minutes", "tags", "goals", "after", "reveals")
    outline: dict[str, Any] = {key: getattr(exercise, key) for key in keys}
    return outline | {"closed": "", "version": ""}


def describe_exercise(exercise: Exercise) -> dict[str, Any]:
    """All that the page shows of one exercise: outline, statement, starter, and visible checks in source."""
    starter = make_starter(required_text(exercise.reference_path), name=str(exercise.reference_path))
    graders = read_graders(exercise)
    checks = check_texts(graders)
    visible = [check for check in checks if not check.hidden]
    shown = {check.name for check in visible}
    limits = exercise.limits._replace(checks=tuple(own for own in exercise.limits.checks if own[0] in shown))
    return _outline(exercise) | {
        "version": hashlib.sha256(starter.encode()).hexdigest()[:8],
        "readme": required_text(exercise.folder / "README.md"),
        "files": {path.name: required_text(path) for path in sorted(exercise.folder.glob("*.svg"))},
        "starter": starter,
        "checks": [
            {"name": check.name, "title": check.title, "points": check.points, "hints": check.hints}
            for check in visible
        ],
        "hidden": len(checks) - len(visible),
        "limits": _by_the_clock(limits)
        | {"checks": {name: _by_the_clock(limits.of(name)) for name, _ in limits.checks}},
        "judge": {
            "slug": exercise.slug,
            "title": exercise.title,
            "level": exercise.level,
            "summary": exercise.summary,
            "points": sum(check.points for check in visible),
            "checks": len(visible),
            "preload": exercise.preload,
            "limits": limits._asdict(),
            "started": sorted(starter_messages(starter)),
            "graders": _visible_sources(exercise, [file.path for file in graders if not file.hidden]),
        },
    }


def _by_the_clock(limits: Limits) -> dict[str, float]:
    return {
        "seconds": max(10.0, SLOWER * limits.cpu_seconds),
        "impatientSeconds": max(4.0, SLOWER * limits.impatient_cpu_seconds),
    }


def _visible_sources(exercise: Exercise, paths: Iterable[Path]) -> dict[str, str]:
    """The visible grader files, by `<number of the root>/<name>`."""
    folders = [root / "graders" / exercise.slug for root in exercise.roots]
    return {f"{folders.index(path.parent)}/{path.name}": required_text(path) for path in paths}


# ---- the Python that runs in the page


def kit_archive(page_sources: Path) -> bytes:
    """A zip of the modules that run in the page: the judge, and `handgrad_page` out of `page_sources`."""
    package = Path(str(handgrad.__file__)).parent
    chosen = [package / "__init__.py"]
    for name in KIT:
        whole = package / name
        chosen += sorted(whole.rglob("*.py")) if whole.is_dir() else [whole.with_suffix(".py")]
    files = {f"handgrad/{path.relative_to(package).as_posix()}": path for path in chosen if path.is_file()}
    files |= {f"handgrad_page/{path.name}": path for path in _page_modules(page_sources)}
    return make_archive({name: path.read_bytes() for name, path in files.items()})


def _page_modules(page_sources: Path) -> list[Path]:
    return sorted((page_sources / "handgrad_page").glob("*.py"))


# ---- the folder


def build_page(
    course: Course,
    out: Path,
    *,
    web: Path | None = None,
    reveal: bool = False,
    numpy_wheel: str = "",
    run: Run = subprocess.run,
    find: Find = shutil.which,
) -> Built:
    """Build the page of `course` beside the folder `out`, search it, and put it there in one step.

    `web` is the folder with the page's sources (unless given, that of the course or of the kit's checkout);
    its npm packages are installed when they are not there. Raises UsageError when `out` holds anything but an
    earlier page, ToolError when a tool is missing or fails, ExerciseError when the course holds something
    that cannot be shown or would be given away; `out` is then as it was.
    """
    out = Path(out).resolve()
    _refuse_place(course, out)
    checkout = Path(str(handgrad.__file__)).parent.parent.parent
    places = [web] if web else [course.root / "web", checkout / "web"]
    web = next((place for place in places if (place / "build.mjs").is_file()), places[0])
    if not (web / "build.mjs").is_file():
        raise ToolError(f"`{web}` does not hold the page's sources: build it in a checkout of the kit")
    description = describe_course(course, reveal=reveal)
    _install(web, run, find)
    work = web / ".build"
    work.mkdir(exist_ok=True)
    (work / "course.json").write_text(json.dumps(description, ensure_ascii=False), encoding="utf-8")
    (work / "kit.zip").write_bytes(kit_archive(web / "python"))
    command = ["node", "build.mjs", "--course", str(work / "course.json"), "--kit", str(work / "kit.zip")]
    command += ["--numpy", str(Path(numpy_wheel).absolute())] if numpy_wheel else []
    with _aside(out) as made:
        sizes = json.loads(_call([*command, "--out", str(made)], web, run, find))
        refuse_leaks(
            course, description, made, [required_text(path) for path in _page_modules(web / "python")]
        )
        replace_folder(out, made)
    return Built(
        folder=out,
        bytes=sizes["raw"],
        compressed_bytes=sizes["compressed"],
        closed=tuple(entry["slug"] for entry in description["exercises"] if entry["closed"]),
    )


def _refuse_place(course: Course, out: Path) -> None:
    """Raise UsageError unless everything that `out` holds may go."""
    if any(root.resolve().is_relative_to(out) for root in course.roots):
        raise UsageError(
            f"`{out}` holds the course, and the page takes a folder of its own: name another one"
        )
    refuse_to_replace(out, STAMP)


@contextmanager
def _aside(out: Path) -> Iterator[Path]:
    """A new folder beside `out`, so that it can be renamed to it; gone afterwards if it was not."""
    out.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".page-", dir=out.parent))
    try:
        made.chmod(0o755)  # a server may run as somebody else
        (made / STAMP).write_text("`handgrad page` built this folder, and replaces it.\n", encoding="utf-8")
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _install(web: Path, run: Run, find: Find) -> None:
    """`npm ci`, unless what is installed is what the lock file names."""
    stamp = web / "node_modules" / ".handgrad"
    wanted = hashlib.sha256((web / "package-lock.json").read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    _call(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], web, run, find)
    stamp.write_text(wanted, encoding="utf-8")


def _call(command: Sequence[str], folder: Path, run: Run, find: Find) -> str:
    program = find(command[0])  # on Windows npm is `npm.cmd`, which is started by its whole name alone
    if program is None:
        raise ToolError(f"the page needs `{command[0]}`, which is not here: install Node.js 20 or newer")
    done = run([program, *command[1:]], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        said = [line for line in done.stderr.strip().splitlines() if line.strip()]
        raise ToolError(f"`{' '.join(command[:2])}` failed: {said[-1] if said else 'it said nothing'}")
    return done.stdout


# ---- nothing else is in it


def refuse_leaks(
    course: Course, description: Mapping[str, Any], folder: Path, public: Sequence[str] = ()
) -> None:
    """Raise ExerciseError when the folder holds more of `course` than `description` and `public` say."""
    secrets = _secrets(course, description, public)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or name.startswith(PYODIDE):
            continue
        leaks = find_leaks(name, path.read_bytes(), secrets)
        if leaks:
            raise ExerciseError(f"the page was not built, since it would give something away: {leaks[0]}")


def _secrets(course: Course, description: Mapping[str, Any], public: Sequence[str]) -> Secrets:
    """What must stay hidden of each exercise, less what the page says openly.

    A starter says openly what it answers of its own exercise and of those it names in `reveals`.
    """
    shown = [entry for entry in description["exercises"] if not entry["closed"]]
    said = [*public, *words_of_the_tool()]
    for entry in shown:
        said += [entry["readme"], *entry["files"].values(), *entry["judge"]["graders"].values()]
    secrets = Secrets()
    for exercise in course.exercises:
        files = read_graders(exercise)
        starters = [e["starter"] for e in shown if exercise.slug in (e["slug"], *e["reveals"])]
        secrets |= secrets_of(
            exercise.slug,
            reference=required_text(exercise.reference_path),
            files=files,
            checks=check_texts(files),
            public=[*said, *starters],
        )
    return secrets


# ---- serving it

POLICY: Final = (
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "worker-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
)
HEADERS: Final = {  # with every file; the pages say the policy themselves, too, for hosts that send none
    "Content-Security-Policy": "; ".join(POLICY),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
TYPES: Final = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm"}


def open_server(folder: Path, *, port: int = 0) -> ThreadingHTTPServer:
    """A server of `folder` on this machine's loopback address alone; port 0 takes a free one.

    Its `serve_forever()` serves, its `server_address` says where. Raises ToolError when the port is taken.
    """
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Files(SimpleHTTPRequestHandler):
        extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **TYPES}  # noqa: RUF012 (as in its base)

        def end_headers(self) -> None:
            for name, value in HEADERS.items():
                self.send_header(name, value)
            super().end_headers()

        def list_directory(self, path: Any) -> None:
            self.send_error(404)

        def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 (the base's name)
            """Say nothing: whoever serves says where, once."""

    try:
        return ThreadingHTTPServer(("127.0.0.1", port), partial(Files, directory=str(folder)))
    except OSError as error:
        raise ToolError(
            f"port `{port}` cannot be used ({error.strerror}): choose another with --port"
        ) from None
