"""A proxy forwards what Python can do with an object, believes none of its answers but plain data, and
gives the same in-process, from a zygote's worker and from a plain subprocess."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from judging import WAYS, starter_of, submission

from handgrad.check import calls_of, equal, near, raises, read, repeat, run, there
from handgrad.judge.proxy import LearnerError, Link, ProxyMisuse
from handgrad.model import Limits
from handgrad.program import Program
from handgrad.sandbox.starter import open_starter

FILE = '''
import collections

class Number:
    """Knows every protocol."""
    def __init__(self, n): self.n = n; self.told = 0
    def __add__(self, o): return Number(self.n + getattr(o, "n", o))
    def __radd__(self, o): return Number(o + self.n + 0.5)
    def __sub__(self, o): return self.n - getattr(o, "n", o)
    def __rsub__(self, o): return o - self.n
    def __mul__(self, o): return Number(self.n * getattr(o, "n", o))
    def __rmul__(self, o): return ("rmul", self.n)
    def __truediv__(self, o): return self.n / o
    def __rtruediv__(self, o): return o / self.n
    def __floordiv__(self, o): return self.n // o
    def __mod__(self, o): return self.n % o
    def __divmod__(self, o): return divmod(self.n, o)
    def __pow__(self, o): return self.n ** o
    def __rpow__(self, o): return o ** self.n
    def __matmul__(self, o): return ("matmul", o)
    def __rmatmul__(self, o): return ("rmatmul", o)
    def __lshift__(self, o): return "<<"
    def __and__(self, o): return "&"
    def __xor__(self, o): return "^"
    def __ror__(self, o): return "r|"
    def __neg__(self): return -self.n
    def __pos__(self): return self.n
    def __invert__(self): return "~"
    def __abs__(self): return abs(self.n)
    def __round__(self, d=0): return ("round", d)
    def __lt__(self, o): return self.n < o
    def __le__(self, o): return self.n <= o
    def __gt__(self, o): return self.n > o
    def __ge__(self, o): return self.n >= o
    def __iadd__(self, o): self.n += o; return self
    def __getitem__(self, k): return ("item", k)
    def __setitem__(self, k, v): self.set = (k, v)
    def __delitem__(self, k): self.deleted = k
    def __len__(self): return 3
    def __iter__(self): return iter([1, self])
    def __reversed__(self): return iter("cba")
    def __contains__(self, x): return x == self.n
    def __call__(self, *a, **k): return [list(a), k]
    def __enter__(self): self.entered = True; return self
    def __exit__(self, *e): self.left = True
    def __eq__(self, o): return isinstance(o, Number) and self.n == o.n
    __hash__ = None
    def tell(self): self.told += 1; return self.told
    def fail(self): raise KeyError("no such thing")
    def itself(self): return self

class Child(Number): pass
class Liar(float):
    def __eq__(self, o): return True
    def __hash__(self): return 1
class Everything:
    def __eq__(self, o): return True
    def __bool__(self): return True
    def __float__(self): return 1.0
Pair = collections.namedtuple("Pair", "x y")

def odd():
    return {"liar": Liar(1.0), "all": Everything(), "pair": Pair(1, 2), "count": collections.Counter(a=2),
            "huge": 10 ** 5000, "big": 10 ** 300, "complex": 1j, "nan": float("nan"), "bytes": b"x",
            "numbers": {1: 2}, "set": {1}, "frozen": frozenset([2]), "lone": "\\ud800", "flag": True}

def deep(n):
    x = []
    for _ in range(n): x = [x]
    return x
def add_to(items): items.append(len(items)); return items
def forever():
    while True: yield 1
class Slots:
    __slots__ = ("n",)
    def __init__(self, n): self.n = n
    def tell(self): return self.n
'''


@pytest.fixture(scope="module", params=WAYS)
def link(request: pytest.FixtureRequest) -> Iterator[Link]:
    """FILE, loaded in a worker that was started in each way."""
    with starter_of(request.param) as starter:
        link = Link(starter.start(Limits(), imports=("collections",), probes=()))
        link.begin(65536)
        link.load({"solution.py": submission(FILE).text}, ())
        yield link


@pytest.fixture
def number(link: Link) -> Any:
    """A Number of 6."""
    return link.name("Number")(6)


OPERATIONS = {
    "n + 1": lambda n: (n + 1).n == 7,
    "1 + n": lambda n: (1 + n).n == 7.5,
    "n - 1": lambda n: n - 1 == 5,
    "1 - n": lambda n: 1 - n == -5,
    "n * n": lambda n: (n * n).n == 36,
    "2 * n": lambda n: 2 * n == ("rmul", 6),
    "n / 4": lambda n: n / 4 == 1.5,
    "3 / n": lambda n: 3 / n == 0.5,
    "n // 4": lambda n: n // 4 == 1,
    "n % 4": lambda n: n % 4 == 2,
    "divmod": lambda n: divmod(n, 4) == (1, 2),
    "n ** 2": lambda n: n**2 == 36,
    "2 ** n": lambda n: 2**n == 64,
    "n @ 1": lambda n: n @ 1 == ("matmul", 1),
    "1 @ n": lambda n: 1 @ n == ("rmatmul", 1),
    "bits": lambda n: (n << 1, n & 1, n ^ 1, 1 | n) == ("<<", "&", "^", "r|"),
    "unary": lambda n: (
        (-n, +n, ~n, abs(n), round(n), round(n, 2)) == (-6, 6, "~", 6, ("round", 0), ("round", 2))
    ),
    "ordering": lambda n: (n < 7, n <= 5, n > 5, n >= 7) == (True, False, True, False),
    "n[...]": lambda n: (n[1], n[1:2], n["a", 2]) == (("item", 1), ("item", slice(1, 2)), ("item", ("a", 2))),
    "len": lambda n: len(n) == 3,
    "in": lambda n: 6 in n and 7 not in n,
    "iter": lambda n: [x is n or x for x in n] == [1, True],
    "reversed": lambda n: list(reversed(n)) == ["c", "b", "a"],
    "call": lambda n: n(1, [2], k=3) == [[1, [2]], {"k": 3}],
    "method": lambda n: (n.tell(), n.tell(), n.told) == (1, 2, 2),
    "same": lambda n: n.itself() is n and n.itself() == n and n == n and not (n != n),  # noqa: SIM202  (both operators are asked)
    "not equal": lambda n: n != 6 and n + 0 != n,
    "hash": lambda n: {n: 1}[n] == 1,
}


@pytest.mark.parametrize("name", [o for o in OPERATIONS if o != "n[...]"])
def test_a_proxy_forwards(name: str, number: Any) -> None:
    """Every operator and protocol reaches the learner's own method."""
    assert OPERATIONS[name](number)


