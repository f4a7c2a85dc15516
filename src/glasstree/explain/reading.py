"""What a person wants to know of a rule: rearranged, its directions, its corners."""

from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

import numpy as np

from glasstree.explain.roots import crossings
from glasstree.formats.shared.names import bracketed, visible
from glasstree.formats.shared.traversal import Place, raw_variables, traverse, used_variables
from glasstree.formats.text import TextStyle, digits_of
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.formula import Formula, Units, divided, formula, gathered, is_linear, sensible
from glasstree.policy.notation import Style, interval, is_flipped, readable, total
from glasstree.policy.scaling import HIGHEST, LOWEST

MOST_CORNERS = 4096  # of the seen box that are looked at: 12 variables of a rule
Side = Literal["left", "right"]
Ends = tuple[Floats, Floats]


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

    raw, span = raw_variables(tree), tree.scaling.span
    used = [variable for variable in used_variables(tree) if span[variable] > 0 or variable in raw]
    return Reading(
        used=[tree.state_names[variable] for variable in used],
        unused=[name for number, name in enumerate(tree.state_names) if number not in used],
        rules=traverse(tree, leaf, split)[1],
    )


def _rule(rule: Rule, tree: PolicyTree, node: int, left: str, right: str) -> RuleReading:
    style = TextStyle(tree.state_names)
    written = readable(rule, tree.scaling, "normalised", style)
    rule = _varying(rule, tree.scaling)
    forms = rearranged(rule, tree.scaling, style)
    return RuleReading(
        node=node,
        condition=written,
        rearranged=[form for form in forms if not rule.raw or form != written],
        left=left,
        right=right,
        directions=_directions(rule, tree, left, right),
        corners=_corners(rule, tree.state_names, _seen(rule, tree.scaling)),
        always=_always(rule, _seen(rule, tree.scaling)),
    )


def _varying(rule: Rule, scaling: Scaling) -> Rule:
    """Leave constant variables out; normalised, they are one."""
    return (
        rule if rule.raw else replace(rule, exponents=np.where(scaling.span > 0, rule.exponents, 0))
    )


def _seen(rule: Rule, scaling: Scaling) -> Ends:
    """Return the ends of the seen range of what a rule reads."""
    if rule.raw:
        return scaling.minimum, scaling.maximum
    return np.ones_like(scaling.minimum), np.full_like(scaling.minimum, 2.0)


def rearranged(rule: Rule, scaling: Scaling, style: TextStyle) -> list[str]:
    """Write a rule divided by its first coefficient, and solved for a variable where possible."""
    units: Units = "original" if is_linear(rule) else "normalised"
    exact = formula(rule, scaling, units)
    if not len(exact.coefficients):
        return []
    divisor = abs(float(exact.coefficients[0]))
    simpler = divided(exact, divisor)
    if simpler is None:
        return []
    if not rule.raw or divisor != 1.0:
        simpler = sensible(simpler, scaling)
    solved = _solved(simpler, scaling, style)
    forms = [solved or interval(simpler, style), *_ranges(rule, scaling, style)]
    return list(dict.fromkeys(forms))


def _solved(formula: Formula, scaling: Scaling, style: Style) -> str | None:
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
        _solved_for(_readable_over(formula, term, scaling), variable, term, style)
        for *_, variable, term in sorted(candidates)
    )
    return next((form for form in forms if form), None)


def _readable_over(formula: Formula, term: int, scaling: Scaling) -> Formula:
    """Choose digits that are enough when all is divided by the coefficient of a term."""
    divisor = abs(float(formula.coefficients[term]))
    quotient = divided(formula, divisor) if divisor != 1.0 else None
    return (
        formula if quotient is None else replace(formula, digits=sensible(quotient, scaling).digits)
    )


def _solved_for(formula: Formula, variable: int, term: int, style: Style) -> str | None:
    """Solve for a variable; not if a root or a reciprocal of something negative might be needed."""
    coefficient = float(formula.coefficients[term])
    exponent = int(formula.exponents[term, variable])
    rest = formula.exponents[term].copy()
    rest[variable] = 0
    if formula.units == "original" and (rest.any() or exponent % 2 == 0):
        return None
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
    ends = np.full_like(formula.shifts, LOWEST), np.full_like(formula.shifts, HIGHEST)
    low, _ = _bounds(formula.exponents, formula.coefficients, ends)
    return low + formula.constant > 0


