"""How large, and of which kind of rules: as samples want it that a tree was not grown from.

Trees are grown level by level from all samples but one part of them, each part in turn, until
deeper ones are no better for what was left out. So is a tree of all samples, whose prunings are
judged by those of the others at the same price of a leaf (Breiman et al., 1984, chapter 11): the
one with fewest symbols within one standard error of the best is taken.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from glasstree.errors import OptionError
from glasstree.openloop.front import Samples
from glasstree.openloop.growth import GrowthOptions, find_rule, is_final, leaf_of
from glasstree.openloop.lower.structure import NodeData
from glasstree.openloop.metrics import Judged, Metric, shares_of
from glasstree.openloop.pruning import Errors, Links, cut, misclassified
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling
from glasstree.policy.tree import Node, PolicyTree, Split

DEEPEST = 16  # levels that are tried: rules that tell one class at a time make long chains
MOST_OPEN = 256  # nodes of a level, at most, that are split: a policy file holds 1023 rules
SLACK = 1.0  # standard errors by which the smallest tree may be worse, if nothing is said
SURE = 2.0  # standard errors by which rules must be better than none
PATIENCE = 2  # levels without progress after which growth ends
PRICES = (0.0, *(0.2 / 2**k for k in range(9)))  # of a leaf, at which depths are compared
WIDE = 8  # variables, above which power laws, the last kind, are not tried
MOST_TRIED = 40  # prunings of a tree that are judged


@dataclass(frozen=True)
class Wanted:
    """Which size is wanted: most rules and printed symbols, None for as many as it takes.

    slack: by how many standard errors the smallest tree may be worse than the best.
    """

    rules: int | None = None
    symbols: float | None = None
    slack: float = SLACK

    def __post_init__(self) -> None:
        if self.rules is not None and self.rules < 0:
            raise OptionError(f"max_rules must be at least 0, got {self.rules}")
        if self.symbols is not None and self.symbols < 1:
            raise OptionError(f"complexity must be at least 1, a label, got {self.symbols}")
        if not self.slack >= 0:
            raise OptionError(f"slack must be at least 0 standard errors, got {self.slack}")

    def allows(self, tree: PolicyTree) -> bool:
        """Tell whether a tree is small enough."""
        few = self.rules is None or tree.n_rules <= self.rules
        return few and (self.symbols is None or tree.complexity <= self.symbols)

    def largest(self, tree: PolicyTree, errors: Errors = misclassified) -> PolicyTree:
        """Return a tree, or its largest pruning that is small enough."""
        if self.allows(tree):
            return tree
        return next(pruned for _, pruned in Links(tree, errors).all() if self.allows(pruned))


USUAL = Wanted()


@dataclass(frozen=True)
class Size:
    """A tree that was judged: symbols, rules, the figure of left-out samples; one is taken."""

    complexity: int
    rules: int
    figure: float
    is_taken: bool = False


def finished(sizes: Sequence[Size], tree: PolicyTree) -> tuple[Size, ...]:
    """Return sizes of which the one that is taken is that of the finished tree."""
    own = {"complexity": tree.complexity, "rules": tree.n_rules}
    return tuple(replace(size, **own) if size.is_taken else size for size in sizes)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Grown:
    """Samples, and the kinds of trees that are grown from them."""

    samples: Samples
    kinds: Sequence[GrowthOptions]


@dataclass(frozen=True, eq=False)
class Fold(Grown):
    """All samples but a part, whose (m, variables) states were left out, with their places."""

    left_out: Floats
    places: Ints


def folds_of(
    parts: Sequence[Bools], make: Callable[[Bools, Ints], Fold]
) -> tuple[Ints, list[Fold]]:
    """Return the rows that the parts leave out, and a fold of each part with their places."""
    rows = [np.flatnonzero(part) for part in parts]
    ends = np.cumsum([len(own) for own in rows]).tolist()
    places = [np.arange(end - len(own), end) for own, end in zip(rows, ends, strict=True)]
    return np.concatenate(rows), [make(*one) for one in zip(parts, places, strict=True)]


@dataclass(frozen=True, eq=False)
class _Trial:
    """A pruned tree, its symbols, the shares of what its folds left out, and how good they are."""

    tree: PolicyTree
    symbols: int
    shares: Floats
    figure: float


class _Levels:
    """A tree that is grown level by level; nodes are counted as in a heap."""

    def __init__(self, grown: Grown, kind: int, n_classes: int, seed: int) -> None:
        self._options, self._seed = grown.kinds[kind], seed
        samples = grown.samples
        self._scaling = Scaling.fit(samples.states)
        columns = np.ascontiguousarray(self._scaling.normalise(samples.states).T)
        labels = samples.labels.astype(np.int64)
        data = NodeData(columns, labels, samples.weights, n_classes)
        self._rules: dict[int, Rule] = {}
        self._counts = {1: data.counts}
        self._open = {1: data}
        self._names = (
            tuple(f"x{j}" for j in range(len(columns))),
            tuple(f"c{k}" for k in range(n_classes)),
        )

    def deepen(self) -> bool:
        """Split every open node that can be; tell whether there was one."""
        if len(self._open) > MOST_OPEN:
            return False
        waiting, self._open = self._open, {}
        for place, data in waiting.items():
            if is_final(data.counts, self._options):
                continue
            found, goes_left = find_rule(data, self._options, self._seed, place)
            sides = data.take(goes_left), data.take(~goes_left)
            if min(side.sample_weights.sum() for side in sides) < self._options.min_leaf:
                continue
            self._rules[place] = found.rule
            for child, side in zip((2 * place, 2 * place + 1), sides, strict=True):
                self._counts[child], self._open[child] = side.counts, side
        return bool(self._open)

    @property
    def tree(self) -> PolicyTree:
        """The tree so far."""
        return PolicyTree(self._root(1), self._scaling, *self._names)

    def _root(self, place: int) -> Node:
        counts = self._counts[place]
        if place not in self._rules:
            return leaf_of(counts)
        sides = self._root(2 * place), self._root(2 * place + 1)
        return Split(self._rules[place], *sides, tuple(counts.tolist()))


def find_tree(
    whole: Grown,
    folds: Sequence[Fold],
    judged: Judged,
    n_classes: int,
    seed: int,
    metric: Metric,
    errors: Errors = misclassified,
    wanted: Wanted = USUAL,
) -> tuple[PolicyTree, tuple[Size, ...]]:
    """Return the best of all kinds and sizes, with makeshift names, and the front of sizes.

    judged: what the folds leave out, at its places.
    """
    judge = _Judge(judged, n_classes, metric, errors, wanted)
    n_kinds = len(whole.kinds) - (len(whole.kinds) > 1 and whole.samples.states.shape[1] > WIDE)
    trials = [
        trial for kind in range(n_kinds) for trial in _trials(whole, folds, kind, judge, seed)
    ]
    best = max(trials, key=lambda trial: (trial.figure, -trial.symbols))
    generator = np.random.default_rng([seed, 0])

    def is_enough(trial: _Trial) -> bool:
        slack = metric.standard_error(judged, trial.shares, best.shares, generator)
        return trial.figure >= best.figure - slack * (wanted.slack if trial.tree.n_rules else SURE)

    trials.sort(key=lambda trial: (trial.symbols, -trial.figure))
    taken = next(trial for trial in trials if is_enough(trial))
    return taken.tree, tuple(_sizes(trials, taken))


def _sizes(trials: Sequence[_Trial], taken: _Trial) -> Iterator[Size]:
    """Yield, of the least complex trees first, each that is better than those before."""
    best = -np.inf
    for trial in trials:
        if trial.figure > best or trial is taken:
            yield Size(trial.symbols, trial.tree.n_rules, trial.figure, trial is taken)
        best = max(best, trial.figure)


@dataclass(frozen=True, eq=False)
class _Judge:
    """Judges the trees of all folds by what these left out."""

    judged: Judged
    n_classes: int
    metric: Metric
    errors: Errors
    wanted: Wanted

    def shares(self, folds: Sequence[Fold], links: Sequence[Links], price: float) -> Floats:
        """Return the shares that each fold's tree, pruned at a price, gives to what it left out."""
        shares = np.zeros((len(self.judged.labels), self.n_classes))
        for fold, own in zip(folds, links, strict=True):
            shares[fold.places] = shares_of(own.at(price), fold.left_out)
        return shares

    def figure(self, shares: Floats) -> float:
        """Return how good shares are."""
        return self.metric.figure(self.judged, shares)


