"""What isolation costs: `python benchmarks/sandbox.py`, with the sandbox's libraries installed.

At each level this machine has: start, load and end of a worker; one read of an attribute; honest
submissions of the scalar battery a second, in one process and on all cores (start-up included); and
hostile ones apart. Next to them the same class with a fresh pytest each and no isolation at all, and what
the machine itself takes: a ping between two processes on one core that do nothing else.
"""

import argparse
import contextlib
import importlib.util
import io
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KIT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(KIT / "src"))

from handgrad.batch import find_hand_ins, grade_many  # noqa: E402
from handgrad.catalog import load_course  # noqa: E402
from handgrad.grade import all_checks, grade  # noqa: E402
from handgrad.judge.proxy import Link  # noqa: E402
from handgrad.model import Submission  # noqa: E402
from handgrad.sandbox.core import SharedCore  # noqa: E402
from handgrad.sandbox.lock import best_level, describe  # noqa: E402
from handgrad.sandbox.starter import open_starter  # noqa: E402

SLUG = "scalar_engine"
HOSTILE = (
    "forge_equal_float forge_exit_zero forge_patch_agent forge_stdout_verdict leak_open_grader"
    " leak_list_folders escape_run_program escape_connect spend_forks spend_memory"
).split()
IN_PYTEST = """
import importlib.util, pytest
spec = importlib.util.spec_from_file_location("solution", {path!r})
solution = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solution)
@pytest.fixture
def Value(): return solution.Value
@pytest.fixture
def rng():
    import random
    return random.Random(1)
"""


def worker_seconds(level: int, text: str, times: int) -> float:
    """Median of start + load + end of one worker."""
    limits = load_course(KIT).exercise(SLUG).limits
    found = []
    with open_starter(level) as starter:
        for _ in range(times + 3):
            begin = time.perf_counter()
            channel = starter.start(limits, imports=("math",), probes=())
            link = Link(channel)
            link.load({"solution.py": text}, ())
            channel.kill()
            found.append(time.perf_counter() - begin)
    return statistics.median(found[3:])