def test_subscripts_reach_the_learner(number: Any) -> None:
    """Plain keys come back as they were; a slice is no plain data, so it comes back as a reference."""
    assert (number[1], number["a", 2]) == (("item", 1), ("item", ("a", 2)))
    assert type(number[1:2][1]).__name__ == "Proxy"


def test_items_and_attributes_can_be_set_and_deleted(number: Any) -> None:
    """Assignment and deletion are requests too."""
    number["k"] = 1
    del number[2]
    number.extra = [1.5]
    del number.told

    assert (number.set, number.deleted, number.extra) == (("k", 1), 2, [1.5])
    assert not hasattr(number, "told")


def test_a_with_statement_enters_and_leaves(number: Any) -> None:
    """The learner's __enter__ and __exit__ are called."""
    with number as entered:
        pass

    assert entered is number
    assert (number.entered, number.left) == (True, True)


def test_in_place_addition_changes_the_same_object(number: Any) -> None:
    """`+=` asks __iadd__ and keeps the object it returns."""
    same = number

    number += 4

    assert number is same
    assert number.n == 10


def test_isinstance_asks_the_worker(link: Link) -> None:
    """Classes and their children are told apart on the other side."""
    number, child = link.name("Number"), link.name("Child")

    assert isinstance(child(1), number)
    assert issubclass(child, number)
    assert not isinstance(number(1), child)
    assert not isinstance(1.0, number)


def test_a_missing_attribute_is_an_attribute_error(number: Any) -> None:
    """So that hasattr and getattr with a default work."""
    assert getattr(number, "missing", 3) == 3


def test_a_learners_exception_is_one_of_its_builtin_kind(number: Any) -> None:
    """`except KeyError` catches what the learner raised as KeyError, with its place."""
    with pytest.raises(KeyError) as caught:
        number.fail()

    assert isinstance(caught.value, LearnerError)
    assert (caught.value.kind, caught.value.place.line) == (
        "KeyError",
        FILE.split("\n").index('    def fail(self): raise KeyError("no such thing")') + 1,
    )


@pytest.mark.parametrize("use", [bool, float, int, complex, lambda p: [1][p]])
def test_a_proxy_is_no_truth_and_no_number(use: Any, number: Any) -> None:
    """Where only plain data can be judged, an object of the learner's is refused in a sentence."""
    with pytest.raises(ProxyMisuse, match="Number"):
        use(number)


