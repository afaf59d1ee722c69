"""The same questions with shapes and numbers drawn anew for every submission.

Where a function is linear in an array, a central difference of any step is its exact gradient: the
step 1.0 then costs no accuracy.
"""

import numpy as np

from handgrad.check import Program, calls_of, check, near, numeric_gradient, read, run, there


@check(
    points=1,
    hint="Try shapes beyond those of the visible checks: a 1 at either end, two axes added, a 1 against a 1.",
)
def test_unbroadcast_of_drawn_shapes(unbroadcast, rng):
    """unbroadcast is right for any shape that broadcasts to that of the gradient."""
    draw = np.random.default_rng(rng.getrandbits(32))
    full = tuple(rng.sample(range(2, 6), 3))
    shapes = [tuple(rng.choice((1, n)) for n in full)[added:] for added in (0, 1, 2, 3) for _ in range(4)]
    upstreams = [draw.normal(size=full) for _ in shapes]

    shares = [unbroadcast(upstream, shape) for upstream, shape in zip(upstreams, shapes, strict=True)]

    for share, upstream, shape in zip(shares, upstreams, shapes, strict=True):
        assert share == near(numeric_gradient(lambda x, g=upstream: (g * x).sum(), np.zeros(shape), 1.0))


@check(
    points=1,
    hint="Each share has the shape of its input: look at which axes of which side were added or stretched.",
)
def test_add_of_drawn_shapes(Tensor, rng):
    """a + b sends right shares for drawn shapes, whichever side is stretched."""
    draw = np.random.default_rng(rng.getrandbits(32))
    k, m, n = rng.sample(range(2, 6), 3)
    shapes = [
        ((m, n), (n,)),
        ((n,), (m, n)),
        ((1, n), (m, 1)),
        ((k, m, n), (m, 1)),
        ((), (m, n)),
        ((k, 1, n), (m, 1)),
    ]
    arrays = [(draw.normal(size=left), draw.normal(size=right)) for left, right in shapes]
    upstreams = [draw.normal(size=(a + b).shape) for a, b in arrays]
    tensors = [(Tensor(a), Tensor(b)) for a, b in arrays]
    losses = [((x + y) * g).sum() for (x, y), g in zip(tensors, upstreams, strict=True)]

    for loss in losses:
        loss.backward()

    for (x, y), (a, b), g in zip(tensors, arrays, upstreams, strict=True):
        assert x.grad == near(numeric_gradient(lambda v, b=b, g=g: ((v + b) * g).sum(), a, 1.0))
        assert y.grad == near(numeric_gradient(lambda v, a=a, g=g: ((a + v) * g).sum(), b, 1.0))


@check(
    points=1,
    hint="First the product rule in the shape of the result, then the sum down to the shape of the input.",
)
def test_mul_of_drawn_shapes(Tensor, rng):
    """a * b sends right shares for drawn shapes, whichever side is stretched."""
    draw = np.random.default_rng(rng.getrandbits(32))
    k, m, n = rng.sample(range(2, 6), 3)
    shapes = [
        ((m, n), (n,)),
        ((m, n), (m, 1)),
        ((1, n), (m, 1)),
        ((k, m, n), (m, 1)),
        ((m, n), ()),
        ((1,), (m, n)),
    ]
    arrays = [(draw.normal(size=left), draw.normal(size=right)) for left, right in shapes]
    upstreams = [draw.normal(size=(a * b).shape) for a, b in arrays]
    tensors = [(Tensor(a), Tensor(b)) for a, b in arrays]
    losses = [((x * y) * g).sum() for (x, y), g in zip(tensors, upstreams, strict=True)]

    for loss in losses:
        loss.backward()

    for (x, y), (a, b), g in zip(tensors, arrays, upstreams, strict=True):
        assert x.grad == near(numeric_gradient(lambda v, b=b, g=g: (v * b * g).sum(), a, 1.0))
        assert y.grad == near(numeric_gradient(lambda v, a=a, g=g: (a * v * g).sum(), b, 1.0))


@check(points=1, hint="Write the shapes of A, B and the upstream down: one product alone fits each share.")
def test_matmul_of_drawn_matrices(Tensor, rng):
    """A @ B sends right shares for matrices of drawn, unequal sides."""
    draw = np.random.default_rng(rng.getrandbits(32))
    m, n, k = rng.sample(range(2, 7), 3)
    a, b, g = draw.normal(size=(m, n)), draw.normal(size=(n, k)), draw.normal(size=(m, k))
    left, right = Tensor(a), Tensor(b)
    loss = ((left @ right) * g).sum()

    loss.backward()

    assert loss.data == near(np.einsum("ij,jk,ik->", a, b, g))
    assert left.grad == near(np.einsum("jk,ik->ij", b, g))
    assert right.grad == near(np.einsum("ij,ik->jk", a, g))


