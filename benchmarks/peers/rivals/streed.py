"""pystreed: the axis-parallel tree of a depth that is most accurate over given thresholds."""

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from glasstree.data import Dataset
from glasstree.policy.arrays import Floats, Ints

from .base import Rival, Sized, coded, spread
from .forest import LEAF, Forest, axis

FEATURES = 60
SECONDS = 20


def fit(data: Dataset, size: int, seed: int) -> Sized:
    """Search all trees of depth `size`."""
    from pystreed import STreeDClassifier

    present, codes = coded(data)
    cuts = thresholds(data.states, codes, seed)
    truths = np.stack([data.states[:, variable] <= cut for variable, cut in cuts], axis=1)
    model = STreeDClassifier(max_depth=size, time_limit=SECONDS)
    model.fit(truths.astype(np.int32), codes)
    forest = Forest()
    forest.roots.append(add(forest, model.get_tree(), cuts, present, data))
    return forest.policy()


def thresholds(states: Floats, codes: Ints, seed: int) -> list[tuple[int, float]]:
    """Return (variable, threshold) pairs: the best cuts of each variable by itself."""
    width = states.shape[1]
    found = []
    for variable in range(width):
        leaves = max(FEATURES // width, 2) + 1
        tree = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=seed)
        tree.fit(states[:, [variable]], codes)
        inner = tree.tree_.children_left != LEAF
        found += [(variable, float(cut)) for cut in np.unique(tree.tree_.threshold[inner])]
    return found


def add(
    forest: Forest, node: Any, cuts: list[tuple[int, float]], present: Ints, data: Dataset
) -> int:
    """Add a node and all below it; return its number."""
    width = data.states.shape[1]
    if node.is_leaf_node():
        values = spread(np.eye(len(present))[int(node.label)], present, data.n_actions)
        return forest.leaf(values, width)
    variable, cut = cuts[node.feature]
    below = (node.right_child, node.left_child)
    children = (add(forest, child, cuts, present, data) for child in below)
    return forest.split(axis(variable, width), cut, *children, data.n_actions)


STREED = Rival(
    *("streed", "pystreed", "depth"),
    fit=fit,
    sizes=(1, 2, 3, 4),
    arm_sizes=(1, 2, 3),
    lander_sizes=(2, 3),
    weighs=False,
    packages=("pystreed",),
)
