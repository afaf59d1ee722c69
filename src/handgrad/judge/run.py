"""Runs one check against one link, whoever asks: the command, pytest, a notebook, the page."""

from __future__ import annotations

import hashlib
import random
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from handgrad.check import NotRaised
from handgrad.explain import head, is_array, sentence, show
from handgrad.judge.loader import CheckFailed, LoadedCheck
from handgrad.judge.proxy import Frame, Gone, LearnerError, Link, Proxy, ProxyMisuse, type_name
from handgrad.judge.wire import Violation
from handgrad.model import Status
from handgrad.program import Program

if TYPE_CHECKING:
    import ast
    from types import TracebackType

MAX_LINES: Final = 40  # of a program that is shown
MAX_MESSAGE: Final = 500  # characters of a learner's exception in a sentence
MORE_MEMORY: Final = 2 << 30  # bytes that a check may take in the judge
MAX_DESCRIBED: Final = 4000  # of a value: every report of every check carries it


class Outcome(NamedTuple):
    """What happened to one check, before it is told to anybody."""

    status: Status
    message: str = ""
    expression: str = ""
    expected: str = ""
    actual: str = ""
    exception: str = ""
    frame: Frame | None = None
    graph: str = ""
    gone: str = ""  # why the worker ended, as Gone.reason
    suspect: bool = False  # the check itself raised: whose fault it is the reference must tell


def open_seed(slug: str, name: str) -> str:
    """What `rng` is seeded with where all may know it: in visible checks, and in every cell of a notebook."""
    return f"{slug}:{name}"


def seed_of(slug: str, name: str, *, hidden: bool, secret: bytes, text: str) -> str:
    """What a check's `rng` is seeded with: for a hidden check drawn from the submission itself."""
    if not hidden:
        return open_seed(slug, name)
    return f"{hidden_seeds(secret, text)}:{name}"


def hidden_seeds(secret: bytes, text: str) -> str:
    """What the seeds of all hidden checks of a submission begin with, in hex: nobody else's are like them."""
    return hashlib.sha256(secret + b"\0" + text.encode("utf-8", "surrogatepass")).hexdigest()


