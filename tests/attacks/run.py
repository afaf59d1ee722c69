"""Hands in every attack and says what came of it. Needs nothing but handgrad and Python.

`python tests/attacks/run.py --level 3 [NAME ...]` prints one line an attack, and ends with 1 when one did not
end as its docstring says. `tests/test_attacks.py` calls the same functions.
"""

import argparse
import contextlib
import dataclasses
import itertools
import json
import os
import re
import shutil
import socket
import stat
import sys
import tempfile
import time
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
KIT = HERE.parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(KIT / "src"))

from handgrad.build.starter import make_starter  # noqa: E402
from handgrad.catalog import load_course  # noqa: E402
from handgrad.grade import grade  # noqa: E402
from handgrad.model import Audience, Limits, Status  # noqa: E402
from handgrad.report import FORMATS  # noqa: E402
from handgrad.sandbox.starter import open_starter  # noqa: E402
from handgrad.submission import read_submission  # noqa: E402

CANARY = "CANARY-hidden-5f1d2c"
LONGEST_SECONDS = 60.0
LARGEST_REPORT = 12_000_000  # characters: 20 checks that all print as much as is kept, written as escapes
QUICK = Limits(cpu_seconds=1.0, impatient_cpu_seconds=0.1, wall_seconds=3.0)
RUNNER = dict.fromkeys(  # what Classroom 50's runner sets
    "CLASSROOM ASSIGNMENT OWNER SUBMISSION_TAG COMMIT_URL RELEASE_URL USERNAME REVIEW_URL".split(), "x"
)
WORDS = {"no points", "all points", "less than all", "not loaded", "held", "kept"}


@dataclasses.dataclass(frozen=True)
class Attack:
    """One file of this folder: what it does and what must come of it."""

    name: str
    text: str
    title: str
    must: tuple[str, ...]
    from_level: int
    at_level_1: str  # "" = as promised | open | not tried
    exercise: str

    def tried_at(self, level: int) -> bool:
        """Whether it is run at `level` at all."""
        return level >= self.from_level or self.at_level_1 == "open"


def read_attacks(folder: Path = HERE) -> tuple[Attack, ...]:
    """Every attack of the folder, by name. Raises ValueError for a docstring that says too little."""
    return tuple(
        _read(path) for path in sorted(folder.glob("*.py")) if path.stem != "run" and path.name[0] != "_"
    )


