"""A class of two hundred, half of them attackers, through `handgrad grade`: the honest ones notice nothing."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("the sandbox's levels 2 and 3 are Linux's", allow_module_level=True)

from test_attacks import ATTACKS, BEST, SLOW, run

from handgrad.grade import grade
from handgrad.submission import read_submission

if BEST < 2:
    pytest.skip("hostile work needs sandbox level 2", allow_module_level=True)

CLASS_SIZE = 200
LIMITS = "\n[limits]\ncpu_seconds = 1.0\nimpatient_cpu_seconds = 0.2\nwall_seconds = 8.0\n"
FEW_SLOW = ("spend_cpu_at_load", "spend_cpu_catching", "spend_drip", "spend_sleep", "forge_signal_handlers")
KEEPER = """
import ctypes, os, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # whatever is left behind becomes a child of this process
code = subprocess.run(sys.argv[1:]).returncode
end = time.monotonic() + 3
try:
    while time.monotonic() < end:  # what is about to end is not left
        os.waitpid(-1, os.WNOHANG)
        time.sleep(0.01)
except ChildProcessError:
    pass
left = open(f"/proc/self/task/{os.getpid()}/children").read().split()
names = [open(f"/proc/{pid}/cmdline").read().replace(chr(0), " ") for pid in left]
print("left:", names, "code:", code)
"""


def _class(here, folder):
    """Two hundred hand-ins in a drawn order: {learner: the honest text's name, or ""}."""
    rng = random.Random("a class")
    kinds = [
        a for a in ATTACKS if a.exercise == "scalar_engine" and (a.name not in SLOW or a.name in FEW_SLOW)
    ]
    hostile = [
        here.text_of(rng.choice(kinds) if i >= len(kinds) else kinds[i]) for i in range(CLASS_SIZE // 2)
    ]
    graders = here.course_folder / "graders" / "scalar_engine"
    sources = [*sorted(graders.glob("variants/*.py")), *sorted(graders.glob("mistakes/*.py"))]
    sources = [
        here.course.exercise("scalar_engine").reference_path,
        *rng.sample(sources, min(39, len(sources))),
    ]
    honest = [sources[i % len(sources)] for i in range(CLASS_SIZE - len(hostile))]
    texts = [(text, "") for text in hostile] + [(p.read_text(encoding="utf-8"), p.stem) for p in honest]
    rng.shuffle(texts)
    names = {}
    for number, (text, name) in enumerate(texts):
        learner = folder / f"learner{number:03}"
        learner.mkdir(parents=True)
        (learner / "solution.py").write_text(text, encoding="utf-8", errors="surrogatepass")
        names[learner.name] = name
    return names


def _grade_folder(here, folder, out, *, kill_zygotes=0):
    """Run the command on the folder. (what it left, exit code, seconds); kills zygotes on the way."""
    place = here.folder / "temporary"
    place.mkdir(exist_ok=True)
    command = [sys.executable, "-P", "-m", "handgrad", "grade", "scalar_engine", str(folder)]
    command += ["--course", str(here.course_folder), "--format", "json", "--audience", "instructor"]
    command += ["--output", str(out), "--plain", "--jobs", "2"]
    path = os.pathsep.join([str(run.KIT / "src"), *(p for p in sys.path if p)])
    environment = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(place), "SECRET_TOKEN": run.CANARY}
    begin = time.monotonic()
    killed = 0
    with subprocess.Popen(
        [sys.executable, "-c", KEEPER, *command],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        cwd=place,
    ) as keeper:
        while keeper.poll() is None:
            time.sleep(0.2)
            if killed < kill_zygotes and time.monotonic() - begin > 5 + 5 * killed:
                killed += _kill_one_zygote(keeper.pid)
        said = keeper.stdout.read()
    found = re.search(r"left: ?(.*) code: (-?\d+)", said)
    assert killed == kill_zygotes
    assert sorted(p.name for p in place.iterdir()) == []
    return found[1].strip(), int(found[2]), time.monotonic() - begin


def _kill_one_zygote(pid):
    for child in _descendants(pid):
        try:
            words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(b"sandbox.zygote" in word for word in words) and run._children(child):
            os.kill(child, signal.SIGKILL)
            return 1
    return 0


def _descendants(pid):
    for child in run._children(pid):
        yield child
        yield from _descendants(child)


def _bare(verdict):
    """What of a verdict must not depend on who else was graded: not the line where an endless loop was ended."""
    return [
        (
            check["name"],
            check["status"],
            check["points"],
            re.sub(r", in line \d+$|expected .*", "", check["message"]),
        )
        for check in verdict["checks"]
    ]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class graded once, with a zygote killed twice in the middle: (range, names, verdicts, what was left)."""
    with run.Range(BEST) as here:
        toml = here.course_folder / "exercises" / "scalar_engine" / "exercise.toml"
        toml.write_text(toml.read_text().partition("[limits]")[0] + LIMITS)
        folder = here.folder / "class of 200"
        names = _class(here, folder)
        before = sorted(str(p) for p in here.folder.rglob("*") if "__pycache__" not in p.parts)
        out = here.folder / "verdicts.json"
        left, code, seconds = _grade_folder(here, folder, out, kill_zygotes=2)
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        out.unlink()
        after = sorted(str(p) for p in here.folder.rglob("*") if "__pycache__" not in p.parts)
        new = [p for p in after if p not in before and Path(p).name not in ("temporary", ".handgrad")]
        yield here, folder, names, {v["learner"]: v for v in lines}, (left, code, seconds, new)


def test_everybody_has_a_verdict(graded):
    """Two hundred verdicts, each with every check of the exercise, none of them ungraded."""
    _, _, names, verdicts, _ = graded

    assert sorted(verdicts) == sorted(names)
    assert [learner for learner, v in verdicts.items() if v["ungraded"]] == []
    assert Counter(len(v["checks"]) for v in verdicts.values()) == {20: CLASS_SIZE}


def test_honest_verdicts_are_those_of_a_run_alone(graded):
    """Check for check: as if nobody else had handed anything in.

    Which of several wrong values a message names may hang on the order of a learner's set, and that on addresses.
    """
    here, folder, names, verdicts, _ = graded
    alone = {}
    exercise = run.load_course(here.course_folder).exercise("scalar_engine")
    from handgrad.report.json_ import render

    for learner, name in names.items():
        if name and name not in alone:
            submission = read_submission(folder / learner / "solution.py")
            verdict = grade(exercise, submission, starter=here.starter, course=here.course, require=BEST)
            alone[name] = _bare(json.loads(render([verdict], audience=run.Audience.INSTRUCTOR)))
    differing = {
        (learner, name): [
            pair for pair in zip(_bare(verdicts[learner]), alone[name], strict=True) if pair[0] != pair[1]
        ]
        for learner, name in names.items()
        if name and _bare(verdicts[learner]) != alone[name]
    }

    assert len(alone) >= 30
    assert differing == {}


def test_nothing_is_left_behind(graded):
    """No process, no file beside the report, and nobody connected."""
    here, _, _, _, (left, code, _, new) = graded

    assert (left, new) == ("[]", [])
    assert list(here.drop.iterdir()) == []
    assert code in (0, 1)
    with pytest.raises(BlockingIOError):
        here.port.accept()


def test_no_attacker_gained_a_point_that_was_not_theirs(graded):
    """Attackers with a starter inside got nothing; with a reference inside, what the reference is worth."""
    here, folder, names, verdicts, _ = graded
    top = [
        learner
        for learner, name in names.items()
        if not name
        and verdicts[learner]["score"] > 0
        and "def __add__" not in (folder / learner / "solution.py").read_text(errors="surrogateescape")
    ]

    assert top == []
