"""pystreed with weights: the tree of a depth whose errors weigh least."""

import numpy as np
from peers.rivals.base import Sized, coded
from peers.rivals.forest import Forest
from peers.rivals.streed import SECONDS, add, thresholds

from glasstree.data import Dataset


def fit(data: Dataset, size: int, seed: int) -> Sized:
    """Search all trees of depth `size`; a wrong label costs the weight of its row."""
    from pystreed import STreeDInstanceCostSensitiveClassifier

    present, codes = coded(data)
    cuts = thresholds(data.states, codes, seed)
    truths = np.stack([data.states[:, variable] <= cut for variable, cut in cuts], axis=1)
    wrong = codes[:, np.newaxis] != np.arange(len(present))
    model = STreeDInstanceCostSensitiveClassifier(max_depth=size, time_limit=SECONDS)
    model.fit(truths.astype(np.int32), data.weights[:, np.newaxis] * wrong)
    forest = Forest()
    forest.roots.append(add(forest, model.get_tree(), cuts, present, data))
    return forest.policy()
