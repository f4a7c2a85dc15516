"""The open loop as a scikit-learn classifier."""

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
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.pruning import prune, simplify
from glasstree.openloop.registry import get_search, get_solver
from glasstree.openloop.samples import read_samples, search_of_table, state_names, states_of
from glasstree.openloop.simplification import check_digits, drop_exponents, round_numbers
from glasstree.openloop.upper.archive import PricedBy
from glasstree.parallel import using_workers
from glasstree.policy.arrays import Floats
from glasstree.policy.encoding import Encoding
from glasstree.policy.scaling import Scaling
from glasstree.policy.tree import Leaf, PolicyTree, walk
from glasstree.tables.encoding import encoded, learnt_encoding, one_hot, only_used
from glasstree.tables.frame import Frame

FRONT_DIGITS = 3  # of the numbers of the front, unless others are asked for


class NLDTClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree whose splits are short nonlinear formulas.

    Parameters
    ----------
    max_depth: most rules on the way of a sample.
    solver: weights of a rule: "scan", "rga", "sqp", or an object.
    objective: "parsimony" or "paper"; by default the paper's for its solvers "rga" and "sqp".
    terms: most power-law terms a rule.
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
        samples, labels = read_samples(self, X, y)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        weights = _check_sample_weight(sample_weight, labels, dtype=np.float64)
        if self.class_weight is not None:
            weights = weights * compute_sample_weight(self.class_weight, labels)
        kept = weights > 0
        if not kept.any():
            raise ValueError("all samples have weight 0; give at least one a positive weight")
        codes, weights = codes[kept], weights[kept]
        if isinstance(samples, Frame):
            frame = samples.take(kept)
            encoding = learnt_encoding(frame, one_hot(codes), weights)
            states = encoded(encoding, frame)
        else:
            encoding, states = None, samples[kept]
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        with using_workers(effective_n_jobs(self.n_jobs)):
            self._fit(Samples(states, codes, weights), encoding, seed)
        return self

    def predict(self, X: ArrayLike, complexity: float | None = None) -> NDArray[Any]:
        """Return the label of each sample, by the front's best tree of at most so many symbols."""
        check_is_fitted(self)
        tree = self.tree_ if complexity is None else self._front_tree(complexity)
        predicted: NDArray[Any] = self.classes_[tree.actions(states_of(self, tree, X))]
        return predicted

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the share of each class among the training samples of each sample's leaf."""
        check_is_fitted(self)
        samples = states_of(self, self.tree_, X)
        shares = np.empty((len(samples), len(self.classes_)))
        nodes = (node for _, node in walk(self.tree_.root))
        for node, rows in zip(nodes, self.tree_.apply(samples), strict=True):
            if isinstance(node, Leaf):
                counts = np.array(node.counts)
                shares[rows] = counts / counts.sum()
        return shares

    def _fit(self, table: Samples, encoding: Encoding | None, seed: int) -> None:
        """Set `tree_`, and `front_` if it is wanted."""
        states = encoding.names if encoding else state_names(self)
        names = states, action_names(self.classes_)
        scaling, growth = Scaling.fit(table.states), self._growth(encoding)
        normalised = scaling.normalise(table.states)
        root = grow(normalised, table.labels, len(names[1]), growth, seed, table.weights)
        tree = PolicyTree(root, scaling, *names, encoding=encoding)
        pruned = simplify(prune(tree, table.states, table.labels, tolerance=0.0), min_samples=0)
        digits = self.digits
        if encoding:
            pruned, digits = pruned.over_raw_values(), self.digits or FRONT_DIGITS
        self.tree_ = only_used(self._simplified(pruned, table.thinned().states, digits))
        if hasattr(self, "front_"):
            del self.front_
        if self.front:
            finish = partial(self._simplified, digits=self.digits or FRONT_DIGITS)
            front = find_front(table, names, growth, seed, finish)
            self.front_ = front if encoding is None else front.of_table(encoding)

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

    def _growth(self, encoding: Encoding | None) -> GrowthOptions:
        solver = get_solver(self.solver)
        rule = (self.objective, solver, self.terms, self.parsimony, self.impurity_tolerance)
        search = get_search(*rule, self.price)
        return GrowthOptions(
            max_depth=self.max_depth,
            impurity_tolerance=self.impurity_tolerance,
            min_samples=self.min_samples,
            min_leaf=self.min_leaf,
            search=search if encoding is None else search_of_table(encoding, search),
            solver=solver,
        )


def action_names(classes: NDArray[Any]) -> tuple[str, ...]:
    """Word class labels as unique, non-empty names.

    >>> action_names(np.array([0, 1]))
    ('0', '1')
    """
    names = [str(label) or "(empty)" for label in classes.tolist()]
    return tuple(names) if len(set(names)) == len(names) else tuple(map(repr, classes.tolist()))
