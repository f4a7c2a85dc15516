"""The open loop as a scikit-learn classifier."""

from functools import partial
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from glasstree.errors import OptionError
from glasstree.openloop.front import Front, Samples, find_front
from glasstree.openloop.growth import GrowthOptions, grow
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.pruning import prune, simplify
from glasstree.openloop.registry import get_search, get_solver
from glasstree.openloop.simplification import check_digits, drop_exponents, round_numbers
from glasstree.openloop.upper.archive import PricedBy
from glasstree.parallel import using_workers
from glasstree.policy.arrays import Floats
from glasstree.policy.scaling import Scaling
from glasstree.policy.tree import Leaf, PolicyTree, walk

FRONT_DIGITS = 3  # of the numbers of the front, unless others are asked for


class NLDTClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree whose splits are short nonlinear formulas.

    Parameters
    ----------
    max_depth: most rules between root and leaf.
    solver: weights of a rule: "scan", "rga", "sqp", or an object.
    objective: "parsimony" or "paper"; by default the paper's for its solvers "rga" and "sqp".
    terms: most power-law terms per rule.
    parsimony: impurity that one more exponent must be worth.
    impurity_tolerance: a node that is purer is not split.
    min_samples, min_leaf: smallest node to split, smallest child.
    class_weight: "balanced", a dict, or None.
    drop: whether terms and factors are dropped that hardly change a decision.
    digits: significant digits of weights and biases, a few more where decisions need them.
    changed: share of the training samples' decisions that dropping, or rounding, may change.
    price: what parsimony pays for: "exponents", or printed "symbols", of which four count as one.
    front: whether `fit` makes `front_` as well, at several times the cost.

    `front_` holds the best tree of each complexity, which is the number of printed symbols, the
    least complex first. One in four samples of each class is held back: its trees are grown from
    the others, and judged by their accuracy on these, so `tree_` is not among them. The figure is
    optimistic, for the same samples choose and judge. Numbers have `digits`, or else 3, digits and
    a few more where decisions need them.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(1, 2, (500, 2))
    >>> classifier = NLDTClassifier(max_depth=1, random_state=0).fit(X, X[:, 0] * X[:, 1] > 2)
    >>> bool(classifier.score(X, X[:, 0] * X[:, 1] > 2) > 0.98)
    True
    """

    front_: Front

    def __init__(
        self,
        max_depth: int = 3,
        solver: str | Solver = "scan",
        objective: str | None = None,
        terms: int = 3,
        parsimony: float = 0.005,
        impurity_tolerance: float = 0.05,
        min_samples: int = 10,
        min_leaf: int = 5,
        class_weight: Any = None,
        drop: bool = False,
        digits: int | None = None,
        changed: float = 0.002,
        price: PricedBy = "exponents",
        front: bool = False,
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
        self.drop = drop
        self.digits = digits
        self.changed = changed
        self.price = price
        self.front = front
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> "NLDTClassifier":
        """Grow the tree over (n, features) samples and their labels."""
        if self.digits is not None:
            check_digits(self.digits)
        with np.errstate(over="ignore", invalid="ignore"):
            samples, labels = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        weights = _check_sample_weight(sample_weight, samples, dtype=np.float64)
        if self.class_weight is not None:
            weights = weights * compute_sample_weight(self.class_weight, labels)
        kept = weights > 0
        if not kept.any():
            raise ValueError("all samples have weight 0; give at least one a positive weight")
        samples, codes, weights = samples[kept], codes[kept], weights[kept]
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        with using_workers(effective_n_jobs(self.n_jobs)):
            self._fit(Samples(samples, codes, weights), seed)
        return self

    def predict(self, X: ArrayLike, complexity: float | None = None) -> NDArray[Any]:
        """Return the label of each sample, by the front's best tree of at most so many symbols."""
        samples = self._samples(X)
        tree = self.tree_ if complexity is None else self._front_tree(complexity)
        predicted: NDArray[Any] = self.classes_[tree.actions(samples)]
        return predicted

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the share of each class among the training samples of each sample's leaf."""
        samples = self._samples(X)
        shares = np.empty((len(samples), len(self.classes_)))
        nodes = (node for _, node in walk(self.tree_.root))
        for node, rows in zip(nodes, self.tree_.apply(samples), strict=True):
            if isinstance(node, Leaf):
                counts = np.array(node.counts)
                shares[rows] = counts / counts.sum()
        return shares

    def _fit(self, table: Samples, seed: int) -> None:
        """Set `tree_`, and `front_` if it is wanted."""
        names = self._state_names(), action_names(self.classes_)
        scaling, growth = Scaling.fit(table.states), self._growth()
        normalised = scaling.normalise(table.states)
        root = grow(normalised, table.labels, len(names[1]), growth, seed, table.weights)
        tree = PolicyTree(root, scaling, *names)
        pruned = simplify(prune(tree, table.states, table.labels, tolerance=0.0), min_samples=0)
        self.tree_ = self._simplified(pruned, table.thinned().states, self.digits)
        if hasattr(self, "front_"):
            del self.front_
        if self.front:
            finish = partial(self._simplified, digits=self.digits or FRONT_DIGITS)
            self.front_ = find_front(table, names, growth, seed, finish)

    def _front_tree(self, complexity: float) -> PolicyTree:
        if not hasattr(self, "front_"):
            raise OptionError("predict with a complexity needs a front; fit with front=True")
        return self.front_.pick(complexity).tree

    def _samples(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        with np.errstate(over="ignore", invalid="ignore"):
            samples: Floats = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return samples

    def _state_names(self) -> tuple[str, ...]:
        """Return the columns' names of a data frame where they are fit for it, else x0, x1, ..."""
        names = [str(name) for name in getattr(self, "feature_names_in_", ())]
        if all(names) and len(set(names)) == self.n_features_in_:
            return tuple(names)
        return tuple(f"x{j}" for j in range(self.n_features_in_))

    def _simplified(self, tree: PolicyTree, samples: Floats, digits: int | None) -> PolicyTree:
        if self.drop:
            tree = drop_exponents(tree, samples, tolerance=self.changed)
        if digits is not None:
            tree = round_numbers(tree, samples, digits, self.changed)
        return tree

    def _growth(self) -> GrowthOptions:
        solver = get_solver(self.solver)
        return GrowthOptions(
            max_depth=self.max_depth,
            impurity_tolerance=self.impurity_tolerance,
            min_samples=self.min_samples,
            min_leaf=self.min_leaf,
            search=get_search(
                self.objective,
                solver,
                self.terms,
                self.parsimony,
                self.impurity_tolerance,
                self.price,
            ),
            solver=solver,
        )


def action_names(classes: NDArray[Any]) -> tuple[str, ...]:
    """Turn class labels into unique, non-empty names.

    >>> action_names(np.array([0, 1]))
    ('0', '1')
    """
    names = [str(label) or "(empty)" for label in classes.tolist()]
    return tuple(names) if len(set(names)) == len(names) else tuple(map(repr, classes.tolist()))