def _trials(
    whole: Grown, folds: Sequence[Fold], kind: int, judge: _Judge, seed: int
) -> Iterator[_Trial]:
    """Yield the prunings of a tree of all samples, judged by the trees of the folds."""
    partial = [_Levels(fold, kind, judge.n_classes, seed) for fold in folds]
    best, best_depth, depth = -np.inf, 0, 0
    while True:
        trees = [levels.tree for levels in partial]
        links = [Links(tree, judge.errors) for tree in trees]
        figure = max(judge.figure(judge.shares(folds, links, price)) for price in PRICES)
        if figure > best:
            best, best_depth = figure, depth
        is_over = depth - best_depth >= PATIENCE or depth == DEEPEST
        deeper = [] if is_over else [levels.deepen() for levels in partial]
        if not any(deeper):
            break
        depth += 1
    levels = _Levels(whole, kind, judge.n_classes, seed)
    for _ in range(best_depth):
        levels.deepen()
    links = [Links(cut(tree, best_depth), judge.errors) for tree in trees]
    for price, pruned in _prunings(levels.tree, judge):
        shares = judge.shares(folds, links, price)
        yield _Trial(pruned, pruned.complexity, shares, judge.figure(shares))


def _prunings(tree: PolicyTree, judge: _Judge) -> Iterator[tuple[float, PolicyTree]]:
    """Yield ever smaller trees, each with the middle of the prices at which it is the one."""
    links = [one for one in Links(tree, judge.errors).all() if judge.wanted.allows(one[1])]
    prices = [price for price, _ in links]
    ends = [*prices[1:], 2 * prices[-1] or 1.0]
    step = -(-len(links) // MOST_TRIED)
    for place in sorted({*range(0, len(links), step), len(links) - 1}):
        yield float(np.sqrt(prices[place] * ends[place])), links[place][1]
