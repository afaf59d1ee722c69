"""The learner's objects, from outside: every operation on a `Proxy` is a request over the link.

Only plain data and further proxies come back, so nothing a learner defines is ever run, compared or
believed on this side: `==` between proxies is identity, and a proxy has no truth value and no number.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from handgrad.check import There
from handgrad.judge.wire import PLAIN, Decoder, Row, Violation, pack, unpack
from handgrad.program import Constant, Graph, Program, Symbol

MAX_EVENTS: Final = 100_000  # a check that counts calls counts a few


class Channel(Protocol):
    """A way to one worker. The sandbox implements it."""

    @property
    def level(self) -> int:
        """The sandbox level the worker is locked at."""

    @property
    def cpu_seconds(self) -> float:
        """What the worker has used, as read from outside."""

    def send(self, frame: bytes) -> None:
        """Hand one frame over. Raises Gone."""

    def receive(self) -> tuple[bytes, bytes]:
        """The next frame's JSON and tail. Raises Gone when none comes in time, or Violation."""

    def limit(self, cpu_seconds: float, wall_seconds: float) -> None:
        """Set the deadlines of what follows, once: they are never extended."""

    def kill(self) -> None:
        """End the worker and all it started."""


class Gone(Exception):
    """The worker ended, or was ended.

    `reason`: cpu, wall, exit, crash, memory, protocol, or lost (what started it died).
    """

    def __init__(self, reason: str, words: str) -> None:
        super().__init__(words)
        self.reason = reason


class Frame(NamedTuple):
    """A line of the learner's own files that was running."""

    file: str
    line: int
    name: str
    column: int = 0


class LearnerError(Exception):
    """The learner's code raised. `kind` is the exception's type name, `text` its message."""

    kind = ""
    text = ""
    place: Frame | None = None


class ProxyMisuse(Exception):
    """A check used one of the learner's objects where only plain data can be judged."""


def _learner_errors() -> dict[str, type[LearnerError]]:
    """For each plain builtin exception a LearnerError that is one too, so that `except IndexError` works."""
    found: dict[str, type[LearnerError]] = {}
    for name, kind in vars(builtins).items():
        if (
            isinstance(kind, type)
            and issubclass(kind, Exception)
            and not issubclass(kind, (OSError, UnicodeError))
        ):
            if issubclass(kind, (ExceptionGroup, SyntaxError, ImportError)) or kind is Exception:
                continue
            found[name] = type(name, (LearnerError, kind), {})
    return found


_ERRORS: Final = _learner_errors()


