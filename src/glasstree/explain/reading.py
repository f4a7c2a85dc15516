"""What a person wants to know of a rule: rearranged, its directions, its corners."""

from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

import numpy as np

from glasstree.explain.roots import crossings
from glasstree.formats.shared.names import bracketed, visible
from glasstree.formats.shared.traversal import Place, traverse, used_variables
from glasstree.formats.text import TextStyle, digits_of
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.formula import (
    Formula,
    Style,
    condition,
    divided,
    formula,
    gathered,
    interval,
    is_linear,
    sensible,
    total,
)
from glasstree.policy.scaling import HIGHEST, LOWEST

MOST_CORNERS = 4096
Side = Literal["left", "right"]


@dataclass(frozen=True)
class RuleReading:
    """One rule, read: node, condition, other forms of it, and what its variables do.

    directions: what growth of a variable does to the sum; corners: for each combination of
    low and high ends of the seen range, where the rule goes; always: its one side, if any.
    """

    node: int
    condition: str
    rearranged: list[str]
    left: str
    right: str
    directions: dict[str, str]
    corners: dict[tuple[str, ...], Side]
    always: Side | None


@dataclass(frozen=True)
class Reading:
    """A whole policy, read."""

    used: list[str]
    unused: list[str]
    rules: list[RuleReading]


@np.errstate(all="ignore")
def read(tree: PolicyTree) -> Reading:
    """Read every rule of a policy."""

    def leaf(node: Leaf, place: Place) -> tuple[str, list[RuleReading]]:
        return visible(tree.action_names[node.action]), []

    def split(
        node: Split,
        place: Place,
        left: tuple[str, list[RuleReading]],
        right: tuple[str, list[RuleReading]],
    ) -> tuple[str, list[RuleReading]]:
        reading = _rule(node.rule, tree, place.number, left[0], right[0])
        return f"node {place.number}", [reading, *left[1], *right[1]]

    used = [variable for variable in used_variables(tree) if tree.scaling.span[variable] > 0]
    return Reading(
        used=[tree.state_names[variable] for variable in used],
        unused=[name for number, name in enumerate(tree.state_names) if number not in used],
        rules=traverse(tree, leaf, split)[1],
    )


def _rule(rule: Rule, tree: PolicyTree, node: int, left: str, right: str) -> RuleReading:
    style = TextStyle(tree.state_names)
    written = condition(formula(rule, tree.scaling, "normalised"), style)
    rule = _varying(rule, tree.scaling)
    return RuleReading(
        node=node,
        condition=written,
        rearranged=rearranged(rule, tree.scaling, style),
        left=left,
        right=right,
        directions=_directions(rule, tree.state_names, left, right),
        corners=_corners(rule, tree.state_names),
        always=_always(rule),
    )


def _varying(rule: Rule, scaling: Scaling) -> Rule:
    """Leave constant variables out; normalised, they are one."""
    exponents = np.where(scaling.span > 0, rule.exponents, 0)
    return Rule(exponents, rule.weights, rule.bias, rule.width)


def rearranged(rule: Rule, scaling: Scaling, style: TextStyle) -> list[str]:
    """Write a rule divided by its first coefficient, and solved for a variable where possible."""
    units: Literal["normalised", "original"] = "original" if is_linear(rule) else "normalised"
    exact = formula(rule, scaling, units)
    if not len(exact.coefficients):
        return []
    simpler = divided(exact, abs(exact.coefficients[0]))
    if simpler is None:
        return []
    simpler = sensible(simpler, scaling)
    forms = [_solved(simpler, style) or interval(simpler, style), *_ranges(rule, scaling, style)]
    return list(dict.fromkeys(forms))


def _solved(formula: Formula, style: Style) -> str | None:
    """Solve for a variable that stands in one term only, without a modulus."""
    candidates = []
    for variable in range(len(formula.shifts)):
        rows = np.flatnonzero(formula.exponents[:, variable]).tolist()
        if len(rows) == 1 and not formula.shifts[variable]:
            row = formula.exponents[rows[0]]
            power = int(row[variable])
            candidates.append((np.count_nonzero(row), abs(power), power < 0, variable, rows[0]))
    if formula.width is not None:
        return None
    forms = (
        _solved_for(formula, variable, term, style) for *_, variable, term in sorted(candidates)
    )
    return next((form for form in forms if form), None)


def _solved_for(formula: Formula, variable: int, term: int, style: Style) -> str | None:
    """Solve for a variable; not if a root or a reciprocal of something negative might be needed."""
    coefficient = float(formula.coefficients[term])
    exponent = int(formula.exponents[term, variable])
    rest = formula.exponents[term].copy()
    rest[variable] = 0
    others = np.arange(len(formula.coefficients)) != term
    shares = np.append(-formula.coefficients[others], -formula.constant) / coefficient
    if not np.isfinite(shares).all():
        return None
    exponents = np.vstack([formula.exponents[others], np.zeros_like(rest)]) - rest
    side = gathered(replace(formula, exponents=exponents, coefficients=shares, constant=0.0))
    if (exponent < 0 or exponent % 2 == 0) and not _positive(side):
        return None
    if len(side.coefficients):
        bound = _root(total(side, style), exponent)
    else:
        root = np.sign(side.constant) * abs(side.constant) ** (1 / exponent)
        bound = total(replace(side, constant=float(root)), style)
    smaller = (coefficient > 0) == (exponent > 0)
    name = style.base(variable, 0.0, formula.units)
    return f"{name} {style.at_most if smaller else style.at_least} {bound}"