def _read(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    doc = re.match(r'"""(.*?)"""', text, re.DOTALL)
    if doc is None:
        raise ValueError(f"{path}: no docstring")
    lines = dict(re.findall(r"^(must|from level|at level 1|exercise): (.+)$", doc[1], re.MULTILINE))
    must = tuple(word.strip() for word in lines["must"].split(";"))
    level_1 = lines.get("at level 1", "")
    from_level = int(lines["from level"])
    if not set(must) <= WORDS or level_1 not in ("", "open", "not tried") or (from_level > 1) != bool(level_1):
        raise ValueError(f"{path}: the docstring's promise cannot be read")
    title = doc[1].strip().split("\n")[0]
    return Attack(path.stem, text, title, must, from_level, level_1, lines.get("exercise", "scalar_engine"))


class Range:
    """A copy of the course on a path with a space, a canary, an open port, and a starter of workers."""

    def __init__(self, level: int, *, plain: bool = False, preload: tuple[str, ...] = ()) -> None:
        self.level = level
        self._stack = contextlib.ExitStack()
        self.folder = Path(tempfile.mkdtemp(prefix="hand grad "))
        self.folder.chmod(0o755)
        self._stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.course_folder = self.folder / "a course"
        _copy_course(self.course_folder)
        self.submissions = self.folder / "submissions"
        self.submissions.mkdir()
        self.canary = self.submissions / "open to all.txt"
        self.canary.write_text(f"{CANARY}\n")
        self.drop = self.folder / "drop"
        self.drop.mkdir()
        self.drop.chmod(0o777)
        self.port = self._stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.port.setblocking(False)
        self.course = load_course(self.course_folder)
        self._before = set(_children(os.getpid()))
        self.starter = self._stack.enter_context(open_starter(level, preload, plain=plain))

    def __enter__(self) -> "Range":
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def exercise(self, slug: str):
        """The exercise, with limits that make a hundred attacks bearable."""
        return self.course.exercise(slug)._replace(limits=QUICK)

    def text_of(self, attack: Attack) -> str:
        """The attack with its placeholders filled in."""
        reference = self.course.exercise(attack.exercise).reference_path.read_text(encoding="utf-8")
        plain = re.sub(r"^ *### (BEGIN|END) SOLUTION\n", "", reference, flags=re.MULTILINE)
        fill = {
            "### STARTER ###": make_starter(reference),
            "### REFERENCE ###": plain,
            "### PRELUDE ###": (HERE / "_prelude.py").read_text(encoding="utf-8"),
            "@CANARY@": str(self.canary),
            "@DROP@": str(self.drop),
            "@COURSE@": str(self.course_folder),
            "@JUDGE@": str(os.getpid()),
            "@NOW@": str(time.time()),
            "@PORT@": str(self.port.getsockname()[1]),
            "@NESTED@": "-" * 300_000 + "1",
            "@FIELDS@": "{1}" * 300_000,
            "@IMPORTS@": "import math\n" * 80_000,
            "@PADDING@": "x" * 3_000_000,
        }
        text = attack.text
        for mark, words in fill.items():
            text = text.replace(mark, words)
        return text

    def hand_in(self, attack: Attack):
        """The verdict on the attack, and how many seconds it took."""
        path = self.submissions / f"{attack.name}.py"
        path.write_text(self.text_of(attack), encoding="utf-8", errors="surrogatepass")
        for name in ("random", "handgrad", "sitecustomize", "conftest"):
            (self.submissions / f"{name}.py").write_text("planted = True\nprint('BROKEN: planted')\n")
        begin = time.monotonic()
        with warnings.catch_warnings(record=True) as self.warned:
            warnings.simplefilter("always")
            verdict = grade(
                self.exercise(attack.exercise),
                read_submission(path),
                starter=self.starter,
                course=self.course,
                require=self.level,
            )
        return verdict, time.monotonic() - begin

    def try_attack(self, attack: Attack) -> list[str]:
        """What is wrong after the attack, a sentence each."""
        verdict, seconds = self.hand_in(attack)
        return [*self._outside(attack, seconds), *self._kept(verdict), *self._promised(attack, verdict)]

    def _outside(self, attack: Attack, seconds: float) -> list[str]:
        wrong = []
        wrong.extend(f"the judge warned of a line of {w.filename}" for w in self.warned if "graders" in w.filename)
        if seconds > LONGEST_SECONDS:
            wrong.append(f"it took {seconds:.0f} s")
        left = sorted(path.name for path in self.drop.iterdir())
        for name in left:
            _remove(self.drop / name)
        if left and self.level >= attack.from_level:
            wrong.append(f"it wrote {left}")
        with contextlib.suppress(BlockingIOError):
            self.port.accept()[0].close()
            wrong.append("it connected")
        zygote = getattr(self.starter, "_zygote", None)
        processes = set(_children(zygote.pid if zygote else os.getpid())) - self._before
        if processes:
            wrong.append(f"it left processes {processes}")
        if self.canary.read_text() != f"{CANARY}\n" or stat.S_IMODE(self.canary.stat().st_mode) & 0o022:
            wrong.append("it changed the canary file")
        return wrong

    def _kept(self, verdict) -> list[str]:
        """What must hold of every verdict."""
        wrong = []
        exercise = self.course.exercise(verdict.exercise)
        if verdict.ungraded:
            return [f"ungraded: {verdict.ungraded}"]
        if len(verdict.results) != exercise.checks or verdict.max_score != exercise.points:
            wrong.append(f"{len(verdict.results)} results of {exercise.checks}")
        if verdict.level != self.level:
            wrong.append(f"level {verdict.level}")
        for name, render in FORMATS.items():
            for audience in Audience:
                text = render([verdict], audience=audience, environ=RUNNER)
                wrong.extend(_in_report(name, audience, text, verdict))
                if CANARY in text and self.level > 1:
                    wrong.append(f"the canary is in the {name} report for the {audience}")
        return wrong

    def _promised(self, attack: Attack, verdict) -> list[str]:
        said = printed(verdict)
        open_here = self.level < attack.from_level
        if open_here:
            return [] if "BROKEN:" in said else ["it was to be open at level 1, and nothing got through"]
        wrong = [line for line in said.split("\n") if line.startswith("BROKEN:")]
        statuses = {result.status for result in verdict.results}
        for word in attack.must:
            if word == "no points" and verdict.score != 0:
                passed = [r.check.name for r in verdict.results if r.status is Status.PASSED]
                wrong.append(f"{verdict.score} points, for {passed}")
            elif word == "all points" and not verdict.passed:
                wrong.append(f"{verdict.score} of {verdict.max_score} points: {_why(verdict)}")
            elif word == "less than all" and verdict.score >= verdict.max_score:
                wrong.append("all points")
            elif word == "not loaded" and (statuses != {Status.NOT_RUN} or not verdict.message):
                wrong.append(f"loaded: {sorted(statuses)} {verdict.message}")
            elif word == "held" and "held:" not in said:
                wrong.append(f"it did not say what held: {verdict.message} {said[:300]}")
        return wrong


def printed(verdict) -> str:
    """All that the attack printed, at loading and in every check."""
    parts = [verdict.output, *(r.detail.output for r in verdict.results if r.detail)]
    return "\n".join(parts)


def _why(verdict) -> str:
    if verdict.message:
        return verdict.message
    bad = [r for r in verdict.results if r.status is not Status.PASSED]
    return f"{bad[0].check.name}: {bad[0].message}" if bad else ""


def _in_report(name: str, audience: Audience, text: str, verdict) -> list[str]:
    """What a report of any kind must not hold."""
    wrong = []
    where = f"the {name} report for the {audience}"
    if len(text) > LARGEST_REPORT:
        wrong.append(f"{where} has {len(text):,} characters")
    if name not in ("json", "gradescope", "classroom50") and re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text):
        wrong.append(f"{where} has a control character")
    if re.search(r"[\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text):
        wrong.append(f"{where} has a bidirectional mark or a lone surrogate")
    if name in ("terminal", "markdown") and re.search(r"^::|##(vso)?\[", text, re.MULTILINE):
        wrong.append(f"{where} has a line that is a command to CI")
    if name == "html" and re.search(r"<script>alert|<img src=x|</failure>", text):
        wrong.append(f"{where} has the learner's markup")
    if audience is Audience.LEARNER and _hidden_words(verdict) and any(w in text for w in _hidden_words(verdict)):
        wrong.append(f"{where} shows what a hidden check saw")
    return wrong


def _hidden_words(verdict) -> set[str]:
    """Numbers with many digits that only hidden checks printed or raised: inputs that were drawn."""
    seen = [r for r in verdict.results if not r.check.hidden]
    early = verdict.message if all(r.status is Status.NOT_RUN for r in seen) else ""  # before hidden checks ran
    shown = " ".join(f"{r.message} {r.detail}" for r in seen) + f"{verdict.output} {early}"
    hidden = " ".join(f"{r.message} {r.detail}" for r in verdict.results if r.check.hidden)
    words = set(re.findall(r"-?\d\.\d{9,}", hidden)) - set(re.findall(r"-?\d\.\d{9,}", shown))
    return {word for word in words if word not in shown}


def _copy_course(folder: Path) -> None:
    folder.mkdir()
    shutil.copy(KIT / "course.toml", folder)
    for name in ("exercises", "solutions", "graders"):
        shutil.copytree(KIT / name, folder / name)
    for path in folder.glob("graders/*/hidden/test_*.py"):
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n# {CANARY}\n")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _children(pid: int) -> list[int]:
    try:
        tasks = Path(f"/proc/{pid}/task").iterdir()
        words = itertools.chain.from_iterable((task / "children").read_text().split() for task in tasks)
        return [int(word) for word in words]
    except OSError:
        return []


def preload_of(attacks) -> tuple[str, ...]:
    """What a starter must have imported for these attacks."""
    course = load_course(KIT)
    return tuple(dict.fromkeys(name for a in attacks for name in course.exercise(a.exercise).preload))


def main() -> int:
    """Try the attacks that were named, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="attacks by the name of their file (all of them)")
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--plain", action="store_true", help="workers as plain subprocesses")
    parser.add_argument("--json", action="store_true", help="one JSON object an attack")
    parser.add_argument("--show", action="store_true", help="print what each attack said")
    arguments = parser.parse_args()
    chosen = [a for a in read_attacks() if not arguments.names or a.name in arguments.names]
    failures = 0
    for numpy in (False, True):
        attacks = [a for a in chosen if a.exercise.startswith("array_") is numpy and a.tried_at(arguments.level)]
        if not attacks:
            continue
        with Range(arguments.level, plain=arguments.plain, preload=preload_of(attacks)) as here:
            for attack in attacks:
                begin = time.monotonic()
                if arguments.show:
                    verdict, _ = here.hand_in(attack)
                    print(verdict.score, verdict.message, printed(verdict)[:3000])
                    for r in verdict.results:
                        print("   ", r.check.name, r.status, r.message[:150])
                wrong = here.try_attack(attack)
                failures += bool(wrong)
                seconds = round(time.monotonic() - begin, 2)
                if arguments.json:
                    print(json.dumps({"attack": attack.name, "wrong": wrong, "seconds": seconds}), flush=True)
                else:
                    print(f"{'FAIL' if wrong else 'ok  '} {seconds:6.2f} {attack.name} {'; '.join(wrong)}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
