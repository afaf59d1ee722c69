"""Every attack of `tests/attacks/` ends as its docstring says, at every level and for every kind of user.

All of them at the best level of this machine, those that are quick at level 1, too. HANDGRAD_EVERY_ATTACK=1 adds
every level for every attack, and all of them for each kind of user: minutes more. The ordinary user and the
system's Python get a copy of the kit on a path with a space.
"""

import fnmatch
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("the sandbox's levels 2 and 3 are Linux's", allow_module_level=True)

HERE = Path(__file__).resolve().parent
KIT = HERE.parent
NOBODY = 65534
EVERYTHING = bool(os.environ.get("HANDGRAD_EVERY_ATTACK"))
SLOW = frozenset(
    "forge_event_large forge_frame_endless forge_huge_int forge_signal_handlers spend_answer_size spend_cpu_at_load"
    " spend_cpu_catching spend_cpu_fold spend_cpu_in_c spend_cpu_in_method spend_cpu_regex spend_cpu_slowly"
    " spend_drip spend_format_strings spend_memory_slowly spend_names spend_not_reading spend_sleep numpy_cpu".split()
)
A_FEW = (
    "leak_open_grader leak_descriptors escape_run_program escape_connect escape_kill_judge spend_forks"
    " import_dynamic import_beside forge_equal_float forge_exit_zero spend_memory"
).split()


