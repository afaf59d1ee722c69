"""What can be seen of an exercise without running it: files, counts, markers, words."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from handgrad.catalog import Course
from handgrad.errors import ExerciseError
from handgrad.files import read_text
from handgrad.judge.loader import LoadedCheck, load_checks
from handgrad.model import Exercise

STRAY: Final = {  # what may lie in each folder of an exercise, by name
    "exercises": r"exercise\.toml|README\.md|solution\.py|starter\.py|explore\.py|.*\.(svg|png|jpg|gif)",
    "solutions": r"solution\.py",
    "graders": r"test_\w+\.py|hidden|mistakes|variants|totals\.toml",
    "hidden": r"test_\w+\.py",
    "mistakes": r"\w+\.py",
    "variants": r"\w+\.py",
}
IGNORED: Final = r"\..*|__pycache__|.*\.pyc"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend: where, what, and the command that mends or shows it."""

    path: str
    line: int
    what: str
    command: tuple[str, ...] = ()  # its words, without the program

    def told(self, spoken: Callable[..., str]) -> str:
        """`path:line: what (command)`, the command as `spoken` puts it for the place it is read in."""
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.what}" + (f" ({spoken(*self.command)})" if self.command else "")

    def __str__(self) -> str:
        return self.told(lambda *words: " ".join(["handgrad", *words]))


@dataclass(frozen=True, slots=True)
class Mistake:
    """What the docstring of a known wrong solution says."""

    sentence: str
    fails: frozenset[str]
    may_fail: frozenset[str]
    same_as: str


def look_at(course: Course, exercise: Exercise, *, pristine: bool = False) -> Iterator[Problem]:
    """Files, counts, markers, words: what is wrong with an exercise as it lies there."""
    yield from _stray(course, exercise)
    yield from _description(course, exercise)
    yield from _starter(course, exercise, pristine)
    try:
        loaded = load_checks(exercise)
    except ExerciseError as error:
        yield problem_of(error, course)
        return
    yield from _totals(course, exercise, loaded)
    yield from _bundle(course, exercise)
    yield from _notebook(course, exercise)
    for item in loaded:
        yield from lint(item, path_text(item.check.path, course))
    for path in python_files(exercise.grader_folder / "mistakes"):
        yield from read_mistake(path, loaded, course)[1]
    for path in python_files(exercise.grader_folder / "variants"):
        try:
            if not _docstring(path):
                what = "has no docstring: say in one line what is different about it"
                yield Problem(path_text(path, course), 1, what)
        except ExerciseError as error:
            yield problem_of(error, course)


def strangers(course: Course) -> Iterator[Problem]:
    known = {exercise.slug for exercise in course.exercises}
    for kind in ("exercises", "solutions", "graders"):
        for root in course.roots:
            for path in sorted((root / kind).glob("*")):
                if (
                    not re.fullmatch(IGNORED, path.name)
                    and path.name not in known
                    and path.name != "README.md"
                ):
                    yield Problem(
                        path_text(path, course),
                        0,
                        f"belongs to no exercise: add `exercises/{path.name}/exercise.toml`, or remove it",
                    )