@check(
    points=1,
    hint="A vector is a row on the left, a column on the right: put that axis back, then use the rule.",
)
def test_matmul_of_drawn_vectors(Tensor, rng):
    """Vectors on the left, on the right and on both sides of @ receive right shares."""
    draw = np.random.default_rng(rng.getrandbits(32))
    k, m, n = rng.sample(range(2, 6), 3)
    shapes = [((n,), (n, m)), ((m, n), (n,)), ((n,), (n,)), ((k, m, n), (n,)), ((n,), (k, n, m))]
    arrays = [(draw.normal(size=left), draw.normal(size=right)) for left, right in shapes]
    upstreams = [draw.normal(size=(a @ b).shape) for a, b in arrays]
    tensors = [(Tensor(a), Tensor(b)) for a, b in arrays]
    losses = [((x @ y) * g).sum() for (x, y), g in zip(tensors, upstreams, strict=True)]

    for loss in losses:
        loss.backward()

    for (x, y), (a, b), g in zip(tensors, arrays, upstreams, strict=True):
        assert x.grad == near(numeric_gradient(lambda v, b=b, g=g: ((v @ b) * g).sum(), a, 1.0))
        assert y.grad == near(numeric_gradient(lambda v, a=a, g=g: ((a @ v) * g).sum(), b, 1.0))


@check(
    points=1,
    hint="Swap the last two axes, and sum each share over the batch axes that its input does not have.",
)
def test_matmul_of_drawn_batches(Tensor, rng):
    """Batches of matrices broadcast against each other, and each share is summed accordingly."""
    draw = np.random.default_rng(rng.getrandbits(32))
    b, m, n, k = rng.sample(range(2, 6), 4)
    shapes = [((b, m, n), (n, k)), ((m, n), (b, n, k)), ((b, m, n), (b, n, k)), ((b, 1, m, n), (2, n, k))]
    arrays = [(draw.normal(size=left), draw.normal(size=right)) for left, right in shapes]
    upstreams = [draw.normal(size=(p @ q).shape) for p, q in arrays]
    tensors = [(Tensor(p), Tensor(q)) for p, q in arrays]
    losses = [((x @ y) * g).sum() for (x, y), g in zip(tensors, upstreams, strict=True)]

    for loss in losses:
        loss.backward()

    for (x, y), (p, q), g in zip(tensors, arrays, upstreams, strict=True):
        assert x.grad == near(numeric_gradient(lambda v, q=q, g=g: ((v @ q) * g).sum(), p, 1.0))
        assert y.grad == near(numeric_gradient(lambda v, p=p, g=g: ((p @ v) * g).sum(), q, 1.0))


@check(
    points=1,
    hint="Every element receives the upstream of the sum it went into: put the summed axes back and stretch.",
)
def test_sum_over_drawn_axes(Tensor, rng):
    """Sums over one axis, several, negative ones and all of them, with and without keepdims."""
    draw = np.random.default_rng(rng.getrandbits(32))
    a = draw.normal(size=rng.sample(range(2, 6), 3))
    choices = [
        (None, False),
        (None, True),
        (1, False),
        (-1, False),
        (0, True),
        ((0, 2), False),
        ((-2, -1), True),
    ]
    upstreams = [draw.normal(size=a.sum(axis=axis, keepdims=keep).shape) for axis, keep in choices]
    tensors = [Tensor(a) for _ in choices]
    losses = [
        (x.sum(axis=axis, keepdims=keep) * g).sum()
        for x, (axis, keep), g in zip(tensors, choices, upstreams, strict=True)
    ]

    for loss in losses:
        loss.backward()

    for x, (axis, keep), g in zip(tensors, choices, upstreams, strict=True):
        assert x.grad == near(
            numeric_gradient(
                lambda v, o=(axis, keep), g=g: (v.sum(axis=o[0], keepdims=o[1]) * g).sum(), a, 1.0
            )
        )


@check(points=1, hint="A mean over an axis divides by the length of that axis, not by the size of the array.")
def test_mean_over_drawn_axes(Tensor, rng):
    """Means over one axis, several and all of them."""
    draw = np.random.default_rng(rng.getrandbits(32))
    a = draw.normal(size=rng.sample(range(2, 6), 3))
    choices = [(None, False), (1, False), (-1, True), ((0, 1), False)]
    upstreams = [draw.normal(size=a.mean(axis=axis, keepdims=keep).shape) for axis, keep in choices]
    tensors = [Tensor(a) for _ in choices]
    losses = [
        (x.mean(axis=axis, keepdims=keep) * g).sum()
        for x, (axis, keep), g in zip(tensors, choices, upstreams, strict=True)
    ]

    for loss in losses:
        loss.backward()

    for x, (axis, keep), g in zip(tensors, choices, upstreams, strict=True):
        assert x.grad == near(
            numeric_gradient(
                lambda v, o=(axis, keep), g=g: (v.mean(axis=o[0], keepdims=o[1]) * g).sum(), a, 1.0
            )
        )