class Link:
    """One worker, with the learner's files loaded in it, as the words of `check.py` use it."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.requests = 0
        self.output: list[str] = []
        self._output_room = 0
        self.running: Frame | None = None  # where the worker was when its time ran out
        self.last_read: tuple[Any, str, Any] | None = None
        self._proxies: dict[int, Proxy] = {}
        self._counts: dict[str, int] = {}
        self._writer = _Writer(self)

    # requests ---------------------------------------------------------------------------------

    def request(self, name: str, *arguments: Any) -> Any:
        """Carry out one operation on the other side. Raises LearnerError, Gone."""
        self.requests += 1
        coded, tail = self._writer.values(arguments)
        self.channel.send(pack([self.requests, name, *coded], tail))
        try:
            return self._reply()
        except Violation as violation:
            self.channel.kill()
            raise Gone("protocol", str(violation)) from None

    def _reply(self) -> Any:
        events = 0
        while True:
            body, tail = self.channel.receive()
            message = unpack(body)
            if type(message) is not list or not message:
                raise Violation("an answer of an unknown form")
            if type(message[0]) is int:
                return self._result(message, tail)
            events += 1
            if events > MAX_EVENTS:
                raise Violation("more events than any check asks for")
            self._event(message)

    def _result(self, message: list[Any], tail: bytes) -> Any:
        if message[0] != self.requests:
            raise Violation("an answer to another question")
        if message[1:2] == ["ok"] and len(message) == 3:
            if type(message[2]) in PLAIN and not tail:
                return message[2]
            decoder = Decoder(tail, self.proxy)
            value = decoder.value(message[2])
            decoder.finish()
            return value
        if message[1:2] == ["err"] and len(message) == 6:
            raise _learner_error(*message[2:])
        raise Violation("an answer of an unknown form")

    def _event(self, message: list[Any]) -> None:
        match message:
            case ["call", str(key)] if key in self._counts:
                self._counts[key] += 1
            case ["out", str(text)]:
                self.output.append(text)
                self._output_room -= len(text)
                if self._output_room < 0:
                    raise Violation("more output than the limit")
            case ["call", str()]:
                pass
            case ["at", str(file), int(line), str(name)] if 0 < line < 10_000_000:
                self.running = Frame(file[:200], line, name[:80])
            case _:
                raise Violation("an event of an unknown form")

    def proxy(self, number: int, type_name: str) -> Proxy:
        """The object of this number: the same each time."""
        proxy = self._proxies.get(number)
        if proxy is None:
            proxy = self._proxies[number] = Proxy(self, number, type_name)
        return proxy

    # a check begins and ends --------------------------------------------------------------------

    def load(self, files: Mapping[str, str], allowed: tuple[str, ...]) -> tuple[str, ...]:
        """Run the learner's files. Notes on what was left out. Raises LearnerError, Gone."""
        notes = self.request("load", dict(files), list(allowed))
        if type(notes) is not list or not all(type(note) is str for note in notes):
            raise Gone("protocol", "an answer of an unknown form")
        return tuple(note for note in notes[:20] if _LEFT_OUT.fullmatch(note))

    def begin(self, output_bytes: int) -> None:
        """Forget the output and the reads of the check before."""
        self.output, self.last_read = [], None
        self._output_room = 2 * output_bytes
        try:
            self.request("begin", output_bytes)
        except LearnerError:
            self.channel.kill()
            raise Gone("protocol", "an answer of an unknown form") from None

    def take_output(self) -> str:
        """All that was printed since `begin`, the middle left out where it was too much."""
        answer = self.request("output")
        head = "".join(self.output)
        if (
            type(answer) is not list
            or len(answer) != 2
            or type(answer[0]) is not int
            or type(answer[1]) is not str
        ):
            return head
        lost, tail = answer
        return f"{head}\n[{lost:,} lines left out]\n{tail}" if lost else head + tail

    def close(self) -> None:
        """End the worker, and let go of the objects that stood for its own."""
        self.channel.kill()
        self._proxies.clear()
        self.last_read = None

    def name(self, name: str) -> Any:
        """A name that the learner's files define. Raises LookupError when they do not."""
        return self.request("global", name)

    # the words of check.py ----------------------------------------------------------------------

    def equal(self, left: Any, right: Any) -> bool:
        """The learner's own `==`."""
        return self.request("equal", left, right) is True

    def upload(self, value: Any) -> Any:
        """A proxy of a plain value that now lives there."""
        return self.request("upload", value)

    def read(self, thing: Any) -> Any:
        """A plain copy of a value that lives there."""
        return self.request("read", thing)

    def watch(self, attribute: str, objects: Mapping[str, Any]) -> dict[str, int]:
        """Count the calls of `attribute` on the objects from now on."""
        self._counts = dict.fromkeys(objects, 0)
        self.request("watch", attribute, dict(objects))
        return self._counts

    def unwatch(self) -> None:
        """Count no longer."""
        try:
            self.request("unwatch")
        except (Gone, LearnerError):
            pass  # the block's own exception says more

    def run(self, program: Program, make: Any) -> Graph:
        """Build `program` out of `make(number)`; see `program.Graph`."""
        nodes = self.request("run", program, make)
        if type(nodes) is Row:
            row, nodes = nodes, _Nodes(self, nodes)
        elif type(nodes) is list and {Proxy}.issuperset(map(type, nodes)):
            row = Row([_number_of(node) for node in nodes])
        else:
            raise Gone("protocol", "an answer of an unknown form")
        if len(nodes) != len(program):
            raise Gone("protocol", "an answer of an unknown form")
        return Graph(program, nodes, lambda name: self._attributes(row, name))

    def _attributes(self, nodes: Row, name: str) -> list[Any]:
        values = self.request("attributes", nodes, name)
        if type(values) is not list or len(values) != len(nodes.numbers):
            raise Gone("protocol", "an answer of an unknown form")
        return values

    def repeat(self, program: Program, start: Any, times: int) -> Any:
        """`start`, put through `program` `times` times."""
        return self.request("repeat", program, start, times)


def _learner_error(kinds: Any, kind: Any, text: Any, places: Any) -> LearnerError:
    if type(kinds) is not list or type(kind) is not str or type(text) is not str or type(places) is not list:
        raise Violation("an error of an unknown form")
    known = next((_ERRORS[k] for k in kinds[:40] if type(k) is str and k in _ERRORS), LearnerError)
    error = known(text[:4000])
    error.kind, error.text = kind[:80], text[:4000]
    for place in places[-1:]:
        match place:
            case [str(file), int(line), str(name), int(column)] if 0 <= line < 10_000_000:
                error.place = Frame(file[:200], line, name[:80], max(0, min(column, 10_000)))
    return error


