"""By what held-back samples judge: accuracy, or what counts where classes are unequal."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import f1_score, log_loss, roc_auc_score

from glasstree.errors import OptionError, unknown
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import Leaf, PolicyTree, walk

Judge = Callable[[Ints, Floats, Floats], float]
DRAWS = 100  # of the held-back samples, from which a standard error is estimated


def leaf_shares(counts: Any) -> Floats:
    """Return the shares of the classes in a leaf, one more sample of each being assumed.

    >>> leaf_shares((8.0, 0.0))
    array([0.9, 0.1])
    """
    smoothed: Floats = np.asarray(counts, dtype=np.float64) + 1.0
    return smoothed / smoothed.sum()


def shares_of(tree: PolicyTree, states: Floats) -> Floats:
    """Return the (n, classes) shares of each state's leaf."""
    shares = np.empty((len(states), len(tree.action_names)))
    nodes = (node for _, node in walk(tree.root))
    for node, rows in zip(nodes, tree.apply(states), strict=True):
        if isinstance(node, Leaf):
            shares[rows] = leaf_shares(node.counts)
    return shares


def _accuracy(labels: Ints, shares: Floats, weights: Floats) -> float:
    return float(np.average(shares.argmax(axis=1) == labels, weights=weights))


def _balanced(labels: Ints, shares: Floats, weights: Floats) -> float:
    right = (shares.argmax(axis=1) == labels).astype(np.float64)
    counts = np.bincount(labels)
    return float((np.bincount(labels, right)[counts > 0] / counts[counts > 0]).mean())


def _f1(labels: Ints, shares: Floats, weights: Floats) -> float:
    found = shares.argmax(axis=1)
    return float(f1_score(labels, found, average="macro", sample_weight=weights, zero_division=0))


def _log_loss(labels: Ints, shares: Floats, weights: Floats) -> float:
    classes = range(shares.shape[1])
    return -float(log_loss(labels, shares, sample_weight=weights, labels=list(classes)))


def _roc_auc(labels: Ints, shares: Floats, weights: Floats) -> float:
    """Return the mean over classes of one against the others, those that are there."""
    areas = [
        roc_auc_score(labels == label, shares[:, label], sample_weight=weights)
        for label in np.unique(labels)
        if (labels != label).any()
    ]
    return float(np.mean(areas)) if areas else 0.5


METRICS: dict[str, Judge] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced,
    "f1": _f1,
    "log_loss": _log_loss,
    "roc_auc": _roc_auc,
}


def get_metric(name: str) -> Judge:
    """Return how shares are judged, the more the better, by name."""
    if name not in METRICS:
        raise OptionError(unknown("metric", name, METRICS))
    return METRICS[name]


def standard_error(
    judge: Judge, labels: Ints, shares: Floats, weights: Floats, generator: np.random.Generator
) -> float:
    """Return how much a figure varies with the samples that it is taken from."""
    if judge is _accuracy:
        share = judge(labels, shares, weights)
        return float(np.sqrt(share * (1.0 - share) / weights.sum()))
    draws = generator.integers(len(labels), size=(DRAWS, len(labels)))
    figures = [judge(labels[rows], shares[rows], weights[rows]) for rows in draws]
    return float(np.std(figures))