@check(points=1, hint="The rule uses the result, and it is multiplied with the upstream, element by element.")
def test_tanh_of_drawn_numbers(Tensor, rng):
    """tanh of a drawn array, used twice, with an upstream that is not constant."""
    draw = np.random.default_rng(rng.getrandbits(32))
    shape = rng.sample(range(2, 6), 2)
    a, g, h = draw.normal(size=shape), draw.normal(size=shape), draw.normal(size=shape)
    x = Tensor(a)
    loss = (x.tanh() * g + x * h).sum()

    loss.backward()

    assert loss.data == near((np.tanh(a) * g + a * h).sum())
    assert x.grad == near(g / np.cosh(a) ** 2 + h)


@check(
    points=1,
    hint="Check each rule with an upstream that is not constant; then check that every rule adds with +=.",
)
def test_backward_of_a_drawn_network(Tensor, rng):
    """A network of drawn sizes: weights, biases and the input agree with finite differences."""
    draw = np.random.default_rng(rng.getrandbits(32))
    rows, inputs, hidden, outputs = rng.sample(range(2, 7), 4)
    shapes = {
        "x": (rows, inputs),
        "w": (inputs, hidden),
        "b": (hidden,),
        "v": (hidden, outputs),
        "c": (1, outputs),
    }
    arrays = {name: draw.normal(size=shape) for name, shape in shapes.items()}
    target = draw.normal(size=(rows, 1))

    def loss_of(x, w, b, v, c):
        error = np.tanh(x @ w + b) @ v + c - target
        return (error * error).mean(axis=1).sum()

    x, w, b, v, c = tensors = [Tensor(array) for array in arrays.values()]
    error = (x @ w + b).tanh() @ v + c - target
    loss = (error * error).mean(axis=1).sum()

    loss.backward()

    assert loss.data == near(loss_of(**arrays))
    for name, tensor in zip(arrays, tensors, strict=True):
        assert tensor.grad == near(
            numeric_gradient(lambda moved, name=name: loss_of(**{**arrays, name: moved}), arrays[name]),
            rel=1e-5,
            abs=1e-7,
        )


@check(
    points=1,
    hint="Depth first: visit the inputs, then append the tensor. Reverse the list before you walk it.",
)
def test_backward_sorts_drawn_graphs(Tensor, rng):
    """In 40 more drawn graphs every tensor has its whole gradient before it passes it on."""
    programs = [Program.random(rng) for _ in range(40)]
    graphs = [run(program, Tensor) for program in programs]

    for graph in graphs:
        graph[-1].backward()

    for program, graph in zip(programs, graphs, strict=True):
        assert graph.read("grad") == near(program.adjoints(), rel=1e-7, abs=1e-9)


@check(
    points=1,
    hint="Keep a set of the tensors that were visited, and append to the list only at the first visit.",
)
def test_backward_runs_each_drawn_rule_once(Tensor, rng):
    """Each rule of a drawn chain of shared tensors runs once."""
    draw = np.random.default_rng(rng.getrandbits(32))
    x, w = Tensor(draw.normal(size=(3, 2))), Tensor(draw.normal(size=(2, 2)))
    a = x @ w
    b = a * a + a
    c = b @ w
    d = (c + b).tanh()
    out = (d * c).sum()

    with calls_of("_backward", a=a, b=b, c=c, d=d, out=out) as calls:
        out.backward()

    assert calls == {"a": 1, "b": 1, "c": 1, "d": 1, "out": 1}


@check(
    points=1,
    hint="An axis of length 0 is an axis like any other: a sum over it is 0, in the shape of the input.",
)
def test_empty_arrays_have_gradients_too(Tensor):
    """Arrays without elements pass through +, @ and sum, and gradients keep their shapes."""
    rows, bias = Tensor(np.zeros((0, 3))), Tensor([1.0, 2.0, 3.0])
    left, right = Tensor(np.ones((2, 0))), Tensor(np.ones((0, 3)))
    loss = (rows + bias).sum() + (left @ right + bias).sum()

    loss.backward()

    assert loss.data == near(np.array(12.0))
    assert bias.grad == near(np.array([2.0, 2.0, 2.0]))
    assert rows.grad == near(np.zeros((0, 3)))
    assert left.grad == near(np.zeros((2, 0)))
    assert right.grad == near(np.zeros((0, 3)))


