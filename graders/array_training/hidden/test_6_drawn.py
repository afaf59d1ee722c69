"""The same questions with numbers drawn anew for every submission."""

import numpy as np

from handgrad.check import check, near, numeric_gradient, raises, read, there


@check(points=1, hint="A layer is x @ weight + bias for any number of rows, inputs and outputs.")
def test_linear_of_drawn_sizes(Linear, rng):
    """A layer of drawn sizes has fitting parameters and computes x @ weight + bias."""
    draw = np.random.default_rng(rng.getrandbits(32))
    rows, inputs, outputs = rng.sample(range(2, 8), 3)
    weight, bias, x = (
        draw.normal(size=(inputs, outputs)),
        draw.normal(size=outputs),
        draw.normal(size=(rows, inputs)),
    )
    layer = Linear(inputs, outputs, seed=rng.randrange(1000))
    shapes = layer.weight.data.shape, layer.bias.data.shape
    layer.weight.data, layer.bias.data = weight, bias

    out = layer(x)

    assert shapes == ((inputs, outputs), (outputs,))
    assert out.data == near(x @ weight + bias)


@check(points=2, hint="tanh after every layer but the last, whatever the number of layers.")
def test_mlp_of_drawn_sizes(MLP, rng):
    """A network of drawn depth and sizes computes and differentiates as it should."""
    draw = np.random.default_rng(rng.getrandbits(32))
    sizes = rng.sample(range(2, 7), rng.randint(3, 5))
    weights = [draw.normal(size=(sizes[i - 1], sizes[i])) for i in range(1, len(sizes))]
    biases = [draw.normal(size=n) for n in sizes[1:]]
    x = draw.normal(size=(3, sizes[0]))

    def result(first):
        values = x
        for weight, bias in zip([first, *weights[1:-1]], biases, strict=False):
            values = np.tanh(values @ weight + bias)
        return values @ weights[-1] + biases[-1]

    model = MLP(sizes, seed=rng.randrange(1000))
    for layer, weight, bias in zip(model.layers, weights, biases, strict=True):
        layer.weight.data, layer.bias.data = weight, bias
    out = model(x)

    out.backward()

    assert out.data == near(result(weights[0]))
    assert model.layers[0].weight.grad == near(
        numeric_gradient(lambda moved: result(moved).sum(), weights[0]), rel=1e-5, abs=1e-7
    )


@check(points=1, hint="Each layer draws numbers of its own, and the seed decides them all.")
def test_networks_of_drawn_seeds(MLP, rng):
    """The same seed gives the same network, another one another, and no two layers are equal."""
    seed = rng.randrange(1000)
    seeds = (seed, seed, seed + 1)

    first, again, other = ([p.data for p in MLP([5, 5, 5, 5], seed=s).parameters()] for s in seeds)

    assert [np.abs(a - b).max() for a, b in zip(first, again, strict=True)] == [0.0] * 6
    assert np.abs(other[0] - first[0]).max() > 0.01
    assert np.abs(first[2] - first[0]).max() > 0.01
    assert np.abs(first[4] - first[2]).max() > 0.01


@check(points=1, hint="The mean runs over all rows and all columns, and so does its gradient.")
def test_mse_of_drawn_errors(mse, Tensor, rng):
    """mse of drawn arrays is the mean of the squares, and sends 2 / n times the errors back."""
    draw = np.random.default_rng(rng.getrandbits(32))
    shape = rng.sample(range(2, 6), 2)
    guess, target = draw.normal(size=shape), draw.normal(size=shape)
    predicted = Tensor(guess)
    loss = mse(predicted, target)

    loss.backward()

    assert loss.data == near(((guess - target) ** 2).mean())
    assert predicted.grad == near(2 * (guess - target) / guess.size)


@check(points=1, hint="Compare the shapes before you subtract: any difference is a ValueError.")
def test_mse_refuses_drawn_shapes_that_differ(mse, Tensor, rng):
    """A row against a column raises ValueError, and so does one column against two."""
    n = rng.randint(2, 6)
    column = Tensor(np.ones((n, 1)))

    with raises(ValueError):
        mse(column, np.ones((1, n)))
    with raises(ValueError):
        mse(column, np.ones((n, 2)))


