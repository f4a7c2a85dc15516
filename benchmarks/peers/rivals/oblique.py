"""obliquetree: splits over sums of all variables, or of three."""

import warnings
from functools import partial
from typing import Any

import numpy as np

from glasstree.data import Dataset

from .base import Rival, Sized, coded, spread
from .forest import Forest, axis

SPARSE = 3
CHOSEN_FROM = 4
PACKAGES = ("obliquetree", "obliquetree.utils")


def fit(data: Dataset, size: int, seed: int, variables: int | None = None) -> Sized:
    """Grow a tree of depth `size`; three variables of many are chosen among the best four."""
    from obliquetree import Classifier
    from obliquetree.utils import export_tree

    width = data.states.shape[1]
    pair = min(variables or width, width)
    chosen = CHOSEN_FROM if pair < width and width > 8 else None
    model = Classifier(max_depth=size, n_pair=pair, top_k=chosen, random_state=seed)
    present, codes = coded(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(data.states, codes, data.weights)
    forest = Forest()
    forest.roots.append(add(forest, export_tree(model)["tree"], present, data))
    return forest.policy()


def add(forest: Forest, node: dict[str, Any], present: np.ndarray, data: Dataset) -> int:
    """Add an exported node and all below it; return its number."""
    width = data.states.shape[1]
    if node["is_leaf"]:
        shares = node["values"] if "values" in node else [1 - node["value"], node["value"]]
        return forest.leaf(spread(np.array(shares), present, data.n_actions), width)
    if node.get("is_oblique"):
        row = spread(np.array(node["weights"]), np.array(node["features"]), width)
    else:
        row = axis(node["feature_idx"], width)
    children = (add(forest, node[side], present, data) for side in ("left", "right"))
    return forest.split(row, node["threshold"], *children, data.n_actions)


DENSE = Rival(
    *("oblique", "obliquetree, dense", "depth"),
    fit=fit,
    packages=PACKAGES,
    sizes=(1, 2, 3, 4),
    arm_sizes=(1, 2, 3, 4),
    lander_sizes=(2, 3, 4, 5),
)
THREE = Rival(
    *("oblique3", "obliquetree, 3 variables a split", "depth"),
    fit=partial(fit, variables=SPARSE),
    packages=PACKAGES,
    sizes=(1, 2, 3, 4),
    arm_sizes=(1, 2, 3, 4),
    lander_sizes=(2, 3, 4),
)
