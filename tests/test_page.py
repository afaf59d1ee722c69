"""The page: what its folder holds, that its Python judges as the command does, and that people can use it."""

from __future__ import annotations

import contextlib
import hashlib
import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from handgrad.build.archive import make_archive
from handgrad.build.page import (
    HEADERS,
    LATER,
    build_page,
    describe_course,
    describe_exercise,
    kit_archive,
    open_server,
    refuse_leaks,
)
from handgrad.build.starter import find_regions, make_starter
from handgrad.catalog import Course, load_course
from handgrad.errors import ExerciseError, ToolError, UsageError
from handgrad.grade import stubs_of, visible_checks
from handgrad.inspection import read_mistake
from handgrad.judge.loader import load_checks
from handgrad.judge.session import Session
from handgrad.model import Exercise
from handgrad.sandbox.starter import open_starter
from handgrad.submission import read_submission

TOP = Path(__file__).parent.parent
WEB = TOP / "web"
TOYS = Path(__file__).parent / "course"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
ENGINE = "scalar_engine"
CANARY = "canary_in_a_coal_mine"

needs_node = pytest.mark.skipif(
    not (shutil.which("node") and shutil.which("npm")), reason="Node.js and npm are not here"
)
needs_browser = pytest.mark.skipif(not CHROMIUM, reason="Chromium is not here")
COURSE = load_course(TOP)
SLUGS = [exercise.slug for exercise in COURSE.exercises]


def once(tmp_path_factory: pytest.TempPathFactory, name: str, build: Any) -> Path:
    """The folder `name`, made by whichever of the test processes comes first."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder, lock = base / name, base / f"{name}.lock"
    try:
        lock.touch(exist_ok=False)
    except FileExistsError:
        deadline = time.monotonic() + 300
        while not (base / f"{name}.done").exists():
            assert time.monotonic() < deadline, f"{name} was not built by the other process"
            time.sleep(0.2)
    else:
        try:
            build(folder)
        finally:
            (base / f"{name}.done").touch()
    return folder


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real course's page."""
    return once(tmp_path_factory, "page", lambda folder: build_page(COURSE, folder, web=WEB, reveal=True))