def _load_runner():
    spec = importlib.util.spec_from_file_location("attacks_run", HERE / "attacks" / "run.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["attacks_run"] = module
    spec.loader.exec_module(module)
    return module


run = _load_runner()
from handgrad.sandbox.lock import best_level  # noqa: E402

ATTACKS = run.read_attacks()
BEST = best_level()
LEVELS = range(1, BEST + 1) if EVERYTHING else sorted({1, BEST})
HAS_NUMPY = importlib.util.find_spec("numpy") is not None


def _cases():
    for attack in ATTACKS:
        for level in LEVELS:
            seldom = attack.name in SLOW and level != BEST
            if attack.tried_at(level) and (EVERYTHING or not seldom):
                yield pytest.param(attack, level, id=f"{attack.name}-{level}")


@pytest.fixture(scope="module")
def ranges():
    """A range for each level and preload, made at the first use, closed at the end."""
    made = {}
    yield made
    for here in made.values():
        here.__exit__(None, None, None)


def _range(made, level, attack):
    preload = run.preload_of([attack])
    if preload and not HAS_NUMPY:
        pytest.skip("NumPy is not installed")
    key = level, preload
    if key not in made:
        made[key] = run.Range(level, preload=preload)
    return made[key]


@pytest.mark.parametrize(("attack", "level"), list(_cases()))
def test_attack_ends_as_it_must(attack, level, ranges):
    """What its docstring promises from this level on, or at level 1 what `docs/security.md` calls open."""
    here = _range(ranges, level, attack)

    wrong = here.try_attack(attack)

    assert wrong == []


@pytest.mark.parametrize("level", [level for level in (1, BEST) if level])
def test_plain_workers_hold_the_same(level):
    """Without a zygote, each worker a subprocess of its own, nothing is different."""
    chosen = [attack for attack in ATTACKS if attack.name in A_FEW and attack.tried_at(level)]
    with run.Range(level, plain=True) as here:
        wrong = {attack.name: here.try_attack(attack) for attack in chosen}

    assert {name: said for name, said in wrong.items() if said} == {}


def test_there_are_many_kinds():
    """At least seventy kinds, of every family, each with a promise that can be read."""
    families = {attack.name.partition("_")[0] for attack in ATTACKS}

    assert len(ATTACKS) >= 70
    assert families == {"forge", "leak", "spend", "escape", "import", "numpy"}


def test_the_page_on_security_names_every_attack_and_every_open_point():
    """Each attack stands behind a sentence of docs/security.md, and what is open at level 1 is listed there."""
    text = (KIT / "docs" / "security.md").read_text(encoding="utf-8")
    promised, _, rest = text.partition("## What is open at level 1, exactly")
    listed = rest.partition("Those that")[0]
    patterns = [
        word.strip("`") for word in promised.replace("|", " ").replace(",", " ").split() if "_" in word
    ]
    named = [
        a.name for a in ATTACKS if any(fnmatch.fnmatch(a.name, pattern.rstrip(",;")) for pattern in patterns)
    ]
    still_open = {a.name for a in ATTACKS if a.at_level_1 == "open"}

    assert sorted({a.name for a in ATTACKS} - set(named)) == []
    assert {name for name in (a.name for a in ATTACKS) if f"`{name}`" in listed} == still_open


def test_an_attack_that_succeeds_is_seen(ranges):
    """The rules can fail: at level 1 an open attack breaks what it must keep from level 2 on."""
    attack = next(a for a in ATTACKS if a.name == "leak_open_grader")
    verdict, _ = _range(ranges, 1, attack).hand_in(attack)

    assert "BROKEN:" in run.printed(verdict)


# ---- other users, other Pythons


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """A copy of the kit, with the sandbox's two libraries, that any user can read; on a path with a space."""
    folder = Path("/tmp") / f"hand grad kit {os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("src", "exercises", "solutions", "graders", "tests/attacks"):
        shutil.copytree(KIT / name, folder / name, ignore=ignore)
    shutil.copy(KIT / "course.toml", folder)
    for name in ("seccompy", "landlockpy"):
        spec = importlib.util.find_spec(name)
        if spec is not None:
            shutil.copytree(Path(spec.origin).parent, folder / "src" / name, ignore=ignore)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def _python_of(kind, folder):
    """A Python that any user can run, or a skip with the reason."""
    for path in ("/usr/bin/python3.13", "/usr/bin/python3.12", "/usr/bin/python3.11", "/usr/bin/python3"):
        if Path(path).exists() and _is_new(path):
            break
    else:
        pytest.skip("the system has no Python from 3.11 on")
    if kind == "system":
        return path
    place = folder / "a venv"
    if not place.exists():
        subprocess.run([path, "-m", "venv", "--without-pip", str(place)], check=True, timeout=120)
    return str(place / "bin" / "python")


def _is_new(path):
    code = "import sys; sys.exit(sys.version_info < (3, 11))"
    return subprocess.run([path, "-I", "-c", code], timeout=60).returncode == 0


def _run_as(user, python, kit, level, names):
    who = {"user": user, "group": user, "extra_groups": []} if user != os.geteuid() else {}
    command = [python, str(kit / "tests" / "attacks" / "run.py"), "--level", str(level), *names]
    environment = {"PATH": "/usr/bin:/bin", "TMPDIR": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=900, cwd="/", env=environment, **who
    )
    return [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("ok ")]


@pytest.mark.parametrize("kind", ["system", "venv"])
@pytest.mark.parametrize("level", [level for level in (1, 2, 3) if level <= BEST])
@pytest.mark.parametrize("who", ["root", "ordinary"])
def test_other_users_and_pythons(who, level, kind, kit):
    """As root and as an ordinary user, from the system's Python and from a venv, on a path with a space."""
    if os.geteuid() != 0:
        pytest.skip("only root can become both")
    every = [a.name for a in ATTACKS if a.exercise == "scalar_engine"]
    names = every if EVERYTHING and kind == "system" else A_FEW

    failed = _run_as(0 if who == "root" else NOBODY, _python_of(kind, kit), kit, level, names)

    assert failed == []


PLANTED = "import sys\nsys.stderr.write('planted module ran\\n')\nannotations = None\n"


def _from_the_learners_folder(folder, *words, options=()):
    """What a command says that is called from a folder full of learners' files."""
    site = [p for p in sys.path if p and Path(p).name == "site-packages"] if not options else []
    return subprocess.run(
        [sys.executable, *options, "-m", "handgrad", *words, "--course", str(KIT)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(KIT / "src"), *site])},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    "name",
    [
        *(
            "__future__",
            "random",
            "json",
            "dataclasses",
            "tomllib",
            "socket",
            "struct",
            "signal",
            "threading",
        ),
        *("multiprocessing", "seccompy"),
    ],
)
def test_the_judge_imports_nothing_from_where_it_stands(name, tmp_path):
    """Graded from inside the folder of submissions, a learner's random.py is not the judge's.

    Nor that of the processes it starts, nor of the helper that these bring along.
    """
    for learner in ("anna", "ben"):
        (tmp_path / "sub" / learner).mkdir(parents=True)
        shutil.copy(KIT / "solutions" / "scalar_engine" / "solution.py", tmp_path / "sub" / learner)
    (tmp_path / f"{name}.py").write_text(PLANTED)

    done = _from_the_learners_folder(tmp_path, "grade", "scalar_engine", "sub", "--jobs", "2")

    assert "planted" not in done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("name", ["seccompy", "landlockpy", "numpy"])