def _stray(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """Files that nothing reads: a renamed test file is one, and would be missed by nobody."""
    for root in exercise.roots:
        graders = root / "graders" / exercise.slug
        folders = {
            root / "exercises" / exercise.slug: STRAY["exercises"],
            root / "solutions" / exercise.slug: STRAY["solutions"],
            graders: STRAY["graders"],
            **{graders / name: STRAY[name] for name in ("hidden", "mistakes", "variants")},
        }
        for folder, allowed in folders.items():
            for path in sorted(folder.glob("*")):
                name = path.name
                if name in exercise.files or re.fullmatch(f"{IGNORED}|{allowed}", name):
                    continue
                yield Problem(
                    path_text(path, course), 0, "is read by nothing: rename it to `test_….py`, or remove it"
                )


def _description(course: Course, exercise: Exercise) -> Iterator[Problem]:
    path = exercise.folder / "exercise.toml"
    known = {other.slug for other in course.exercises}
    for key, slugs in (("after", exercise.after), ("reveals", exercise.reveals)):
        for slug in slugs:
            if slug not in known:
                line = _line_with(path, key)
                yield Problem(path_text(path, course), line, f"`{key}` names `{slug}`: no exercise here")
    statement = exercise.folder / "README.md"
    try:
        if not statement.is_file() or not read_text(statement).strip():
            yield Problem(path_text(statement, course), 0, "is missing or empty: write the problem in it")
    except ExerciseError as error:
        yield problem_of(error, course)
    for name in exercise.files:
        if not (exercise.folder / name).is_file():
            yield Problem(
                path_text(path, course),
                _line_with(path, "files"),
                f"`files` names `{name}`: not there",
            )


def _starter(course: Course, exercise: Exercise, pristine: bool) -> Iterator[Problem]:
    from handgrad.build.starter import make_starter

    path = exercise.reference_path
    if not path.is_file():
        yield Problem(path_text(path, course), 0, "is missing: write the reference in it")
        return
    try:
        starter = make_starter(read_text(path), name=str(path))
    except ExerciseError as error:
        yield problem_of(error, course)
        return
    shown = path_text(exercise.solution_path, course)
    if not exercise.solution_path.is_file():
        yield Problem(shown, 0, "is missing", ("doctor", "--fix"))
    elif pristine and not _holds(exercise.solution_path, starter):
        yield Problem(shown, 0, "is not the starter cut from the reference", ("doctor", "--fix"))


def _bundle(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """That the visible checks of all roots can lie in one folder."""
    from handgrad.build.bundle import grader_bytes

    try:
        grader_bytes(exercise, hidden=False)
    except ExerciseError as error:
        yield problem_of(error, course)


def _holds(path: Path, text: str) -> bool:
    try:
        return read_text(path) == text
    except ExerciseError:
        return False


def _notebook(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """That the checks can stand in a notebook, each by itself."""
    from handgrad.build.notebook import check_texts, make_notebook, read_graders

    try:
        reference = read_text(exercise.reference_path)
        make_notebook(exercise, statement="", reference=reference, checks=check_texts(read_graders(exercise)))
    except ExerciseError as error:
        yield problem_of(error, course, path_text(exercise.grader_folder, course))
    except (OSError, SyntaxError):
        return  # the reference: said above


def _totals(course: Course, exercise: Exercise, loaded: Sequence[LoadedCheck]) -> Iterator[Problem]:
    path = exercise.folder / "exercise.toml"
    found = {"checks": len(loaded), "points": sum(item.check.points for item in loaded)}
    for key, said in (("checks", exercise.checks), ("points", exercise.points)):
        if said != found[key]:
            line = _line_with(path, key)
            yield Problem(
                path_text(path, course), line, f"says `{key} = {said}`, and the graders hold {found[key]}"
            )
    names = {item.check.name for item in loaded}
    for name, _ in exercise.limits.checks:
        if name not in names:
            yield Problem(
                path_text(path, course),
                _line_with(path, name),
                f"has a limit for `{name}`, and the graders hold no such check",
            )


def lint(item: LoadedCheck, shown: str) -> Iterator[Problem]:
    """What a check's text must keep to: asserts that compare, expected values of the check's own."""
    asserts = [node for node in ast.walk(item.tree) if isinstance(node, ast.Assert)]
    raising = any(
        isinstance(node, ast.With) and any("raises" in ast.dump(i.context_expr) for i in node.items)
        for node in ast.walk(item.tree)
    )
    if not asserts and not raising:
        yield Problem(
            shown, item.check.line, f"`{item.check.name}` asserts nothing: it passes whatever is written"
        )
    theirs = _learners_names(item)
    for node in asserts:
        test = node.test
        if node.msg is not None:
            yield Problem(
                shown, node.lineno, "the assert has a message of its own: leave it out, one is made"
            )
        if (
            not isinstance(test, ast.Compare)
            or len(test.ops) != 1
            or isinstance(test.ops[0], ast.Is | ast.IsNot)
        ):
            continue
        names = sorted({n.id for n in ast.walk(test.comparators[0]) if isinstance(n, ast.Name)} & theirs)
        if names:
            yield Problem(
                shown,
                node.lineno,
                f"the right side reads `{names[0]}`, which comes from the learner's code: "
                "compute what you expect from the check's own numbers",
            )
    for hint in item.check.hints:
        if not hint.strip():
            yield Problem(
                shown, item.check.line, f"`{item.check.name}` has an empty hint: write one sentence"
            )


def _learners_names(item: LoadedCheck) -> set[str]:
    """The variables of a check that hold what the learner's code gave, computed to a fixed point."""
    theirs = {name for name in item.parameters if name != "rng"}

    def reads(node: ast.AST) -> bool:
        return any(isinstance(n, ast.Name) and n.id in theirs for n in ast.walk(node))

    while True:
        before = len(theirs)
        for node in ast.walk(item.tree):
            for target, value in _bindings(node):
                if reads(value):
                    theirs |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
        if len(theirs) == before:
            return theirs


def _bindings(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _pairwise(target, value)
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.AugAssign(target=target, value=value)
        ):
            yield target, value
        case ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            yield from _looped(target, value)
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield target, value


def _pairwise(target: ast.AST, value: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """`a, b = x, y` binds each name to its own value."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def _looped(target: ast.AST, value: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """`for a, b in zip(xs, ys)` binds each name to its own sequence."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "zip":
        yield from _pairwise(target, ast.Tuple(value.args, ast.Load()))
    else:
        yield target, value


def read_mistake(path: Path, loaded: Sequence[LoadedCheck], course: Course) -> tuple[Mistake, list[Problem]]:
    """What a mistake's docstring says, and what is wrong with it.

    It fails visible checks, which it names; what it may fail, as its luck is, can be hidden.
    """
    shown = path_text(path, course)
    every = {item.check.name for item in loaded}
    checks = {item.check.name for item in loaded if not item.check.hidden}
    problems: list[Problem] = []
    try:
        lines = _docstring(path).strip().split("\n")
    except ExerciseError as error:
        return Mistake("", frozenset(), frozenset(), ""), [problem_of(error, course)]
    said = _said("\n".join(lines[1:]))
    if not lines[0].strip():
        problems.append(Problem(shown, 1, "has no docstring: its first line is what a learner should read"))
    if "fails" not in said:
        problems.append(
            Problem(shown, 1, "does not say what it fails: add `fails: name, name`, or `fails: none`")
        )
    fails, may = (_names(said.get(key, "")) for key in ("fails", "may fail"))
    problems += [
        Problem(shown, _line_with(path, name), f"names `{name}`, which is no visible check")
        for name in sorted((fails - checks) | (may - every))
    ]
    same = said.get("same as", "").strip().removesuffix(".py")
    if same and not (path.parent / f"{same}.py").is_file():
        problems.append(
            Problem(shown, _line_with(path, "same as"), f"is the same as `{same}`, which is not there")
        )
    if may - checks and not fails & checks:
        problems.append(Problem(shown, _line_with(path, "may fail"), "fails nothing for sure: add a check"))
    return Mistake(lines[0].strip(), fails & checks, may & every, same), problems


def _said(text: str) -> dict[str, str]:
    """`key: value` entries of a docstring; a value goes on over indented lines."""
    return {
        found[1]: " ".join(found[2].split())
        for found in re.finditer(r"^(fails|may fail|same as):(.*(?:\n[ \t]+\S.*)*)", text, re.MULTILINE)
    }


def _names(text: str) -> frozenset[str]:
    if re.match(r"none\b", text):
        return frozenset()
    return frozenset(re.findall(r"\w+", text))


# ---- words


def listed(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"`{name}`" for name in names[:most]) + more


def path_text(path: Path, course: Course) -> str:
    """The path as it reads from the folder that the command was called in."""
    for folder in (Path.cwd(), course.root):
        if path.is_absolute() and path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.as_posix()


def problem_of(error: Exception, course: Course, otherwise: str = "course.toml") -> Problem:
    """`path:line: what` out of an ExerciseError's sentence; `otherwise` where it names no file."""
    found = re.match(r"(.+?\.(?:py|toml|md)):(?:(\d+):)? ?(.*)", str(error), re.DOTALL)
    if not found:
        return Problem(otherwise, 0, str(error))
    return Problem(path_text(Path(found[1]), course), int(found[2] or 0), found[3])


def python_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.py"))


def _docstring(path: Path) -> str:
    """What the file says of itself, "" when it is no Python. Raises ExerciseError when it is not UTF-8."""
    try:
        return ast.get_docstring(ast.parse(read_text(path))) or ""
    except SyntaxError:
        return ""


def _line_with(path: Path, word: str) -> int:
    """The first line that has `word` in it, 0 when none has."""
    try:
        lines = read_text(path).split("\n")
    except (OSError, ExerciseError):
        return 0
    return next(
        (number for number, line in enumerate(lines, 1) if re.search(rf"\b{re.escape(word)}\b", line)), 0
    )
