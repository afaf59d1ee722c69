"""The learner's loop beside checking: hints one at a time, the starter back, the road map, a class kept.

What these functions return is text for the learner; the command prints it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from handgrad.catalog import Course
from handgrad.errors import UsageError
from handgrad.files import write_safely
from handgrad.model import Exercise, Verdict
from handgrad.state import State
from handgrad.submission import canonical, read_submission

if TYPE_CHECKING:
    import ast

STUB = 'raise NotImplementedError("'
STARTER = "starter.py"  # in `exercises/<slug>/` where the reference is not at hand: a student bundle


def starter_text(exercise: Exercise) -> str:
    """The starter: cut from the reference, or as a bundle brings it. Raises UsageError without either."""
    try:
        reference = exercise.reference_path.read_text("utf-8")
    except OSError:
        try:
            return (exercise.folder / STARTER).read_text("utf-8")
        except OSError:
            raise UsageError(
                f"there is no starter for `{exercise.slug}` here: take `solution.py` from where you got it"
            ) from None
    from handgrad.build.starter import make_starter

    return make_starter(reference, name=str(exercise.reference_path))


def is_bundle(exercise: Exercise) -> bool:
    """True in a student bundle, which brings the starter and the visible checks, and no reference."""
    return (exercise.folder / STARTER).is_file() and not exercise.reference_path.is_file()


def is_started(exercise: Exercise) -> bool:
    """False when the learner's file is still the starter. Looks at text only."""
    own = read_submission(exercise.solution_path)
    if own.problem:
        return True  # whatever it is, it is not the starter
    try:
        reference = canonical(exercise.reference_path.read_text("utf-8"))
        return _without_stubs(own.text) != _without_regions(reference)
    except OSError:
        try:
            return own.text != canonical((exercise.folder / STARTER).read_text("utf-8"))
        except OSError:
            return True


def _without_stubs(text: str) -> list[str]:
    """The lines that a starter has in common with its reference: cheaper than cutting the starter anew."""
    end = 'is still to be written")'
    return [line for line in text.split("\n") if not (line.strip().startswith(STUB) and line.endswith(end))]


def _without_regions(reference: str) -> list[str]:
    lines: list[str] = []
    inside = False
    for line in reference.split("\n"):
        mark = line.strip()
        inside = (inside or mark == "### BEGIN SOLUTION") and mark != "### END SOLUTION"
        if not inside and mark != "### END SOLUTION":
            lines.append(line)
    return lines


# ---- hints


class Hint(NamedTuple):
    """The next hint of one check, and where the ladder stands."""

    check: str  # the check's name, "" when there is nothing to hint at
    number: int
    text: str


def next_hint(exercise: Exercise, verdict: Verdict, state: State, feedback: str = "full") -> Hint:
    """The next hint for the check that a report tells in full; the last one again when all were given."""
    from handgrad.report.wording import first_to_mend

    if feedback != "full":
        return Hint("", 0, f"{exercise.slug}: this course gives no hints")
    if verdict.message:
        return Hint("", 0, f"{exercise.slug}: {verdict.message}")
    failing = first_to_mend(verdict)
    if failing is None:
        return Hint("", 0, f"{exercise.slug}: every check passes, so there is nothing left to hint at")
    hints = failing.check.hints
    given = _count(state, exercise.slug, failing.check.name)
    number = min(given + 1, len(hints))
    last = "\n(that was the last one)" if given >= len(hints) else ""
    title = f"{exercise.slug}: {failing.check.title}"
    return Hint(
        failing.check.name, number, f"{title}\nhint {number} of {len(hints)}: {hints[number - 1]}{last}"
    )


def remember_hint(exercise: Exercise, hint: Hint, state: State) -> None:
    """Count the hint as given. Raises ToolError when the state cannot be written."""
    if not hint.check:
        return
    memory = state.read("hints")
    given = memory.get(exercise.slug)
    counts = given if isinstance(given, dict) else {}
    memory[exercise.slug] = {**counts, hint.check: _count(state, exercise.slug, hint.check) + 1}
    state.write("hints", memory)


def remember_shown(verdict: Verdict, state: State) -> None:
    """Count the first hint of the check that a report told in full: `hint` goes on from there."""
    from handgrad.report.wording import first_to_mend

    told = None if verdict.ungraded or verdict.message else first_to_mend(verdict)
    if told is None or len(told.check.hints) < 2 or _count(state, verdict.exercise, told.check.name):
        return
    memory = state.read("hints")
    given = memory.get(verdict.exercise)
    counts = given if isinstance(given, dict) else {}
    state.write("hints", {**memory, verdict.exercise: {**counts, told.check.name: 1}})


def _count(state: State, slug: str, name: str) -> int:
    given = state.read("hints").get(slug)
    count = given.get(name) if isinstance(given, dict) else 0
    return count if isinstance(count, int) and count >= 0 else 0


# ---- the road map


