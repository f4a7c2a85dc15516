"""Lines between two variables, the plainest rules after single ones, found by playing alone.

docs/algorithm.md, section 9.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from glasstree import progress
from glasstree.closedloop.objective import mean_scores
from glasstree.closedloop.options import ReoptimisationOptions
from glasstree.closedloop.weights import SURVIVING
from glasstree.data.collection import visited_states
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.errors import RunError
from glasstree.policy.arrays import Floats
from glasstree.policy.rule import Rule
from glasstree.policy.tree import Leaf, PolicyTree, Split
from glasstree.runs.store import PLAIN, RunStore
from glasstree.tasks.base import Task

STAGE = "lines"
LINE = 3  # numbers of a line: two weights and a bias
SAMPLE = 2000  # visited states that lines cut, about
DRAWS, FEWEST, ALL_DRAWS = 21, 6, 4200  # first lines of a pair: most, fewest, those of all pairs
FEW, BEST = 10, 3  # episodes of every line; the best lines of a pair
MANY, MOST = 60, 480  # episodes of these, twice as many whenever fewer pairs are left
EVEN = (0.7548776662466927, 0.5698402909980532)  # R2: 1 / g and 1 / g^2 with g^3 = g + 1

Pair = tuple[int, int]


def find_lines(
    tree: PolicyTree,
    task: Task,
    options: ReoptimisationOptions,
    seed: int,
    wanted: int,
    store: RunStore | None = None,
) -> list[PolicyTree]:
    """Return the best lines between two of the tree's most frequent actions.

    All pairs of variables compete: lines that cut the visited states in all directions are
    played, the best third of the pairs tries twice as many more, and so on.
    """
    visited = visited_states(tree, task, seed, SAMPLE)
    states = tree.scaling.normalise(visited)
    taken = np.bincount(tree.actions(visited), minlength=task.n_actions)
    pairs = list(combinations(np.flatnonzero(np.ptp(states, axis=0) > 0).tolist(), 2))
    if np.count_nonzero(taken) < 2 or not pairs:
        return []
    often = np.argsort(-taken, kind="stable")[:2].tolist()
    found = (store or RunStore()).figures(
        PLAIN,
        lambda: [
            [pair, line[:LINE].tolist()]
            for pair, line in _best_lines(tree, often, states, pairs, task, options, seed, wanted)
        ],
    )
    if any(max(pair) >= tree.n_variables for pair, _ in found):
        raise RunError(f"{PLAIN} does not fit its run; remove it and go on with --resume")
    ruled = [(_ruled(tree, pair, often), np.array([line])) for pair, line in found]
    return [one.with_parameters(_with_levels(one, line)[0]) for one, line in ruled]


def _best_lines(
    tree: PolicyTree,
    actions: Sequence[int],
    states: Floats,
    pairs: list[Pair],
    task: Task,
    options: ReoptimisationOptions,
    seed: int,
    wanted: int,
) -> list[tuple[Pair, Floats]]:
    few = episode_seeds(Purpose.LINE, seed, FEW)
    plan = list(stages(len(pairs), wanted))
    progress.emit(progress.Stage(STAGE, total=sum(count for count, _, _ in plan)))
    done = 0
    leading: dict[Pair, Floats] = {}
    for number, (count, first, draws) in enumerate(plan):
        many = episode_seeds(Purpose.LINE, seed, min(MANY * 2**number, MOST), first=FEW)
        scores: dict[Pair, float] = {}
        for pair in pairs[:count]:
            ruled = _ruled(tree, pair, actions)
            lines = _with_levels(ruled, _lines(states[:, pair], first, draws))
            early = mean_scores(ruled, lines, task, few, options)
            lines = lines[np.argsort(-early, kind="stable")[:BEST]]
            lines = np.vstack([lines, *([leading[pair]] if pair in leading else [])])
            late = mean_scores(ruled, lines, task, many, options)
            leading[pair], scores[pair] = lines[late.argmax()], float(late.max())
            done += 1
            progress.emit(progress.Advance(STAGE, done, {"best reward": max(scores.values())}))
        pairs = sorted(scores, key=lambda pair: -scores[pair])
    return [(pair, leading[pair]) for pair in pairs[:wanted]]


def stages(pairs: int, wanted: int) -> Iterator[tuple[int, int, int]]:
    """Yield how many pairs play, how many lines each has tried, and how many more it tries."""
    first, draws = 0, max(FEWEST, min(DRAWS, ALL_DRAWS // pairs))
    while True:
        yield pairs, first, draws
        if pairs <= wanted:
            return
        pairs = max(wanted, pairs // SURVIVING)
        first, draws = first + draws, 2 * draws


def _lines(states: Floats, first: int, count: int) -> Floats:
    """Return two weights and a bias of lines that cut these states evenly."""
    turns, shares = (np.outer(np.arange(first, first + count), EVEN) + 0.5).T % 1.0
    angles = 2 * np.pi * turns
    weights = np.column_stack([np.cos(angles), np.sin(angles)]) / states.std(axis=0)
    sums = np.sort(states @ weights.T, axis=0)
    places = (shares * len(states)).astype(np.int64)
    lines: Floats = np.column_stack([weights, -sums[places, np.arange(count)]])
    return lines


def _with_levels(ruled: PolicyTree, lines: Floats) -> Floats:
    """Return lines with the levels of the tree's actions where these are continuous."""
    if ruled.levels is None:
        return lines
    rest = ruled.parameters()[lines.shape[1] :]
    return np.hstack([lines, np.tile(rest, (len(lines), 1))])


def _ruled(tree: PolicyTree, pair: Sequence[int], actions: Sequence[int]) -> PolicyTree:
    """Return the tree that is one line between two actions."""
    exponents = np.zeros((2, tree.n_variables), dtype=np.int64)
    exponents[(0, 1), tuple(pair)] = 1
    none = (0.0,) * len(tree.action_names)
    left, right = (Leaf(action, none) for action in actions)
    return tree.with_root(Split(Rule(exponents, np.ones(2), 0.0), left, right, none))
