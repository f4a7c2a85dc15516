"""scikit-learn's CART, by its number of leaves; VIPER is the same on other data."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from glasstree.data import Dataset

from .base import Rival, Sized, spread
from .forest import LEAF, Forest, axis


def fit(data: Dataset, size: int, seed: int) -> Sized:
    """Grow a tree of at most `size` leaves, best splits first."""
    model = DecisionTreeClassifier(max_leaf_nodes=size, random_state=seed)
    model.fit(data.states, data.actions, sample_weight=data.weights)
    return converted(model.tree_, model.classes_, data)


def converted(tree, classes: np.ndarray, data: Dataset) -> Sized:
    """Turn a fitted tree of scikit-learn into plain arrays."""
    forest, width = Forest(), data.states.shape[1]
    for node in range(tree.node_count):
        values = spread(tree.value[node, 0], classes, data.n_actions)
        if tree.children_left[node] == LEAF:
            forest.leaf(values, width)
            continue
        children = tree.children_left[node], tree.children_right[node]
        row = axis(tree.feature[node], width)
        forest.split(row, tree.threshold[node], *children, data.n_actions)
    forest.roots.append(0)
    return forest.policy()


CART = Rival(
    *("cart", "CART", "leaves"),
    fit=fit,
    sizes=(2, 4, 8, 16, 32, 64),
    arm_sizes=(2, 4, 8, 32, 128),
    lander_sizes=(8, 16, 32, 128),
)
VIPER = Rival(
    *("viper", "VIPER", "leaves"),
    fit=fit,
    sizes=(2, 4, 8, 16, 32, 64),
    arm_sizes=(2, 4, 8, 32, 128),
    lander_sizes=(8, 16, 32, 128),
    data=("aggregated",),
    weighted=True,
    rounds=24,
)
