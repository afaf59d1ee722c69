"""What a grader file imports. Standard library only.

A check is a function whose parameters are names that the learner defines (or `rng`, a seeded
`random.Random`). Its body arranges, acts once, and asserts with the learner's value on the left.
The objects it gets live in another process: the words below are how a check speaks about them.
"""

from __future__ import annotations

import builtins
import copy
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol, TypeVar

from handgrad.program import Constant, Graph, Program, Step, apply

__all__ = [
    "Constant",
    "Graph",
    "Program",
    "Step",
    "calls_of",
    "check",
    "equal",
    "near",
    "numeric_gradient",
    "raises",
    "read",
    "repeat",
    "run",
    "there",
]

F = TypeVar("F", bound=Callable[..., None])


class Link(Protocol):
    """The other side, as the words of this module need it. `judge/proxy.py` implements it."""

    def equal(self, left: Any, right: Any) -> bool:
        """Ask the learner's `==`."""

    def read(self, thing: Any) -> Any:
        """Copy a value that lives there back."""

    def upload(self, value: Any) -> Any:
        """Put a plain value there; a proxy for it."""

    def watch(self, attribute: str, objects: Mapping[str, Any]) -> dict[str, int]:
        """Start counting calls of `attribute` on each object; the dict fills while they happen."""

    def unwatch(self) -> None:
        """Stop counting."""

    def run(self, program: Program, make: Any) -> Graph:
        """Build the whole program in one request."""

    def repeat(self, program: Program, start: Any, times: int) -> Any:
        """Apply the program `times` times in one request."""


def check(*, points: int, hint: str | Sequence[str]) -> Callable[[F], F]:
    """Mark a function as a check worth `points` (a whole number, 0 allowed).

    `hint` is one sentence, or a ladder of them from a nudge to nearly the answer.
    Raises TypeError or ValueError for points that are no whole number from 0, or an empty hint.
    """
    if type(points) is not int:
        raise TypeError("`points` must be a whole number")
    if points < 0:
        raise ValueError("`points` must not be negative")
    hints = (hint,) if isinstance(hint, str) else tuple(hint)
    if not hints or not all(isinstance(h, str) and h.strip() for h in hints):
        raise ValueError("`hint` must be a sentence, or several")

    def mark(function: F) -> F:
        function.__handgrad_check__ = (points, hints)  # type: ignore[attr-defined]
        return function

    return mark


class near:  # noqa: N801  (a word of the vocabulary, read as `assert a.grad == near(6.0)`)
    """Equal up to rounding: |got - x| <= max(rel * |x|, abs). NaN is near nothing.

    `x` is a number, an array (the shape must be the same), or a list, tuple or dict of them. An array
    without axes holds one number, and counts as it.
    """

    __array_ufunc__ = None  # so that `array == near(x)` asks us, not NumPy
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, x: Any, rel: float = 1e-9, abs: float = 1e-12) -> None:
        self.x, self.rel, self.abs = x, rel, abs
        self._close_floats = partial(math.isclose, rel_tol=rel, abs_tol=abs)

    def __eq__(self, got: object) -> bool:
        return self._close(got, self.x)

    def __repr__(self) -> str:
        return repr(self.x)

    def _close(self, got: Any, want: Any) -> bool:
        if type(got) is type(want) is float:
            return self._close_floats(got, want)
        if isinstance(want, dict):
            return (
                type(got) is dict
                and got.keys() == want.keys()
                and all(self._close(got[k], want[k]) for k in want)
            )
        if isinstance(want, (list, tuple)):
            if type(got) is list and len(got) == len(want) and {float}.issuperset(map(type, (*got, *want))):
                return all(map(self._close_floats, got, want))
            return (
                isinstance(got, (list, tuple))
                and len(got) == len(want)
                and all(self._close(g, w) for g, w in zip(got, want, strict=True))
            )
        if hasattr(want, "shape"):
            return self._close_arrays(got, want)
        if type(got) not in (int, float):
            got = _number(got)
        try:
            return got is not None and self._close_floats(got, want)
        except OverflowError:  # a whole number beyond every float
            return bool(got == want)

    def _close_arrays(self, got: Any, want: Any) -> bool:
        import numpy as np

        if isinstance(got, (int, float)) and want.shape == ():
            got = np.asarray(got)
        if type(got) is not np.ndarray or got.shape != want.shape:
            return False
        if got.dtype.kind not in "iuf":
            return False
        return bool(np.all(np.isclose(got, want, rtol=self.rel, atol=self.abs)))


def _number(got: Any) -> float | None:
    """The number in a NumPy number or an array without axes (where plain code has a float), or None."""
    kind = type(got)
    if kind.__module__ != "numpy" or (kind.__name__ != "ndarray" and kind.__name__ not in _NUMPY_NUMBERS):
        return None
    return float(got) if got.shape == () and got.dtype.kind in "iuf" else None


