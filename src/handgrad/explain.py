"""A failed assert as one sentence: what was expected, what came out. Standard library only."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

MAX_VALUE: Final = 200  # characters of one value in a sentence
DEEPEST: Final = 30  # lists in lists
LARGE_ARRAY: Final = 12  # elements: of a larger array the first that differs is told


class AssertSite(NamedTuple):
    """Where an assert stands and what it says: `left sign right`; sign "" for a bare truth."""

    line: int
    left: str
    sign: str
    right: str


def sentence(
    site: AssertSite,
    left: Any,
    right: Any,
    *,
    situation: str = "",
    describe: Callable[[Any], str] = repr,
) -> str:
    """`with a = 3.0, a * a: expected a.grad to be 6.0, got 3.0`. `describe` shows a value."""
    where, got, want = first_difference(site.left, left, right)
    prefix = f"with {situation}: " if situation else ""
    shapes = _shape(got), _shape(_wanted(want))
    if site.sign == "==" and None not in shapes and shapes[0] != shapes[1]:
        return f"{prefix}expected {where} to have shape {shapes[1]}, got shape {shapes[0]}"
    shown, wanted = show(got, describe), show(want, describe)
    listed = type(got) in (list, tuple) and is_array(_wanted(want))
    if site.sign == "==" and (shown == wanted or listed):
        shown, wanted = _precisely(got, describe), _precisely(_wanted(want), describe)
    return prefix + _claim(where, site.sign, shown, wanted)


def _claim(where: str, sign: str, got: str, want: str) -> str:
    match sign:
        case "==" | "is":
            return f"expected {where} to be {want}, got {got}"
        case "!=" | "is not":
            return f"expected {where} not to be {want}"
        case "in":
            return f"expected {where} to be one of {want}, got {got}"
        case "not in":
            return f"expected {where} not to be among {want}, got {got}"
        case "":
            return f"expected {where} to hold, got {got}"
    return f"expected {where} {sign} {want}, got {got}"


def first_difference(where: str, left: Any, right: Any) -> tuple[str, Any, Any]:
    """Where two containers differ first, as (expression, got, wanted); the whole where none is better."""
    want = _wanted(right)
    again = _wrapper(right)
    if isinstance(want, dict) and type(left) is dict and left.keys() == want.keys():
        keys = [key for key in want if left[key] != again(want[key])]
        if keys and len(want) > 1:
            return first_difference(f"{where}[{keys[0]!r}]", left[keys[0]], again(want[keys[0]]))
    if isinstance(want, (list, tuple)) and type(left) in (list, tuple) and len(left) == len(want) > 3:
        for i, (got, wanted) in enumerate(zip(left, want, strict=True)):
            if not _same(got, again(wanted)):
                return first_difference(f"{where}[{i}]", got, again(wanted))
    if _shape(left) is not None and _shape(left) == _shape(want) and left.size > LARGE_ARRAY:
        return _first_element(where, left, want, again) or (where, left, right)
    return where, left, right


def _shape(value: Any) -> tuple[int, ...] | None:
    """The shape of an array; None for everything else."""
    return tuple(value.shape) if is_array(value) else None


def is_array(value: Any) -> bool:
    """Asks the type, never the value: one of the learner's objects would ask the learner's code."""
    return all(hasattr(type(value), name) for name in ("shape", "size", "tolist"))  # no memoryview


def _wanted(right: Any) -> Any:
    """What is wanted: near(x) wraps it."""
    return right.x if _is_near(right) else right


def _is_near(value: Any) -> bool:
    return type(value).__name__ == "near"


def _first_element(
    where: str, left: Any, want: Any, again: Callable[[Any], Any]
) -> tuple[str, Any, Any] | None:
    """The first place at which two arrays of one shape differ."""
    for i, (got, wanted) in enumerate(zip(left.ravel().tolist(), want.ravel().tolist(), strict=True)):
        if not _same(got, again(wanted)):
            place: list[int] = []
            for length in reversed(left.shape):
                i, at = divmod(i, length)
                place.insert(0, at)
            return f"{where}[{', '.join(map(str, place))}]", got, again(wanted)
    return None


def _same(got: Any, want: Any) -> bool:
    try:
        return bool(got == want)
    except Exception:  # noqa: BLE001  (what cannot be compared differs)
        return False


def _wrapper(right: Any) -> Callable[[Any], Any]:
    if not _is_near(right):
        return lambda value: value
    return lambda value: type(right)(value, rel=right.rel, abs=right.abs)


def head(value: Any, most: int) -> Any:
    """What of `value` its first `most` characters show: a list of millions is not written out to be cut."""
    left = most

    def cut(item: Any, depth: int) -> Any:
        nonlocal left
        left -= 1
        kind = type(item)
        if kind is str or kind is bytes:
            return item[:most]
        if kind not in (list, tuple, dict) or depth > DEEPEST:
            return item
        kept = []
        for part in item.items() if kind is dict else item:
            if left <= 0:
                break
            kept.append((part[0], cut(part[1], depth + 1)) if kind is dict else cut(part, depth + 1))
        return kind(kept)

    return cut(value, 0)


def show(value: Any, describe: Callable[[Any], str] = repr) -> str:
    """A value in a sentence: on one line, cut."""
    wanted = _wanted(value)
    if is_array(wanted):
        text = _array_text(wanted)
    else:
        text = " ".join(describe(head(wanted, MAX_VALUE)).split())
    return text if len(text) <= MAX_VALUE else f"{text[: MAX_VALUE - 2]} …"


def _precisely(value: Any, describe: Callable[[Any], str]) -> str:
    """A value with its kind and all its digits: where two look alike, that is what differs."""
    if is_array(value):
        digits = _array_text(value) if value.size > LARGE_ARRAY else show(value.tolist(), describe)
        return f"{digits} (an array of {value.dtype})"
    kind = f" (a {type(value).__name__})" if type(value) in (list, tuple, float, str) else ""
    return show(value, describe) + kind


def _array_text(array: Any) -> str:
    """The numbers as lists write them, six digits each; of a large array the shape alone."""
    if array.size > LARGE_ARRAY:
        return f"an array of shape {tuple(array.shape)}"
    if array.size == 0:
        return f"an empty array of shape {tuple(array.shape)}"
    return _nested(array.tolist())


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_nested(item) for item in value)}]"
    if isinstance(value, float) and math.isfinite(value):
        short = float(f"{value:.6g}")
        return repr(short if short != value or value == 0.0 else value)
    return repr(value)