@pytest.fixture(scope="session")
def planted_course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The toy course with a canary in each reference and each hidden grader file."""
    root = tmp_path_factory.mktemp("planted") / "course"
    shutil.copytree(TOYS, root)
    for path in [*root.glob("solutions/*/*.py"), *root.glob("graders/*/hidden/*.py")]:
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"( *)### BEGIN SOLUTION\n", rf"\g<0>\1{CANARY} = 1\n", text)
        path.write_text(text + f"\n\n# {CANARY}\n" * ("hidden" in path.parts), encoding="utf-8")
    for path in [*root.glob("graders/*/mistakes/*.py"), *root.glob("graders/*/variants/*.py")]:
        path.write_text(path.read_text(encoding="utf-8") + f"\n# {CANARY}\n", encoding="utf-8")
    return load_course(root)


# ---- what is shown


def test_an_exercise_is_described_by_its_public_side() -> None:
    """Starter, statement, visible checks and the number of the hidden ones; no reference, no hidden check."""
    told = describe_exercise(load_course(TOYS).exercise("stack"))

    text = json.dumps(told)
    assert "still to be written" in told["starter"]
    assert told["hidden"] == 2
    assert len(told["checks"]) == told["judge"]["checks"] == 6
    assert list(told["judge"]["graders"]) == ["0/test_1_stack.py"]
    assert "BEGIN SOLUTION" not in text


def test_checks_that_compute_for_long_have_their_own_limits() -> None:
    """By the clock, in a Python half as fast; what is hidden is not named."""
    exercise = load_course(TOYS).exercise("stack")
    own = (("test_push_puts_the_item_on_top", 20.0), ("test_that_is_hidden", 30.0))
    told = describe_exercise(exercise._replace(limits=exercise.limits._replace(checks=own)))

    assert told["limits"]["checks"] == {
        "test_push_puts_the_item_on_top": {"seconds": 40.0, "impatientSeconds": 10.0}
    }
    assert told["limits"]["seconds"] < 40.0
    assert "test_that_is_hidden" not in json.dumps(told)


def test_checks_of_an_added_root_are_shown_too(tmp_path: Path) -> None:
    """A course is a list of roots: the page runs the visible checks of all of them."""
    graders = tmp_path / "graders" / "stack"
    graders.mkdir(parents=True)
    source = next((TOYS / "graders" / "stack").glob("test_1*.py")).read_text(encoding="utf-8")
    (graders / "test_9_more.py").write_text(source.replace("def test_", "def test_more_"), encoding="utf-8")
    (graders / "totals.toml").write_text("points = 9\nchecks = 6\n", encoding="utf-8")

    told = describe_exercise(load_course(TOYS, [tmp_path]).exercise("stack"))

    assert list(told["judge"]["graders"]) == ["0/test_1_stack.py", "1/test_9_more.py"]


def test_what_gives_another_exercise_away_is_named_and_kept_back(tmp_path: Path) -> None:
    """Without `reveal`, a starter that answers another exercise of the page is not in it."""
    root = tmp_path / "course"
    shutil.copytree(TOYS, root)
    description = root / "exercises" / "shelf" / "exercise.toml"
    description.write_text(
        'reveals = ["stack"]\n' + description.read_text(encoding="utf-8"), encoding="utf-8"
    )
    course = load_course(root)

    shut = {e["slug"]: e["closed"] for e in describe_course(course)["exercises"]}
    told = {e["slug"]: e["closed"] for e in describe_course(course, reveal=True)["exercises"]}

    assert shut == {"stack": "", "amounts": "", "shelf": LATER}
    assert set(told.values()) == {""}


def test_a_statement_that_is_missing_is_the_authors_fault(tmp_path: Path) -> None:
    """The error names the file."""
    root = tmp_path / "course"
    shutil.copytree(TOYS, root)
    (root / "exercises" / "stack" / "README.md").unlink()

    with pytest.raises(ExerciseError, match=r"stack.README\.md: cannot be read"):
        describe_course(load_course(root))


def test_the_kit_is_the_judge_and_equal_each_time(tmp_path: Path) -> None:
    """No report and no doctor goes into the page, and of the builders what cuts starters and carries classes."""
    first, second = kit_archive(WEB / "python"), kit_archive(WEB / "python")
    (tmp_path / "kit.zip").write_bytes(first)

    with zipfile.ZipFile(tmp_path / "kit.zip") as archive:
        names = archive.namelist()
    parts = {name.split("/")[1].removesuffix(".py") for name in names}
    builders = {Path(name).stem for name in names if name.startswith("handgrad/build/")}
    assert first == second
    assert {"judge", "worker", "check", "driver", "drawing"} <= parts
    assert not parts & {"report", "doctor", "cli", "grade", "integrations", "batch"}
    assert builders == {"__init__", "starter", "carry"}


# ---- the folder


@needs_node
def test_the_folder_holds_no_answer_and_no_hidden_check(
    planted_course: Course, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A canary planted in references, hidden checks, mistakes and variants is nowhere in what is served."""
    folder = once(tmp_path_factory, "toys", lambda out: build_page(planted_course, out, web=WEB))

    held = [path for path in folder.rglob("*") if path.is_file() and CANARY.encode() in unpacked(path)]
    assert (folder / "stack.html").is_file()
    assert held == []


def unpacked(path: Path) -> bytes:
    """The bytes of a file, or of all files in an archive."""
    if path.suffix != ".zip":
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return b"\n".join(archive.read(name) for name in archive.namelist())


