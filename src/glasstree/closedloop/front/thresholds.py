"""Thresholds of single variables, the plainest rules of all, found by playing alone.

docs/algorithm.md, section 11.
"""

from itertools import permutations

import numpy as np

from glasstree.closedloop.front.archive import Entry
from glasstree.closedloop.front.tuning import Games, Trial
from glasstree.data.collection import visited_states
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.policy.arrays import Floats
from glasstree.policy.rule import Rule
from glasstree.policy.tree import Leaf, PolicyTree, Split

SAMPLE = 2000  # visited states that are cut, about
CUTS = 15  # thresholds of a variable, as many states between any two
ACTIONS = 4  # the most frequent ones: each two of them are tried on both sides
EPISODES, FIRST = 20, 1000  # that every threshold plays; their first number, apart from the lines'
TUNED = 6  # of the best thresholds
STEP = 0.4  # first step of their tuning, as a share of their reach


def find_thresholds(tree: PolicyTree, games: Games, number: int) -> tuple[list[Entry], int]:
    """Return the best rules over one variable, tuned, and the steps that all of them took.

    They cut the states that the tree comes to; number is that of the first trial of their
    tuning.
    """
    states = visited_states(tree, games.task, games.seed, SAMPLE)
    taken = np.bincount(tree.actions(states), minlength=len(tree.action_names))
    often = np.argsort(-taken, kind="stable")[:ACTIONS].tolist()
    seeds = episode_seeds(Purpose.LINE, games.seed, EPISODES, first=FIRST)
    found: list[tuple[float, PolicyTree]] = []
    steps = 0
    for variable in np.flatnonzero(np.ptp(states, axis=0) > 0).tolist():
        cuts = np.quantile(states[:, variable], (np.arange(CUTS) + 0.5) / CUTS)
        for left, right in permutations(often, 2):
            rule = _threshold(tree, variable, left, right)
            candidates = _candidates(rule, np.unique(cuts))
            scores, played = games.play(rule, candidates, seeds)
            worth, steps = scores.mean(axis=1), steps + played
            best = int(worth.argmax())
            found.append((float(worth[best]), rule.with_parameters(candidates[best])))
    found.sort(key=lambda one: -one[0])
    budget = games.options.generations, games.options.episodes, STEP, states, None
    trials = [Trial(one, number + k, *budget) for k, (_, one) in enumerate(found[:TUNED])]
    tuned = games.side_by_side(games.tune, trials)
    entries = [entry for entry, _ in tuned if entry is not None]
    return entries, steps + sum(played for _, played in tuned)


def _threshold(tree: PolicyTree, variable: int, left: int, right: int) -> PolicyTree:
    unit = np.eye(tree.n_variables, dtype=np.int64)[[variable]]
    return tree.with_root(Split(Rule(unit, np.ones(1), 0.0, raw=True), Leaf(left), Leaf(right)))


def _candidates(tree: PolicyTree, cuts: Floats) -> Floats:
    """Return the parameters of a threshold at each cut."""
    candidates = np.tile(tree.parameters(), (len(cuts), 1))
    candidates[:, tree.n_terms] = -cuts
    return candidates