def remember(verdicts: Sequence[Verdict], state: State) -> None:
    """Keep the marks of the learner's own files. Raises ToolError when the state cannot be written."""
    before = state.read("progress")
    after = dict(before)
    for verdict in verdicts:
        if not verdict.ungraded:
            after[verdict.exercise] = {
                "score": verdict.score,
                "of": verdict.max_score,
                "passed": verdict.passed,
                "digest": verdict.submission_digest,
            }
    if after != before:
        state.write("progress", after)


def road_map(course: Course, state: State) -> str:
    """One line an exercise: its mark in words, its name, its level, its title."""
    if not course.exercises:
        return "this course has no exercises yet"
    memory = state.read("progress")
    marks = [_mark(exercise, memory.get(exercise.slug)) for exercise in course.exercises]
    wide = max(len(mark) for mark in marks)
    slug_wide = max(len(exercise.slug) for exercise in course.exercises)
    lines = [
        f"{mark:<{wide}}  {exercise.slug:<{slug_wide}}  {exercise.level:<6}  {exercise.title}"
        for mark, exercise in zip(marks, course.exercises, strict=True)
    ]
    passed = sum(mark.startswith("passed") and "changed" not in mark for mark in marks)
    return "\n".join([course.title, "", *lines, "", f"{passed} of {len(marks)} exercises passed"])


def current(course: Course, state: State) -> Exercise | None:
    """Where the learner is: the first exercise that was begun and does not pass, else the first open one."""
    open_ones = [exercise for exercise in course.exercises if not _passed(state, exercise.slug)]
    begun = [exercise for exercise in open_ones if is_started(exercise)]
    return next(iter([*begun, *open_ones, *course.exercises]), None)


def _mark(exercise: Exercise, known: object) -> str:
    if not is_started(exercise):
        return "not started"
    if not isinstance(known, dict):
        return "started, not checked yet"
    score = f"{known.get('score')} of {known.get('of')}"
    mark = f"passed {score}" if known.get("passed") is True else f"{score} points"
    changed = known.get("digest") != read_submission(exercise.solution_path).digest
    return f"{mark}, changed since" if changed else mark


# ---- beginning and beginning again


def reset(exercise: Exercise, state: State) -> str:
    """Put the starter back and the learner's file aside. When it raises, nothing was changed."""
    starter = starter_text(exercise)
    path = exercise.solution_path
    if not path.is_file():
        write_safely(path, starter)
        return f"{exercise.slug}: the starter is back"
    if not is_started(exercise):
        return f"{exercise.slug}: nothing to reset, this is the starter"
    kept = state.keep(exercise)
    write_safely(path, starter)
    return f"{exercise.slug}: the starter is back, and your file is kept as {shown(kept, exercise)}"


def shown(path: Any, exercise: Exercise) -> str:
    """A path as it reads from the course folder."""
    return path.relative_to(exercise.root).as_posix() if path.is_relative_to(exercise.root) else str(path)


def start(
    course: Course,
    exercise: Exercise,
    state: State,
    judge: Callable[[Exercise], Verdict],
    *,
    given: bool = False,
    afresh: str = "`reset`, then `start --given`",
) -> str:
    """Begin an exercise. Where it goes on from one that the learner passed, their own class is carried over.

    `given` keeps the class that the starter brings, and `afresh` is how to ask for it later. Nothing is
    overwritten: a file that was begun stays.
    """
    path = shown(exercise.solution_path, exercise)
    if exercise.solution_path.is_file() and is_started(exercise):
        return f"{exercise.slug}: you have begun already: {path}"
    starter = starter_text(exercise)
    carried, why_not = ("", "") if given else _carried(course, exercise, starter, judge)
    write_safely(exercise.solution_path, carried or starter)
    lines = [
        f"{exercise.slug}: {exercise.title}",
        f"read {shown(exercise.folder / 'README.md', exercise)}, then edit {path}",
    ]
    if carried:
        lines.append(f"your own class is in there ({afresh}, brings the given one)")
    elif why_not:
        lines.append(why_not)
    missing = [s for s in exercise.after if s in {e.slug for e in course.exercises} and not _passed(state, s)]
    if missing:
        lines.append(f"it comes after {', '.join(missing)}")
    return "\n".join(lines)


def _passed(state: State, slug: str) -> bool:
    known = state.read("progress").get(slug)
    return isinstance(known, dict) and known.get("passed") is True


def _carried(
    course: Course, exercise: Exercise, starter: str, judge: Callable[[Exercise], Verdict]
) -> tuple[str, str]:
    """The starter with the learner's own class in it, or "" and a sentence that says why not."""
    here = {e.slug: e for e in course.exercises}
    for slug in reversed(exercise.reveals):
        if slug not in here or not is_started(here[slug]):
            continue
        if not judge(here[slug]).passed:
            return "", f"the class in it is the given one, since your `{slug}` does not pass yet"
        own = read_submission(here[slug].solution_path).text
        with suppress(UsageError):  # of what it grew from no copy is at hand: its comments come along
            own = _without_todos(own, starter_text(here[slug]))
        carried = carry(starter, own)
        if carried != starter:
            return carried, ""
    return "", ""


