"""imodels' FIGS: a sum of small axis-parallel trees, by the number of splits in all of them."""

from functools import cache
from typing import Any

import numpy as np

from glasstree.data import Dataset
from glasstree.policy.arrays import Floats, Ints

from .base import Rival, Sized, absent, coded, spread
from .forest import Forest, axis


@cache
def model_class() -> type:
    """Return FIGS with its prediction, the same values, for all samples at once."""
    from imodels import FIGSClassifier

    class Figs(FIGSClassifier):
        def _predict_tree(self, root: Any, X: Floats) -> Floats:
            values = np.empty((len(X), self.n_outputs))
            fill(root, X, np.arange(len(X)), values)
            return values

    return Figs


def fill(node: Any, X: Floats, rows: Ints, values: Floats) -> None:
    """Fill in the values of the leaves that some rows come to."""
    if node.left is None:
        values[rows] = node.value
        return
    goes_left = X[rows, node.feature] <= node.threshold
    fill(node.left, X, rows[goes_left], values)
    fill(node.right, X, rows[~goes_left], values)


def fit(data: Dataset, size: int, seed: int) -> Sized:
    """Grow a sum of trees with at most `size` splits."""
    present, codes = coded(data)
    model = model_class()(max_rules=size, random_state=seed)
    model.fit(data.states, codes, sample_weight=data.weights)
    forest = Forest()
    for root in model.trees_:
        forest.roots.append(add(forest, root, present, data))
    return forest.policy(absent(present, data.n_actions))


def add(forest: Forest, node: Any, present: Ints, data: Dataset) -> int:
    """Add a node and all below it; return its number."""
    width = data.states.shape[1]
    if node.left is None:
        return forest.leaf(spread(np.ravel(node.value), present, data.n_actions), width)
    children = (add(forest, child, present, data) for child in (node.left, node.right))
    return forest.split(axis(node.feature, width), node.threshold, *children, data.n_actions)


FIGS = Rival(
    *("figs", "FIGS", "splits"),
    fit=fit,
    packages=("imodels",),
    sizes=(1, 3, 7, 15, 31),
    arm_sizes=(1, 3, 7, 15),
    lander_sizes=(7, 15),
)