@check(
    points=1,
    hint="An array on the left of +, -, * and @ must give one Tensor: see the line __array_ufunc__ = None.",
)
def test_arrays_on_the_left_of_every_operator(Tensor, rng):
    """array + tensor, array - tensor, array * tensor and array @ tensor agree with finite differences."""
    draw = np.random.default_rng(rng.getrandbits(32))
    m, n, k = rng.sample(range(2, 6), 3)
    a, left, column, g = (draw.normal(size=shape) for shape in ((n, k), (m, n), (n, 1), (m, k)))
    x = Tensor(a)
    loss = ((left @ (column - (column * x + (column + x) * x))) * g).sum()

    loss.backward()

    assert x.grad == near(
        numeric_gradient(lambda v: ((left @ (column - (column * v + (column + v) * v))) * g).sum(), a),
        rel=1e-6,
        abs=1e-8,
    )


@check(points=1, hint="Make data float64 as it comes in, and grad zeros in the same shape.")
def test_drawn_whole_numbers_become_floats(Tensor, rng):
    """Lists, integer arrays and float32 arrays are computed in float64."""
    whole = [[rng.choice((-1, 1)) * rng.randint(1, 9) for _ in range(5)] for _ in range(2)]
    small = np.array([rng.uniform(1, 2) for _ in range(5)], dtype=np.float32)
    scale = rng.uniform(0.05, 0.15)
    x, y, z = Tensor(whole), Tensor(np.array(whole)), Tensor(small)
    loss = (x * y * z * scale).sum()

    loss.backward()

    assert x.grad == near(np.array(whole) * small.astype(float) * scale)
    assert y.grad == near(np.array(whole) * small.astype(float) * scale)
    assert z.grad == near((np.array(whole) ** 2).sum(axis=0) * scale)


@check(points=1, hint="Neither the forward pass nor a rule may write into the arrays it was given.")
def test_drawn_arrays_of_the_caller_stay(Tensor, rng):
    """No operation, forward or backward, changes an array of the caller's."""
    draw = np.random.default_rng(rng.getrandbits(32))
    first, second, third = draw.normal(size=(3, 2)), draw.normal(size=(2, 4)), draw.normal(size=(3, 1))
    x, w, b = there(first), there(second), there(third)
    loss = ((Tensor(x) @ Tensor(w) + Tensor(b)).tanh() * Tensor(b) + b).sum(axis=1).mean()

    loss.backward()

    assert loss.grad == near(np.array(1.0))
    assert read(x) == near(first)
    assert read(w) == near(second)
    assert read(b) == near(third)


@check(
    points=1,
    hint="If two grads are one array, += on one of them changes the other: let each tensor own its grad.",
)
def test_drawn_gradients_are_not_shared(Tensor, rng):
    """Whichever of two inputs receives more later, the other keeps its own gradient."""
    draw = np.random.default_rng(rng.getrandbits(32))
    shape = rng.sample(range(2, 5), 2)
    a, g = Tensor(draw.normal(size=shape)), draw.normal(size=shape)
    b, c = a * 2, a.sum(axis=0, keepdims=True)
    left, right = a + b, b + a
    out = (left + right) * g + c * 0

    out.backward()

    assert a.grad == near(6 * g)
    assert b.grad == near(2 * g)
    assert left.grad == near(g)
    assert right.grad == near(g)


@check(points=1, hint="Whatever backward keeps between two calls belongs to the call: make it inside.")
def test_backward_of_several_drawn_graphs(Tensor, rng):
    """Several graphs, one after the other, each with its own gradients."""
    draw = np.random.default_rng(rng.getrandbits(32))
    arrays = [draw.normal(size=shape) for shape in ((2, 3), (4,), (3, 1))]
    tensors = [Tensor(array) for array in arrays]

    for tensor in tensors:
        (tensor * tensor * tensor).sum().backward()

    for tensor, array in zip(tensors, arrays, strict=True):
        assert tensor.grad == near(3 * array * array)


@check(
    points=1,
    hint="Use one tensor directly and through each rule in turn: every rule must add to grad with +=.",
)
def test_drawn_shares_of_every_rule_add_up(Tensor, rng):
    """A tensor that is used directly and through a rule receives both shares, whatever the rule."""
    draw = np.random.default_rng(rng.getrandbits(32))
    n = rng.randint(2, 4)
    x, w = draw.normal(size=(n, n)), draw.normal(size=(n, n))
    a, b, c, d, e, f = (Tensor(x) for _ in range(6))
    outs = [a + (a + 1), b + b * w, c + c @ w, d + w @ d, e + e.sum(axis=1, keepdims=True), f + f.tanh()]

    for out in outs:
        out.backward()

    assert a.grad == near(np.full((n, n), 2.0))
    assert b.grad == near(1 + w)
    assert c.grad == near(1 + np.ones((n, n)) @ w.T)
    assert d.grad == near(1 + w.T @ np.ones((n, n)))
    assert e.grad == near(np.full((n, n), 1.0 + n))
    assert f.grad == near(2 - np.tanh(x) ** 2)
