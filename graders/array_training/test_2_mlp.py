"""TODOs 3 and 4: several layers, each with numbers of its own, and tanh between them."""

import numpy as np

from handgrad.check import check, near, numeric_gradient


@check(
    points=1,
    hint=(
        "Sizes [2, 5, 1] mean two layers: one from 2 to 5, one from 5 to 1.",
        "Pair each size with the next: zip(sizes, sizes[1:]).",
    ),
)
def test_mlp_has_a_layer_for_each_pair_of_sizes(MLP):
    """MLP([2, 5, 1]) has a weight and a bias for each of its two layers."""
    model = MLP([2, 5, 1], seed=0)

    shapes = [parameter.data.shape for parameter in model.parameters()]

    assert shapes == [(2, 5), (5,), (5, 1), (1,)]


@check(
    points=1,
    hint=(
        "If every layer gets the same seed, layers of one size start out equal.",
        "Make one generator, np.random.default_rng(seed), and hand it to every Linear as its seed.",
    ),
)
def test_mlp_layers_draw_numbers_of_their_own(MLP):
    """Two layers of one size start with different weights; the same seed gives the same network."""
    seeds = (3, 3, 4)

    first, again, other = ([p.data for p in MLP([4, 4, 4], seed=seed).parameters()] for seed in seeds)

    assert np.abs(first[0] - first[2]).max() > 0.01
    assert np.abs(again[0] - first[0]).max() + np.abs(again[2] - first[2]).max() == 0.0
    assert np.abs(other[0] - first[0]).max() > 0.01


@check(
    points=2,
    hint=(
        "tanh stands between the layers, so that the whole is more than one matrix.",
        "After the last layer there is no tanh: the output must be able to leave -1 … 1.",
        "for layer in self.layers[:-1]: x = layer(x).tanh(), then return self.layers[-1](x).",
    ),
)
def test_mlp_has_tanh_between_its_layers(MLP):
    """An MLP of three layers computes tanh after the first two, and none after the last."""
    model = MLP([2, 2, 2, 1], seed=0)
    first, second, last = (
        np.array([[1.0, -1.0], [0.5, 2.0]]),
        np.array([[0.0, 1.0], [2.0, 0.5]]),
        np.array([[10.0], [7.0]]),
    )
    for layer, weight in zip(model.layers, (first, second, last), strict=True):
        layer.weight.data = weight
    x = np.array([[1.0, 2.0], [-0.5, 0.25]])

    out = model(x)

    assert out.data == near(np.tanh(np.tanh(x @ first) @ second) @ last)


@check(
    points=2,
    hint=(
        "The expected numbers come from moving the weight a little and looking at the result.",
        "Send Tensors from layer to layer; what is made from their .data has no graph behind it.",
    ),
)
def test_mlp_gradients_agree_with_finite_differences(MLP):
    """The gradient of the first weight is what a small move of it does to the result."""
    model = MLP([2, 3, 1], seed=0)
    first, last = np.array([[0.3, -0.8, 0.5], [1.0, 0.2, -0.4]]), np.array([[1.0], [-2.0], [0.5]])
    model.layers[0].weight.data, model.layers[1].weight.data = first, last
    x = np.array([[1.0, 2.0], [-0.5, 0.25]])
    out = model(x)

    out.backward()

    assert model.layers[0].weight.grad == near(
        numeric_gradient(lambda moved: (np.tanh(x @ moved) @ last).sum(), first), rel=1e-6, abs=1e-8
    )
