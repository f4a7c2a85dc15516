"""Lines that are one step from those of a tree, all of them, screened by playing.

docs/algorithm.md, section 11.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np

from glasstree.closedloop.front.plainer import leaf_places
from glasstree.closedloop.front.richer import with_branch
from glasstree.closedloop.front.tuning import Games
from glasstree.closedloop.weights import SURVIVING
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.policy.arrays import Floats
from glasstree.policy.formula import as_raw, is_linear
from glasstree.policy.rule import Rule
from glasstree.policy.tree import PolicyTree, Split

FIRST = 2000  # number of the first episode, apart from those of pairs and thresholds
EPISODES = (40, 120, 360)  # of all neighbours, of the best third, of the best third of these
MOST = 400  # neighbours that are screened, drawn from all where there are more
CUTS = 5  # thresholds of a variable, as many states between any two
SHARES = (-0.7, -0.2, 0.2, 0.7)  # of the spread of a line's sum, that a new variable adds


def neighbours(tree: PolicyTree, states: Floats) -> Iterator[PolicyTree]:
    """Yield the tree with one more variable, or another one, in one of its lines over raw values.

    A new variable has a coefficient of its own, or one in common with another, which is read once.
    """
    spread, means = states.std(axis=0), states.mean(axis=0)
    unit = np.eye(tree.n_variables, dtype=np.int64)
    for number, split in enumerate(tree.splits()):
        rule = split.rule
        if not rule.raw or not is_linear(rule) or not rule.exponents.any(axis=1).all():
            continue
        used = rule.exponents.argmax(axis=1)
        total = float((states[:, used] @ rule.weights).std())
        for new in np.flatnonzero(spread > 0).tolist():
            if new in used:
                continue
            own = [share * total / spread[new] for share in SHARES]
            for weight in sorted({*own, *rule.weights, *-rule.weights} - {0.0}):
                longer = replace(
                    rule,
                    exponents=np.vstack([rule.exponents, unit[new]]),
                    weights=np.append(rule.weights, weight),
                    bias=rule.bias - weight * means[new],
                )
                yield tree.with_rule(number, as_raw(longer, tree.scaling))
            for term, old in enumerate(used):
                for sign in (-1.0, 1.0) if spread[old] > 0 else ():
                    exponents, weights = rule.exponents.copy(), rule.weights.copy()
                    exponents[term] = unit[new]
                    weights[term] *= sign * spread[old] / spread[new]
                    bias = rule.bias + rule.weights[term] * means[old] - weights[term] * means[new]
                    other = replace(rule, exponents=exponents, weights=weights, bias=bias)
                    yield tree.with_rule(number, as_raw(other, tree.scaling))


def divided(tree: PolicyTree, states: Floats) -> Iterator[PolicyTree]:
    """Yield the tree with one of its leaves divided by a threshold of one variable."""
    unit = np.eye(tree.n_variables, dtype=np.int64)
    arrivals = tree.apply(states)
    for place, leaf in zip(leaf_places(tree), tree.leaves(), strict=True):
        some = states[arrivals[place]]
        others = [a for a in range(len(tree.action_names)) if a != leaf.action]
        for variable in np.flatnonzero(np.ptp(some, axis=0) > 0) if len(some) >= 2 * CUTS else ():
            cuts = np.quantile(some[:, variable], (np.arange(CUTS) + 0.5) / CUTS)
            for cut, action in product(np.unique(cuts).tolist(), others):
                rule = Rule(unit[[variable]], np.ones(1), -cut, raw=True)
                new = replace(leaf, action=action)
                yield with_branch(tree, leaf, Split(rule, new, leaf, leaf.counts))
                yield with_branch(tree, leaf, Split(rule, leaf, new, leaf.counts))


def screened(
    trees: Sequence[PolicyTree], games: Games, number: int, wanted: int
) -> tuple[list[PolicyTree], int]:
    """Return the best trees, of each complexity in turn, and the steps that it took to find them.

    number decides which episodes are played.
    """
    generator = np.random.default_rng([games.seed, int(Purpose.LINE), number])
    drawn = np.sort(generator.permutation(len(trees))[:MOST])
    left, steps, first = [trees[place] for place in drawn], 0, FIRST + number * sum(EPISODES)
    for episodes in EPISODES:
        seeds = episode_seeds(Purpose.LINE, games.seed, episodes, first)
        found = games.side_by_side(partial(games.scores, seeds=seeds), left)
        steps, first = steps + sum(played for _, played in found), first + episodes
        order = np.argsort([-scores.mean() for scores, _ in found], kind="stable")
        left = [left[place] for place in order[: max(2 * wanted, len(left) // SURVIVING)]]
    return in_turn(left)[:wanted], steps


def in_turn(trees: Sequence[PolicyTree]) -> list[PolicyTree]:
    """Return trees in an order that has the best of each complexity first, then the second ones."""
    before: Counter[int] = Counter()
    ranked = []
    for place, tree in enumerate(trees):
        ranked.append((before[tree.complexity], place))
        before[tree.complexity] += 1
    return [trees[place] for _, place in sorted(ranked)]