def test_what_is_not_installed_is_not_found_where_it_stands(name, tmp_path):
    """Else a learner's folder `seccompy` would be the lock, and their `numpy` would read the arrays they send."""
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text(PLANTED)
    (tmp_path / "hers.py").write_text(
        (KIT / "tests" / "attacks" / "forge_array_unasked.py").read_text().replace("### STARTER ###", "")
    )

    done = _from_the_learners_folder(
        tmp_path, "check", "scalar_engine", "--submission", "hers.py", options=("-S",)
    )

    assert "planted" not in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize("plain", [True, False])
def test_a_learners_description_of_the_exercise_preloads_nothing(plain, tmp_path):
    """The early sandbox reads descriptions of the course alone, wherever a learner's lie."""
    folder = tmp_path / ("exercises/scalar_engine" if plain else "anna")
    folder.mkdir(parents=True)
    (folder / "exercise.toml").write_text('preload = ["planted"]\n')
    (tmp_path / "course.toml").write_text("")
    words = [] if plain else ["--submission", str(folder)]
    site = tmp_path / "site-packages"
    (site / "planted").mkdir(parents=True)
    (site / "planted" / "__init__.py").write_text(PLANTED)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(KIT / "src"), str(site)])}

    done = subprocess.run(
        [sys.executable, "-m", "handgrad", "check", "scalar_engine", "--course", str(KIT), *words],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert "planted" not in done.stderr


YES = """
class Yes:
    def __getattr__(self, name): return Yes()
    def __setattr__(self, name, value): pass
    def __call__(self, *a, **k): return Yes()
    __iter__ = lambda self: iter(())
    __len__ = __index__ = __int__ = lambda self: 0
    __float__ = lambda self: 0.0
    __getitem__ = lambda self, key: Yes()
    __bool__ = lambda self: True
    __contains__ = lambda self, thing: True
    __hash__ = lambda self: 0
    __enter__ = lambda self: self
    __exit__ = lambda self, *a: False
for name in "eq ne lt le gt ge".split():
    setattr(Yes, f"__{name}__", lambda self, other: True)
for name in "add sub mul truediv pow matmul mod floordiv and or xor".split():
    setattr(Yes, f"__{name}__", lambda self, *other: Yes())
    setattr(Yes, f"__r{name}__", lambda self, *other: Yes())
for name in "neg pos abs invert round".split():
    setattr(Yes, f"__{name}__", lambda self, *a: 0.0)
"""
CHEATS = {
    "says yes": YES + "{name} = Yes()\n",
    "a class that says yes": YES + "class {name}(Yes):\n    def __init__(self, *a, **k): pass\n",
    "gives nought": "def {name}(*a, **k): return 0.0\n",
    "gives nothing": "def {name}(*a, **k): return None\n",
    "gives back": "def {name}(*a, **k): return a[0] if a else None\n",
    "gives true": "def {name}(*a, **k): return True\n",
}


EARNED = {
    ("array_engine", "gives back"): ["test_unbroadcast_leaves_a_fitting_gradient_alone"]
}  # that is right


@pytest.mark.parametrize("cheat", CHEATS)
@pytest.mark.parametrize("slug", [path.parent.name for path in sorted(KIT.glob("exercises/*/exercise.toml"))])
def test_a_cheat_that_knows_no_exercise_gets_no_point(slug, cheat, ranges, tmp_path):
    """One object or function for every name that is asked for, whatever the exercise."""
    from handgrad.judge.loader import load_checks

    course = run.load_course(KIT)
    preload = course.exercise(slug).preload
    if preload and not HAS_NUMPY:
        pytest.skip("NumPy is not installed")
    key = BEST, preload
    if key not in ranges:
        ranges[key] = run.Range(BEST, preload=preload)
    here = ranges[key]
    names = {
        name for loaded in load_checks(course.exercise(slug)) for name in loaded.parameters if name != "rng"
    }
    path = tmp_path / "solution.py"
    path.write_text("".join(CHEATS[cheat].replace("{name}", name) for name in sorted(names)))

    verdict = run.grade(
        here.exercise(slug), run.read_submission(path), starter=here.starter, course=here.course
    )

    assert [r.check.name for r in verdict.results if r.points] == EARNED.get((slug, cheat), [])
