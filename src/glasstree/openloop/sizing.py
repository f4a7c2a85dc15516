"""How large: as deep and as little pruned as held-back samples want a tree.

The tree is grown one level after the other from three quarters of the samples, until deeper ones
are no better on the others. Of all its prunings, the smallest within one standard error of the
best tells the depth, and the price of a leaf, for the tree that is grown from all samples.
"""

from dataclasses import dataclass

import numpy as np

from glasstree.openloop.front import Samples
from glasstree.openloop.growth import GrowthOptions, find_rule, is_final, leaf_of
from glasstree.openloop.lower.structure import NodeData
from glasstree.openloop.metrics import Judge, shares_of, standard_error
from glasstree.openloop.pruning import Errors, misclassified, weakest_links
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling
from glasstree.policy.tree import Node, PolicyTree, Split

DEEPEST = 16  # levels that are tried: rules that tell one class at a time make long chains
MOST_OPEN = 256  # nodes of a level, at most, that are split: a policy file holds 1023 rules
SURE = 2.0  # standard errors by which rules must be better than none
PATIENCE = 2  # levels without progress after which growth ends


@dataclass(frozen=True)
class Size:
    """Most rules on the way of a sample, and the share of errors that a leaf must spare."""

    depth: int
    price: float


@dataclass(frozen=True)
class _Trial:
    """A pruned tree: what it takes to get it, its leaves, and how good it is."""

    size: Size
    leaves: int
    figure: float
    tree: PolicyTree


class _Levels:
    """A tree that is grown level by level; nodes are counted as in a heap."""

    def __init__(self, data: NodeData, options: GrowthOptions, seed: int) -> None:
        self._options, self._seed = options, seed
        self._rules: dict[int, Rule] = {}
        self._counts = {1: data.counts}
        self._open = {1: data}

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

    def root(self, place: int = 1) -> Node:
        """Return the tree so far."""
        counts = self._counts[place]
        if place not in self._rules:
            return leaf_of(counts)
        sides = self.root(2 * place), self.root(2 * place + 1)
        return Split(self._rules[place], *sides, tuple(counts.tolist()))


def find_size(
    train: Samples,
    held_back: Samples,
    n_classes: int,
    growth: GrowthOptions,
    seed: int,
    judge: Judge,
    errors: Errors = misclassified,
) -> Size:
    """Return the size of the smallest tree within one standard error of the best."""
    scaling = Scaling.fit(train.states)
    columns = np.ascontiguousarray(scaling.normalise(train.states).T)
    data = NodeData(columns, train.labels.astype(np.int64), train.weights, n_classes)
    levels = _Levels(data, growth, seed)
    names = (
        tuple(f"x{j}" for j in range(len(columns))),
        tuple(f"c{k}" for k in range(n_classes)),
    )
    judged = held_back.thinned()
    trials: list[_Trial] = []
    for depth in range(DEEPEST + 1):
        tree = PolicyTree(levels.root(), scaling, *names)
        for price, pruned in weakest_links(tree, errors):
            figure = judge(judged.labels, shares_of(pruned, judged.states), judged.weights)
            leaves = pruned.n_rules + 1
            trials.append(_Trial(Size(depth, price), leaves, figure, pruned))
        best = max(trials, key=lambda trial: trial.figure)
        if depth - best.size.depth >= PATIENCE or not levels.deepen():
            break
    shares = shares_of(best.tree, judged.states)
    generator = np.random.default_rng([seed, 0])
    slack = standard_error(judge, judged.labels, shares, judged.weights, generator)
    enough = [
        trial
        for trial in trials
        if trial.figure >= best.figure - slack * (SURE if trial.leaves == 1 else 1.0)
    ]
    return min(enough, key=lambda trial: (trial.leaves, -trial.figure)).size
