"""Straight-line programs: a list of operations on numbered values, each made from earlier ones.

A `Program` is the graph a check wants built, written down as data: it can be drawn at random,
evaluated and differentiated on this side, and built out of the learner's objects in one request.
"""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

OPERATORS: Final[dict[str, Callable[..., Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "@": operator.matmul,
    "neg": operator.neg,
}


METHOD_LIMIT: Final = 4.0


class Constant(NamedTuple):
    """A plain number (or a remote object) among the arguments of a step."""

    value: Any


class Step(NamedTuple):
    """One operation: a key of OPERATORS, or a method as `.tanh`. An int argument names an earlier value."""

    name: str
    arguments: tuple[int | Constant, ...]


class _Known(NamedTuple):
    """What is known of a program already: every value, and the adjoint of the last by each of them."""

    values: list[float]
    adjoints: list[float]

    @staticmethod
    def total(programs: Sequence[Program]) -> _Known | None:
        """What is known of `Program.total` without its sums, where it is known of each part."""
        parts = [(program._known, len(program.inputs)) for program in programs if program._known]
        if len(parts) < len(programs):
            return None
        inputs = [_Known(known.values[:n], known.adjoints[:n]) for known, n in parts]
        steps = [_Known(known.values[n:], known.adjoints[n:]) for known, n in parts]
        both = [*inputs, *steps]  # the inputs of all come first
        return _Known(
            [value for part in both for value in part.values],
            [adjoint for part in both for adjoint in part.adjoints],
        )


class Program:
    """`inputs` are values 0..n-1; step k makes value n+k. The last value is the result."""

    __slots__ = ("_known", "inputs", "steps")

    def __init__(self, inputs: tuple[float, ...], steps: tuple[Step, ...]) -> None:
        self.inputs, self.steps = inputs, steps
        self._known: _Known | None = None  # where drawing it took that anyway

    def __eq__(self, other: object) -> bool:
        return type(other) is Program and (self.inputs, self.steps) == (other.inputs, other.steps)

    def __hash__(self) -> int:
        return hash((self.inputs, self.steps))

    def __repr__(self) -> str:
        return f"Program(inputs={self.inputs!r}, steps={self.steps!r})"

    def __len__(self) -> int:
        """How many values there are, inputs among them."""
        return len(self.inputs) + len(self.steps)

    def names(self) -> tuple[str, ...]:
        """A short name for each value: a, b, c … for inputs and results alike, then v26, v27 …"""
        letters = "abcdefghijklmnopqrstuvwxyz"
        return tuple(letters[i] if i < len(letters) else f"v{i}" for i in range(len(self)))

    def values(self) -> list[float]:
        """Every value, in order, computed with floats."""
        if self._known is not None:
            return list(self._known.values)
        values: list[float] = list(self.inputs)
        for name, arguments in self.steps:
            values.append(_function(name)(*_numbers(arguments, values)))
        return values

    def adjoints(self, result: int = -1) -> list[float]:
        """The derivative of value `result` with respect to every value (0.0 where it does not depend on one).

        The reverse sweep over the numbered steps: no sorting, no objects. The tests hold it against forward
        accumulation (Baydin et al. 2018, section 3.1), which shares no idea with what learners are asked to
        write, and against differences.
        """
        if self._known is not None and result == -1:
            return list(self._known.adjoints)
        return _swept(self._slopes(self.values()), len(self), result)

    def _slopes(self, values: Sequence[float]) -> Slopes:
        found = []
        for (name, arguments), out in zip(self.steps, values[len(self.inputs) :], strict=True):
            slopes = _derivatives(name)(out, *_numbers(arguments, values))
            pairs = zip(arguments, slopes, strict=True)
            found.append([(source, slope) for source, slope in pairs if isinstance(source, int)])
        return found

    def lines(self, make: str) -> tuple[str, ...]:
        """The program as text, one assignment a line, as a learner would write it; `make` names the class."""
        names = self.names()
        head = [f"{names[i]} = {make}({value!r})" for i, value in enumerate(self.inputs)]
        body = [
            f"{names[len(self.inputs) + k]} = {_step_text(step, names)}" for k, step in enumerate(self.steps)
        ]
        return tuple(head + body)

    @staticmethod
    def trace(function: Callable[..., Any], inputs: Sequence[float] = (0.0,)) -> Program:
        """The program that `function` performs; `inputs` says on how many arguments, with what numbers."""
        recorder = _Recorder(len(inputs))
        result = function(*(Symbol(recorder, i) for i in range(len(inputs))))
        if not isinstance(result, Symbol):
            raise TypeError("the traced function must return a value computed from its argument")
        if result.position != recorder.length - 1:
            raise TypeError("the traced function must return the last value it computes")
        return Program(tuple(inputs), tuple(recorder.steps))

    @staticmethod
    def random(
        rng: random.Random,
        inputs: int = 3,
        operations: int = 20,
        names: Sequence[str] = ("+", "*", "-", "neg", ".tanh"),
        largest: float = 1e3,
    ) -> Program:
        """A program of `operations` steps in which values are used again and again.

        Every step leads to the result. Draws anew until all values and adjoints stay below `largest` and
        no input's adjoint is close to zero, so that a wrong order shows in the numbers. Methods get arguments
        of at most METHOD_LIMIT in size: beyond, a tanh is flat and its slope little but rounding.
        Raises ValueError when so few operations, or none that takes two values, cannot use every input.
        """
        two, one = _rules(tuple(names))
        if inputs < 1 or operations < inputs - 1 or not (two or one) or (inputs > 1 and not two):
            raise ValueError(
                f"{operations} operations out of {list(names)} cannot lead {inputs} inputs to one result"
            )
        while True:
            program, values, slopes = _draw(rng, inputs, operations, names, largest)
            if len(slopes) < operations:
                continue
            adjoints = _swept(slopes, len(program))
            if all(abs(a) < largest for a in adjoints) and all(abs(a) > 1e-3 for a in adjoints[:inputs]):
                program._known = _Known(values, adjoints)
                return program

    @staticmethod
    def total(programs: Sequence[Program]) -> Program:
        """One program for all: the inputs of each, then the steps of each, then the results added up.

        So a check can have many graphs built and walked in three requests. The adjoint of every value is
        what it was in its own program; the sums at the end have 1.0.
        """
        inputs = tuple(number for program in programs for number in program.inputs)
        steps: list[Step] = []
        results: list[int] = []
        first_input = 0
        for program in programs:
            first_step = len(inputs) + len(steps)
            places = [first_input + i for i in range(len(program.inputs))]
            places += [first_step + i for i in range(len(program.steps))]
            steps += [
                Step(name, tuple([places[a] if type(a) is int else a for a in arguments]))
                for name, arguments in program.steps
            ]
            results.append(places[-1])
            first_input += len(program.inputs)
        known = _Known.total(programs)
        while len(results) > 1:
            left, right, *rest = results
            steps.append(Step("+", (left, right)))
            results = [*rest, len(inputs) + len(steps) - 1]
            if known is not None:
                known.values.append(known.values[left] + known.values[right])
                known.adjoints.append(1.0)
        total = Program(inputs, tuple(steps))
        total._known = known
        return total


def apply(name: str, arguments: Sequence[Any]) -> Any:
    """Perform the step `name` on `arguments`: an operator, or a method call for `.name`."""
    if not name.startswith("."):
        return OPERATORS[name](*arguments)
    first, *rest = arguments
    if type(first) in (int, float):  # a class of a learner may be a float too
        return _function(name)(first, *rest)
    return getattr(first, name[1:])(*rest)


Slopes = list[list[tuple[int, float]]]  # for each step: every value in it, with the local derivative by it


def _swept(slopes: Slopes, length: int, result: int = -1) -> list[float]:
    """The adjoint of each of `length` values, from the last step to the first."""
    adjoints = [0.0] * length
    adjoints[result] = 1.0
    position = length
    for pairs in reversed(slopes):
        position -= 1
        adjoint = adjoints[position]
        if adjoint:
            for source, slope in pairs:
                adjoints[source] += slope * adjoint
    return adjoints


def _numbers(arguments: Sequence[int | Constant], values: Sequence[float]) -> list[Any]:
    """The arguments of a step as numbers."""
    return [values[a] if isinstance(a, int) else a.value for a in arguments]


def _function(name: str) -> Callable[..., Any]:
    """The step `name` on plain numbers."""
    return OPERATORS[name] if name in OPERATORS else getattr(math, name[1:])


def _derivatives(name: str) -> Callable[..., tuple[float, ...]]:
    """What gives, from the result and the arguments of the step `name`, its derivative by each argument."""
    if name not in _DERIVATIVES:
        raise ValueError(f"no derivative is known for the operation `{name}`")
    return _DERIVATIVES[name]


_DERIVATIVES: Final[dict[str, Callable[..., tuple[float, ...]]]] = {
    "+": lambda out, x, y: (1.0, 1.0),
    "-": lambda out, x, y: (1.0, -1.0),
    "*": lambda out, x, y: (y, x),
    "/": lambda out, x, y: (1.0 / y, -out / y),
    "**": lambda out, x, y: (y * x ** (y - 1), out * math.log(x) if x > 0 else math.nan),
    "neg": lambda out, x: (-1.0,),
    ".tanh": lambda out, x: (1.0 - out * out,),
}


@cache
def _rules(names: tuple[str, ...]) -> tuple[list[Rule], list[Rule]]:
    """The operations of two values, and those of one, that a program may be drawn from."""
    rules = [(name, _function(name), _derivatives(name)) for name in names]
    two = [rule for rule in rules if rule[0] in OPERATORS and rule[0] != "neg"]
    return two, [rule for rule in rules if rule not in two]


Rule = tuple[str, Callable[..., Any], Callable[..., tuple[float, ...]]]


def _step_text(step: Step, names: Sequence[str]) -> str:
    words = [names[a] if isinstance(a, int) else repr(a.value) for a in step.arguments]
    if step.name == "neg":
        return f"-{words[0]}"
    if step.name.startswith("."):
        return f"{words[0]}{step.name}({', '.join(words[1:])})"
    return f" {step.name} ".join(words)


def _draw(
    rng: random.Random, inputs: int, operations: int, names: Sequence[str], largest: float
) -> tuple[Program, list[float], Slopes]:
    """A candidate for `Program.random`, with values and slopes; cut short where one went out of bounds."""
    chance = rng.random  # int(chance() * n) is four times as fast as randrange(n)
    values = [round(rng.choice((-1, 1)) * rng.uniform(0.3, 1.6), 2) for _ in range(inputs)]
    numbers = tuple(values)
    two, one = _rules(tuple(names))
    steps: list[Step] = []
    slopes: Slopes = []
    unused = list(range(inputs))  # every value must be consumed, or it would not lead to the result
    for position in range(inputs, inputs + operations):
        must_join = len(unused) > inputs + operations - position
        joining = two and (must_join or not one or chance() < 0.8)  # chains alone have no order to get wrong
        taken = unused.pop(int(chance() * len(unused)))
        if joining:
            fresh = must_join or (unused and chance() < 0.3)
            other = unused[int(chance() * len(unused))] if fresh else int(chance() * position)
            left, right = (other, taken) if int(chance() * 2) else (taken, other)
            name, function, derivatives = two[int(chance() * len(two))]
            if name == "-" and left == right:
                name = "*"  # x - x is 0, and so would be all that flows through it
                function, derivatives = _function(name), _derivatives(name)
            x, y = values[left], values[right]
            value = function(x, y)
            by_left, by_right = derivatives(value, x, y)
            pairs = [(left, by_left), (right, by_right)]
            arguments: tuple[int, ...] = (left, right)
            if other in unused:
                unused.remove(other)
        else:
            name, function, derivatives = one[int(chance() * len(one))]
            x = values[taken]
            if name[0] == "." and abs(x) > METHOD_LIMIT:
                break
            value = function(x)
            pairs = [(taken, derivatives(value, x)[0])]
            arguments = (taken,)
        if not abs(value) < largest:
            break
        values.append(value)
        slopes.append(pairs)
        unused.append(position)
        steps.append(Step(name, arguments))
    return Program(numbers, tuple(steps)), values, slopes


class _Recorder:
    """Collects the steps that the symbols of one trace perform."""

    def __init__(self, inputs: int) -> None:
        self.length = inputs
        self.steps: list[Step] = []

    def record(self, name: str, *arguments: Any) -> Symbol:
        """Note one step and hand out the symbol of its result."""
        coded = tuple(a.position if isinstance(a, Symbol) else Constant(a) for a in arguments)
        self.steps.append(Step(name, coded))
        self.length += 1
        return Symbol(self, self.length - 1)


class Symbol:
    """Stands for a value while a function is traced: notes what is done to it."""

    __array_ufunc__ = None

    def __init__(self, recorder: _Recorder, position: int) -> None:
        self._recorder = recorder
        self.position = position

    def __getattr__(self, name: str) -> Callable[..., Symbol]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *arguments: self._recorder.record(f".{name}", self, *arguments)

    def __neg__(self) -> Symbol:
        return self._recorder.record("neg", self)

    def __add__(self, other: Any) -> Symbol:
        return self._recorder.record("+", self, other)

    def __radd__(self, other: Any) -> Symbol:
        return self._recorder.record("+", other, self)

    def __sub__(self, other: Any) -> Symbol:
        return self._recorder.record("-", self, other)

    def __rsub__(self, other: Any) -> Symbol:
        return self._recorder.record("-", other, self)

    def __mul__(self, other: Any) -> Symbol:
        return self._recorder.record("*", self, other)

    def __rmul__(self, other: Any) -> Symbol:
        return self._recorder.record("*", other, self)

    def __truediv__(self, other: Any) -> Symbol:
        return self._recorder.record("/", self, other)

    def __rtruediv__(self, other: Any) -> Symbol:
        return self._recorder.record("/", other, self)

    def __pow__(self, other: Any) -> Symbol:
        return self._recorder.record("**", self, other)

    def __matmul__(self, other: Any) -> Symbol:
        return self._recorder.record("@", self, other)

    def __rmatmul__(self, other: Any) -> Symbol:
        return self._recorder.record("@", other, self)


class Graph:
    """A program built out of a class's objects: one object a value, in the program's order.

    `read` asks all of them for one attribute at once. `graph[i]` is one object, `graph[-1]` the result.
    """

    def __init__(self, program: Program, nodes: Sequence[Any], read: Callable[[str], list[Any]]) -> None:
        self.program = program
        self._nodes = nodes
        self._read = read

    def __getitem__(self, position: int) -> Any:
        return self._nodes[position]

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._nodes)

    def read(self, name: str) -> list[Any]:
        """Attribute `name` of every object, as plain values, in the program's order."""
        return self._read(name)