def _positive(formula: Formula) -> bool:
    """Tell whether a sum of terms in normalised variables is positive, however they are clipped."""
    low, _ = _bounds(formula.exponents, formula.coefficients, LOWEST, HIGHEST)
    return low + formula.constant > 0


def _bounds(exponents: Ints, weights: Floats, low: float, high: float) -> tuple[float, float]:
    """Bound a sum of terms while each variable moves from low to high."""
    powers = exponents.astype(float)
    least = np.prod(np.where(powers > 0, low, high) ** powers, axis=1) * weights
    most = np.prod(np.where(powers > 0, high, low) ** powers, axis=1) * weights
    return float(np.minimum(least, most).sum()), float(np.maximum(least, most).sum())


def _ranges(rule: Rule, scaling: Scaling, style: TextStyle) -> list[str]:
    """Write when a rule of one variable holds, in original units."""
    used = [j for j in range(len(style.names)) if rule.exponents[:, j].any() and scaling.span[j]]
    if len(used) != 1:
        return []
    variable = used[0]
    points = np.array([LOWEST, *crossings(rule, np.ones(len(style.names)), variable), HIGHEST])
    states = np.ones((len(points) - 1, len(style.names)))
    states[:, variable] = (points[:-1] + points[1:]) / 2
    holds = rule.value(states) <= 0
    if holds.all() or not holds.any():
        return ["always" if holds.all() else "never"]
    starts = np.flatnonzero(np.diff(np.concatenate([[False], holds])) & holds)
    ends = np.flatnonzero(np.diff(np.concatenate([holds, [False]])) & holds) + 1
    name, low, span = bracketed(style.names[variable]), scaling.minimum, scaling.span
    ranges = []
    for start, end in zip(points[starts], points[ends], strict=True):
        bounds = [
            digits_of(low[variable] + (v - 1) * span[variable], span[variable])
            for v in (start, end)
        ]
        left = "" if start == LOWEST else f"{bounds[0]} <= "
        right = "" if end == HIGHEST else f" <= {bounds[1]}"
        ranges.append(f"{left}{name}{right}" if right or not left else f"{name} >= {bounds[0]}")
    return [" or ".join(ranges)]


def _root(inside: str, exponent: int) -> str:
    """Write what a variable is compared with when its power is compared with `inside`."""
    if exponent == 1:
        return inside
    size = abs(exponent)
    word = {1: "", 2: "sqrt", 3: "cbrt"}.get(size, f"root{size}")
    return f"{word}({inside})" if exponent > 0 else f"1/{word}({inside})"


def _directions(rule: Rule, names: tuple[str, ...], left: str, right: str) -> dict[str, str]:
    """Tell for each variable where its growth leads; terms are positive, so signs decide."""
    found = {}
    for variable in np.flatnonzero(rule.exponents.any(axis=0)).tolist():
        slopes = np.sign(rule.weights) * np.sign(rule.exponents[:, variable])
        rises, falls = bool((slopes > 0).any()), bool((slopes < 0).any())
        if rises and falls:
            found[names[variable]] = "raises or lowers the sum"
        elif rises or falls:
            word = "raises the sum" if rises else "lowers the sum"
            towards = "" if rule.modulus else f", towards {right if rises else left}"
            found[names[variable]] = word + towards
    return found


def _corners(rule: Rule, names: tuple[str, ...]) -> dict[tuple[str, ...], Side]:
    used = np.flatnonzero(rule.exponents.any(axis=0)).tolist()
    if 2 ** len(used) > MOST_CORNERS:
        return {}
    found: dict[tuple[str, ...], Side] = {}
    for ends in product((1.0, 2.0), repeat=len(used)):
        state = np.ones((1, rule.exponents.shape[1]))
        state[0, used] = ends
        goes_left = bool(rule.value(state)[0] <= 0)
        words = tuple(
            f"{bracketed(names[variable])} {'low' if end == 1.0 else 'high'}"
            for variable, end in zip(used, ends, strict=True)
        )
        found[words] = "left" if goes_left else "right"
    return found


def _always(rule: Rule) -> Side | None:
    """Bound f over the seen range; the side of a rule that cannot change there."""
    low, high = (bound + rule.bias for bound in _bounds(rule.exponents, rule.weights, 1.0, 2.0))
    if rule.width is not None:
        nearest = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        low, high = nearest - rule.width, max(abs(low), abs(high)) - rule.width
    return "left" if high <= 0 else "right" if low > 0 else None