POP = 'if not self.items:\n            raise IndexError("pop from an empty stack")'
LENGTH = "# TODO 3: how many items there are.\n        return len(self.items)"
DRAWN = "numbers = [rng.randrange(1000) for _ in range(8)]"
GIVEN_AWAY = {
    "a solution": ("exercises/stack.json", json.dumps({"code": POP}).encode()),
    "a solution of one line": ("exercises/stack.json", json.dumps({"code": LENGTH}).encode()),
    "a solution in colours": ("stack.html", f"<pre><b>if</b>{html.escape(POP[2:])}</pre>".encode()),
    "a hidden check": ("parts/check.js", f"// {DRAWN}".encode()),
    "a hidden check in the kit": ("python/kit.zip", make_archive({"a.py": DRAWN.encode()})),
}


@pytest.mark.parametrize("what", GIVEN_AWAY)
def test_a_folder_that_gives_something_away_is_refused(what: str, tmp_path: Path) -> None:
    """Whatever way a line of a hidden check or two of a solution got in, the build ends with a sentence."""
    name, raw = GIVEN_AWAY[what]
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(raw)
    course = load_course(TOYS)

    with pytest.raises(ExerciseError, match=f"would give something away: `{name}"):
        refuse_leaks(course, describe_course(course), tmp_path)


def test_a_starter_may_answer_only_what_it_says_it_answers(tmp_path: Path) -> None:
    """With `reveals` in its exercise.toml a starter may hold another exercise's solution, and not without."""
    root = tmp_path / "course"
    shutil.copytree(TOYS, root)
    reference = root / "solutions/shelf/solution.py"
    text = reference.read_text("utf-8") + f"\n\ndef pop(self):\n    {POP}\n"
    reference.write_text(text, encoding="utf-8")
    told = describe_course(load_course(root))
    (tmp_path / "out").mkdir()
    (tmp_path / "out/shelf.json").write_text(json.dumps(told["exercises"]), encoding="utf-8")

    with pytest.raises(ExerciseError, match="would give something away"):
        refuse_leaks(load_course(root), told, tmp_path / "out")
    description = root / "exercises/shelf/exercise.toml"
    description.write_text('reveals = ["stack"]\n' + description.read_text("utf-8"), encoding="utf-8")
    course = load_course(root)
    refuse_leaks(course, describe_course(course, reveal=True), tmp_path / "out")


def made_up(name: str, text: str) -> Any:
    """What runs in the place of npm and Node: it builds a folder with one file."""

    def run(command: list[str], *, cwd: Path, **named: Any) -> Any:
        if command[0] == "npm":
            (cwd / "node_modules").mkdir()
        else:
            (Path(command[command.index("--out") + 1]) / name).write_text(text, encoding="utf-8")
        return subprocess.CompletedProcess(command, 0, '{"raw": 1, "compressed": 1}', "")

    return run


def built(folder: Path, out: Path, text: str, course: Course | None = None) -> None:
    """Build a page whose only file has this text."""
    web = folder / "web"
    web = web if web.exists() else bare_web(folder)
    build_page(course or load_course(TOYS), out, web=web, run=made_up("index.html", text), find=str)


def test_a_page_that_would_leak_leaves_the_one_before_it(tmp_path: Path) -> None:
    """It is searched before it takes the old one's place, and nothing of it is kept."""
    built(tmp_path, tmp_path / "out", "the first")

    with pytest.raises(ExerciseError, match="the page was not built"):
        built(tmp_path, tmp_path / "out", DRAWN)
    assert (tmp_path / "out" / "index.html").read_text(encoding="utf-8") == "the first"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "web"]


def test_a_page_replaces_the_one_before_it(tmp_path: Path) -> None:
    """In one step, and with nothing of it left; an empty folder is as good as none."""
    out = tmp_path / "out"
    out.mkdir()
    built(tmp_path, out, "the first")
    (out / "old.html").touch()

    built(tmp_path, out, "the second")

    assert sorted(path.name for path in out.iterdir()) == [".handgrad-page", "index.html"]
    assert (out / "index.html").read_text(encoding="utf-8") == "the second"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "web"]