def read_seconds(level: int, text: str, times: int) -> float:
    """Median over ten rounds of one read of an attribute."""
    limits = load_course(KIT).exercise(SLUG).limits
    with open_starter(level) as starter:
        link = Link(starter.start(limits, imports=("math",), probes=()))
        link.load({"solution.py": text}, ())
        value = link.name("Value")(3.0)
        rounds = []
        for _ in range(10):
            link.channel.limit(60.0, 60.0)
            begin = time.perf_counter()
            for _ in range(times // 10):
                _ = value.grad
            rounds.append((time.perf_counter() - begin) / (times // 10))
        link.channel.kill()
    return statistics.median(rounds)


def ping_seconds(times: int) -> float:
    """Median over ten rounds of 60 bytes to a process on the same core and back, over two pipes."""
    read_there, write_here = os.pipe()
    read_here, write_there = os.pipe()
    core = SharedCore()
    core.hold()
    child = os.fork()
    if child == 0:
        os.close(write_here)
        while data := os.read(read_there, 1 << 16):
            os.write(write_there, data)
        os._exit(0)
    rounds = []
    for _ in range(10):
        begin = time.perf_counter()
        for _ in range(times // 10):
            os.write(write_here, b"." * 60)
            os.read(read_here, 1 << 16)
        rounds.append((time.perf_counter() - begin) / (times // 10))
    for end in (write_here, read_there, read_here, write_there):
        os.close(end)
    os.waitpid(child, 0)
    core.release()
    return statistics.median(rounds)


def in_one_process(level: int, text: str, times: int) -> float:
    """Submissions a second in one process, its zygote warm."""
    course = load_course(KIT)
    exercise = course.exercise(SLUG)
    checks = all_checks(exercise)
    with open_starter(level) as starter:
        grade(exercise, _submission(text, 0), starter=starter, course=course, checks=checks)
        begin = time.perf_counter()
        for number in range(times):
            verdict = grade(
                exercise, _submission(text, number), starter=starter, course=course, checks=checks
            )
            assert verdict.passed, verdict
        return times / (time.perf_counter() - begin)


def _submission(text: str, number: int) -> Submission:
    return Submission(f"s{number}", text + f"\n# {number}\n", Path("solution.py"))


def on_all_cores(level: int, texts: list[str]) -> float:
    """Submissions a second through `grade_many`, the start of its processes included."""
    course = load_course(KIT)
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            learner = Path(folder) / f"s{number:03}"
            learner.mkdir()
            (learner / "solution.py").write_text(text + f"\n# {number}\n", encoding="utf-8")
        hand_ins = find_hand_ins(Path(folder), SLUG).hand_ins
        begin = time.perf_counter()
        verdicts = grade_many(course.exercise(SLUG), hand_ins, course=course, level=level)
        seconds = time.perf_counter() - begin
    assert len(verdicts) == len(texts) and not any(v.ungraded for v in verdicts)
    return len(texts) / seconds


def in_fresh_pytests(text: str, times: int) -> float:
    """Submissions a second when each gets a pytest of its own, all cores, no isolation."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "solution.py").write_text(text, encoding="utf-8")
        (place / "conftest.py").write_text(
            IN_PYTEST.format(path=str(place / "solution.py")), encoding="utf-8"
        )
        graders = KIT / "graders" / SLUG
        for path in (*graders.glob("test_*.py"), *graders.glob("hidden/test_*.py")):
            (
                place / f"{path.parent.name}_{path.name}".replace(f"{SLUG}_", "").replace("hidden_", "")
            ).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:handgrad",
            folder,
        ]
        environment = {**os.environ, "PYTHONPATH": str(KIT / "src")}
        once = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)
        if once.returncode != 0:
            print(
                "  (pytest alone does not run the graders here:", once.stdout.strip().splitlines()[-1:], ")"
            )
            return 0.0
        begin = time.perf_counter()
        for _ in range(0, times, os.cpu_count() or 1):
            started = [
                subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment, cwd=folder)
                for _ in range(os.cpu_count() or 1)
            ]
            for process in started:
                process.wait()
        rounds = -(-times // (os.cpu_count() or 1))
        return rounds * (os.cpu_count() or 1) / (time.perf_counter() - begin)


def hostile_texts() -> list[str]:
    """Attacks of every family, as texts."""
    spec = importlib.util.spec_from_file_location("attacks_run", KIT / "tests" / "attacks" / "run.py")
    assert spec and spec.loader
    runner = importlib.util.module_from_spec(spec)
    sys.modules["attacks_run"] = runner
    spec.loader.exec_module(runner)
    with contextlib.redirect_stdout(io.StringIO()), runner.Range(1) as here:
        attacks = {attack.name: attack for attack in runner.read_attacks()}
        return [here.text_of(attacks[name]) for name in HOSTILE]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--times", type=int, default=100, help="submissions a figure")
    times = parser.parse_args().times
    text = (KIT / "solutions" / SLUG / "solution.py").read_text(encoding="utf-8")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for line in describe():
        print(f"  {line}")
    bare = in_fresh_pytests(text, max(10, times // 5))
    print(f"fresh pytest each, no isolation: {bare:.1f} submissions/s")
    print(f"bare ping on one core: {1e6 * ping_seconds(20 * times):.1f} us")
    hostile = hostile_texts()
    for level in range(1, best_level() + 1):
        print(f"level {level}")
        start, read = worker_seconds(level, text, times), read_seconds(level, text, 20 * times)
        print(f"  start + load + end     {1e3 * start:8.2f} ms    (goal: under 6)")
        print(f"  one read               {1e6 * read:8.1f} us    (goal: under 30)")
        print(f"  in one process         {in_one_process(level, text, times):8.1f} submissions/s")
        many = on_all_cores(level, [text] * times)
        over = f"    ({many / bare:.0f} times the fresh pytests; goal: 10)" if bare else ""
        print(f"  on all cores           {many:8.1f} submissions/s{over}")
        if level > 1:
            mixed = [hostile[i % len(hostile)] for i in range(times)]
            print(f"  hostile, all cores     {on_all_cores(level, mixed):8.1f} submissions/s")


if __name__ == "__main__":
    main()
