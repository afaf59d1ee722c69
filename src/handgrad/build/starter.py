"""Cut the starter that a learner edits out of the reference: text in, text out.

A solution region stands between two comment lines, `### BEGIN SOLUTION` and `### END SOLUTION`
(nbgrader's own markers), inside one function. In the starter one line takes its place:
`raise NotImplementedError("<method> is still to be written")`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from handgrad.errors import ExerciseError

if TYPE_CHECKING:
    import ast

BEGIN: Final = "### BEGIN SOLUTION"
END: Final = "### END SOLUTION"
RAISE: Final = 'raise NotImplementedError("'
ALIKE: Final = 0.8  # how close a comment may come to a marker before it counts as a misspelt one


class Region(NamedTuple):
    """One solution region. Lines count from 1 and are those of the two markers."""

    begin: int
    end: int
    indent: str
    method: str  # qualified name of the function it stands in: `Stack.push`

    @property
    def stub(self) -> str:
        """The line that takes the region's place."""
        return f'{self.indent}{RAISE}{message(self.method)}")'


def message(method: str) -> str:
    """What the starter's NotImplementedError says of `method`."""
    return f"{method} is still to be written"


def make_starter(reference: str, *, filled: int = 0, name: str = "solution.py") -> str:
    """The reference with each solution region replaced by its NotImplementedError.

    `filled` keeps the code of the first so many regions, as of a learner who has come that far.
    Raises ExerciseError, with `name` and the line, for markers that are misspelt, unbalanced,
    nested, indented wrongly, inside a string, outside a function, or around nothing.
    """
    lines = reference.split("\n")
    kept: list[str] = []
    position = 0
    for number, region in enumerate(find_regions(reference, name=name)):
        kept += lines[position : region.begin - 1]
        kept += lines[region.begin : region.end - 1] if number < filled else [region.stub]
        position = region.end
    return "\n".join(kept + lines[position:])


def starter_messages(starter: str) -> frozenset[str]:
    """The NotImplementedError messages that the stubs of `starter` raise."""
    lines = (line.strip() for line in starter.split("\n"))
    return frozenset(
        line.removeprefix(RAISE).removesuffix('")')
        for line in lines
        if line.startswith(RAISE) and line.endswith('")')
    )


def cut(reference: str) -> str:
    """`make_starter(reference)`, read off the indentation: nothing is proved here.

    Every `check` needs it, and parsing the reference takes as long as several checks.
    """
    scope: list[tuple[str, str]] = []
    kept: list[str] = []
    inside = False
    for line in reference.split("\n"):
        indent, mark = _indent(line), line.strip()
        if mark == BEGIN:
            method = ".".join(name for outer, name in scope if outer < indent)
            kept.append(Region(0, 0, indent, method).stub)
        if mark in (BEGIN, END):
            inside = mark == BEGIN
        elif not inside:
            kept.append(line)
            words = mark.removeprefix("async ").split(maxsplit=1)
            name = words[1].partition("(")[0].partition(":")[0] if len(words) == 2 else ""
            if name.isidentifier() and words[0] in ("def", "class"):
                scope = [*(s for s in scope if s[0] < indent), (indent, name)]
    return "\n".join(kept)


def find_regions(reference: str, *, name: str = "solution.py") -> tuple[Region, ...]:
    """The solution regions, in order. Raises ExerciseError as `make_starter` does."""
    import ast

    try:
        tree = ast.parse(reference)
    except SyntaxError as error:
        _refuse(name, error.lineno or 1, f"the reference is not Python ({error.msg}); mend it first")
    pairs = _pair(tuple(_markers(reference, name)), name)
    lines = reference.split("\n")
    return tuple(_region(tree, lines, begin, end, name) for begin, end in pairs)


def _markers(reference: str, name: str) -> Iterator[tuple[int, str]]:
    """Line and text of each marker; refuses whatever only resembles one."""
    import io
    import tokenize

    comments = {
        token.start[0]: token
        for token in tokenize.generate_tokens(io.StringIO(reference).readline)
        if token.type == tokenize.COMMENT
    }
    for number, line in enumerate(reference.split("\n"), 1):
        comment = comments.get(number)
        if comment is None or comment.string.strip() not in (BEGIN, END):
            _refuse_lookalike(line, comment.string if comment else "", number, name)
        elif line.strip() != comment.string.strip():
            _refuse(
                name, number, f"`{comment.string.strip()}` must stand on a line of its own; move it there"
            )
        else:
            yield number, comment.string.strip()


def _refuse_lookalike(line: str, comment: str, number: int, name: str) -> None:
    folded = line.upper()
    for marker in (BEGIN, END):
        words = marker.lstrip("# ")
        if words in " ".join(folded.replace("_", " ").replace("-", " ").split()) and not comment:
            _refuse(
                name, number, f"`{words}` inside a string would be taken for a marker; word it differently"
            )
        if comment and _alike(comment, words):
            _refuse(name, number, f"`{comment.strip()}` looks like a marker; write it exactly as `{marker}`")


def _alike(comment: str, words: str) -> bool:
    import difflib

    letters = "".join(c for c in comment.upper() if c.isalpha())
    wanted = words.replace(" ", "")
    return wanted in letters or difflib.SequenceMatcher(None, letters, wanted).ratio() >= ALIKE


def _pair(markers: tuple[tuple[int, str], ...], name: str) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    opened = 0
    for number, text in markers:
        if text == BEGIN and opened:
            _refuse(
                name, number, f"`{BEGIN}` stands inside the region of line `{opened}`; close that one first"
            )
        if text == END and not opened:
            _refuse(name, number, f"`{END}` closes nothing; put `{BEGIN}` above the solution")
        if text == END:
            pairs.append((opened, number))
        opened = number if text == BEGIN else 0
    if opened:
        _refuse(name, opened, f"this region is never closed; put `{END}` below the solution")
    return pairs


def _region(tree: ast.Module, lines: list[str], begin: int, end: int, name: str) -> Region:
    indent = _indent(lines[begin - 1])
    if _indent(lines[end - 1]) != indent:
        _refuse(name, end, f"`{END}` must be indented as its `{BEGIN}` in line `{begin}`; align the two")
    inside = _statements(tree, begin, end)
    if not inside:
        _refuse(name, begin, "this region holds no code; put the solution between its markers")
    if (
        any(_indent(lines[line - 1]) < indent for line, _ in inside)
        or _indent(lines[inside[0][0] - 1]) != indent
    ):
        _refuse(name, begin, f"`{BEGIN}` must be indented as the code below it; align the two")
    if max(last for _, last in inside) > end:
        _refuse(name, end, f"`{END}` cuts a statement in two; move it below the whole statement")
    method = _enclosing(tree, begin, inside[-1][0])
    if not method:
        _refuse(name, begin, "a solution region must stand inside a function; move it into one")
    return Region(begin, end, indent, method)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _statements(tree: ast.Module, begin: int, end: int) -> list[tuple[int, int]]:
    """First and last line of every statement that starts between the two lines, in order."""
    import ast

    return sorted(
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and begin < node.lineno < end
    )


def _enclosing(node: ast.AST, begin: int, last: int, prefix: str = "") -> str:
    """Qualified name of the innermost function that starts above `begin` and reaches line `last`."""
    import ast

    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if child.lineno < begin and last <= (child.end_lineno or 0):
            path = f"{prefix}{child.name}"
            deeper = _enclosing(child, begin, last, f"{path}.")
            return deeper or ("" if isinstance(child, ast.ClassDef) else path)
    return ""


def _refuse(name: str, line: int, what: str) -> NoReturn:
    raise ExerciseError(f"{name}:{line}: {what}")
