"""By what held-back samples judge: accuracy, or what counts where classes are unequal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.metrics import f1_score, roc_auc_score

from glasstree.errors import OptionError, unknown
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import Leaf, Node, PolicyTree, fold, walk
from glasstree.tables.shares import leaf_shares

DRAWS = 100  # of the held-back samples, from which a standard error is estimated


def shares_of(tree: PolicyTree, states: Floats) -> Floats:
    """Return the (n, classes) shares of each state's leaf."""
    shares = np.empty((len(states), len(tree.action_names)))
    nodes = (node for _, node in walk(tree.root))
    for node, rows in zip(nodes, tree.apply(states), strict=True):
        if isinstance(node, Leaf):
            shares[rows] = leaf_shares(node.counts)
    return shares


@dataclass(frozen=True, eq=False)
class Judged:
    """Labels (n,) that are to be found, their weights (n,), and how many rows each stands for."""

    labels: Ints
    weights: Floats
    repeats: Floats


@dataclass(frozen=True)
class Metric:
    """How shares are judged, the more the better.

    judge: the figure of labels (n,), shares (n, classes) and weights (n,). Where that is a sum
    over the rows, `parts` returns its (n,) summands.
    """

    judge: Callable[[Ints, Floats, Floats], float]
    parts: Callable[[Ints, Floats, Floats], Floats] | None = None

    @classmethod
    def summed(cls, parts: Callable[[Ints, Floats, Floats], Floats]) -> "Metric":
        """Return the metric that is a sum over the rows."""
        return cls(lambda *arguments: float(parts(*arguments).sum()), parts)

    def figure(self, judged: Judged, shares: Floats) -> float:
        """Return how good shares are."""
        return self.judge(judged.labels, shares, judged.weights)

    def standard_error(
        self, judged: Judged, shares: Floats, others: Floats, generator: np.random.Generator
    ) -> float:
        """Return how much the difference of two figures varies with the samples."""
        labels, weights = judged.labels, judged.weights
        if self.parts is not None:
            one, other = (self.parts(labels, some, weights) for some in (shares, others))
            return float(np.sqrt((np.square(one - other) / judged.repeats).sum()))
        draws = generator.integers(len(labels), size=(DRAWS, len(labels)))
        differences = [
            self.judge(labels[rows], shares[rows], weights[rows])
            - self.judge(labels[rows], others[rows], weights[rows])
            for rows in draws
        ]
        return float(np.std(differences))


def _accuracy(labels: Ints, shares: Floats, weights: Floats) -> Floats:
    return (shares.argmax(axis=1) == labels) * weights / weights.sum()


def _balanced(labels: Ints, shares: Floats, weights: Floats) -> Floats:
    counts = np.bincount(labels, weights)
    right: Floats = (shares.argmax(axis=1) == labels) * weights / counts[labels]
    return right / np.count_nonzero(counts)


def _f1(labels: Ints, shares: Floats, weights: Floats) -> float:
    found = shares.argmax(axis=1)
    return float(f1_score(labels, found, average="macro", sample_weight=weights, zero_division=0))


def _log_loss(labels: Ints, shares: Floats, weights: Floats) -> Floats:
    own: Floats = np.log(shares[np.arange(len(labels)), labels])
    return own * weights / weights.sum()


def _roc_auc(labels: Ints, shares: Floats, weights: Floats) -> float:
    """Return the mean over classes of one against the others, those that are there."""
    areas = [
        roc_auc_score(labels == label, shares[:, label], sample_weight=weights)
        for label in np.unique(labels)
        if (labels != label).any()
    ]
    return float(np.mean(areas)) if areas else 0.5


METRICS = {
    "accuracy": Metric.summed(_accuracy),
    "balanced_accuracy": Metric.summed(_balanced),
    "f1": Metric(_f1),
    "log_loss": Metric.summed(_log_loss),
    "roc_auc": Metric(_roc_auc),
}


def get_metric(name: str) -> Metric:
    """Return a metric by name."""
    if name not in METRICS:
        raise OptionError(unknown("metric", name, METRICS))
    return METRICS[name]


@dataclass(frozen=True, eq=False)
class Costs:
    """What each class (first) costs if it is given each label (second): (classes, classes)."""

    table: Floats

    @classmethod
    def of(cls, costs: Mapping[Any, Mapping[Any, float]], classes: Sequence[Any]) -> "Costs":
        """Read a table of costs; a wrong label costs 1 where nothing is said.

        >>> Costs.of({"fraud": {"fine": 50}}, ["fine", "fraud"]).table.tolist()
        [[0.0, 1.0], [50.0, 0.0]]
        """
        places = {str(name): place for place, name in enumerate(classes)}
        table = 1.0 - np.eye(len(places))
        for right, row in costs.items():
            for given, cost in row.items():
                for name in (right, given):
                    if str(name) not in places:
                        raise OptionError(unknown("class of the costs", str(name), places))
                if not (np.isfinite(cost) and cost >= 0):
                    raise OptionError(f"a cost is a number that is not negative, got {cost}")
                table[places[str(right)], places[str(given)]] = cost
        return cls(table)

    @property
    def weights(self) -> Floats:
        """What an error costs in each class, on average over the labels that it may be given."""
        others = max(len(self.table) - 1, 1)
        weights: Floats = (self.table.sum(axis=1) - self.table.diagonal()) / others
        return np.where(weights > 0, weights, np.finfo(np.float64).tiny)

    def relabelled(self, tree: PolicyTree) -> PolicyTree:
        """Return a tree of weighted classes whose leaves have the label of least cost."""

        def leaf(node: Leaf) -> Node:
            rows = np.asarray(node.counts) / self.weights
            return replace(node, action=int(np.argmin(rows @ self.table)))

        return tree.with_root(
            fold(tree.root, leaf, lambda node, left, right: replace(node, left=left, right=right))
        )
