"""TODOs 1 and 2: a layer has a weight and a bias, and is one line of mathematics."""

import numpy as np

from handgrad.check import check, near


@check(
    points=1,
    hint=(
        "A layer from 3 numbers to 2 needs 3 * 2 weights and 2 biases.",
        "self.weight = Tensor(...) of shape (inputs, outputs), self.bias = Tensor(np.zeros(outputs)).",
    ),
)
def test_linear_has_a_weight_and_a_bias(Linear):
    """Linear(3, 2) has a weight of shape (3, 2) and a bias of two zeros."""
    inputs, outputs = 3, 2

    layer = Linear(inputs, outputs, seed=1)

    assert layer.weight.data.shape == (3, 2)
    assert layer.bias.data == near(np.array([0.0, 0.0]))
    assert layer.weight.grad == near(np.zeros((3, 2)))


@check(
    points=1,
    hint=(
        "The same seed must give the same layer, another seed another one.",
        "Draw from np.random.default_rng(seed), not from np.random itself.",
    ),
)
def test_linear_draws_from_its_seed(Linear):
    """Two layers with one seed are equal; a layer with another seed differs."""
    seeds = (5, 5, 6)

    first, again, other = (Linear(4, 3, seed=seed).weight.data for seed in seeds)

    assert np.abs(again - first).max() == 0.0
    assert np.abs(other - first).max() > 0.01


@check(
    points=1,
    hint=(
        "Each output adds up `inputs` products: the more inputs, the smaller each weight should be.",
        "Divide what you draw by the square root of `inputs`.",
    ),
)
def test_linear_draws_numbers_of_the_right_size(Linear):
    """The weights of a layer with 100 inputs spread about 1 / sqrt(100) around 0."""
    inputs, outputs = 100, 80

    weight = Linear(inputs, outputs, seed=2).weight.data

    assert weight.std() * 10 == near(1.0, rel=0.6)
    assert weight.mean() == near(0.0, abs=0.02)


@check(
    points=1,
    hint=(
        "A batch has one example a row: (rows, inputs) @ (inputs, outputs) is (rows, outputs).",
        "x @ self.weight + self.bias: the bias is added to every row.",
    ),
)
def test_linear_multiplies_and_adds(Linear):
    """A layer turns a batch x into x @ weight + bias."""
    layer = Linear(3, 2, seed=1)
    layer.weight.data = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0]])
    layer.bias.data = np.array([0.5, -0.5])

    out = layer(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))

    assert out.data == near(np.array([[-1.5, 6.5], [-1.5, 15.5]]))


@check(
    points=1,
    hint=(
        "The gradient must find its way through the layer to its weight, its bias and its input.",
        "Compute with the Tensors themselves: what is made from their .data has no graph behind it.",
    ),
)
def test_linear_passes_gradients_on(Linear, Tensor):
    """backward reaches the weight, the bias and a Tensor that went in."""
    layer = Linear(2, 1, seed=1)
    layer.weight.data = np.array([[3.0], [-1.0]])
    x = Tensor([[1.0, 2.0], [4.0, 5.0], [0.0, 1.0]])
    out = layer(x)

    out.backward()

    assert layer.weight.grad == near(np.array([[5.0], [8.0]]))
    assert layer.bias.grad == near(np.array([3.0]))
    assert x.grad == near(np.array([[3.0, -1.0], [3.0, -1.0], [3.0, -1.0]]))
