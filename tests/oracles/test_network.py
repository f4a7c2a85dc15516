"""Plain networks and tile codings."""

from itertools import pairwise

import numpy as np
import pytest

from glasstree.errors import DataError, OracleError
from glasstree.oracles import NetworkOracle, TileOracle


def random_network(sizes, activation="tanh", meaning="probabilities", seed=0):
    generator = np.random.default_rng(seed)
    weights = [generator.normal(size=(b, a)) for a, b in pairwise(sizes)]
    return NetworkOracle(
        weights, [generator.normal(size=b) for b in sizes[1:]], activation, meaning
    )


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_network_equals_torch(activation):
    torch = pytest.importorskip("torch")
    network = random_network((4, 64, 64, 3), activation)
    layers = []
    for weight, bias in zip(network.weights, network.biases, strict=True):
        layer = torch.nn.Linear(*weight.shape[::-1], dtype=torch.float64)
        layer.weight.data, layer.bias.data = torch.tensor(weight), torch.tensor(bias)
        layers += [layer, torch.nn.Tanh() if activation == "tanh" else torch.nn.ReLU()]
    states = np.random.default_rng(1).normal(size=(1000, 4))
    with torch.no_grad():
        expected = torch.nn.Sequential(*layers[:-1])(torch.tensor(states))
    np.testing.assert_allclose(network.outputs(states), expected.numpy(), atol=1e-12)
    probabilities = torch.softmax(expected, dim=1).numpy()
    np.testing.assert_allclose(network.preferences(states), probabilities, atol=1e-12)
    assert (network.actions(states) == probabilities.argmax(axis=1)).all()


def test_network_tells_its_size():
    network = random_network((4, 64, 64, 2))
    assert network.layers == (4, 64, 64, 2)
    assert network.n_parameters == 4 * 64 + 64 + 64 * 64 + 64 + 64 * 2 + 2
    assert (network.n_variables, network.n_actions) == (4, 2)


def test_values_are_not_made_into_probabilities():
    network = random_network((3, 5, 2), "relu", "values")
    states = np.zeros((2, 3))
    np.testing.assert_array_equal(network.preferences(states), network.outputs(states))


@pytest.mark.parametrize(
    ("weights", "biases", "activation"),
    [
        ([], [], "tanh"),
        ([np.zeros((2, 3))], [np.zeros(3)], "tanh"),
        ([np.zeros((2, 3)), np.zeros((2, 5))], [np.zeros(2), np.zeros(2)], "tanh"),
        ([np.full((2, 3), np.nan)], [np.zeros(2)], "tanh"),
        ([np.zeros((2, 3))], [np.zeros(2)], "sigmoid"),
    ],
)
def test_broken_networks_are_refused(weights, biases, activation):
    with pytest.raises(OracleError):
        NetworkOracle(weights, biases, activation)


def test_states_of_the_wrong_width_are_refused():
    with pytest.raises(DataError, match=r"expects \(n, 4\)"):
        random_network((4, 8, 2)).actions(np.zeros((3, 5)))


def test_every_state_has_one_tile_in_each_tiling():
    tilings, cells = 8, 8
    weights = np.zeros((1, tilings, cells, cells))
    states = np.random.default_rng(0).uniform([-1.2, -0.07], [0.6, 0.07], (500, 2))
    corners = np.array([[-1.2, -0.07], [0.6, 0.07], [-5.0, 5.0]])
    ones = TileOracle(weights + 1.0, [-1.2, -0.07], [0.6, 0.07])
    np.testing.assert_array_equal(ones.preferences(np.vstack([states, corners])), float(tilings))


@pytest.mark.parametrize(
    ("shape", "bounds"),
    [((3, 8, 8), ([0, 0], [1, 1])), ((3, 8, 8, 8), ([0, 0], [1, 0])), ((3, 8, 8, 8), ([0], [1]))],
)
def test_broken_tiles_are_refused(shape, bounds):
    with pytest.raises(OracleError):
        TileOracle(np.zeros(shape), *bounds)
