"""Runs inside the worker, beside the learner's code, and answers requests about its objects.

Nothing here is trusted by the judge, and nothing here knows a grader: a request asks for one
operation on objects that live here, and the answer is plain data or a number that names an object.
Standard library only. `judge/wire.py` describes the frames.
"""

from __future__ import annotations

import ast
import builtins
import io
import json
import operator
import re
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from handgrad.worker.frames import encode

MAX_DEPTH = 20
MAX_SET = 1000
MAX_TEXT = 4000  # characters of an exception's message that are sent
PLACEHOLDER_NAMES = ("exit", "quit")  # `site` would define them; the worker runs without it
BINARY_TYPES = frozenset({"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"})
DENIED = frozenset(
    """antigravity ensurepip idlelib lib2to3 pip pydoc pydoc_data site test this tkinter turtle turtledemo
    venv webbrowser _testcapi _testbuffer _testinternalcapi _xxsubinterpreters""".split()
)  # they open windows or browsers, install things, or print at import
STANDARD = frozenset(sys.stdlib_module_names) - DENIED
_AS_THEY_ARE = frozenset({float, bool})  # in JSON
_PROGRAMS = frozenset({"__main__", "test", "tests"})

_loads = json.JSONDecoder().raw_decode
_OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "divmod": divmod,
    "neg": operator.neg,
    "pos": operator.pos,
    "~": operator.invert,
    "abs": abs,
    "round": round,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
    "**=": operator.ipow,
    "@=": operator.imatmul,
    "len": len,
    "iter": iter,
    "next": next,
    "reversed": reversed,
    "in": operator.contains,
    "[]": operator.getitem,
    "index": operator.index,
}


class Output(io.TextIOBase):
    """Standard output and error: the head is sent as it comes, of the rest the tail is kept."""

    encoding = "utf-8"
    errors = "replace"
    name = "<stdout>"
    mode = "w"
    line_buffering = True

    def __init__(self, send: Callable[[str], None], limit: int = 64 * 1024) -> None:
        self.buffer = _Bytes(self)
        self._send = send
        self.limit = limit
        self.reset()

    def reset(self) -> None:
        """Begin anew, as for every check."""
        self._room = self.limit // 2
        self._tail: list[str] = []
        self._kept = 0  # characters
        self._lines_lost = 0
        self._lost = False

    def write(self, text: str) -> int:
        """Take text as a file would; longer than the limit costs no more than its length."""
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not " + type(text).__name__)
        begin = 0
        if self._room > 0:
            head = text[: self._room]
            begin = len(head)
            self._room -= begin
            if head:
                self._send(head)
        if begin < len(text):
            self._keep(text, begin)
        return len(text)

    def _keep(self, text: str, begin: int) -> None:
        """Take `text[begin:]` into the tail, without a copy of what will not be shown."""
        end = len(text) - self.limit // 2
        if end > begin:  # it alone fills the tail
            self._lines_lost += "".join(self._tail).count("\n") + text.count("\n", begin, end)
            self._tail, self._kept, self._lost = [text[end:]], len(text) - end, True
            return
        self._tail.append(text[begin:])
        self._kept += len(text) - begin
        if self._kept > 2 * self.limit:  # not at every write: a million of them must not cost seconds
            self._forget()

    def _forget(self) -> None:
        """Keep no more of the tail than is shown."""
        whole = "".join(self._tail)
        lost = len(whole) - self.limit // 2
        if lost > 0:
            self._lines_lost += whole.count("\n", 0, lost)
            self._tail, self._kept, self._lost = [whole[lost:]], len(whole) - lost, True

    def writable(self) -> bool:
        """It takes text, always."""
        return True

    def reconfigure(self, **options: Any) -> None:
        """Many files ask for UTF-8 so: here it is UTF-8 anyway."""

    def close(self) -> None:
        """What is printed afterwards is kept, too."""

    def fileno(self) -> int:
        """There is no file behind it."""
        raise OSError("this output has no file number")

    def take(self) -> list[Any]:
        """What was not sent yet: the number of lines left out, and the tail."""
        self._forget()
        rest = [self._lines_lost or int(self._lost), "".join(self._tail)]
        self.reset()
        return rest


