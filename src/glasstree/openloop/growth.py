"""Recursive growth of a tree, one bilevel search per node.

docs/algorithm.md, section 6.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from glasstree import progress
from glasstree.errors import OptionError
from glasstree.openloop.lower.impurity import gini
from glasstree.openloop.lower.scanning import ScanSolver
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.lower.structure import NodeData
from glasstree.openloop.upper.candidate import Candidate, RuleSearch
from glasstree.openloop.upper.search import ParsimoniousSearch
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.tree import Leaf, Node, Split

STAGE = "open loop"


@dataclass(frozen=True)
class GrowthOptions:
    """When growth ends, and how each rule is found.

    A node is a leaf at `max_depth`, with fewer than `min_samples`, at a Gini impurity of at most
    `impurity_tolerance`, or where a child would have fewer than `min_leaf`.
    """

    max_depth: int = 3
    impurity_tolerance: float = 0.05
    min_samples: int = 10
    min_leaf: int = 5
    search: RuleSearch = field(default_factory=ParsimoniousSearch)
    solver: Solver = field(default_factory=ScanSolver)

    def __post_init__(self) -> None:
        if self.max_depth < 0 or self.min_leaf < 1:
            raise OptionError("max_depth must be at least 0 and min_leaf at least 1")
        if not 0 <= self.impurity_tolerance < 1:
            raise OptionError(
                f"impurity_tolerance must be in [0, 1), got {self.impurity_tolerance}"
            )

    def with_parsimony(self, factor: float) -> "GrowthOptions":
        """Return the same options with another price of an exponent, where there is one."""
        parsimony = getattr(self.search, "parsimony", None)
        if parsimony is None:
            return self
        return replace(self, search=replace(self.search, parsimony=factor * parsimony))  # type: ignore[type-var]


def grow(
    normalised: Floats,
    labels: Ints,
    n_classes: int,
    options: GrowthOptions,
    seed: int,
    sample_weights: Floats | None = None,
) -> Node:
    """Grow a tree over (n, variables) normalised states and their labels 0 .. n_classes - 1."""
    weights = np.ones(len(labels)) if sample_weights is None else sample_weights
    columns = np.ascontiguousarray(normalised.T)
    data = NodeData(columns, labels.astype(np.int64), weights.astype(np.float64), n_classes)
    progress.emit(progress.Stage(STAGE, total=2**options.max_depth - 1))
    root, _ = _grow(data, options, seed, place=1, done=0)
    return root


def leaf_of(counts: Floats) -> Leaf:
    """Return the leaf of class counts: the most frequent one is its action."""
    return Leaf(int(counts.argmax()), tuple(counts.tolist()))


def is_final(counts: Floats, options: GrowthOptions) -> bool:
    """Tell whether a node is too small or too pure to be split."""
    return bool(counts.sum() < options.min_samples or gini(counts) <= options.impurity_tolerance)


def find_rule(
    data: NodeData, options: GrowthOptions, seed: int, place: int
) -> tuple[Candidate, Bools]:
    """Return the best rule of a node, and which of its samples go left."""
    generator = np.random.default_rng([seed, place])
    found = options.search.find(data, options.solver, generator)
    return found, found.rule.value(data.columns.T) <= 0.0


def _grow(
    data: NodeData, options: GrowthOptions, seed: int, place: int, done: int
) -> tuple[Node, int]:
    """Grow below one node; place counts nodes as in a heap: the children of p are 2p, 2p + 1."""
    counts = data.counts
    leaf = leaf_of(counts)
    depth = place.bit_length() - 1
    if depth >= options.max_depth or is_final(counts, options):
        return leaf, done + 2 ** max(options.max_depth - depth, 0) - 1
    found, goes_left = find_rule(data, options, seed, place)
    rule = found.rule
    progress.emit(
        progress.Advance(
            STAGE, done + 1, {"impurity": found.solution.impurity, "length": rule.length}
        )
    )
    weight_left = data.sample_weights[goes_left].sum()
    if min(weight_left, counts.sum() - weight_left) < options.min_leaf:
        return leaf, done + 2 ** (options.max_depth - depth) - 1
    left, done = _grow(data.take(goes_left), options, seed, 2 * place, done + 1)
    right, done = _grow(data.take(~goes_left), options, seed, 2 * place + 1, done)
    return Split(rule, left, right, leaf.counts), done
