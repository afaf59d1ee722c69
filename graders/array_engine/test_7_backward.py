"""TODO 7: whole graphs, sorted, started with ones and walked once."""

import numpy as np

from handgrad.check import Program, calls_of, check, near, numeric_gradient, read, run, there


@check(
    points=1,
    hint=(
        "backward starts with the derivative of the result with respect to itself.",
        "That is a 1 for each element: np.ones_like(self.data), not the number 1.",
    ),
)
def test_backward_starts_with_ones_in_the_shape_of_the_result(Tensor):
    """Without a sum at the end, each element of the result starts with a 1."""
    x, y = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), Tensor([[2.0], [3.0]])
    out = x * y

    out.backward()

    assert out.grad == near(np.ones((2, 3)))
    assert x.grad == near(np.array([[2.0, 2.0, 2.0], [3.0, 3.0, 3.0]]))
    assert y.grad == near(np.array([[6.0], [15.0]]))


@check(
    points=1,
    hint=(
        "This is the worked example of the statement: follow the shapes through it.",
        "The upstream of x @ w has shape (2, 2); w has shape (3, 2): only x.T @ upstream fits.",
        "The bias was added to both rows: its gradient is the column sums of the upstream.",
    ),
)
def test_backward_through_one_layer(Tensor):
    """The worked example: (x @ w + b) with weights for each output, summed."""
    x = Tensor([[1.0, 2.0, 3.0], [0.0, 1.0, -1.0]])
    w = Tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    b = Tensor([0.5, -0.5])
    loss = ((x @ w + b) * np.array([[1.0, 2.0], [3.0, 4.0]])).sum()

    loss.backward()

    assert loss.data == near(np.array(10.0))
    assert w.grad == near(np.array([[1.0, 2.0], [5.0, 8.0], [0.0, 2.0]]))
    assert b.grad == near(np.array([4.0, 6.0]))
    assert x.grad == near(np.array([[1.0, 2.0, 3.0], [3.0, 4.0, 7.0]]))


@check(
    points=1,
    hint=(
        "A mean gives each element the weight one over how many were averaged.",
        "mean is given, built from your sum and *: look at those two first.",
    ),
)
def test_backward_through_a_mean(Tensor):
    """x.mean(axis=0) of a (2, 3) array gives each element half of its column's upstream."""
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    out = (x.mean(axis=0) * np.array([1.0, 10.0, 100.0])).sum()

    out.backward()

    assert out.data == near(np.array(487.5))
    assert x.grad == near(np.array([[0.5, 5.0, 50.0], [0.5, 5.0, 50.0]]))


@check(
    points=1,
    hint=(
        "The tensor w takes part in two products; both send a share.",
        "Each rule adds to grad (+=), so that what came before stays.",
    ),
)
def test_backward_adds_up_over_two_uses_of_a_weight(Tensor):
    """A weight that is used in two products receives both shares."""
    x, y = Tensor([[1.0, 2.0, 3.0]]), Tensor([[10.0, 0.0, -1.0]])
    w = Tensor([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]])
    out = x @ w + y @ w

    out.backward()

    assert w.grad == near(np.array([[11.0, 11.0], [2.0, 2.0], [2.0, 2.0]]))


@check(
    points=1,
    hint=(
        "Each x here is used twice: once directly, once through another rule, whose share arrives later.",
        "Find the rule that assigns to grad with =, and let it add with +=.",
    ),
)
def test_backward_adds_the_share_of_every_rule(Tensor):
    """x receives one share directly and one through each rule, and both count."""
    numbers = np.array([[1.0, 2.0], [0.5, -1.0]])
    a, b, c, d, e = (Tensor(numbers) for _ in range(5))
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    outs = [a + (a + 1), b + b * 2, c + c @ swap, d + d.sum(axis=0, keepdims=True), e + e.tanh()]

    for out in outs:
        out.backward()

    assert a.grad == near(np.full((2, 2), 2.0))
    assert b.grad == near(np.full((2, 2), 3.0))
    assert c.grad == near(np.full((2, 2), 2.0))
    assert d.grad == near(np.full((2, 2), 3.0))
    assert e.grad == near(2 - np.tanh(numbers) ** 2)


@check(
    points=1,
    hint=(
        "A rule may run only when the whole gradient of its result has arrived, and then once.",
        "Sort first: visit each tensor once, append it after its inputs, and walk the list backwards.",
    ),
)
def test_backward_runs_each_rule_once(Tensor):
    """Each _backward runs once, however many paths reach it."""
    a, b = Tensor([1.0, 2.0]), Tensor([[3.0], [4.0]])
    c = a * b
    d = c + a
    e = d * c
    out = e + c

    with calls_of("_backward", c=c, d=d, e=e, out=out) as calls:
        out.backward()

    assert calls == {"c": 1, "d": 1, "e": 1, "out": 1}


@check(
    points=1,
    hint=(
        "d is used by the product and by the sum: both must have sent their shares before d passes one on.",
        "Going through the graph level by level is too early for d. Append a tensor to a list after all its "
        "inputs, then walk the list backwards.",
    ),
)
def test_backward_waits_for_every_consumer(Tensor):
    """In d + d * a and in e * b + e no tensor passes its gradient on too early."""
    a, b = Tensor([1.0, 2.0]), Tensor([1.0, 2.0])
    d, e = a * a, b * b
    first, second = d + d * a, e * b + e

    first.backward()
    second.backward()

    assert a.grad == near(np.array([5.0, 16.0]))
    assert b.grad == near(np.array([5.0, 16.0]))