def run_check(loaded: LoadedCheck, link: Link, *, seed: str, stubs: frozenset[str] = frozenset()) -> Outcome:
    """Run the check's function with the learner's names and `rng`. Every way it can end is an Outcome.

    `stubs` are the messages of the starter's own NotImplementedErrors. A warning, which numbers of the
    learner's can bring about, would show the line of a hidden check in a log that everybody reads.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _run(loaded, link, seed, stubs)


def _run(loaded: LoadedCheck, link: Link, seed: str, stubs: frozenset[str]) -> Outcome:
    try:
        arguments = [
            random.Random(seed) if name == "rng" else _learners_name(link, name) for name in loaded.parameters
        ]
        with _bounded_memory(link):
            loaded.function(*arguments)
    except Exception as error:
        return _ended_by(error, loaded, link, stubs)
    return Outcome(Status.PASSED)


def _ended_by(error: Exception, loaded: LoadedCheck, link: Link, stubs: frozenset[str]) -> Outcome:
    """The outcome of a check that did not come to its end; with fewer words where they cannot be found."""
    if isinstance(error, Gone):
        return Outcome(Status.ERROR, str(error), gone=error.reason)
    if isinstance(error, Violation):
        link.channel.kill()
        return Outcome(Status.ERROR, str(error), gone="protocol")
    try:
        with _bounded_memory(link):
            return _explained(error, loaded, link, stubs)
    except Gone as gone:  # looking at the values ended the worker
        return Outcome(Status.FAILED, loaded.check.title, gone=gone.reason)
    except Exception:
        return Outcome(Status.FAILED, loaded.check.title)


def _explained(error: Exception, loaded: LoadedCheck, link: Link, stubs: frozenset[str]) -> Outcome:
    if isinstance(error, CheckFailed):
        if type(error.left) is memoryview and link.last_read is not None:  # an array's own `data`
            words = f"{_read_last(loaded, link, error)} is a plain array, not an object of a class of yours"
            return Outcome(Status.FAILED, _in_situation(loaded, error, words))
        return _failed(loaded, error)
    if isinstance(error, NotRaised):
        message = _in_situation(loaded, error, f"expected {error} to be raised, and nothing was")
        return Outcome(Status.FAILED, message, expected=str(error), actual="no exception")
    if isinstance(error, _NoSuchName):
        return Outcome(Status.FAILED, f"your file defines no {error}")
    if isinstance(error, LearnerError):
        return _raised(loaded, error, link, stubs)
    if isinstance(error, ProxyMisuse):
        return Outcome(Status.FAILED, _in_situation(loaded, error, _last_read(loaded, link, error)))
    said = (
        _nothing_returned(loaded, error) or _not_there(loaded, link, error) or _last_read(loaded, link, error)
    )
    words = f"{said} ({type(error).__name__})"
    return Outcome(Status.FAILED, _in_situation(loaded, error, words), suspect=True)


@contextmanager
def _bounded_memory(link: Link) -> Iterator[None]:
    """Two small arrays can stretch into one larger than the machine: here, that is a MemoryError.

    The limit is the kernel's, on writable memory. Not in force where the learner's code runs in this process.
    """
    if link.channel.level == 0:
        yield
        return
    try:
        import resource

        with open("/proc/self/statm", "rb", buffering=0) as text:  # noqa: PTH123  (asked for each check)
            used = int(text.read().split()[5]) * resource.getpagesize()
        before = resource.getrlimit(resource.RLIMIT_DATA)
        most = min(used + MORE_MEMORY, *(n for n in before if n != resource.RLIM_INFINITY), 1 << 62)
        resource.setrlimit(resource.RLIMIT_DATA, (most, before[1]))
    except (ImportError, OSError, ValueError):  # macOS, Windows, the page
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


class _NoSuchName(Exception):
    pass


def _learners_name(link: Link, name: str) -> Any:
    try:
        return link.name(name)
    except LookupError:
        raise _NoSuchName(name) from None


def _failed(loaded: LoadedCheck, failed: CheckFailed) -> Outcome:
    local = _locals(loaded, failed)
    words = _situation(loaded, local)
    program = next((value for value in local.values() if type(value) is Program), None)
    site = failed.site if program is None else failed.site._replace(left=_read_of(failed.site.left))
    claim = sentence(site, failed.left, failed.right, situation=words, describe=describe)
    if program is not None:
        where = "the program shown below" if _fits(program) else f"a program of {len(program)} values"
        claim = f"in {where}: {_by_name(claim, program)}"
    return Outcome(
        Status.FAILED,
        claim,
        expression=failed.site.left,
        expected=_described(failed.right),
        actual=_described(failed.left),
        graph="\n".join(program.lines(_class_name(loaded))) if program and _fits(program) else "",
    )


def _described(value: Any) -> str:
    text = describe(head(value, MAX_DESCRIBED))
    return text if len(text) <= MAX_DESCRIBED else f"{text[: MAX_DESCRIBED - 2]} …"


def _fits(program: Program) -> bool:
    return len(program) <= MAX_LINES


def _class_name(loaded: LoadedCheck) -> str:
    return next((name for name in loaded.parameters if name != "rng"), "")


def _read_of(expression: str) -> str:
    """`graph.read("total")` is told as `total`, of the value that differs."""
    found = re.fullmatch(r"\w+\.read\([\"'](\w+)[\"']\)", expression)
    return found[1] if found else expression


def _by_name(claim: str, program: Program) -> str:
    """`expected total[3] to be` becomes `expected d.total to be`: the program is shown with its names."""
    names = program.names()
    return re.sub(
        r"expected (\w+)\[(\d+)\]",
        lambda m: f"expected {names[int(m[2])]}.{m[1]}" if int(m[2]) < len(names) else m[0],
        claim,
        count=1,
    )


def _raised(loaded: LoadedCheck, error: LearnerError, link: Link, stubs: frozenset[str]) -> Outcome:
    if error.kind == "NotImplementedError" and error.text in stubs:
        return Outcome(Status.NOT_STARTED, error.text, frame=error.place)
    words = one_line(f"{error.kind}: {error.text}" if error.text else error.kind)
    if error.kind == "SystemExit":
        words = "your code ended Python (exit)"
    elif error.kind == "RecursionError":
        words = "your code calls itself too deep (RecursionError): without end, or too often for this input"
    elif error.kind == "MemoryError":
        words = "your code ran out of memory"
    elif error.kind == "TypeError" and error.place is None and _is_of_last_read(link, error):
        words = f"{_last_read(loaded, link, error)} ({words})"
    elif error.kind == "TypeError" and error.place is None and error.text.startswith("bad operand type for"):
        words = f"{_not_a_number(loaded, error)} ({words})"
    return Outcome(Status.ERROR, _in_situation(loaded, error, words), exception=words, frame=error.place)


def _in_situation(loaded: LoadedCheck, error: BaseException, words: str) -> str:
    clause = _situation(loaded, _locals(loaded, error))
    return f"with {clause}: {words}" if clause else words


def _situation(loaded: LoadedCheck, local: dict[str, Any]) -> str:
    from handgrad.judge.rewrite import parts_of  # only what failed is told: this brings the parser along
    from handgrad.judge.situation import situation

    return situation(*parts_of(loaded.tree), local, loaded.parameters)


def _trace(loaded: LoadedCheck, error: BaseException) -> TracebackType | None:
    """Where the check's own frame stands in the traceback."""
    trace, found = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code is loaded.function.__code__:
            found = trace
        trace = trace.tb_next
    return found


def _locals(loaded: LoadedCheck, error: BaseException) -> dict[str, Any]:
    """The variables of the check's own frame."""
    found = _trace(loaded, error)
    return dict(found.tb_frame.f_locals) if found else {}


def _is_of_last_read(link: Link, error: LearnerError) -> bool:
    """True when an operation of ours failed on the very object that was read before it, as `len(out.x)`."""
    value = link.last_read[2] if link.last_read else None
    return type(value) is Proxy and f"'{type_name(value)}'" in error.text