_LEFT_OUT: Final = re.compile(
    r"line [0-9]{1,7}: `[\w.]{1,100}` is not available here, and not used: [a-z ]{1,60}"
)
_CONTAINERS: Final[dict[Any, str]] = {tuple: "t", set: "s", frozenset: "f"}


class _Writer:
    """Codes the arguments of a request. They come from a grader: what cannot be coded is its fault."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._arrays: list[bytes] = []

    def values(self, arguments: Sequence[Any]) -> tuple[list[Any], bytes]:
        """The arguments of one request as the agent reads them, and the bytes of their arrays.

        Raises ProxyMisuse.
        """
        self._arrays = []
        coded = list(map(self.value, arguments))
        return coded, b"".join(self._arrays)

    def value(self, value: Any) -> Any:
        """`value` as the agent reads it. Raises ProxyMisuse."""
        kind = type(value)
        if kind in PLAIN:
            return value
        if kind is Proxy:
            return self._proxy(value)
        if kind is There:
            return self._proxy(value.send(self._link))
        if kind is list:
            return [self.value(item) for item in value]
        if kind is Row:
            return {"os": value.numbers}
        if kind is Program:
            return self._program(value)
        if kind is dict:
            return {"d": {key: self.value(item) for key, item in value.items()}}
        tag = _CONTAINERS.get(kind)
        if tag:
            return {tag: [self.value(item) for item in value]}
        if kind is slice:
            return {"slice": [self.value(v) for v in (value.start, value.stop, value.step)]}
        return self._rare(value)

    def _program(self, program: Program) -> Any:
        """Its inputs and its steps. "p" is to be taken as it stands, in "q" are values to be decoded.

        A step is [name, arguments], and an argument the number of an earlier value or [constant]: so JSON
        writes a Step and a Constant by itself.
        """
        constants = [a.value for _, arguments in program.steps for a in arguments if type(a) is Constant]
        if {float, int, bool}.issuperset(map(type, (*program.inputs, *constants))):
            return {"p": [program.inputs, program.steps]}
        steps = [
            [name, [[self.value(a.value)] if isinstance(a, Constant) else a for a in arguments]]
            for name, arguments in program.steps
        ]
        return {"q": [[self.value(value) for value in program.inputs], steps]}

    def _proxy(self, value: Proxy) -> Any:
        if _link_of(value) is not self._link:
            raise ProxyMisuse("an object of one worker was given to another")
        return {"o": _number_of(value)}

    def _rare(self, value: Any) -> Any:
        if value is ...:
            return {"...": 0}
        if type(value) is bytes:
            return {"b": value.hex()}
        if type(value) is complex:
            return {"c": [value.real, value.imag]}
        name = getattr(value, "__name__", "")
        if name and vars(builtins).get(name) is value:
            return {"type": name}
        if hasattr(value, "dtype") and hasattr(value, "tobytes"):
            return self._array(value)
        if isinstance(value, (range, Iterator)):
            return [self.value(item) for item in value]
        raise ProxyMisuse(f"a {type(value).__name__} cannot be given to the learner's code")

    def _array(self, value: Any) -> Any:
        import numpy as np

        if isinstance(value, np.generic):
            return self.value(value.item())
        if value.dtype.kind not in "biufc":
            raise ProxyMisuse(f"an array of type `{value.dtype}` cannot be given to the learner's code")
        little = np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False)
        raw = little.tobytes()
        self._arrays.append(raw)
        return {"a": [value.dtype.str[1:], list(value.shape), len(raw)]}


class Proxy:
    """One of the learner's objects. See the module's docstring for what it forwards and what it refuses."""

    __slots__ = ("handgrad_link", "handgrad_number", "handgrad_type")
    __array_ufunc__ = None  # so that `ndarray * proxy` asks the learner's __rmul__

    def __init__(self, link: Link, number: int, type_name: str) -> None:
        object.__setattr__(self, "handgrad_link", link)
        object.__setattr__(self, "handgrad_number", number)
        object.__setattr__(self, "handgrad_type", type_name)

    @staticmethod
    def __handgrad_link__(proxy: Proxy) -> Link:
        return _link_of(proxy)

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__") and name in _LOCAL:
            return object.__getattribute__(self, name)
        if name.startswith("__array_"):  # NumPy would take an address out of the answer, and read there
            raise AttributeError(name)
        link = _link_of(self)
        value = link.request("get", self, name)
        link.last_read = (self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        _link_of(self).request("set", self, name, value)

    def __delattr__(self, name: str) -> None:
        _link_of(self).request("delete", self, name)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return _link_of(self).request("call", self, list(arguments), keywords)

    def __instancecheck__(self, thing: Any) -> bool:
        return type(thing) is Proxy and _link_of(self).request("isinstance", thing, self) is True

    def __subclasscheck__(self, kind: Any) -> bool:
        return type(kind) is Proxy and _link_of(self).request("issubclass", kind, self) is True

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        raise ProxyMisuse(f"{_described(self)} stands where True or False was expected")

    def __float__(self) -> float:
        raise ProxyMisuse(f"{_described(self)} stands where a number was expected")

    __int__ = __index__ = __complex__ = __float__

    def __repr__(self) -> str:
        return f"<{_described(self)}>"

    def __len__(self) -> int:
        length = _link_of(self).request("operator", "len", self)
        if type(length) is not int or length < 0:
            raise ProxyMisuse("len() gave no whole number")
        return length

    def __contains__(self, item: Any) -> bool:
        return _link_of(self).request("operator", "in", self, item) is True

    def __setitem__(self, key: Any, value: Any) -> None:
        _link_of(self).request("setitem", self, key, value)

    def __delitem__(self, key: Any) -> None:
        _link_of(self).request("delitem", self, key)

    def __enter__(self) -> Any:
        return _link_of(self).request("enter", self)

    def __exit__(self, *exception: object) -> None:
        _link_of(self).request("exit", self)


class _Nodes(Sequence[Proxy]):
    """The objects of a row, each made when it is asked for: of a graph mostly one is."""

    def __init__(self, link: Link, row: Row) -> None:
        self._link, self._row = link, row

    def __len__(self) -> int:
        return len(self._row.numbers)

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return [self[i] for i in range(*position.indices(len(self)))]
        return self._link.proxy(self._row.numbers[position], self._row.type_name)


_link_of: Final[Callable[[Proxy], Link]] = Proxy.handgrad_link.__get__  # type: ignore[attr-defined]
_number_of: Final[Callable[[Proxy], int]] = Proxy.handgrad_number.__get__  # type: ignore[attr-defined]
_type_of: Final[Callable[[Proxy], str]] = Proxy.handgrad_type.__get__  # type: ignore[attr-defined]


def type_name(proxy: Proxy) -> str:
    """The name of the class that the learner's object says it has."""
    return _type_of(proxy)


