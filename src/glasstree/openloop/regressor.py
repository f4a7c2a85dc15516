"""The open loop for quantities: the same search over variance, a constant in each leaf."""

from dataclasses import replace
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from glasstree.openloop.front import COMPARED, Samples
from glasstree.openloop.growth import GrowthOptions, grow
from glasstree.openloop.lower.impurity import gini
from glasstree.openloop.metrics import Judged, Metric
from glasstree.openloop.samples import (
    Given,
    kinds_of,
    read_samples,
    state_names,
    states_of,
)
from glasstree.openloop.simplification import check_digits, round_numbers
from glasstree.openloop.sizing import Fold, Grown, Size, Wanted, find_tree, finished, folds_of
from glasstree.openloop.upper.archive import PricedBy
from glasstree.openloop.upper.search import ParsimoniousSearch
from glasstree.parallel import using_workers
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.formula import significant
from glasstree.policy.scaling import Scaling
from glasstree.policy.sources.encoding import Encoding
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, fold
from glasstree.tables.encoding import only_used

DIGITS = 3  # of the numbers of rules, unless others are asked for
LEAF_DIGITS = 6  # of the constants in leaves
USUAL_DEPTH = 3  # where no samples can be left out
HALVES = ("low", "high")
PURE = 0.5  # Gini's impurity of two equal classes, to which parsimony belongs


class NLDTRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A regression tree whose splits are short nonlinear formulas, with a constant in each leaf.

    Parameters
    ----------
    max_depth: most rules on the way of a sample; None for as many as held-back samples want.
    terms: most power-law terms a rule.
    parsimony: what one more exponent must be worth, of twice the whole variance.
    min_samples, min_leaf: smallest node to split, smallest child.
    digits: significant digits of the rules' numbers, a few more where decisions need them.
    changed: share of the training samples' decisions that rounding may change.
    price: what parsimony pays for: "exponents", or printed "symbols".
    max_rules, complexity: most rules, and most printed symbols, of the whole tree.
    slack: by how many standard errors the tree may be worse than the best, to be smaller.

    Without a depth, `sizes_` tells what left-out samples judged: the complexity, rules and figure
    of trees, which is minus the mean squared error as a share of the range.

    Each leaf of `tree_` has its constant for a name. A sample of a share s of the range counts as
    s of the class `high` and 1 - s of the class `low`: the split with the least Gini impurity is
    then the one with the least variance, so that the search is that of the classifier.

    >>> X = np.random.default_rng(0).uniform(1, 2, (300, 2))
    >>> model = NLDTRegressor(max_depth=1, random_state=0).fit(X, np.where(X[:, 0] > 1.5, 7, 3))
    >>> model.predict([[1.2, 1.0], [1.8, 1.0]])
    array([3., 7.])
    """

    sizes_: tuple[Size, ...]

    def __init__(
        self,
        max_depth: int | None = None,
        terms: int = 3,
        parsimony: float = 0.005,
        min_samples: int = 10,
        min_leaf: int = 5,
        digits: int = DIGITS,
        changed: float = 0.002,
        price: PricedBy = "exponents",
        max_rules: int | None = None,
        complexity: float | None = None,
        slack: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.max_depth = max_depth
        self.terms = terms
        self.parsimony = parsimony
        self.min_samples = min_samples
        self.min_leaf = min_leaf
        self.digits = digits
        self.changed = changed
        self.price = price
        self.max_rules = max_rules
        self.complexity = complexity
        self.slack = slack
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self, X: ArrayLike | Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> "NLDTRegressor":
        """Grow the tree over (n, features) samples and their quantities."""
        check_digits(self.digits)
        samples, targets = read_samples(self, X, y, numeric=True)
        weights = _check_sample_weight(sample_weight, targets, dtype=np.float64)
        kept = weights > 0
        if not kept.any():
            raise ValueError("all samples have weight 0; give at least one a positive weight")
        codes = np.zeros(len(targets), dtype=np.int64)
        given = Given(samples, codes, weights, weights).take(kept)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        with using_workers(effective_n_jobs(self.n_jobs)):
            self._fit(given, targets[kept].astype(np.float64), seed)
        return self

    def predict(self, X: ArrayLike | Any) -> Floats:
        """Return the constant of each sample's leaf."""
        check_is_fitted(self)
        values = np.array([float(name) for name in self.tree_.action_names])
        predicted: Floats = values[self.tree_.actions(states_of(self, self.tree_, X))]
        return predicted

    def _fit(self, given: Given, targets: Floats, seed: int) -> None:
        low, span = float(targets.min()), float(np.ptp(targets)) or 1.0
        shares = (targets - low) / span
        encoding = given.encoding(shares[:, np.newaxis])
        names = encoding.names if encoding else state_names(self)
        table = given.samples(encoding)
        whole = Grown(_halved(table, shares), self._kinds(given, shares, encoding))
        tree = self._sized(given, shares, whole, seed)
        if tree is None:
            halves, scaling = whole.samples, Scaling.fit(table.states)
            normalised = scaling.normalise(halves.states)
            kind, n_classes = whole.kinds[-1], len(HALVES)
            root = grow(normalised, halves.labels, n_classes, kind, seed, halves.weights)
            tree = PolicyTree(root, scaling, names, HALVES)
            tree = Wanted(self.max_rules, self.complexity, self.slack).largest(tree, _variance)
        tree = PolicyTree(tree.root, tree.scaling, names, HALVES, encoding=encoding)
        pruned = _with_constants(tree, low, span)
        some = table.states[:: -(-len(table.states) // COMPARED)]
        rounded = round_numbers(pruned.over_raw_values(), some, self.digits, self.changed)
        self.tree_ = only_used(rounded)
        self.sizes_ = finished(self.sizes_, self.tree_)

    def _sized(self, given: Given, shares: Floats, whole: Grown, seed: int) -> PolicyTree | None:
        """Return a tree as large as left-out samples want it, unless a depth is asked for."""
        tenths = (10 * shares).astype(np.int64)
        generator = np.random.default_rng([seed, 0])
        parts = [] if self.max_depth is not None else given.parts(tenths, generator)
        size, self.sizes_ = Wanted(self.max_rules, self.complexity, self.slack), ()
        if not parts:
            return None

        def fold(part: Bools, places: Ints) -> Fold:
            train, others = given.take(~part), given.take(part)
            encoding = train.encoding(shares[~part, np.newaxis])
            halves = _halved(train.samples(encoding), shares[~part])
            kinds = self._kinds(train, shares[~part], encoding)
            return Fold(halves, kinds, others.samples(encoding).states, places)

        rows, folds = folds_of(parts, fold)
        wanted = shares[rows]

        def loss(labels: Ints, leaves: Floats, weights: Floats) -> Floats:
            return -np.square(wanted - leaves[:, 1]) * weights / weights.sum()

        nothing = np.zeros(len(rows), dtype=np.int64)
        judged = Judged(nothing, given.weights[rows], given.repeats[rows])
        metric = Metric.summed(loss)
        found = find_tree(whole, folds, judged, len(HALVES), seed, metric, _variance, size)
        tree, self.sizes_ = found
        return tree

    def _kinds(
        self, given: Given, shares: Floats, encoding: Encoding | None
    ) -> list[GrowthOptions]:
        """Return how trees are grown; parsimony is a part of the variance, not of impurity."""
        mean = np.average(shares, weights=given.weights)
        variance = float(np.average(np.square(shares - mean), weights=given.weights))
        parsimony = min(self.parsimony * 2 * variance / PURE, self.parsimony)
        search = ParsimoniousSearch(terms=self.terms, parsimony=parsimony, price=self.price)
        growth = GrowthOptions(
            max_depth=USUAL_DEPTH if self.max_depth is None else self.max_depth,
            impurity_tolerance=0.0,
            min_samples=self.min_samples,
            min_leaf=self.min_leaf,
        )
        return kinds_of(growth, search, encoding)


def _halved(table: Samples, shares: Floats) -> Samples:
    """Return each sample twice: its share as one of class 1, the rest as one of class 0."""
    weights = np.concatenate([table.weights * (1.0 - shares), table.weights * shares])
    labels = np.repeat(np.arange(2), len(shares))
    halves = Samples(np.concatenate([table.states, table.states]), labels, weights)
    return halves.take(weights > 0)


def _variance(counts: tuple[float, ...]) -> float:
    """Return half the impurity of a node times its weight: variance, and what all trees share."""
    array = np.array(counts)
    return float(0.5 * array.sum() * gini(array))


def _with_constants(tree: PolicyTree, low: float, span: float) -> PolicyTree:
    """Return the tree with the mean of each leaf as the name of its action."""
    names: dict[str, int] = {}

    def leaf(node: Leaf) -> Node:
        mean = low + span * node.counts[1] / sum(node.counts)
        name = f"{significant(mean, LEAF_DIGITS):.{LEAF_DIGITS}g}"
        return Leaf(names.setdefault(name, len(names)))

    def split(node: Split, left: Node, right: Node) -> Node:
        return Split(node.rule, left, right)

    root = fold(tree.root, leaf, split)
    return replace(tree, root=root, action_names=tuple(names))
