"""A network of two layers of 64 units: what can be had where nobody needs to read it."""

import warnings

import numpy as np
from sklearn.neural_network import MLPClassifier

from glasstree.data import Dataset
from glasstree.oracles.network import NetworkOracle
from glasstree.policy.arrays import Floats, Ints
from glasstree.tasks import Task

from .base import Rival, Sized

EPOCHS, PRESENTED = 20, 250_000


class Network:
    """Scaled states through the layers; occurrences and complexity are its weights."""

    splits = 0

    def __init__(self, layers: NetworkOracle, present: Ints, centre: Floats, scale: Floats) -> None:
        self.layers, self.present, self.centre, self.scale = layers, present, centre, scale
        self.occurrences = self.complexity = sum(weight.size for weight in layers.weights)

    def actions(self, states: Floats) -> Ints:
        """Return one action a state."""
        outputs = self.layers.outputs((states - self.centre) / self.scale)
        chosen = outputs.argmax(axis=1) if outputs.shape[1] > 1 else (outputs[:, 0] > 0) * 1
        return self.present[chosen].astype(np.int64)

    def text(self, task: Task) -> str:
        """Say how many weights it has: nobody reads them."""
        return f"a network of {self.complexity:,} weights"


def fit(data: Dataset, size: int, seed: int) -> Sized:
    """Train two hidden layers of `size` units."""
    centre, scale = data.states.mean(axis=0), data.states.std(axis=0) + 1e-9
    epochs = max(EPOCHS, PRESENTED // len(data))
    model = MLPClassifier((size, size), max_iter=epochs, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit((data.states - centre) / scale, data.actions)
    weights = [weight.T for weight in model.coefs_]
    layers = NetworkOracle(weights, model.intercepts_, activation="relu", meaning="values")
    return Network(layers, model.classes_, centre, scale)


NETWORK = Rival(
    *("network", "network 64-64", "units"),
    fit=fit,
    sizes=(64,),
    arm_sizes=(64,),
    lander_sizes=(64,),
    weighs=False,
)