def test_a_folder_of_ones_own_is_never_replaced(tmp_path: Path) -> None:
    """Nothing in it is touched, and no build is begun."""
    own = tmp_path / "home" / "thesis.tex"
    own.parent.mkdir()
    own.write_text("mine")

    with pytest.raises(UsageError, match="home` is there and was not made by this command"):
        built(tmp_path, own.parent, "a page")
    assert own.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "web"]


@pytest.mark.parametrize("place", ["course", "", "link"])
def test_the_course_itself_is_never_replaced(place: str, tmp_path: Path) -> None:
    """Neither its folder, by whatever name, nor one around it, even with a page's stamp in it."""
    root = tmp_path / "around" / "course"
    shutil.copytree(TOYS, root)
    for folder in (root, root.parent):
        (folder / ".handgrad-page").touch()
    (root.parent / "link").symlink_to(root)

    with pytest.raises(UsageError, match="holds the course"):
        built(tmp_path, root.parent / place, "a page", load_course(root))
    assert (root / "course.toml").is_file()


@needs_node
def test_the_folder_names_no_other_host(page: Path) -> None:
    """Nothing in our own files points away; what is left are names in Pyodide's own, never asked for."""
    own = [p for p in page.rglob("*") if p.suffix in (".html", ".css") or p.parent == page]

    found = {
        f"{path.name}: {word}"
        for path in own
        if path.suffix in (".html", ".css", ".js")
        for word in path.read_text(encoding="utf-8").replace('"', " ").split()
        if word.startswith(("src=http", "url(http")) or "cdn" in word.lower()
    }
    assert found == set()


@needs_node
def test_the_scalar_exercises_come_in_under_nine_megabytes(page: Path) -> None:
    """As a server that compresses would send it."""
    import gzip

    size = sum(len(gzip.compress(path.read_bytes(), 6)) for path in page.rglob("*") if path.is_file())

    assert size < 9_000_000


@needs_node
def test_a_wheel_that_pyodide_does_not_list_is_refused(tmp_path: Path) -> None:
    """Neither one for another Python nor one with another digest is served."""
    other = tmp_path / "numpy-2.4.6-cp312-cp312-pyodide_2024_0_wasm32.whl"
    changed = tmp_path / "numpy-2.4.6-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
    other.write_bytes(b"x")
    changed.write_bytes(b"x")

    for wheel, words in (
        (other, "not for this Python"),
        (changed, "digest"),
        (tmp_path / "no.whl", "no file"),
    ):
        with pytest.raises(ToolError, match=words):
            build_page(load_course(TOYS), tmp_path / "out", web=WEB, numpy_wheel=str(wheel))
    assert list(tmp_path.glob("out*")) == list(tmp_path.glob(".page-*")) == []


