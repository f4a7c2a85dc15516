"""Why a policy does what it does in one state, and what would change its mind."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from glasstree.explain.roots import crossings
from glasstree.formats.shared.traversal import used_variables
from glasstree.formats.text import TextStyle
from glasstree.policy import Node, PolicyTree, Split
from glasstree.policy.arrays import Floats
from glasstree.policy.formula import formula
from glasstree.policy.notation import is_flipped, readable, terms
from glasstree.policy.scaling import HIGHEST, LOWEST

GRID = 256  # parts of a variable's limits that are looked at for a change of side
HALVINGS = 200  # at most, until the two ends are neighbours


@dataclass(frozen=True)
class ExplainedRule:
    """A rule on the way: its terms with what each adds, its value f, and the side taken.

    flipped: whether the condition is written with all signs turned, as -f >= 0.
    """

    node: int
    condition: str
    terms: list[tuple[str, float]]
    bias: float
    width: float | None
    value: float
    goes_left: bool
    flipped: bool = False

    @property
    def margin(self) -> float:
        """Distance of f from the boundary."""
        return abs(self.value)


@dataclass(frozen=True)
class Flip:
    """The nearest value of one variable at which the policy acts otherwise.

    share: the change as a share of the range that was seen.
    """

    variable: str
    unit: str
    value: float
    change: float
    share: float
    action: str
    seen: bool


@dataclass(frozen=True)
class Explanation:
    """The action in a state, the rules that led to it, the flips with the nearest first."""

    action: str
    leaf: int
    rules: list[ExplainedRule]
    flips: list[Flip]
    unseen: list[str]


@np.errstate(all="ignore")
def explain(tree: PolicyTree, state: ArrayLike) -> Explanation:
    """Explain the action of a policy in one state in original units."""
    steps, leaf = tree.path(state)
    row = np.asarray(state, dtype=np.float64)
    style = TextStyle(tree.state_names)
    number, rules = 0, []
    for step in steps:
        rule = step.split.rule
        variables = rule.variables(row[np.newaxis], tree.scaling)
        parts = (rule.weights * rule.terms(variables)[0]).tolist()
        written = formula(rule, tree.scaling, "normalised")
        names = terms(rule, written.digits, style)
        rules.append(
            ExplainedRule(
                node=number,
                condition=readable(rule, tree.scaling, "normalised", style),
                terms=list(zip(names, parts, strict=True)),
                bias=rule.bias,
                width=rule.width,
                value=step.value,
                goes_left=step.goes_left,
                flipped=rule.raw and is_flipped(written),
            )
        )
        number += 1 if step.goes_left else 1 + _size(step.split.left)
    flips = [flip for j in used_variables(tree) if (flip := nearest_flip(tree, row, j))]
    outside = (row < tree.scaling.minimum) | (row > tree.scaling.maximum)
    return Explanation(
        action=tree.action_names[leaf.action],
        leaf=number,
        rules=rules,
        flips=sorted(flips, key=lambda flip: flip.share),
        unseen=[tree.state_names[j] for j in np.flatnonzero(outside).tolist()],
    )


@np.errstate(all="ignore")
def nearest_flip(tree: PolicyTree, state: Floats, variable: int) -> Flip | None:
    """Return the smallest change of one variable that changes the action, if there is one."""
    low, span = float(tree.scaling.minimum[variable]), float(tree.scaling.span[variable])
    if span == 0:
        return None
    action = int(tree.actions(state[np.newaxis])[0])
    tried = _tried(tree, state, variable)
    states = np.repeat(state[np.newaxis], len(tried), axis=0)
    states[:, variable] = tried
    differs = tree.actions(states) != action
    found: list[float] = []
    for side in (tried > state[variable], tried < state[variable]):
        candidates = np.flatnonzero(differs & side)
        if len(candidates):
            distances = np.abs(tried[candidates] - state[variable])
            first = float(tried[candidates[np.argmin(distances)]])
            same = tried[~differs & side & (np.abs(tried - state[variable]) < distances.min())]
            start = state[variable] if not len(same) else _nearest(same, first)
            found.append(_bisect(tree, state, variable, float(start), first))
    if not found:
        return None
    value = min(found, key=lambda value: abs(value - float(state[variable])))
    changed = state.copy()
    changed[variable] = value
    return Flip(
        variable=tree.state_names[variable],
        unit=tree.units[variable],
        value=value,
        change=value - float(state[variable]),
        share=abs(value - float(state[variable])) / span,
        action=tree.action_names[int(tree.actions(changed[np.newaxis])[0])],
        seen=low <= value <= float(tree.scaling.maximum[variable]),
    )


def _tried(tree: PolicyTree, state: Floats, variable: int) -> Floats:
    """Return values of a variable with every change of every rule between two of them."""
    low, span = tree.scaling.minimum[variable], tree.scaling.span[variable]
    points = np.linspace(LOWEST, HIGHEST, GRID + 1).tolist()
    for split in tree.splits():
        rule = split.rule
        found = crossings(rule, rule.variables(state[np.newaxis], tree.scaling)[0], variable)
        points += [1.0 + (value - low) / span for value in found] if rule.raw else found
    points = np.unique(points)
    first, last = points[np.isfinite(points)][[0, -1]]
    below = first - (1.0 + abs(first)) if first < LOWEST else LOWEST
    above = last + (1.0 + abs(last)) if last > HIGHEST else HIGHEST
    middles = np.concatenate([[below], (points[:-1] + points[1:]) / 2, [above]])
    values: Floats = low + (middles - 1.0) * span
    return np.unique(values[np.isfinite(values)])


def _bisect(tree: PolicyTree, state: Floats, variable: int, same: float, other: float) -> float:
    """Close in on the first value with another action than at `same`."""
    changed = state.copy()
    action = int(tree.actions(changed[np.newaxis])[0])
    for _ in range(HALVINGS):
        middle = same / 2 + other / 2
        if middle in (same, other):
            break
        changed[variable] = middle
        if int(tree.actions(changed[np.newaxis])[0]) == action:
            same = middle
        else:
            other = middle
    return other


def _nearest(values: Floats, target: float) -> float:
    return float(values[np.argmin(np.abs(values - target))])


def _size(node: Node) -> int:
    return 1 + _size(node.left) + _size(node.right) if isinstance(node, Split) else 1