class _Bytes(io.BufferedIOBase):
    """What takes bytes for standard output: `sys.stdout.buffer`."""

    def __init__(self, output: Output) -> None:
        self.raw, self._output = self, output

    def writable(self) -> bool:
        """It takes bytes, always."""
        return True

    def write(self, data: Any) -> int:
        """Take bytes as a file would; what is not UTF-8 is replaced."""
        self._output.write(str(bytes(data), "utf-8", "replace"))
        return len(data)

    def close(self) -> None:
        """What is written afterwards is kept, too."""


class Agent:
    """Answers one request after another. `send(body, tail)` carries a frame to the judge."""

    def __init__(self, send: Callable[[bytes, bytes], None], *, owns_process: bool) -> None:
        self._transmit = send
        self._owns_process = owns_process  # False in-process: then nothing global stays changed
        self._objects: list[Any] = [None]
        self._numbers: dict[int, int] = {}
        self._arrays: list[bytes] = []
        self._reader = _Reader(self._objects)
        self._module: types.ModuleType | None = None
        self._files: dict[str, str] = {}
        self._modules: dict[str, types.ModuleType] = {}
        self._allowed: frozenset[str] = frozenset()
        self._watched = True
        self.output = Output(lambda text: self._event(["out", text]))
        if owns_process:
            sys.stdout = sys.stderr = self.output

    def file_names(self) -> frozenset[str]:
        """The names of the learner's files."""
        return frozenset(self._files)

    # frames -----------------------------------------------------------------------------------

    def answer(self, body: bytes, tail: bytes) -> None:
        """Carry out one request and send its reply."""
        number, name, *coded = _loads(body.decode("ascii"))[0]
        reply = self._reply if self._owns_process else self._reply_in_process
        message = [number, *reply(name, coded, tail)]
        arrays, self._arrays = b"".join(self._arrays), []
        self._transmit(encode(message), arrays)

    def _reply_in_process(self, name: str, coded: list[Any], tail: bytes) -> list[Any]:
        kept = sys.stdout, sys.stderr, {n: sys.modules.get(n) for n in self._modules}
        sys.stdout = sys.stderr = self.output
        sys.modules.update(self._modules)
        try:
            return self._reply(name, coded, tail)
        finally:
            sys.stdout, sys.stderr = kept[:2]
            for module_name in self._modules:
                previous = kept[2].get(module_name)
                if previous is None:
                    sys.modules.pop(module_name, None)
                else:
                    sys.modules[module_name] = previous

    def _reply(self, name: str, coded: list[Any], tail: bytes) -> list[Any]:
        try:
            arguments = self._reader.values(coded, tail)
            return ["ok", self._code(getattr(self, "do_" + name)(*arguments))]
        except BaseException as error:
            if type(error) is KeyboardInterrupt and not self._owns_process:
                raise  # somebody at the keyboard wants to stop
            self._arrays = []
            return ["err", *self._describe(error)]

    def _event(self, message: list[Any]) -> None:
        self._transmit(encode(message), b"")

    def _describe(self, error: BaseException) -> list[Any]:
        kinds = [c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"]
        try:
            text = str(error)[:MAX_TEXT]
        except BaseException:
            text = ""
        places: list[list[Any]] = []
        if isinstance(error, SyntaxError) and error.filename in self._files:
            places.append([error.filename, error.lineno or 0, "", error.offset or 0])
            text = str(error.msg)[:MAX_TEXT]
        else:
            trace = error.__traceback__
            while trace is not None:
                code = trace.tb_frame.f_code
                if code.co_filename in self._files:
                    places.append([code.co_filename, trace.tb_lineno or 0, code.co_name[:80], 0])
                trace = trace.tb_next
        return [kinds, type(error).__name__[:80], text, places[-1:]]

    # values going out -------------------------------------------------------------------------

    def _code(self, value: Any, depth: int = 0) -> Any:
        kind = type(value)
        if kind is float or kind is bool or value is None:
            return value
        if kind is str:
            return value if len(value) <= 500_000 else self._reference(value)
        if kind is int:
            return value if value.bit_length() < 14_000 else self._reference(value)
        if kind is _Handles:
            return self._references(value.values)
        if depth > MAX_DEPTH:
            return self._reference(value)
        container = _container(kind)
        if container is list:
            if kind is list and _AS_THEY_ARE.issuperset(map(type, value)):
                return value
            return [self._code(item, depth + 1) for item in list.__iter__(value)]
        if container is tuple:
            return {"t": [self._code(item, depth + 1) for item in tuple.__iter__(value)]}
        if container is dict:
            if all(type(key) is str for key in dict.keys(value)):
                return {"d": {key: self._code(item, depth + 1) for key, item in dict.items(value)}}
        elif container in (set, frozenset) and len(value) > MAX_SET:
            pass  # more than the judge takes: it stays here
        elif container is set:
            return {"s": [self._code(item, depth + 1) for item in set.__iter__(value)]}
        elif container is frozenset:
            return {"f": [self._code(item, depth + 1) for item in frozenset.__iter__(value)]}
        elif kind is bytes and len(value) < 100_000:
            return {"b": value.hex()}
        elif kind.__module__ == "numpy" and "numpy" in sys.modules:
            return self._numpy(value, depth)
        return self._reference(value)

    def _numpy(self, value: Any, depth: int) -> Any:
        numpy = sys.modules["numpy"]
        if (
            type(value) is numpy.ndarray
            and value.dtype.kind in "biuf"
            and value.dtype.str[1:] in BINARY_TYPES
        ):
            little = value.astype(value.dtype.newbyteorder("<"), copy=False)
            self._arrays.append(numpy.ascontiguousarray(little).tobytes())
            return {"a": [value.dtype.str[1:], list(value.shape)]}
        if isinstance(value, numpy.generic) and value.dtype.kind in "biuf":
            return self._code(value.item(), depth + 1)
        if type(value) is numpy.ndarray:  # of a kind that does not travel: say which
            return self._reference(value, f"ndarray of {value.dtype}")
        return self._reference(value)

    def _reference(self, value: Any, name: str = "") -> Any:
        if type(value) is _Handle:
            value = value.value
        return {"o": [self._number(value), (name or type(value).__name__)[:80]]}

    def _references(self, values: list[Any]) -> Any:
        if values and len(set(map(type, values))) == 1:
            return {"os": [[self._number(value) for value in values], type(values[0]).__name__[:80]]}
        return [self._reference(value) for value in values]

    def _number(self, value: Any) -> int:
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)  # kept for good, so that an id never names two things
        return number

    # requests ---------------------------------------------------------------------------------

    def do_begin(self, output_bytes: int) -> None:
        """A new check begins."""
        self.output.limit = output_bytes
        self.output.reset()

    def do_output(self) -> list[Any]:
        """What was printed and not sent yet."""
        return self.output.take()

    def do_load(self, files: dict[str, str], allowed: list[str]) -> list[str]:
        """Run the learner's files; the last is the one whose names are asked for. Gives notes."""
        self._files = files
        self._allowed = STANDARD | frozenset(allowed) | {name.removesuffix(".py") for name in files}
        notes: list[str] = []
        for file_name, text in files.items():
            self._module = self._run_file(file_name, text, notes)
        return notes

    def _run_file(self, file_name: str, text: str, notes: list[str]) -> types.ModuleType:
        name = file_name.removesuffix(".py")
        source: Any = text
        if not _imports_plainly(text, self._allowed):
            source = compile(text, file_name, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
            notes.extend(_leave_out_unused(source, self._allowed))
        module = types.ModuleType(name)
        module.__file__ = file_name
        module.__dict__["__builtins__"] = self._builtins()
        self._modules[name] = sys.modules[name] = module
        exec(compile(source, file_name, "exec", dont_inherit=True), module.__dict__)
        return module

    def _builtins(self) -> dict[str, Any]:
        names = dict(vars(builtins))
        names["__import__"] = self._import
        names["input"] = _no_input
        for name in PLACEHOLDER_NAMES:
            names.setdefault(name, _leave)
        return names

    def _import(
        self, name: str, module: Any = None, local: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        line = sys._getframe(1).f_lineno
        if level:
            raise ImportError(f"a relative import cannot work in a single file, line {line}")
        if name.partition(".")[0] not in self._allowed:
            raise ModuleNotFoundError(f"not available here: {name.partition('.')[0]}, line {line}")
        try:
            return builtins.__import__(name, module, local, fromlist, level)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
        except OSError:
            pass
        raise ModuleNotFoundError(f"not available here: {name}, line {line}")

    def do_global(self, name: str) -> Any:
        """A name that the learner's file defines. Raises LookupError when it does not."""
        if self._module is None or name not in self._module.__dict__:
            raise LookupError(name)
        return self._module.__dict__[name]

    def do_get(self, thing: Any, name: str) -> Any:
        """thing.name"""
        return getattr(thing, name)

    def do_set(self, thing: Any, name: str, value: Any) -> None:
        """thing.name = value"""
        setattr(thing, name, value)

    def do_delete(self, thing: Any, name: str) -> None:
        """del thing.name"""
        delattr(thing, name)

    def do_call(self, thing: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """thing(*arguments, **keywords)"""
        return thing(*arguments, **keywords)

    def do_operator(self, name: str, *arguments: Any) -> Any:
        """An operator or a builtin protocol function."""
        return _OPERATORS[name](*arguments)

    def do_setitem(self, thing: Any, key: Any, value: Any) -> None:
        """thing[key] = value"""
        thing[key] = value

    def do_delitem(self, thing: Any, key: Any) -> None:
        """del thing[key]"""
        del thing[key]

    def do_enter(self, thing: Any) -> Any:
        """The start of a with statement."""
        return type(thing).__enter__(thing)

    def do_exit(self, thing: Any) -> bool:
        """The end of a with statement whose block raised nothing."""
        return bool(type(thing).__exit__(thing, None, None, None))

    def do_isinstance(self, thing: Any, kind: Any) -> bool:
        """isinstance(thing, kind)"""
        return isinstance(thing, kind)

    def do_issubclass(self, thing: Any, kind: Any) -> bool:
        """issubclass(thing, kind)"""
        return issubclass(thing, kind)

    def do_equal(self, left: Any, right: Any) -> bool:
        """What the learner's own == says."""
        return bool(left == right)

    def do_text(self, thing: Any) -> str:
        """repr(thing), cut."""
        return repr(thing)[:MAX_TEXT]

    def do_upload(self, value: Any) -> Any:
        """Keep a plain value here."""
        return _Handle(value)

    def do_read(self, thing: Any) -> Any:
        """A copy of a value kept here."""
        return thing

    def do_watch(self, attribute: str, objects: dict[str, Any]) -> None:
        """Tell of each call of `attribute` on the objects, and make the call."""
        self._watched = True
        for key, thing in objects.items():
            _hook(thing, attribute, self._told(getattr(thing, attribute), key))

    def _told(self, original: Callable[..., Any], key: str) -> Callable[..., Any]:
        def told(*arguments: Any, **keywords: Any) -> Any:
            if self._watched:
                self._event(["call", key])
            return original(*arguments, **keywords)

        return told

    def do_unwatch(self) -> None:
        """The wrapped attributes stay, and are silent."""
        self._watched = False

    def do_run(self, program: list[Any], make: Any) -> Any:
        """Build a straight-line program; every value as a reference."""
        inputs, steps = program
        return _Handles(_perform(steps, [make(number) for number in inputs]))

    def do_attributes(self, things: list[Any], name: str) -> list[Any]:
        """Attribute `name` of every thing."""
        return [getattr(thing, name) for thing in things]

    def do_repeat(self, program: list[Any], start: Any, times: int) -> Any:
        """Feed a program its own result, `times` times."""
        _, steps = program
        for _ in range(times):
            start = _perform(steps, [start])[-1]
        return start


class _Handle:
    """Marks a value that must go out as a reference, whatever it is."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class _Handles:
    """Marks a list of values that must go out as references, whatever they are."""

    __slots__ = ("values",)

    def __init__(self, values: list[Any]) -> None:
        self.values = values


class _Reader:
    """Decodes the arguments of a request."""

    def __init__(self, objects: list[Any]) -> None:
        self._objects = objects
        self._tail = b""
        self._position = 0

    def values(self, coded: list[Any], tail: bytes) -> list[Any]:
        """The arguments that a request's `coded` stand for; `tail` holds the bytes of its arrays."""
        self._tail, self._position = tail, 0
        return list(map(self.value, coded))

    def value(self, coded: Any) -> Any:
        """The value that `coded` stands for."""
        if type(coded) is list:
            return [self.value(item) for item in coded]
        if type(coded) is not dict:
            return coded
        ((tag, content),) = coded.items()
        match tag:
            case "o":
                return self._objects[content]
            case "os":
                return [self._objects[number] for number in content]
            case "p":
                return content
            case "q":
                return self.value(content)
            case "t":
                return tuple(self.value(item) for item in content)
            case "s":
                return {self.value(item) for item in content}
            case "f":
                return frozenset(self.value(item) for item in content)
            case "d":
                return {key: self.value(item) for key, item in content.items()}
            case "b":
                return bytes.fromhex(content)
            case "slice":
                return slice(*(self.value(item) for item in content))
            case "...":
                return ...
            case "c":
                return complex(*content)
            case "type":
                return getattr(builtins, content)
        return self._array(*content)

    def _array(self, dtype: str, shape: list[int], size: int) -> Any:
        import numpy

        raw = self._tail[self._position : self._position + size]
        self._position += size
        return numpy.frombuffer(raw, dtype="<" + dtype).reshape(shape).copy()


def _container(kind: type) -> type | None:
    for base in (list, tuple, dict, set, frozenset):
        if kind is base:
            return base
        if issubclass(kind, base) and (
            kind.__module__ in ("collections", "typing") or hasattr(kind, "_fields")
        ):
            return base
    return None


def _perform(steps: list[Any], nodes: list[Any]) -> list[Any]:
    """Carry out the steps of a program on the values that are there, and add each result to them."""
    for name, coded in steps:
        arguments = [nodes[a] if type(a) is int else a[0] for a in coded]
        if name[0] == ".":
            nodes.append(getattr(arguments[0], name[1:])(*arguments[1:]))
        else:
            nodes.append(_OPERATORS[name](*arguments))
    return nodes


def _hook(thing: Any, attribute: str, wrapper: Callable[..., Any]) -> None:
    """Set the attribute on the object, or, where it has no room for one, answer for it in a subclass."""
    try:
        setattr(thing, attribute, wrapper)
        return
    except (AttributeError, TypeError):
        pass
    try:
        object.__setattr__(thing, attribute, wrapper)
        return
    except (AttributeError, TypeError):
        pass
    base = type(thing)
    body = {"__slots__": (), attribute: property(lambda self: wrapper), "__module__": base.__module__}
    thing.__class__ = type(base.__name__, (base,), body)


def _no_input(prompt: object = "") -> str:
    raise EOFError(f"input() has nobody to ask here, line {sys._getframe(1).f_lineno}")


def _leave(code: object = None) -> None:
    raise SystemExit(code)


def _imports_plainly(text: str, allowed: frozenset[str]) -> bool:
    """Whether each line that speaks of an import is one, and of what is available: nothing is to be left out.

    Found by looking at lines: to have the whole file as a tree takes longer than all else about a small one.
    """
    if "\\\n" in text or "\r" in text:  # lines that are not what they look like
        return False
    for line in text.split("\n"):
        if "import" in line:
            found = _PLAIN_IMPORT.fullmatch(line)
            if found is None or (found[1] or found[2]) not in allowed:
                return False
    return True


_PLAIN_IMPORT = re.compile(
    r"\s*(?:import\s+(\w+)(?:\s+as\s+\w+)?|from\s+(\w+)(?:\.\w+)*\s+import\s+\w+(?:\s*,\s*\w+)*)\s*(?:#.*)?"
)


def _leave_out_unused(tree: ast.Module, allowed: frozenset[str]) -> list[str]:
    """Blank the imports of what is not available and never used; a note for each."""
    missing = [node for node in ast.walk(tree) if _missing_module(node, allowed)]
    if not missing:
        return []
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    notes: list[str] = []
    for holder in ast.walk(tree):
        for block in ("body", "orelse"):
            statements = getattr(holder, block, None)
            if not isinstance(statements, list) or isinstance(holder, ast.Try):
                continue
            for i, node in enumerate(statements):
                if node in missing and not _bound_names(node) & used:
                    statements[i] = ast.copy_location(ast.Pass(), node)
                    notes.append(
                        f"line {node.lineno}: `{_missing_module(node, allowed)}` is not available here, "
                        "and not used: the import is left out"
                    )
    return notes


def _missing_module(node: ast.AST, allowed: frozenset[str]) -> str:
    if isinstance(node, ast.Import):
        tops = [alias.name.partition(".")[0] for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and not node.level:
        tops = [(node.module or "").partition(".")[0]]
    else:
        return ""
    return next((top for top in tops if top not in allowed), "")


def _bound_names(node: ast.AST) -> set[str]:
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return set()
    return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}


def import_modules(names: list[str], also: Sequence[str] = ()) -> None:
    """Import what the learner's file will, before the worker locks itself. Failures wait for the file.

    Only the standard library and the packages `also` are looked at, and never a module that is a program or
    a test: what it does when it is imported would be done while files are still open.
    """
    for name in names:
        package, _, part = name.rpartition(".")
        if package in sys.modules and part in vars(sys.modules[package]):
            continue  # it is there, and mostly no module
        top, *rest = name.split(".")
        if (top in STANDARD or top in also) and not _PROGRAMS.intersection(rest):
            try:
                __import__(name)
            except BaseException:
                continue