def test_plain_data_arrives_plain_and_all_else_opaque(link: Link) -> None:
    """Exact builtin types only; what could lie in a comparison never gets here."""
    found = link.name("odd")()

    opaque = {name for name, value in found.items() if type(value).__name__ == "Proxy"}
    assert opaque == {"liar", "all", "huge", "complex", "numbers"}
    assert (found["pair"], found["count"], found["big"]) == ((1, 2), {"a": 2}, 10**300)
    assert found["nan"] != found["nan"]
    assert (found["bytes"], found["set"], found["frozen"], found["lone"]) == (b"x", {1}, {2}, "\ud800")


def test_an_object_equal_to_everything_equals_nothing_here(link: Link) -> None:
    """The forger's favourite: `==` on this side never asks the learner."""
    found = link.name("odd")()

    assert found["liar"] != 1.0
    assert found["all"] != near(1.0)
    assert near(1.0) != found["liar"]


def test_a_deep_answer_is_cut_at_a_reference(link: Link) -> None:
    """Nesting beyond the limit is opaque, not an error."""
    value = link.name("deep")(100)

    while type(value) is list:
        (value,) = value
    assert type(value).__name__ == "Proxy"


def test_arguments_of_every_plain_kind_arrive(number: Any) -> None:
    """What a check sends is what the learner's code gets."""
    sent = [(1, 2.5), {3}, frozenset([4]), b"5", None, {"k": [True]}]

    assert number(*sent) == [sent, {}]


def test_what_is_there_can_be_changed_and_read_back(link: Link) -> None:
    """`there` shares one object over calls; `read` copies it back."""
    items = there([7, 8])

    link.name("add_to")(items)
    link.name("add_to")(items)

    assert read(items) == [7, 8, 2, 3]
    assert read(there([1])) == [1]


def test_equal_asks_the_learners_own_eq(link: Link) -> None:
    """The only way to their __eq__, and the answer is True or False."""
    make = link.name("Number")

    assert [equal(make(1), make(1)), equal(make(1), make(2)), equal(make(1), 1)] == [True, False, False]


def test_calls_are_counted_and_made(link: Link) -> None:
    """calls_of counts on each object, lets results and exceptions through, and stops at the end."""
    make = link.name("Number")
    a, b = make(1), make(2)

    with calls_of("tell", a=a, b=b) as calls:
        a.tell()
        a.tell()

    b.tell()
    assert (calls, a.told, b.told) == ({"a": 2, "b": 0}, 2, 1)


def test_calls_of_a_slotted_object_are_counted(link: Link) -> None:
    """An object without room for an attribute is watched all the same."""
    thing = link.name("Slots")(5)

    with calls_of("tell", thing=thing) as calls:
        answer = thing.tell()

    assert (answer, calls) == (5, {"thing": 1})


def test_a_program_is_built_in_one_request(link: Link) -> None:
    """run() builds every value; read() asks all of them at once."""
    program = Program.trace(lambda a, b: (a + b) * a + 1, (2.0, 5.0))
    before = link.requests

    graph = run(program, link.name("Number"))

    assert link.requests - before == 2
    assert graph.read("n") == program.values() == [2.0, 5.0, 7.0, 14.0, 15.0]
    assert graph[-1].n == 15.0


def test_repeat_happens_on_the_other_side(link: Link) -> None:
    """A thousand steps are one request; other objects may take part."""
    one = link.name("Number")(1)
    before = link.requests

    end = repeat(lambda x: x + one, link.name("Number")(0), 1000)

    assert (end.n, link.requests - before) == (1000, 4)


def test_raises_sees_the_learners_exception(number: Any) -> None:
    """`raises` takes the builtin kind or a parent of it."""
    with raises(LookupError):
        number.fail()


def test_an_endless_iterator_can_be_left(link: Link) -> None:
    """Items come one by one."""
    found = []
    for item in link.name("forever")():
        found.append(item)
        if len(found) == 3:
            break

    assert found == [1, 1, 1]


def test_objects_of_two_workers_do_not_mix(number: Any) -> None:
    """An argument that lives elsewhere is the grader's fault, in a sentence."""
    with open_starter(0) as starter:
        other = Link(starter.start(Limits(), imports=(), probes=()))
        other.begin(1000)
        other.load({"solution.py": "class A: pass\n"}, ())

        with pytest.raises(ProxyMisuse, match="one worker"):
            number(other.name("A")())


def test_what_cannot_be_sent_is_refused(number: Any) -> None:
    """A function of the judge's never reaches the learner's code."""
    with pytest.raises(ProxyMisuse, match="function"):
        number(lambda: 1)