def _bounds(exponents: Ints, weights: Floats, ends: Ends) -> tuple[float, float]:
    """Bound a sum of terms while each variable moves between its ends."""
    low, high = 0.0, 0.0
    for weight, row in zip(weights, exponents, strict=True):
        span = np.array([weight, weight])
        for variable in np.flatnonzero(row).tolist():
            power = int(row[variable])
            factor = np.array([np.float64(end[variable]) ** power for end in ends])
            if power % 2 == 0 and ends[0][variable] < 0 < ends[1][variable]:
                factor = np.append(factor, 0.0)
            reached = np.outer(span, factor)
            span = np.array([reached.min(), reached.max()])
        low, high = low + span[0], high + span[1]
    return float(low), float(high)


def _ranges(rule: Rule, scaling: Scaling, style: TextStyle) -> list[str]:
    """Write when a rule of one variable holds, in original units."""
    used = np.flatnonzero(rule.exponents.any(axis=0)).tolist()
    if len(used) != 1 or (rule.raw and is_linear(rule)):
        return []
    variable = used[0]
    found = crossings(rule, np.ones(len(style.names)), variable)
    if rule.raw:
        least, most = (min(found), max(found)) if found else (0.0, 0.0)
        lowest, highest = least - 1.0 - abs(least), most + 1.0 + abs(most)
    else:
        lowest, highest = LOWEST, HIGHEST
    points = np.array([lowest, *found, highest])
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
            digits_of(
                v if rule.raw else low[variable] + (v - 1) * span[variable],
                float(span[variable]) or abs(v),
            )
            for v in (start, end)
        ]
        left = "" if start == lowest else f"{bounds[0]} <= "
        right = "" if end == highest else f" <= {bounds[1]}"
        ranges.append(f"{left}{name}{right}" if right or not left else f"{name} >= {bounds[0]}")
    return [" or ".join(ranges)]


def _root(inside: str, exponent: int) -> str:
    """Write what a variable is compared with when its power is compared with `inside`."""
    if exponent == 1:
        return inside
    size = abs(exponent)
    word = {1: "", 2: "sqrt", 3: "cbrt"}.get(size, f"root{size}")
    return f"{word}({inside})" if exponent > 0 else f"1/{word}({inside})"


def _directions(rule: Rule, tree: PolicyTree, left: str, right: str) -> dict[str, str]:
    """Tell for each variable where its growth leads.

    Normalised terms are positive, so that signs decide; raw ones go both ways, unless a
    variable has an odd power and all others of the term have even ones. The sum is that which
    is written, all signs of which may be turned.
    """
    found, names = {}, tree.state_names
    if rule.raw and is_flipped(formula(rule, tree.scaling, "original")):
        rule, left, right = replace(rule, weights=-rule.weights, bias=-rule.bias), right, left
    for variable in np.flatnonzero(rule.exponents.any(axis=0)).tolist():
        powers = rule.exponents[:, variable]
        slopes = np.sign(rule.weights) * np.sign(powers)
        others = np.delete(rule.exponents, variable, axis=1)
        either = rule.raw & (slopes != 0) & ((powers % 2 == 0) | (others % 2 != 0).any(axis=1))
        rises = bool((either | (slopes > 0)).any())
        falls = bool((either | (slopes < 0)).any())
        if rises and falls:
            found[names[variable]] = "raises or lowers the sum"
        elif rises or falls:
            word = "raises the sum" if rises else "lowers the sum"
            towards = "" if rule.modulus else f", towards {right if rises else left}"
            found[names[variable]] = word + towards
    return found


def _corners(rule: Rule, names: tuple[str, ...], seen: Ends) -> dict[tuple[str, ...], Side]:
    used = np.flatnonzero(rule.exponents.any(axis=0) & (seen[0] < seen[1])).tolist()
    if 2 ** len(used) > MOST_CORNERS:
        return {}
    found: dict[tuple[str, ...], Side] = {}
    for ends in product((0, 1), repeat=len(used)):
        state = seen[0][np.newaxis].copy()
        state[0, used] = [seen[end][variable] for variable, end in zip(used, ends, strict=True)]
        goes_left = bool(rule.value(state)[0] <= 0)
        words = tuple(
            f"{bracketed(names[variable])} {'high' if end else 'low'}"
            for variable, end in zip(used, ends, strict=True)
        )
        found[words] = "left" if goes_left else "right"
    return found


def _always(rule: Rule, seen: Ends) -> Side | None:
    """Bound f over the seen range; the side of a rule that cannot change there."""
    low, high = (bound + rule.bias for bound in _bounds(rule.exponents, rule.weights, seen))
    if rule.width is not None:
        nearest = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        low, high = nearest - rule.width, max(abs(low), abs(high)) - rule.width
    return "left" if high <= 0 else "right" if low > 0 else None
