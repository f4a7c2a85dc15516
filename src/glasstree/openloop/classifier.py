"""The open loop as a scikit-learn classifier."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from glasstree.errors import OptionError
from glasstree.openloop.front import Front, Samples, find_front
from glasstree.openloop.growth import GrowthOptions, grow
from glasstree.openloop.lower.impurity import gini
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.metrics import Costs, Judged, get_metric, shares_of
from glasstree.openloop.pruning import prune, simplify
from glasstree.openloop.registry import get_search, get_solver
from glasstree.openloop.samples import (
    Given,
    kinds_of,
    read_samples,
    state_names,
    states_of,
)
from glasstree.openloop.simplification import check_digits, drop_exponents, round_numbers
from glasstree.openloop.sizing import Fold, Grown, Size, Wanted, find_tree, finished, folds_of
from glasstree.openloop.upper.archive import PricedBy
from glasstree.parallel import using_workers
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.scaling import Scaling
from glasstree.policy.sources.encoding import Encoding
from glasstree.policy.tree import PolicyTree
from glasstree.tables.encoding import only_used

FRONT_DIGITS = 3  # of the numbers of fronts and of tables, unless others are asked for
USUAL_DEPTH = 3  # where no samples can be held back
MOST_SIZED = 100  # classes, at most, for which a size is looked for
MOST_GROWN = 30_000  # samples that rules are looked for in; all are counted in the leaves
MOST_LEAVES = 2000  # of a tree before it is pruned, if all were alike
RARE = 0.2  # impurity of a table below which the prices of impurity are less: one in nine


class NLDTClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree whose splits are short nonlinear formulas.

    Parameters
    ----------
    max_depth: most rules between root and leaf; None for as many as left-out samples want.
    max_rules, complexity: most rules, and most printed symbols, of the whole tree.
    slack: by how many standard errors the tree may be worse than the best, to be smaller.
    solver: weights of a rule: "scan", "rga", "sqp", or an object.
    objective: "parsimony" or "paper"; by default the paper's for its solvers "rga" and "sqp".
    terms: most power-law terms per rule.
    parsimony: impurity that one more exponent must be worth.
    impurity_tolerance, min_samples, min_leaf: a node is not split that is purer, or smaller, nor
        if a child would be smaller; by default 0.05, 10 and 5 with a depth. Without one, trees grow
        almost to the end, and pruning decides.
    class_weight: "balanced", a dict, or None.
    costs: what a wrong label costs, {right: {given: cost}}; 1 where nothing is said. Classes weigh
        by it, instead of class_weight, and each leaf has the label of least cost.
    metric: by what left-out samples judge the size: "accuracy", "balanced_accuracy" (which makes
        class_weight balanced, unless that is set), "f1", "roc_auc" or "log_loss".
    drop: whether terms and factors are dropped that hardly change a decision.
    digits: significant digits of weights and biases, a few more where decisions need them.
    changed: share of the training samples' decisions that dropping, or rounding, may change.
    price: what parsimony pays for: "exponents", or printed "symbols", of which four count as one.
    front: whether `fit` makes `front_` as well, at several times the cost.

    X may be a frame of pandas, polars or pyarrow with words, dates and gaps; the rules are then in
    its terms. Without a depth, five parts of the samples are left out in turn, and judge how large
    the tree is and of which rules: single variables, lines, long lines or power laws; the one with
    fewest symbols within one standard error of the best is taken. `sizes_` tells what was judged:
    complexity, rules and figure of each tree that was better than all less complex ones.

    `front_` holds the best tree of each complexity, the least complex first. One in four samples of
    each class is held back: its trees are grown from the others, and judged by these, so `tree_` is
    not among them. The figure is optimistic, for the same samples choose and judge. Numbers have
    `digits`, or else 3, digits and a few more where decisions need them.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(1, 2, (500, 2))
    >>> classifier = NLDTClassifier(max_depth=1, random_state=0).fit(X, X[:, 0] * X[:, 1] > 2)
    >>> bool(classifier.score(X, X[:, 0] * X[:, 1] > 2) > 0.98)
    True
    """

    front_: Front
    sizes_: tuple[Size, ...]

    def __init__(
        self,
        max_depth: int | None = None,
        solver: str | Solver = "scan",
        objective: str | None = None,
        terms: int = 3,
        parsimony: float = 0.005,
        impurity_tolerance: float | None = None,
        min_samples: int | None = None,
        min_leaf: int | None = None,
        class_weight: Any = None,
        costs: Any = None,
        metric: str = "accuracy",
        drop: bool = False,
        digits: int | None = None,
        changed: float = 0.002,
        price: PricedBy = "exponents",
        front: bool = False,
        max_rules: int | None = None,
        complexity: float | None = None,
        slack: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.max_depth = max_depth
        self.solver = solver
        self.objective = objective
        self.terms = terms
        self.parsimony = parsimony
        self.impurity_tolerance = impurity_tolerance
        self.min_samples = min_samples
        self.min_leaf = min_leaf
        self.class_weight = class_weight
        self.costs = costs
        self.metric = metric
        self.drop = drop
        self.digits = digits
        self.changed = changed
        self.price = price
        self.front = front
        self.max_rules = max_rules
        self.complexity = complexity
        self.slack = slack
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self, X: ArrayLike | Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> "NLDTClassifier":
        """Grow the tree over (n, features) samples and their labels."""
        get_metric(self.metric)
        if self.digits is not None:
            check_digits(self.digits)
        samples, labels = read_samples(self, X, y)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        weights = _check_sample_weight(sample_weight, labels, dtype=np.float64)
        class_weight = self.class_weight
        if class_weight is None and self.metric == "balanced_accuracy":
            class_weight = "balanced"
        repeats = weights
        if self.costs is not None:
            priced = Costs.of(self.costs, self.classes_.tolist()).weights
            weights = weights * (priced / priced.mean())[codes]
        elif class_weight is not None:
            weights = weights * compute_sample_weight(class_weight, labels)
        kept = weights > 0
        if not kept.any():
            raise ValueError("all samples have weight 0; give at least one a positive weight")
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        given = Given(samples, codes, weights, repeats).take(kept)
        with using_workers(effective_n_jobs(self.n_jobs)):
            self._fit(given, seed)
        return self

    def predict(self, X: ArrayLike | Any, complexity: float | None = None) -> NDArray[Any]:
        """Return the label of each sample, by the front's best tree of at most so many symbols."""
        check_is_fitted(self)
        tree = self.tree_ if complexity is None else self._front_tree(complexity)
        predicted: NDArray[Any] = self.classes_[tree.actions(states_of(self, tree, X))]
        return predicted

    def predict_proba(self, X: ArrayLike | Any) -> Floats:
        """Return the share of each class in each sample's leaf, one more of each being assumed."""
        check_is_fitted(self)
        return shares_of(self.tree_, states_of(self, self.tree_, X))

    def _fit(self, every: Given, seed: int) -> None:
        """Set `tree_`, and `front_` if it is wanted."""
        given = every.sample(MOST_GROWN, seed)
        encoding = given.encoding()
        states = encoding.names if encoding else state_names(self)
        names = states, action_names(self.classes_)
        table = given.samples(encoding)
        pruned = self._sized(given, table, encoding, seed)
        if pruned is None:
            growth = self._growth(given, encoding)
            scaling = Scaling.fit(table.states)
            normalised = scaling.normalise(table.states)
            root = grow(normalised, table.labels, len(names[1]), growth, seed, table.weights)
            tree = PolicyTree(root, scaling, *names, encoding=encoding)
            pruned = prune(tree, table.states, table.labels, 0.0, table.weights)
            pruned = Wanted(self.max_rules, self.complexity, self.slack).largest(pruned)
        tree = PolicyTree(pruned.root, pruned.scaling, *names, encoding=encoding)
        if given is not every:
            tree = every.counted(tree)
        if self.costs is not None:
            tree = Costs.of(self.costs, self.classes_.tolist()).relabelled(tree)
        pruned, digits = simplify(tree, min_samples=0), self.digits
        if encoding or self.max_depth is None:
            pruned, digits = pruned.over_raw_values(), self.digits or FRONT_DIGITS
        some = table.thinned() if given is every else given.samples(tree.encoding).thinned()
        self.tree_ = only_used(self._simplified(pruned, some.states, digits))
        self.sizes_ = finished(self.sizes_, self.tree_)
        if hasattr(self, "front_"):
            del self.front_
        if self.front:
            finish = partial(self._simplified, digits=self.digits or FRONT_DIGITS)
            depth = max(USUAL_DEPTH, self.tree_.depth) if self.max_depth is None else self.max_depth
            growth = replace(self._growth(given, encoding), max_depth=depth)
            front = find_front(table, names, growth, seed, finish)
            self.front_ = front if encoding is None else front.of_table(encoding)

    def _sized(
        self, given: Given, table: Samples, encoding: Encoding | None, seed: int
    ) -> PolicyTree | None:
        """Return a tree as large as left-out samples want it, unless a depth is asked for."""
        n_classes, self.sizes_ = len(self.classes_), ()
        wanted = Wanted(self.max_rules, self.complexity, self.slack)
        if self.max_depth is not None or n_classes > MOST_SIZED:
            return None
        parts = given.parts(given.codes, np.random.default_rng([seed, 0]))
        if not parts:
            return None

        def fold(part: Bools, places: Ints) -> Fold:
            train = given.take(~part)
            encoding = train.encoding()
            left_out = given.take(part).samples(encoding).states
            return Fold(train.samples(encoding), self._kinds(train, encoding), left_out, places)

        rows, folds = folds_of(parts, fold)
        judged = Judged(given.codes[rows], given.weights[rows], given.repeats[rows])
        whole, metric = Grown(table, self._kinds(given, encoding)), get_metric(self.metric)
        arguments = (whole, folds, judged, n_classes, seed, metric)
        tree, self.sizes_ = find_tree(*arguments, wanted=wanted)
        return tree

    def _front_tree(self, complexity: float) -> PolicyTree:
        if not hasattr(self, "front_"):
            raise OptionError("predict with a complexity needs a front; fit with front=True")
        return self.front_.pick(complexity).tree

    def _simplified(self, tree: PolicyTree, samples: Floats, digits: int | None) -> PolicyTree:
        if self.drop:
            tree = drop_exponents(tree, samples, tolerance=self.changed)
        if digits is not None:
            tree = round_numbers(tree, samples, digits, self.changed)
        return tree

    def _growth(self, given: Given, encoding: Encoding | None) -> GrowthOptions:
        """Return how trees of power laws are grown."""
        return self._kinds(given, encoding)[-1]

    def _kinds(self, given: Given, encoding: Encoding | None) -> list[GrowthOptions]:
        """Return how trees are grown: of single variables, of lines, and of power laws, the last.

        Where a class is rare, impurities are small throughout.
        """
        solver = get_solver(self.solver)
        limits = self._limits(given)
        rule = (self.objective, solver, self.terms, self.parsimony, limits.impurity_tolerance)
        counts = np.bincount(given.codes, given.weights, len(self.classes_))
        rarity = min(1.0, gini(counts.astype(np.float64)) / RARE)
        growth = GrowthOptions(
            max_depth=USUAL_DEPTH if self.max_depth is None else self.max_depth,
            impurity_tolerance=rarity * limits.impurity_tolerance,
            min_samples=limits.min_samples,
            min_leaf=limits.min_leaf,
            search=get_search(*rule, self.price),
            solver=solver,
        ).with_parsimony(rarity)
        return kinds_of(growth, growth.search, encoding)

    def _limits(self, given: Given) -> GrowthOptions:
        """Return when growth ends, where nothing is said about it."""
        limits = GrowthOptions()
        if self.max_depth is None and len(self.classes_) <= MOST_SIZED:
            smallest = max(1, round(given.repeats.sum() / MOST_LEAVES))
            limits = GrowthOptions(
                impurity_tolerance=0.0, min_samples=2 * smallest, min_leaf=smallest
            )
        named = ("impurity_tolerance", "min_samples", "min_leaf")
        asked = {name: getattr(self, name) for name in named}
        return replace(limits, **{name: one for name, one in asked.items() if one is not None})


def action_names(classes: NDArray[Any]) -> tuple[str, ...]:
    """Turn class labels into unique, non-empty names.

    >>> action_names(np.array([0, 1]))
    ('0', '1')
    """
    names = [str(label) or "(empty)" for label in classes.tolist()]
    return tuple(names) if len(set(names)) == len(names) else tuple(map(repr, classes.tolist()))