_NUMPY_NUMBERS = frozenset(
    "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 longlong ulonglong".split()
)


@contextmanager
def raises(kind: type[BaseException]) -> Iterator[None]:
    """Pass when the block raises `kind`, a builtin exception class; fail when it does not."""
    if getattr(builtins, kind.__name__, None) is not kind:
        raise TypeError("`raises` takes a builtin exception class")
    try:
        yield
    except kind:
        return
    raise NotRaised(kind.__name__)


class NotRaised(Exception):
    """The block of `with raises(...)` ended without the exception."""


def _link(*things: Any) -> Link | None:
    for thing in things:
        find = getattr(type(thing), "__handgrad_link__", None)
        if find is not None:
            link: Link | None = find(thing)
            if link is not None:
                return link
    return None


def equal(left: Any, right: Any) -> bool:
    """What the learner's own `==` says of the two, as True or False."""
    link = _link(left, right)
    return bool(left == right) if link is None else link.equal(left, right)


@contextmanager
def calls_of(attribute: str, **objects: Any) -> Iterator[dict[str, int]]:
    """Count the calls of `attribute` on each of the named objects while the block runs.

    `with calls_of("_backward", c=c) as calls: c.backward()`, then `assert calls == {"c": 1}`.
    The objects keep the wrapped attribute afterwards; exceptions of the learner's pass through.
    """
    link = _link(*objects.values())
    if link is None:
        counts = dict.fromkeys(objects, 0)
        for name, thing in objects.items():
            setattr(thing, attribute, _counted(getattr(thing, attribute), name, counts))
        yield counts
        return
    counts = link.watch(attribute, objects)
    try:
        yield counts
    finally:
        link.unwatch()


def _counted(original: Callable[..., Any], name: str, counts: dict[str, int]) -> Callable[..., Any]:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        counts[name] += 1
        return original(*args, **kwargs)

    return wrapped


class There:
    """A plain value on its way to the learner's side, where their code can change it."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.link: Link | None = None
        self.proxy: Any = None

    def send(self, link: Link) -> Any:
        """The proxy of the value behind `link`, put there at the first use."""
        if self.link is not link:
            self.link, self.proxy = link, link.upload(self.value)
        return self.proxy


def there(value: Any) -> There:
    """Put a list or array where the learner's code can change it: pass what this gives to their functions."""
    return There(value)


def read(thing: Any) -> Any:
    """A plain copy of what `there` gave, as the learner's code left it."""
    if isinstance(thing, There):
        return copy.deepcopy(thing.value) if thing.link is None else thing.link.read(thing.proxy)
    link = _link(thing)
    return copy.deepcopy(thing) if link is None else link.read(thing)


def run(program: Program, make: Any) -> Graph:
    """Build the whole program out of `make(number)` objects, in one request."""
    link = _link(make)
    if link is not None:
        return link.run(program, make)
    nodes: list[Any] = [make(number) for number in program.inputs]
    for step in program.steps:
        nodes.append(apply(step.name, [nodes[a] if isinstance(a, int) else a.value for a in step.arguments]))
    return Graph(program, nodes, lambda name: [getattr(node, name) for node in nodes])


def repeat(function: Callable[[Any], Any], start: Any, times: int) -> Any:
    """Apply `function` to `start`, then to the result, `times` times, in one request.

    `function` is traced once: it may use operators, methods, numbers and objects it has at hand,
    as in `repeat(lambda x: x + x, a, 40)`; it cannot branch on the value.
    """
    link = _link(start)
    if link is not None:
        return link.repeat(Program.trace(function), start, times)
    for _ in range(times):
        start = function(start)
    return start


def numeric_gradient(function: Callable[..., float], at: Any, h: float = 1e-6) -> Any:
    """The gradient of `function` by central difference: (f(x + h) - f(x - h)) / 2h, for each coordinate.

    `at` is a number, a sequence of them (then `function` takes that many arguments), or an array
    (then it takes one array, and the gradient has its shape).
    """
    if isinstance(at, (int, float)):
        return (function(at + h) - function(at - h)) / (2 * h)
    if hasattr(at, "shape"):
        return _array_gradient(function, at, h)
    point = [float(x) for x in at]
    slopes: list[float] = []
    for i, x in enumerate(point):
        up, down = [*point[:i], x + h, *point[i + 1 :]], [*point[:i], x - h, *point[i + 1 :]]
        slopes.append((function(*up) - function(*down)) / (2 * h))
    return slopes


def _array_gradient(function: Callable[..., float], at: Any, h: float) -> Any:
    import numpy as np

    gradient = np.zeros(at.shape)
    for position in np.ndindex(*at.shape):
        up, down = np.array(at, dtype=float), np.array(at, dtype=float)
        up[position] += h
        down[position] -= h
        gradient[position] = (function(up) - function(down)) / (2 * h)
    return gradient