def _not_a_number(loaded: LoadedCheck, error: LearnerError) -> str:
    """Which of the check's variables is an object where the check computes with a number."""
    local = _locals(loaded, error)
    objects = {name: v for name, v in local.items() if type(v) is Proxy and name not in loaded.parameters}
    found = [name for name, value in objects.items() if f"'{type_name(value)}'" in error.text]
    if not found:
        return "a number belongs here"
    return f"{found[0]} is {describe(objects[found[0]])}, where a number belongs"


def _last_read(loaded: LoadedCheck, link: Link, error: BaseException) -> str:
    if link.last_read is None:
        return one_line(str(error))
    value = link.last_read[2]
    kind = ", a plain array" if is_array(value) else ""
    return f"{_read_last(loaded, link, error)} is {show(value, describe)}{kind}"


def _read_last(loaded: LoadedCheck, link: Link, error: BaseException) -> str:
    """The attribute that was read last, as `a.grad`; `.grad` where the check has no name for its owner."""
    assert link.last_read is not None
    owner, name, _ = link.last_read
    holder = next((key for key, item in _locals(loaded, error).items() if item is owner), "")
    return f"{holder}.{name}"


def _nothing_returned(loaded: LoadedCheck, error: BaseException) -> str:
    """Where the check came upon a None that a function of the learner's gave, which one that is; else ""."""
    if "NoneType" not in str(error):
        return ""
    found = [f"{name} is" for name, value in _locals(loaded, error).items() if value is None]
    found = found or [f"{name} gave" for name in _called(loaded, error)]
    return f"{found[0]} None, as when a `return` is missing" if len(found) == 1 else ""


def _called(loaded: LoadedCheck, error: BaseException) -> list[str]:
    """What the check unpacks in the line that raised: `fit` of `w, b = fit(xs, ys)`."""
    import ast

    return [
        ast.unparse(node.value.func)
        for node in _in_line(loaded, error)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
    ]


def _in_line(loaded: LoadedCheck, error: BaseException) -> list[ast.AST]:
    """The nodes of the check's text that begin in the line that raised."""
    import ast

    found = _trace(loaded, error)
    return [node for node in ast.walk(loaded.tree) if found and getattr(node, "lineno", 0) == found.tb_lineno]


def _not_there(loaded: LoadedCheck, link: Link, error: BaseException) -> str:
    """What plain data of the learner's lacks that the check asks of it, in the check's own names; else ""."""
    if isinstance(error, KeyError) and error.args:
        key = error.args[0]
        tables = [name for name, v in _locals(loaded, error).items() if type(v) is dict and key not in v]
        return f"{tables[0]} has no key {show(key)}" if len(tables) == 1 else f"there is no key {show(key)}"
    found = _LACKS.fullmatch(str(error)) if isinstance(error, AttributeError) else None
    if found is None:
        return ""
    kind, attribute = found.groups()
    name, value = _holder_of(loaded, link, error, kind, attribute)
    if not name:
        return f"what came back is of type {kind}, and has no `{attribute}`"
    return f"{name} is {show(value, describe)}, of type {kind}, and has no `{attribute}`"


def _holder_of(
    loaded: LoadedCheck, link: Link, error: BaseException, kind: str, attribute: str
) -> tuple[str, Any]:
    """How the check calls the value that lacks an attribute, and the value; ("", None) without a name."""
    import ast

    local = _locals(loaded, error)
    for node in _in_line(loaded, error):
        if isinstance(node, ast.Attribute) and node.attr == attribute and isinstance(node.value, ast.Name):
            value = local.get(node.value.id)
            if type(value).__name__ == kind:
                return node.value.id, value
    if link.last_read is not None and type(link.last_read[2]).__name__ == kind:
        return _read_last(loaded, link, error), link.last_read[2]
    return "", None


_LACKS: Final = re.compile(
    r"'(?:numpy\.)?(bool|int|float|str|bytes|list|tuple|dict|set|frozenset|ndarray)' object"
    r" has no attribute '(\w+)'.*"
)


def one_line(text: str, most: int = MAX_MESSAGE) -> str:
    """What the learner's code said, fit to stand in a sentence: on one line, cut."""
    words = " ".join(text[: 8 * most].split())
    return words if len(words) <= most else f"{words[: most - 2]} …"


def describe(value: Any) -> str:
    """A value in words: plain data as Python writes it, the learner's objects by their class."""
    if type(value) is Proxy:
        kind = one_line(type_name(value))
        return "a whole number too large to show" if kind == "int" else f"an object of type {kind}"
    if type(value) in (list, tuple, dict, set, frozenset) and any(type(v) is Proxy for v in value):
        inner = ", ".join(describe(v) for v in value)
        return f"({inner})" if type(value) is tuple else f"[{inner}]"
    try:
        return repr(value)
    except (ValueError, RecursionError):  # an int with more digits than Python writes
        return f"a {type(value).__name__} too large to write down"