def _without_todos(own: str, starter: str) -> str:
    """`own` less the comments of the starter it grew from that said what to do: here others are to come."""
    lines, asked = own.split("\n"), set[str]()
    inside = False
    for line in starter.split("\n"):
        comment = line.strip().startswith("#")
        inside = comment and (inside or line.strip().startswith("# TODO"))
        if inside:
            asked.add(line)
    return "\n".join(line for line in lines if line not in asked)


def carry(starter: str, own: str) -> str:
    """The starter with the learner's classes in place of its own of the same name; its TODOs stay.

    Methods that only the starter has are added to it; imports, functions and classes that only the learner
    has come along. Text that is no Python gives the starter as it was.
    """
    import ast

    try:
        ours, theirs = ast.parse(starter), ast.parse(own)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return starter
    common = {n.name for n in theirs.body if isinstance(n, ast.ClassDef)}
    classes = [n for n in ours.body if isinstance(n, ast.ClassDef) and n.name in common]
    if not classes:
        return starter
    lines = starter.split("\n")
    last = max(n.end_lineno or 0 for n in classes)
    lines[last:last] = _extras(ours, theirs, own, after=True)
    for ours_class in reversed(classes):  # from the bottom, so that line numbers above stay true
        theirs_class = next(
            n for n in theirs.body if isinstance(n, ast.ClassDef) and n.name == ours_class.name
        )
        lines[_first(ours_class) - 1 : ours_class.end_lineno] = _merged(
            starter, ours_class, own, theirs, theirs_class
        )
    top = _first(classes[0]) - 1
    before = _extras(ours, theirs, own, after=False)
    future = [line for line in before if line.startswith("from __future__ ")]
    lines[top:top] = [line for line in before if line not in future]
    head = ours.body[0].end_lineno or 0 if ast.get_docstring(ours) is not None else 0
    lines[head:head] = future
    merged = "\n".join(lines)
    return merged if _parses(merged) else starter


def _parses(text: str) -> bool:
    import ast

    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _first(node: Any) -> int:
    """The node's first line, decorators included."""
    return int(min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]))


def _methods(node: ast.ClassDef) -> dict[str, Any]:
    import ast

    return {n.name: n for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}


def _merged(
    starter: str, ours: ast.ClassDef, own: str, module: ast.Module, theirs: ast.ClassDef
) -> list[str]:
    """The learner's class, with the starter's TODO methods in place of theirs and its other methods added."""
    import textwrap

    starter_lines, own_lines = starter.split("\n"), own.split("\n")
    indent = own_lines[theirs.body[0].lineno - 1][: theirs.body[0].col_offset]
    mine, lines = _methods(theirs), own_lines[: theirs.end_lineno]

    def text(node: Any) -> list[str]:
        piece = "\n".join(starter_lines[_first(node) - 1 : node.end_lineno])
        return textwrap.indent(textwrap.dedent(piece), indent).split("\n")

    todo = {
        name: node
        for name, node in _methods(ours).items()
        if any(line.strip().startswith(STUB) for line in starter_lines[node.lineno - 1 : node.end_lineno])
    }
    for name in sorted(todo.keys() & mine.keys(), key=lambda name: -mine[name].lineno):
        lines[_first(mine[name]) - 1 : mine[name].end_lineno] = text(todo[name])
    lines = lines[_first(theirs) - 1 :]
    have = _names_of(theirs, module)
    for name, node in _methods(ours).items():
        if name not in have or (name in todo and name not in mine):
            lines += ["", *text(node)]
    return lines


def _names_of(node: ast.ClassDef, module: ast.Module) -> set[str]:
    """What a class has: defined or assigned in it, in a base class of the same file, or from outside."""
    import ast

    names = set(_methods(node))
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
    bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
    for other in module.body:
        if isinstance(other, ast.ClassDef) and other.name in bases and other is not node:
            names |= _names_of(other, module)
        names |= _assigned_to(node.name, other)
    return names


def _assigned_to(name: str, node: ast.stmt) -> set[str]:
    """The attributes that a statement `Name.attribute = …` gives to a class."""
    import ast

    return {
        target.attr
        for target in (node.targets if isinstance(node, ast.Assign) else ())
        if isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == name
    }


def _extras(ours: ast.Module, theirs: ast.Module, own: str, *, after: bool) -> list[str]:
    """The lines that the learner's file has before (or after) its first class in common with the starter.

    Imports, functions and classes that the starter lacks; before the class its constants; after it what is
    given to the class from outside. Not what is only run: a demo at the bottom.
    """
    import ast

    defined = {n.name for n in ours.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    imported = {ast.unparse(n) for n in ours.body if isinstance(n, ast.Import | ast.ImportFrom)}
    lines, found = own.split("\n"), []
    passed = False
    for node in theirs.body:
        text = lines[_first(node) - 1 : node.end_lineno]
        if isinstance(node, ast.ClassDef) and node.name in defined:
            passed = True
        elif isinstance(node, ast.Import | ast.ImportFrom):
            if not after and ast.unparse(node) not in imported:
                found += text
        elif passed != after:
            continue
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found += [*([] if node.name in defined else ["", "", *text, "", ""])]
        elif isinstance(node, ast.Assign) and (
            not after or any(_assigned_to(name, node) for name in defined)
        ):
            found += text
    return found
