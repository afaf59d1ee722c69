"""A proxy forwards every operator and protocol with arrays on either side: what comes back is what NumPy gives.

The learner's class keeps an array and hands every operation on to it, so that each answer can be
computed here as well, without any proxy.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from handgrad.check import equal, read, there
from handgrad.judge.proxy import Link, Proxy
from handgrad.model import Limits
from handgrad.sandbox.starter import open_starter

LEARNER = """
import operator

import numpy as np

def quiet(name, left, right):
    with np.errstate(all="ignore"):  # a warning is output, and a check may print only so much
        return getattr(operator, name)(left, right)

class Box:
    __array_ufunc__ = None

    def __init__(self, a):
        self.a = a

    def __len__(self): return len(self.a)
    def __iter__(self): return iter(self.a)
    def __contains__(self, x): return x in self.a
    def __getitem__(self, k): return self.a[k]
    def __setitem__(self, k, v): self.a[k] = v
    def __call__(self, *arguments, **keywords): return [self.a, list(arguments), keywords]
    def __enter__(self): return self.a
    def __exit__(self, *exception): self.a = -self.a
    def __eq__(self, other): return bool((self.a == getattr(other, "a", other)).all())
    def __neg__(self): return Box(-self.a)
    def __pos__(self): return Box(+self.a)
    def __abs__(self): return Box(abs(self.a))
    def __reversed__(self): return self.a[::-1]

def forward(name, plain=False):
    def there(self, other):
        result = quiet(name, self.a, getattr(other, "a", other))
        return result if plain else Box(result)
    def back(self, other):
        return Box(quiet(name, other, self.a))
    return there, back

for name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
    word = name.rstrip("_")
    there, back = forward(name)
    setattr(Box, f"__{word}__", there)
    setattr(Box, f"__r{word}__", back)
for name in "lt le gt ge".split():
    setattr(Box, f"__{name}__", forward(name, plain=True)[0])
for name in "iadd isub imul itruediv imatmul".split():
    def change(self, other, name=name):
        self.a = quiet(name, self.a, getattr(other, "a", other))
        return self
    setattr(Box, f"__{name}__", change)
"""
REAL = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
WHOLE = ("and_", "or_", "xor", "lshift", "rshift")
ORDER = ("lt", "le", "gt", "ge")
CHANGING = ("iadd", "isub", "imul", "itruediv")
SHAPES = arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4, min_side=0)
few = settings(max_examples=30)


@pytest.fixture(scope="module", params=[0, None], ids=["in-process", "worker"])
def link(request: pytest.FixtureRequest) -> Iterator[Link]:
    with open_starter(request.param, preload=("numpy",)) as starter:
        link = Link(starter.start(Limits(), imports=(), probes=()))
        link.channel.limit(600.0, 600.0)
        link.load({"solution.py": LEARNER}, ("numpy",))
        yield link
        link.channel.kill()


def floats(shape: Any) -> st.SearchStrategy[np.ndarray]:
    return arrays.arrays("f8", shape, elements=st.floats(0.5, 4.0) | st.floats(-4.0, -0.5))


def small(shape: Any) -> st.SearchStrategy[np.ndarray]:
    return arrays.arrays(st.sampled_from(["i4", "i8"]), shape, elements=st.integers(0, 7))


@st.composite
def pairs(draw: Any, elements: Callable[[Any], Any]) -> tuple[np.ndarray, np.ndarray]:
    left, right = draw(SHAPES).input_shapes
    return draw(elements(left)), draw(elements(right))


def same(got: Any, want: Any) -> bool:
    """Equal types, shapes and bits; a NumPy number counts as the plain number it arrives as."""
    if isinstance(want, np.generic):
        want = np.asarray(want)
        got = np.asarray(got, dtype=want.dtype) if type(got) in (int, float, bool) else got
    return (
        type(got) is np.ndarray
        and (got.dtype, got.shape) == (want.dtype, want.shape)
        and got.tobytes() == want.tobytes()
    )


def apply(name: str, left: Any, right: Any) -> Any:
    with np.errstate(all="ignore"):
        return getattr(operator, name)(left, right)


@few
@given(name=st.sampled_from(REAL), operands=pairs(floats))
def test_arithmetic_with_an_array_on_either_side(link: Link, name: str, operands: Any) -> None:
    """proxy op array, array op proxy and proxy op proxy give the learner's own results."""
    a, b = operands
    box = link.name("Box")
    want = apply(name, a, b)

    got = [apply(name, box(a), b).a, apply(name, a, box(b)).a, apply(name, box(a), box(b)).a]

    assert [same(each, want) for each in got] == [True, True, True]


@few
@given(name=st.sampled_from(WHOLE), operands=pairs(small))
def test_bits_with_an_array_on_either_side(link: Link, name: str, operands: Any) -> None:
    """The operators of whole numbers are forwarded as well."""
    a, b = operands
    box = link.name("Box")

    got = [apply(name, box(a), b).a, apply(name, a, box(b)).a]

    assert [same(each, apply(name, a, b)) for each in got] == [True, True]


@few
@given(name=st.sampled_from(ORDER), operands=pairs(floats))
def test_order_with_an_array_on_either_side(link: Link, name: str, operands: Any) -> None:
    """An array on the left asks the learner's mirrored comparison."""
    a, b = operands
    box = link.name("Box")

    got = [apply(name, box(a), b), apply(name, a, box(b))]

    assert [same(each, apply(name, a, b)) for each in got] == [True, True]


