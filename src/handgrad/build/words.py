"""Cut the words a grader uses out of `check.py` and `program.py`, as text that stands alone in a notebook.

The text is the modules' own, less type annotations, so a word means the same in a notebook as in the judge.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOCAL: Final = {  # the words that speak to another process: in a notebook every object lives here
    "equal": '''def equal(left, right):
    """What the learner's own `==` says of the two, as True or False."""
    return bool(left == right)''',
    "calls_of": '''@contextmanager
def calls_of(attribute, **objects):
    """Count the calls of `attribute` on each of the named objects while the block runs."""
    counts = dict.fromkeys(objects, 0)
    for name, thing in objects.items():
        setattr(thing, attribute, _counted(getattr(thing, attribute), name, counts))
    yield counts''',
    "there": '''def there(value):
    """A list or array that the learner's code can change."""
    return value''',
    "read": '''def read(thing):
    """A plain copy of `thing`, as the learner's code left it."""
    return copy.deepcopy(thing)''',
    "run": '''def run(program, make):
    """Build the whole program out of `make(number)` objects."""
    nodes = [make(number) for number in program.inputs]
    for step in program.steps:
        nodes.append(apply(step.name, [nodes[a] if isinstance(a, int) else a.value for a in step.arguments]))
    return Graph(program, nodes, lambda name: [getattr(node, name) for node in nodes])''',
    "repeat": '''def repeat(function, start, times):
    """Apply `function` to `start`, then to the result, `times` times."""
    for _ in range(times):
        start = function(start)
    return start''',
}
_DROPPED: Final = frozenset({"check"})  # the decorator: a notebook's checks go without
_NOTES: Final = re.compile(r"  # (noqa|type: ignore).*")  # to our own tools, not to readers
_IMPORTS_LEFT_OUT: Final = frozenset({"__future__", "collections.abc"})  # for annotations only


@dataclass(frozen=True, slots=True)
class Definition:
    """One top-level definition: its text, and the names it reads from its module."""

    name: str
    text: str
    reads: frozenset[str]


def grader_words() -> Mapping[str, Definition]:
    """Every definition of the two modules, in the order in which they must stand."""
    import handgrad.check
    import handgrad.program

    found: dict[str, Definition] = {}
    for module in (handgrad.program, handgrad.check):
        text = Path(str(module.__file__)).read_text(encoding="utf-8")
        parts = list(definitions(text))
        modules = {part.name for part in parts if part.text == f"import {part.name}"}
        found.update({part.name: part for part in (_privately(part, modules) for part in parts)})
    return found


def _privately(part: Definition, modules: Collection[str]) -> Definition:
    """With `math` as `_math`: what our words import must not stand in for an import that a learner forgot."""
    private = {name: f"_{name}" for name in modules}
    reads = frozenset(private.get(name, name) for name in part.reads)
    if part.name in private:
        return Definition(private[part.name], f"{part.text} as {private[part.name]}", reads)
    if reads == part.reads:
        return part
    text = re.sub(rf"(?<![\w.])({'|'.join(sorted(modules))})(?=\.\w|,|\))", r"_\1", part.text)
    return Definition(part.name, text, reads)


def definitions(module: str) -> Iterable[Definition]:
    """The top-level functions, classes, constants and imports of a module's text, in its order."""
    tree = ast.parse(module)
    lines = _Text(module)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom | ast.Import):
            yield from _imports(node)
            continue
        for name in set(_bound(node)) - _DROPPED:
            text = LOCAL.get(name) or _NOTES.sub("", lines.without_annotations(node))
            yield Definition(name, text, frozenset(_names_read(ast.parse(text))))


def needed(names: Iterable[str], known: Mapping[str, Definition]) -> tuple[Definition, ...]:
    """The definitions that `names` need, directly or through others, in the order of `known`."""
    wanted: set[str] = set()
    waiting = [name for name in names if name in known]
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting.extend(n for n in known[name].reads if n in known and n not in wanted)
    return tuple(known[name] for name in known if name in wanted)


def renamed(definition: Definition, name: str) -> Definition:
    """The same word under another name, as `from handgrad.check import word as name` gives it."""
    text = re.sub(rf"\b{definition.name}\b", name, definition.text)
    return Definition(name, text, definition.reads - {definition.name})


def joined(parts: Iterable[Definition]) -> str:
    """The definitions as one text: imports first, each thing once, blank lines as in a module."""
    texts = [part.text for part in parts]
    imports = sorted(dict.fromkeys(t for t in texts if t.startswith(("import ", "from "))))
    bodies = list(dict.fromkeys(t for t in texts if not t.startswith(("import ", "from "))))
    head = ["\n".join(imports)] if imports else []
    return "\n\n\n".join(head + bodies)


def _imports(node: ast.ImportFrom | ast.Import) -> Iterable[Definition]:
    for alias in node.names:
        name = alias.asname or alias.name.split(".")[0]
        renamed = f" as {alias.asname}" if alias.asname else ""
        if isinstance(node, ast.Import):
            yield Definition(name, f"import {alias.name}{renamed}", frozenset())
        elif node.module not in _IMPORTS_LEFT_OUT and not (node.module or "").startswith("handgrad"):
            yield Definition(name, f"from {node.module} import {alias.name}{renamed}", frozenset())


def _bound(node: ast.stmt) -> tuple[str, ...]:
    """The names that a top-level statement defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return (node.name,)
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return ()
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return tuple(n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name))


def _names_read(tree: ast.AST) -> Iterable[str]:
    """Every name the code reads that is not a builtin it can count on."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and not hasattr(builtins, node.id):
            yield node.id


class _Text:
    """A module's text, cut by the positions that `ast` gives (which count bytes)."""

    def __init__(self, text: str) -> None:
        self.lines = text.encode().split(b"\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.bytes = text.encode()

    def at(self, line: int, column: int) -> int:
        """The position in bytes of a line (from 1) and column."""
        return self.starts[line - 1] + column

    def without_annotations(self, node: ast.stmt) -> str:
        """The text of a definition with its decorators, less every annotation."""
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        begin, end = self.at(first, 0), self.at(node.end_lineno or node.lineno, node.end_col_offset or 0)
        text, cut_from = b"", begin
        for cut, until, put in sorted(self._annotations(node)):
            text, cut_from = text + self.bytes[cut_from:cut] + put, until
        return (text + self.bytes[cut_from:end]).decode()

    def _annotations(self, root: ast.stmt) -> Iterable[tuple[int, int, bytes]]:
        """Begin and end of each annotation, and what takes its place."""
        for node in ast.walk(root):
            if isinstance(node, ast.arg) and node.annotation is not None:
                begin = self.at(node.lineno, node.col_offset) + len(node.arg.encode())
                end = self._end(node.annotation)
                has_default = self.bytes[end : end + 3] == b" = "
                yield begin, end + 3 * has_default, b"=" * has_default
            elif isinstance(node, ast.FunctionDef) and node.returns is not None:
                end = self._end(node.returns)
                yield self.bytes.rindex(b"->", 0, end) - 1, end, b""
            elif isinstance(node, ast.AnnAssign):
                field = b": object" if node.value is None else b""  # a dataclass needs its fields
                yield self._end(node.target), self._end(node.annotation), field

    def _end(self, node: ast.expr) -> int:
        return self.at(node.end_lineno or 0, node.end_col_offset or 0)
