"""The front of a table: the best tree of each complexity, by accuracy on held-back samples."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from glasstree.errors import OptionError
from glasstree.formats.text import first_rule
from glasstree.openloop.growth import GrowthOptions, grow, leaf_of
from glasstree.openloop.pruning import cut, limit_rules, prune, simplify
from glasstree.openloop.simplification import drop_exponents
from glasstree.openloop.soft import soft_roots
from glasstree.openloop.upper.apart import ApartSearch
from glasstree.openloop.upper.candidate import RuleSearch
from glasstree.openloop.upper.lines import LineSearch
from glasstree.openloop.upper.search import ParsimoniousSearch
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.front import Rows
from glasstree.policy.scaling import Scaling
from glasstree.policy.sources.encoding import Encoding
from glasstree.policy.tree import Leaf, Node, PolicyTree
from glasstree.tables.encoding import only_used

HELD_BACK = 4  # one of so many samples of each class
LINES = (  # axis-parallel splits, then longer lines
    *(LineSearch(terms=1), LineSearch(terms=2)),
    *(LineSearch(parsimony=0.02), LineSearch()),
)
DEARER, DEAREST = 4.0, 0.5  # times parsimony, but no more than that
SOFT = (1, 2)  # depths of trees of lines that are trained as a whole
PRUNED = (0.0, 0.01)  # accuracy that a split must be worth
DROPPED = (0.005, 0.02)  # accuracy that dropped exponents may cost
COMPARED = 20_000  # samples, at most, on which a simpler tree must decide alike

Names = tuple[tuple[str, ...], tuple[str, ...]]
Finish = Callable[[PolicyTree, Floats], PolicyTree]


@dataclass(frozen=True)
class Row:
    """A tree of the front, and its share of right answers for held-back samples."""

    complexity: int
    accuracy: float
    tree: PolicyTree

    @property
    def rules(self) -> int:
        """Number of splits."""
        return self.tree.n_rules

    @property
    def first_rule(self) -> str:
        """The rule at the root in original units, or the class where there is none."""
        return first_rule(self.tree)


@dataclass(frozen=True)
class Front(Rows[Row]):
    """The least complex tree first; each one is more accurate than all that are less complex."""

    def __str__(self) -> str:
        head = f"{'complexity':>10} {'accuracy':>8} {'rules':>5}  first rule"
        lines = (
            f"{r.complexity:>10} {r.accuracy:>8.4f} {r.rules:>5}  {r.first_rule}" for r in self
        )
        return "\n".join([head, *lines])

    def of_table(self, encoding: Encoding) -> "Front":
        """Return the same front with trees that read a table."""
        trees = [only_used(replace(row.tree, encoding=encoding)) for row in self.rows]
        return Front(tuple(replace(r, tree=t) for r, t in zip(self.rows, trees, strict=True)))

    def pick(self, complexity: float) -> Row:
        """Return the best row of at most so many symbols."""
        fitting = [row for row in self.rows if row.complexity <= complexity]
        if not fitting:
            least = self.rows[0].complexity
            raise OptionError(
                f"complexity must be at least that of the plainest tree, {least}, got {complexity}"
            )
        return fitting[-1]


@dataclass(frozen=True)
class Samples:
    """Labelled samples in original units: (n, variables), (n,) and (n,)."""

    states: Floats
    labels: Ints
    weights: Floats

    def take(self, rows: Bools | slice) -> "Samples":
        """Return the chosen samples."""
        return Samples(self.states[rows], self.labels[rows], self.weights[rows])

    def thinned(self) -> "Samples":
        """Return every second, third, ... of more samples than simplification compares."""
        return self.take(slice(None, None, -(-len(self.labels) // COMPARED)))

    def counted(self, tree: PolicyTree) -> PolicyTree:
        """Return a tree with the weight of these samples in its nodes; leaves have the most."""
        arrivals = iter(tree.apply(self.states))

        def visit(node: Node) -> Node:
            rows = next(arrivals)
            counts: Floats = np.zeros(len(tree.action_names))
            np.add.at(counts, self.labels[rows], self.weights[rows])
            if isinstance(node, Leaf):
                return leaf_of(counts) if counts.any() else node
            left, right = visit(node.left), visit(node.right)
            return replace(node, left=left, right=right, counts=tuple(counts.tolist()))

        return tree.with_root(visit(tree.root))

    def accuracy(self, tree: PolicyTree) -> float:
        """Return the share of the weight that a tree labels right."""
        right = tree.actions(self.states) == self.labels
        return float(self.weights[right].sum() / self.weights.sum())


def split(samples: Samples, generator: np.random.Generator) -> tuple[Samples, Samples]:
    """Return samples to learn from, and one in four of each class that is held back.

    Where no class has enough samples, all of them serve for both.
    """
    held_back = held_back_rows(samples.labels, generator)
    if not held_back.any():
        return samples, samples
    return samples.take(~held_back), samples.take(held_back)


def held_back_rows(labels: Ints, generator: np.random.Generator) -> Bools:
    """Choose one in four samples of each class."""
    held_back = np.zeros(len(labels), dtype=np.bool_)
    for label in np.unique(labels):
        rows = generator.permutation(np.flatnonzero(labels == label))
        held_back[rows[: len(rows) // HELD_BACK]] = True
    return held_back


def find_front(
    samples: Samples, names: Names, growth: GrowthOptions, seed: int, finish: Finish
) -> Front:
    """Grow and prune trees on three quarters of the samples, and judge them on the others.

    names: those of variables and classes. The trees that are kept are finished over the samples
    that they were grown from, and judged again.
    """
    train, held_back = split(samples, np.random.default_rng([seed, 0]))
    scaling = Scaling.fit(train.states)
    found: list[PolicyTree] = []
    labelled = (scaling.normalise(train.states), train.labels, len(names[1]))
    for options in _growths(growth):
        try:
            root = grow(*labelled, options, seed, train.weights)
        except np.linalg.LinAlgError:  # a singular curvature ends one growth, not the front
            continue
        found += _variants(PolicyTree(root, scaling, *names), train)
    if not isinstance(growth.search, ApartSearch):
        found += _soft_trees(train, scaling, names, seed)
    best = _front(found, train, held_back)
    finished = (finish(row.tree, train.thinned().states) for row in best)
    return _front(finished, train, held_back)


def _growths(growth: GrowthOptions) -> list[GrowthOptions]:
    """Return the given options, those that pay for symbols, and those of lines alone."""
    apart = growth.search
    if isinstance(apart, ApartSearch):
        inner = _growths(replace(growth, search=apart.search))
        return [replace(one, search=replace(apart, search=one.search)) for one in inner]
    searches: list[RuleSearch] = [growth.search]
    if isinstance(growth.search, ParsimoniousSearch):
        price = growth.search.parsimony
        for parsimony in (price, max(price, min(DEARER * price, DEAREST))):
            searches.append(replace(growth.search, parsimony=parsimony, price="symbols"))
    deeper = replace(growth, max_depth=growth.max_depth + 1)
    return [
        *(replace(growth, search=search) for search in searches),
        *(replace(deeper, search=search) for search in LINES),
    ]


def _variants(tree: PolicyTree, train: Samples) -> Iterator[PolicyTree]:
    """Yield a tree's prunings of every size, also without exponents that matter little."""
    some = train.thinned()
    states, labels = some.states, some.labels
    pruned = [simplify(prune(tree, states, labels, tolerance), 0) for tolerance in PRUNED]
    dropped = [drop_exponents(pruned[0], states, labels, tolerance) for tolerance in DROPPED]
    for one in (tree, *pruned, *dropped):
        smaller = [limit_rules(one, most) for most in range(one.n_rules)]
        tops = [simplify(cut(one, depth), 0) for depth in range(1, one.depth)]
        yield from (other.over_raw_values() for other in (one, *smaller, *tops))


def _soft_trees(train: Samples, scaling: Scaling, names: Names, seed: int) -> Iterator[PolicyTree]:
    """Yield trees of lines that are trained as a whole, ever fewer variables in them."""
    labelled = (train.states, train.labels, len(names[1]))
    for depth in SOFT:
        for roots in soft_roots(*labelled, depth, 1, seed, train.weights):
            trees = (PolicyTree(root, scaling, *names) for root in roots)
            yield from (simplify(train.counted(tree), 0).over_raw_values() for tree in trees)


def _front(trees: Iterable[PolicyTree], train: Samples, held_back: Samples) -> Front:
    """Return the trees that are better than all that are less complex."""
    rows = [Row(tree.complexity, held_back.accuracy(tree), tree) for tree in trees]
    rows.sort(key=lambda row: (row.complexity, -row.accuracy, -train.accuracy(row.tree)))
    kept: list[Row] = []
    for row in rows:
        if not kept or row.accuracy > kept[-1].accuracy:
            kept.append(row)
    return Front(tuple(kept))