@few
@given(data=st.data(), sides=st.tuples(*[st.integers(0, 4)] * 3))
def test_matrix_products_on_either_side(link: Link, data: Any, sides: tuple[int, int, int]) -> None:
    """`@` is forwarded with matrices and vectors, empty ones too."""
    m, n, k = sides
    a = data.draw(floats(data.draw(st.sampled_from([(m, n), (n,), (2, m, n)]))))
    b = data.draw(floats(data.draw(st.sampled_from([(n, k), (n,)]))))
    box = link.name("Box")

    got = [(box(a) @ b).a, (a @ box(b)).a]

    assert [np.shape(each) for each in got] == [np.shape(a @ b)] * 2
    assert all(np.allclose(each, a @ b, rtol=1e-12) for each in got)


@few
@given(name=st.sampled_from(CHANGING), operands=pairs(floats))
def test_changing_in_place_with_an_array(link: Link, name: str, operands: Any) -> None:
    """The object stays the same object, and the array that was sent does not change."""
    a, b = operands
    assume(np.broadcast_shapes(a.shape, b.shape) == a.shape)
    proxy = link.name("Box")(a)

    got = apply(name, proxy, b)

    assert got is proxy
    assert same(proxy.a, apply(name.removeprefix("i"), a, b))
    assert same(link.name("Box")(a).a, a)


@few
@given(a=floats(arrays.array_shapes(min_dims=0, max_side=4, min_side=0)))
def test_what_takes_one_operand(link: Link, a: np.ndarray) -> None:
    """Signs and absolute values of arrays of any shape."""
    proxy = link.name("Box")(a)

    got = [(-proxy).a, (+proxy).a, abs(proxy).a]

    assert [same(each, want) for each, want in zip(got, [-a, +a, abs(a)], strict=True)] == [True] * 3


@few
@given(data=st.data(), a=floats(arrays.array_shapes(max_dims=3, max_side=4)))
def test_every_kind_of_index(link: Link, data: Any, a: np.ndarray) -> None:
    """Numbers, slices, `...`, new axes, arrays of places and of truth values reach the learner's code."""
    where = data.draw(
        arrays.basic_indices(a.shape, allow_newaxis=True, allow_ellipsis=True)
        | arrays.integer_array_indices(a.shape)
        | arrays.arrays("?", a.shape)
    )
    proxy = link.name("Box")(a)

    got = proxy[where]

    assert same(got, a[where])


@few
@given(data=st.data(), a=floats(arrays.array_shapes(max_dims=2, max_side=4)))
def test_writing_through_an_index(link: Link, data: Any, a: np.ndarray) -> None:
    """The learner's copy changes, ours does not."""
    where = data.draw(arrays.basic_indices(a.shape))
    proxy = link.name("Box")(a)
    mine = a.copy()

    proxy[where] = 9.0

    mine[where] = 9.0
    assert same(proxy.a, mine)


@few
@given(a=floats(arrays.array_shapes(max_dims=2, max_side=4)))
def test_length_iteration_and_membership(link: Link, a: np.ndarray) -> None:
    """Rows arrive one by one, as arrays, or as numbers where an array has one axis."""
    proxy = link.name("Box")(a)

    rows, length, inside = list(proxy), len(proxy), float(a.flat[0]) in proxy

    assert (length, inside) == (len(a), True)
    assert [same(row, want) for row, want in zip(rows, a, strict=True)] == [True] * len(a)
    assert same(reversed(proxy), a[::-1])


@few
@given(operands=pairs(floats))
def test_calls_attributes_and_with(link: Link, operands: Any) -> None:
    """Arrays go in and out as arguments, keywords, attributes and the value of a `with`."""
    a, b = operands
    proxy = link.name("Box")(a)
    proxy.b = b

    mine, arguments, keywords = proxy(b, [a], other=b)
    with proxy as inside:
        pass

    assert [same(each, want) for each, want in ((mine, a), (inside, a), (proxy.b, b))] == [True] * 3
    assert [same(each, want) for each, want in ((arguments[0], b), (arguments[1][0], a))] == [True, True]
    assert same(keywords["other"], b)
    assert same(proxy.a, -a)


@few
@given(a=floats(arrays.array_shapes(max_dims=2, max_side=3)))
def test_equality_is_identity_unless_it_is_asked_for(link: Link, a: np.ndarray) -> None:
    """`==` with an array on either side asks nobody; `equal` asks the learner."""
    box = link.name("Box")
    proxy = box(a)

    assert (proxy == a) is False
    assert (a == proxy) is False
    assert equal(proxy, a) is True
    assert equal(proxy, box(a + 1.0)) is False


@few
@given(a=floats(arrays.array_shapes(max_dims=2, max_side=3)))
def test_an_array_put_there_is_one_object(link: Link, a: np.ndarray) -> None:
    """Two boxes around one uploaded array share it; reading gives a copy."""
    box = link.name("Box")
    upload = there(a)
    first, second = box(upload), box(upload)

    first[...] = 3.0

    assert type(upload.send(link)) is Proxy
    assert same(read(upload), np.full(a.shape, 3.0))
    assert same(second.a, np.full(a.shape, 3.0))


def test_numpy_takes_no_address_from_the_other_side() -> None:
    """`__array_interface__` is looked up on the object itself, and its answer is memory that is read."""
    asked: list[str] = []

    class Liar:
        def request(self, word: str, *arguments: Any) -> Any:
            asked.append(arguments[-1] if word == "get" else word)
            raise AttributeError(word)

    with pytest.raises((AttributeError, TypeError, ValueError)):
        np.zeros((4, 3)) - [Proxy(Liar(), 1, "Thing")]  # type: ignore[arg-type]

    assert not [name for name in asked if name.startswith("__array")]