@check(points=1, hint="Every parameter in the list moves against its own gradient and is reset.")
def test_step_of_drawn_parameters(step, Tensor, rng):
    """Parameters of drawn shapes move, are reset, and stay the same objects."""
    draw = np.random.default_rng(rng.getrandbits(32))
    lr = rng.uniform(0.01, 1.0)
    shapes = [(), (3,), (2, 4), (1, 2, 3)]
    numbers, slopes = [draw.normal(size=s) for s in shapes], [draw.normal(size=s) for s in shapes]
    parameters = [Tensor(number) for number in numbers]
    for parameter, slope in zip(parameters, slopes, strict=True):
        parameter.grad = np.array(slope)

    step(parameters, lr)

    assert [p.data for p in parameters] == near([n - lr * s for n, s in zip(numbers, slopes, strict=True)])
    assert [p.grad for p in parameters] == near([np.zeros(s) for s in shapes])


@check(points=2, hint="A line with an offset shows a bias that does not learn; 400 steps are enough.")
def test_fit_finds_a_drawn_line(fit, Linear, rng):
    """Lines of drawn slope and offset are found, whatever the first weights."""
    w, b = rng.choice((-1, 1)) * rng.uniform(0.5, 3.0), rng.choice((-1, 1)) * rng.uniform(0.5, 3.0)
    x = np.linspace(0.0, 1.0, 200)[:, np.newaxis]
    model = Linear(1, 1, seed=rng.randrange(1000))

    losses = fit(model, x, w * x + b, lr=0.7, steps=400)

    assert model.weight.data == near(np.array([[w]]), rel=1e-6)
    assert model.bias.data == near(np.array([b]), rel=1e-6)
    assert losses[-1] < 1e-10


@check(points=3, hint="Look at the losses: they start near 1 and must end below 0.2 on any drawing.")
def test_fit_tells_a_drawn_disc_from_its_ring(fit, MLP, rng):
    """A network trained on 150 drawn points is right on at least 97 % of 1,000 others."""
    draw = np.random.default_rng(rng.getrandbits(32))
    middle = draw.uniform(-0.2, 0.2, 2)
    y = np.where(np.arange(1150) % 2, 1.0, -1.0)[:, np.newaxis]
    radius = np.where(y > 0, draw.uniform(1.0, 1.4, (1150, 1)), draw.uniform(0.0, 0.6, (1150, 1)))
    angle = draw.uniform(0.0, 2 * np.pi, (1150, 1))
    x = np.hstack([radius * np.cos(angle), radius * np.sin(angle)]) + middle
    model = MLP([2, 16, 1], seed=rng.randrange(1000))

    losses = fit(model, x[:150], y[:150], lr=0.1, steps=700)
    guesses = model(x[150:]).data
    rises = sum(losses[i] > losses[i - 1] for i in range(1, len(losses)))

    assert losses[-1] < 0.2
    assert rises < 70
    assert guesses.shape == (1000, 1)
    assert (np.sign(guesses) == y[150:]).mean() >= 0.97


@check(points=1, hint="Training draws nothing: all that is drawn was drawn when the model was made.")
def test_fit_of_drawn_data_can_be_repeated(fit, MLP, rng):
    """Equal seeds and equal data give equal losses, and the data stay as they were."""
    draw = np.random.default_rng(rng.getrandbits(32))
    points, targets = draw.normal(size=(20, 3)), draw.normal(size=(20, 2))
    x, y, seed = there(points), there(targets), rng.randrange(1000)

    first, again = (fit(MLP([3, 5, 2], seed=seed), x, y, lr=0.05, steps=15) for _ in range(2))

    assert [a - b for a, b in zip(first, again, strict=True)] == [0.0] * 15
    assert read(x) == near(points)
    assert read(y) == near(targets)