@needs_node
def test_a_wheel_that_pyodide_lists_is_served_and_imported(tmp_path: Path) -> None:
    """With a list that names our stand-in for NumPy, array exercises open and their code can import it."""
    web = bare_web(tmp_path)
    (web / "node_modules").mkdir()
    for entry in (WEB / "node_modules").iterdir():
        if entry.name != "pyodide":
            (web / "node_modules" / entry.name).symlink_to(entry)
    shutil.copytree(WEB / "node_modules" / "pyodide", web / "node_modules" / "pyodide")
    wheel = tmp_path / "numpy-2.4.6-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("numpy/__init__.py", "answer = 42\nclass random:\n    seed = print\n")
        archive.writestr(
            "numpy-2.4.6.dist-info/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 2.4.6\n"
        )
        archive.writestr("numpy-2.4.6.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    listed = web / "node_modules" / "pyodide" / "pyodide-lock.json"
    names = json.loads(listed.read_text("utf-8"))
    names["packages"]["numpy"]["sha256"] = hashlib.sha256(wheel.read_bytes()).hexdigest()
    listed.write_text(json.dumps(names), encoding="utf-8")
    course = load_course(TOYS)

    build_page(course, tmp_path / "out", web=web, numpy_wheel=str(wheel))

    told = describe_exercise(course.exercise("stack"))
    told["judge"]["preload"] = ["numpy"]
    code = "import numpy\nassert numpy.answer == 42\n" + told["starter"]
    found = in_pyodide(tmp_path / "out", told, {"own": code})["own"]
    assert found["problem"] == ""
    assert {row[1] for row in found["rows"]} == {"not_started"}


def test_a_missing_node_is_a_sentence(tmp_path: Path) -> None:
    """As is a folder without the page's sources."""
    web = bare_web(tmp_path)

    with pytest.raises(ToolError, match="needs `npm`, which is not here: install Node"):
        build_page(load_course(TOYS), tmp_path / "out", web=web, find=lambda name: None)
    with pytest.raises(ToolError, match="does not hold the page's sources"):
        build_page(load_course(TOYS), tmp_path / "out", web=tmp_path)


def test_programs_are_started_by_their_whole_names(tmp_path: Path) -> None:
    """Windows has npm as `npm.cmd`, and finds only an .exe by the bare word."""
    started: list[str] = []

    def broken(command: list[str], **named: Any) -> Any:
        started.append(command[0])
        return subprocess.CompletedProcess(command, 1, "", "no network")

    with pytest.raises(ToolError, match="`npm ci` failed: no network"):
        build_page(
            load_course(TOYS),
            tmp_path / "out",
            web=bare_web(tmp_path),
            run=broken,
            find=lambda name: f"C:/nodejs/{name}.CMD",
        )
    assert started == ["C:/nodejs/npm.CMD"]


def bare_web(folder: Path) -> Path:
    """A copy of the page's sources, with nothing installed."""
    ignored = shutil.ignore_patterns("node_modules", "dist", ".build")
    return Path(shutil.copytree(WEB, folder / "web", ignore=ignored))


# ---- serving


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address under which `folder` is served."""
    server = open_server(folder)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_serving_is_for_this_machine_alone(tmp_path: Path) -> None:
    """Loopback, with the content policy in each answer, and with the types browsers insist on."""
    (tmp_path / "a.wasm").write_bytes(b"\0asm")

    with served(tmp_path) as url, urlopen(url + "a.wasm") as answer:
        heard = answer.headers

    assert heard["Content-Type"] == "application/wasm"
    assert {name: heard[name] for name in HEADERS} == HEADERS
    assert "unsafe-eval'" not in HEADERS["Content-Security-Policy"].replace("'wasm-unsafe-eval'", "")


def test_a_port_in_use_is_a_sentence(tmp_path: Path) -> None:
    """It says which, and what to do."""
    with served(tmp_path) as url, pytest.raises(ToolError, match="choose another with --port"):
        open_server(tmp_path, port=int(url.rsplit(":", 1)[1].strip("/")))


@needs_node
def test_the_command_builds_the_page_and_serves_it(tmp_path: Path) -> None:
    """It says where the folder is, how large, what it keeps back and where to look."""
    root = tmp_path / "course"
    shutil.copytree(TOYS, root)
    description = root / "exercises" / "shelf" / "exercise.toml"
    description.write_text('reveals = ["stack"]\n' + description.read_text("utf-8"), encoding="utf-8")
    words = ["page", "--course", str(root), "--output", str(tmp_path / "out"), "--serve", "--port", "0"]

    with subprocess.Popen(
        [sys.executable, "-m", "handgrad", *words],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(TOP / "src")},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    ) as process:
        try:
            assert process.stdout is not None
            said = [process.stdout.readline() for _ in range(3)]
            url = said[2].split(" ")[0]
            with urlopen(url + "stack.html") as answer:
                served_page = answer.read().decode()
            process.send_signal(signal.SIGINT)
            code = process.wait(timeout=60)
        finally:
            process.kill()

    assert re.match(r".*out \(1\d\.\d MB, [67]\.\d MB compressed\)\n", said[0])
    assert said[1].startswith("shelf is only named there")
    assert url.startswith("http://127.0.0.1:")
    assert "<h1>A stack" in served_page
    assert code == 0


# ---- the same results in Pyodide as here


def submissions(exercise: Exercise) -> dict[str, Path]:
    """Everything we have for an exercise, by a name for it.

    Of an exercise whose checks compute for seconds it is every sixth, unless EVERYTHING is set: all of
    scalar_training take the browser's Python four minutes.
    """
    found = {"starter": exercise.solution_path, "reference": exercise.reference_path}
    for kind in ("mistakes", "variants"):
        paths = sorted((exercise.grader_folder / kind).glob("*.py"))
        slow = any(seconds > 10 for _, seconds in exercise.limits.checks)
        if slow and not os.environ.get("EVERYTHING"):
            paths = paths[::6]
        found |= {f"{kind}/{path.stem}": path for path in paths}
    return found


def native(exercise: Exercise, path: Path, starter: Any) -> dict[str, Any]:
    """What the command says of a file: its problem, and status and message of each visible check."""
    submission = read_submission(path)
    with Session(exercise, submission, starter=starter, stubs=stubs_of(exercise)) as session:
        results = [session.run(item) for item in visible_checks(exercise)]
    rows = [
        [r.check.name, str(r.status), r.message, r.detail.place.line if r.detail and r.detail.place else 0]
        for r in results
    ]
    return {"problem": session.problem, "rows": [] if session.problem else rows}


def in_pyodide(
    page: Path, told: dict[str, Any], texts: dict[str, str], *, fresh: bool = False
) -> dict[str, Any]:
    """The same of each text, by the page's runner and driver in Pyodide under Node."""
    given = {
        "dist": str(page),
        "exercise": told,
        "submissions": [{"name": name, "code": text} for name, text in texts.items()],
        "fresh": fresh,
    }
    done = subprocess.run(
        ["node", str(WEB / "test" / "run_all.mjs")], input=json.dumps(given), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return {name: _plain(result) for name, result in json.loads(done.stdout).items()}


def _plain(told: dict[str, Any]) -> dict[str, Any]:
    assert "ending" not in told, told["ending"]
    rows = [
        [r["name"], r["status"], r["message"], (r.get("place") or {}).get("line", 0)] for r in told["rows"]
    ]
    return {"problem": told["file"]["problem"], "rows": rows}


def comparable(result: dict[str, Any]) -> dict[str, Any]:
    """The result, less what depends on the machine and not on the judge.

    Limits differ in the page, Python words its own errors anew in each version, and where a graph's order
    is left to a set it depends on addresses: there the status counts, and what kind of thing was said.
    """
    return {**result, "rows": [_comparable(*row) for row in result["rows"]]}


def _comparable(name: str, status: str, message: str, line: int) -> list[Any]:
    if "still running" in message or "stopped after" in message:
        return [name, status, "time was up", 0]
    if "RecursionError" in message:
        return [name, status, "RecursionError", 0]
    message = re.sub(r"(\w+Error): .*", r"\1", message)
    return [name, status, re.sub(r"(in the program shown below): .*", r"\1", message), line]


@needs_node
@pytest.mark.parametrize("slug", SLUGS)
def test_pyodide_judges_as_the_command_does(slug: str, page: Path) -> None:
    """Every visible check, for the starter, the reference, each mistake and each variant.

    But for the mistakes of which the order of a set decides what they fail: addresses are others in Pyodide.
    """
    exercise = COURSE.exercise(slug)
    if "numpy" in exercise.preload and not os.environ.get("NUMPY_WHEEL"):
        pytest.skip("an array exercise, and NUMPY_WHEEL names no wheel to build the page with")
    told, loaded = describe_exercise(exercise), load_checks(exercise)
    visible = {item.check.name for item in loaded if not item.check.hidden}
    paths = {
        name: path
        for name, path in submissions(exercise).items()
        if not read_mistake(path, loaded, COURSE)[0].may_fail & visible
    }
    texts = {name: path.read_text(encoding="utf-8") for name, path in paths.items()}
    with open_starter(1, exercise.preload) as starter:
        wanted = {name: comparable(native(exercise, path, starter)) for name, path in paths.items()}

    found = {name: comparable(r) for name, r in in_pyodide(page, told, texts).items()}
    odd = {name: texts[name] for name in wanted if found[name] != wanted[name]}
    if odd:  # was it the submission before it, in the same interpreter? the page takes a fresh one
        found |= {name: comparable(r) for name, r in in_pyodide(page, told, odd, fresh=True).items()}

    assert len(wanted) >= 4
    assert found == wanted


# ---- people


@pytest.fixture(scope="session")
def facts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the stories need to know of the course."""
    told = once(tmp_path_factory, "facts", lambda path: path.write_text(json.dumps(course_facts()), "utf-8"))
    found: dict[str, Any] = json.loads(told.read_text("utf-8"))
    return found


def course_facts() -> dict[str, Any]:
    """The engine's reference, its steps, ten mistakes with what the command says, and other slugs."""
    engine = COURSE.exercise(ENGINE)
    text = engine.reference_path.read_text(encoding="utf-8")
    regions = len(find_regions(text))
    reference = make_starter(text, filled=regions)
    return {
        "browser": CHROMIUM,
        "slug": ENGINE,
        "reference": reference,
        "steps": [make_starter(text, filled=step) for step in range(1, regions + 1)],
        "wrong": reference.replace("grad += ", "grad = "),
        "hangs": reference.replace(
            "out = Value(math.tanh(self.data), (self,))", "while True:\n            pass"
        ),
        "revealing": next(e.slug for e in COURSE.exercises if ENGINE in e.reveals),
        "array": next(e.slug for e in COURSE.exercises if "numpy" in e.preload and not e.reveals),
        "mistakes": ten_mistakes(engine),
    }


def ten_mistakes(exercise: Exercise) -> list[dict[str, Any]]:
    """Ten of them, spread over all, with what the command says of each check."""
    paths = sorted((exercise.grader_folder / "mistakes").glob("*.py"))
    chosen = [p for p in paths if not re.search(r"while True|may fail", p.read_text(encoding="utf-8"))]
    chosen = chosen[:: max(1, len(chosen) // 10)][:10]
    with open_starter(1, exercise.preload) as starter:
        told = [native(exercise, path, starter) for path in chosen]
    return [
        {
            "name": path.stem,
            "code": path.read_text(encoding="utf-8"),
            "rows": {name: [status, message] for name, status, message, _ in result["rows"]},
        }
        for path, result in zip(chosen, told, strict=True)
    ]


STORIES = re.findall(
    r"^  async (\w+)\(\) \{$",
    (WEB / "test" / "scenarios.mjs").read_text(encoding="utf-8").split("const stories = {")[1],
    re.MULTILINE,
)


@needs_node
@needs_browser
@pytest.mark.parametrize("story", STORIES)
def test_a_learner_in_a_browser(story: str, page: Path, facts: dict[str, Any]) -> None:
    """Each story in web/test/scenarios.mjs ends as it says, with no request to anywhere else."""
    with served(page) as url:
        done = subprocess.run(
            ["node", str(WEB / "test" / "scenarios.mjs"), story],
            input=json.dumps({**facts, "url": url, "file": (page / f"{ENGINE}.html").as_uri()}),
            capture_output=True,
            text=True,
            timeout=300,
        )

    assert done.returncode == 0, done.stderr[-4000:]