@check(
    points=1,
    hint=(
        "A rule must not run before all consumers of its result have run theirs.",
        "Append a tensor after all its inputs (depth first), then reverse the list.",
    ),
)
def test_backward_sorts_any_graph(Tensor, rng):
    """In 40 drawn graphs every tensor has its whole gradient before it passes it on."""
    programs = [Program.random(rng) for _ in range(40)]
    graphs = [run(program, Tensor) for program in programs]

    for graph in graphs:
        graph[-1].backward()

    for program, graph in zip(programs, graphs, strict=True):
        assert graph.read("grad") == near(program.adjoints(), rel=1e-7, abs=1e-9)


@check(
    points=1,
    hint=(
        "Two tensors received the same upstream; then one of them received more.",
        "If both grads are one array, += on one changes the other: let every tensor own its grad.",
    ),
)
def test_backward_gives_each_tensor_a_gradient_of_its_own(Tensor):
    """Tensors that received the same upstream do not share one array."""
    a = Tensor([1.0, 2.0])
    b = a * 3
    out = a + b

    out.backward()

    assert a.grad == near(np.array([4.0, 4.0]))
    assert b.grad == near(np.array([1.0, 1.0]))
    assert out.grad == near(np.array([1.0, 1.0]))


@check(
    points=1,
    hint=(
        "A tensor that the result does not depend on has gradient 0 in each element.",
        "Let grad start as zeros in the shape of data, as the given __init__ does.",
    ),
)
def test_backward_leaves_an_unused_tensor_at_zero(Tensor):
    """A tensor beside the graph keeps its zeros, in its own shape."""
    x, unused = Tensor([[1.0, 2.0, 3.0]]), Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    beside = x * unused
    out = x.sum()

    out.backward()

    assert x.grad == near(np.ones((1, 3)))
    assert unused.grad == near(np.zeros((2, 3)))
    assert beside.grad == near(np.zeros((2, 3)))


@check(
    points=1,
    hint=(
        "Whole numbers in: the gradient of a whole number is still a fraction.",
        "Make data float64 when it comes in, as the given __init__ does: np.array(data, dtype=np.float64).",
    ),
)
def test_whole_numbers_become_floats(Tensor):
    """Integer input has fractional gradients, and float32 input is computed in float64."""
    x = Tensor(np.array([1, 2, 3]))
    y = Tensor(np.array([0.25, 0.5, 1.0], dtype=np.float32))
    out = (x * y * 0.1).sum()

    out.backward()

    assert x.grad == near(np.array([0.025, 0.05, 0.1]))
    assert y.grad == near(np.array([0.1, 0.2, 0.3]))


@check(
    points=1,
    hint=(
        "The caller still needs the arrays that went into the tensors.",
        "Work on self.data and out.data without changing them: no += on data, no out=.",
    ),
)
def test_the_callers_arrays_stay_as_they_are(Tensor):
    """The arrays that tensors were made of have the same numbers after backward."""
    x, b = there(np.array([[1.0, 2.0], [3.0, 4.0]])), there(np.array([5.0, 6.0]))
    first = Tensor(x)
    out = ((first + Tensor(b)) * first @ Tensor(x) + b).tanh().sum()

    out.backward()

    assert out.grad == near(np.array(1.0))
    assert read(x) == near(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert read(b) == near(np.array([5.0, 6.0]))


@check(
    points=1,
    hint=(
        "The list of visited tensors must be empty at the start of each backward.",
        "Make it inside backward; a default argument or a class attribute lives on between the calls.",
    ),
)
def test_backward_works_on_a_second_graph(Tensor):
    """Two graphs in one program do not disturb each other."""
    a = Tensor([1.0, 2.0])
    (a * a).sum().backward()
    b = Tensor([[3.0], [4.0]])
    out = (b * b * 2).sum()

    out.backward()

    assert b.grad == near(np.array([[12.0], [16.0]]))
    assert a.grad == near(np.array([2.0, 4.0]))


@check(
    points=1,
    hint=(
        "The expected numbers come from moving each weight a little and looking at the loss.",
        "If single rules are right and this is not, look at the order and at += in every rule.",
    ),
)
def test_backward_agrees_with_finite_differences(Tensor, rng):
    """Two layers with tanh: each gradient is what a small move of the weight does to the loss."""
    draw = np.random.default_rng(rng.getrandbits(32))
    x, w, v = draw.normal(size=(4, 3)), draw.normal(size=(3, 2)), draw.normal(size=(2, 1))
    weight, last = Tensor(w), Tensor(v)
    loss = ((Tensor(x) @ weight).tanh() @ last).mean()

    loss.backward()

    assert weight.grad == near(
        numeric_gradient(lambda moved: (np.tanh(x @ moved) @ v).mean(), w), rel=1e-6, abs=1e-8
    )
    assert last.grad == near(
        numeric_gradient(lambda moved: (np.tanh(x @ w) @ moved).mean(), v), rel=1e-6, abs=1e-8
    )
