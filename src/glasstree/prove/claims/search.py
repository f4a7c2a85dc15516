"""Claims about decisions: boxes are halved until each keeps the claim or a state breaks it.

The boxes nearest to the middle of the range come first, so that the state that breaks a claim is
one that people believe; then it is moved towards the middle as far as it still breaks it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.prove.boxes import actions_in_all
from glasstree.prove.claims.conditions import holds, holds_at, variables_of
from glasstree.prove.claims.ranges import Range
from glasstree.prove.claims.syntax import All, Condition, Not
from glasstree.prove.vectors import Intervals

BATCH = 4096  # boxes that are looked at together
MOST_WAITING = 2_000_000  # boxes, a few hundred MB
MOVES = 12  # of each variable towards the middle, each half as long as the one before
SMALLEST = 1e-12  # share of a range below which a box is not halved any more


@dataclass(frozen=True)
class Found:
    """What a search came to: a state that breaks the claim, or the boxes that are left.

    halvings are the numbers of boxes that were halved at once, and across which variables; their
    first halves, then their second halves, have the next numbers.
    """

    state: Floats | None
    left: Intervals
    boxes: int
    halvings: tuple[tuple[Ints, Ints], ...] = ()

    @property
    def proved(self) -> bool:
        """Whether nothing breaks the claim and nothing is left."""
        return self.state is None and len(self.left.low) == 0


def search(
    tree: PolicyTree,
    condition: Condition,
    allowed: frozenset[int],
    within: Range,
    seconds: float,
    short: bool = True,
) -> Found:
    """Look for a state of the range that meets the condition with an action that is not allowed.

    It is written with few digits if it is to be short.
    """
    good = sum(1 << action for action in allowed)
    relevant = relevant_variables(tree, condition)

    def undecided(boxes: Intervals) -> Bools:
        _, possibly = holds(condition, boxes)
        possibly = possibly & holds(within.condition, boxes)[1]
        rows = np.flatnonzero(possibly)
        bad = (actions_of(tree, boxes, rows) & ~good) != 0
        keep: Bools = np.zeros(len(boxes.low), dtype=np.bool_)
        keep[rows[bad]] = True
        return keep

    both = All((condition, within.condition))

    def first_broken(states: Floats) -> int:
        wrong: Bools = ~np.isin(tree.actions(states), list(allowed))
        return first_that_holds(both, states, wrong)

    found = halve(within, relevant, undecided, first_broken, seconds)
    if short and found.state is not None:
        return replace(found, state=rounded(found.state, within, first_broken))
    return found


def never_holds(condition: Condition, within: Range, seconds: float) -> bool:
    """Whether it is proved that no state of the range meets a condition."""
    both = All((condition, within.condition))

    def undecided(boxes: Intervals) -> Bools:
        return holds(both, boxes)[1]

    def first_broken(states: Floats) -> int:
        return first_that_holds(both, states, np.ones(len(states), dtype=np.bool_))

    variables = np.array(sorted(variables_of(both)), dtype=np.int64)
    return halve(within, variables, undecided, first_broken, seconds).proved


def always_holds(condition: Condition, within: Range, seconds: float) -> bool:
    """Whether it is proved that every state of the range meets a condition."""
    return never_holds(Not(condition), within, seconds)


def first_that_holds(condition: Condition, states: Floats, chosen: Bools) -> int:
    """Return the first of the chosen states that meets a condition exactly, or -1."""
    possibly = holds(condition, Intervals(states, states))[1]
    for row in np.flatnonzero(chosen & possibly).tolist():
        if holds_at(condition, states[row]):
            return int(row)
    return -1


def halve(
    within: Range,
    variables: Ints,
    undecided: Callable[[Intervals], Bools],
    first_broken: Callable[[Floats], int],
    seconds: float,
) -> Found:
    """Halve boxes, the nearest to the middle first, while they are undecided."""
    end = monotonic() + seconds
    low, high = within.low[np.newaxis], within.high[np.newaxis]
    numbers = np.zeros(1, dtype=np.int64)
    too_small: list[Intervals] = []
    halvings: list[tuple[Ints, Ints]] = []
    count, named = 0, 1
    while len(low) and monotonic() < end and len(low) < MOST_WAITING:
        order = nearest_first(low, high, within)
        now, later = order[:BATCH], order[BATCH:]
        count += len(now)
        keep = now[undecided(Intervals(low[now], high[now]))]
        tried = candidates(low[keep], high[keep], within)
        row = first_broken(tried)
        if row >= 0:
            return Found(
                towards_middle(tried[row], within, first_broken), Intervals(low[:0], low[:0]), count
            )
        across = widest(low[keep], high[keep], variables, within)
        small = keep[across < 0]
        too_small.append(Intervals(low[small], high[small]))
        keep, across = keep[across >= 0], across[across >= 0]
        halvings.append((numbers[keep], across))
        halves = halves_of(low[keep], high[keep], across)
        low = np.concatenate([low[later], halves.low])
        high = np.concatenate([high[later], halves.high])
        numbers = np.concatenate([numbers[later], named + np.arange(len(halves.low))])
        named += len(halves.low)
    left = [*too_small, Intervals(low, high)]
    joined = (np.concatenate([part.low for part in left]), np.concatenate([p.high for p in left]))
    return Found(None, Intervals(*joined), count, tuple(halvings))


def nearest_first(low: Floats, high: Floats, within: Range) -> Ints:
    """Return boxes in the order of their distance from the middle, in shares of the range."""
    if len(low) <= BATCH:
        return np.arange(len(low))
    away = np.maximum(np.maximum(low - within.middle, within.middle - high), 0.0) / within.width
    distance = np.square(away).sum(axis=1)
    order: Ints = np.argpartition(distance, BATCH)
    return order


def candidates(low: Floats, high: Floats, within: Range) -> Floats:
    """Return states of boxes that might break a claim, the nearest to the middle first."""
    middles = np.clip(low / 2 + high / 2, low, high)
    near = np.clip(within.middle, low, high)
    states = np.concatenate([near, middles, np.where(near == low, high, low)])
    away = np.square((states - within.middle) / within.width).sum(axis=1)
    ordered: Floats = states[np.argsort(away, kind="stable")]
    return ordered


def widest(low: Floats, high: Floats, variables: Ints, within: Range) -> Ints:
    """Return the variable across which each box is widest, -1 for boxes that are too small."""
    if not len(variables):
        return np.full(len(low), -1)
    widths = (high - low)[:, variables] / within.width[variables]
    return np.where(widths.max(axis=1) >= SMALLEST, variables[widths.argmax(axis=1)], -1)


def halves_of(low: Floats, high: Floats, across: Ints) -> Intervals:
    """Return the first, then the second halves of boxes, each across its variable."""
    rows = np.arange(len(low))
    middle = low[rows, across] / 2 + high[rows, across] / 2
    first_high, second_low = high.copy(), low.copy()
    first_high[rows, across] = middle
    second_low[rows, across] = middle
    return Intervals(np.concatenate([low, second_low]), np.concatenate([first_high, high]))


def towards_middle(state: Floats, within: Range, first_broken: Callable[[Floats], int]) -> Floats:
    """Move a state that breaks a claim towards the middle while it breaks it."""
    best = state.copy()
    for variable in [*range(len(state))] * 2:
        kept, goal = best[variable], within.middle[variable]
        tried = goal
        for _ in range(MOVES):
            moved = best.copy()
            moved[variable] = tried
            if first_broken(moved[np.newaxis]) == 0:
                kept, best = tried, moved
            else:
                goal = tried
            if kept == goal:
                break
            tried = kept / 2 + goal / 2
    return best


def rounded(state: Floats, within: Range, first_broken: Callable[[Floats], int]) -> Floats:
    """Write a state that breaks a claim with as few digits as it still does."""
    for digits in range(1, 8):
        unit = 10.0 ** (np.floor(np.log10(within.width)) - digits)
        for towards in (state / unit, state / unit + np.sign(state - within.middle) / 2):
            shorter = np.array([float(f"{value:.12g}") for value in np.round(towards) * unit])
            inside = (shorter >= within.low).all() and (shorter <= within.high).all()
            if inside and first_broken(shorter[np.newaxis]) == 0:
                return shorter
    return state


def actions_of(tree: PolicyTree, boxes: Intervals, rows: Ints) -> Ints:
    """Return the actions that the tree may take in some of the boxes, as bits."""
    found = np.empty(len(rows), dtype=np.int64)
    low, high = boxes.low[rows], boxes.high[rows]
    actions_in_all(*tree.flat, np.ascontiguousarray(low), np.ascontiguousarray(high), found)
    return found


def relevant_variables(tree: PolicyTree, condition: Condition) -> Ints:
    """Return the variables that rules or the condition read."""
    read = variables_of(condition)
    for split in tree.splits():
        read |= set(np.flatnonzero(split.rule.exponents.any(axis=0)).tolist())
    return np.array(sorted(read), dtype=np.int64)