def _described(proxy: Proxy) -> str:
    return f"an object of your class {_type_of(proxy)}"


def _forward(name: str, swapped: bool = False) -> Callable[..., Any]:
    def operation(self: Proxy, *others: Any) -> Any:
        if any(isinstance(other, Symbol) for other in others):
            return NotImplemented
        arguments = (*others, self) if swapped else (self, *others)
        return _link_of(self).request("operator", name, *arguments)

    return operation


_BINARY: Final = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "lshift": "<<",
    "rshift": ">>",
    "and": "&",
    "or": "|",
    "xor": "^",
    "divmod": "divmod",
}
_OTHER: Final = {
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "iadd": "+=",
    "isub": "-=",
    "imul": "*=",
    "itruediv": "/=",
    "ipow": "**=",
    "imatmul": "@=",
    "neg": "neg",
    "pos": "pos",
    "invert": "~",
    "abs": "abs",
    "round": "round",
    "getitem": "[]",
    "iter": "iter",
    "next": "next",
    "reversed": "reversed",
}
for _word, _sign in _BINARY.items():
    setattr(Proxy, f"__{_word}__", _forward(_sign))
    setattr(Proxy, f"__r{_word}__", _forward(_sign, swapped=True))
for _word, _sign in _OTHER.items():
    setattr(Proxy, f"__{_word}__", _forward(_sign))

# Names that Python itself looks up on any object; all others are the learner's.
_LOCAL: Final = frozenset(
    """__class__ __handgrad_link__ __instancecheck__ __subclasscheck__ __eq__ __ne__ __hash__ __repr__
    __bool__ __float__ __int__ __index__ __complex__ __array_ufunc__ __reduce_ex__ __reduce__ __dir__
    __format__ __str__ __getattribute__ __setattr__ __sizeof__ __slots__ __init__ __new__""".split()
)
