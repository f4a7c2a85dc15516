"""Rules as if-then-else for people, in normalised and in original units."""

from dataclasses import dataclass
from math import isinf
from typing import Literal

import numpy as np

from glasstree.errors import OptionError
from glasstree.formats.shared.names import bracketed, visible
from glasstree.formats.shared.traversal import (
    Place,
    is_raw,
    places,
    scaled_variables,
    traverse,
    used_variables,
)
from glasstree.formats.shared.wording import unknown_counts, worded
from glasstree.policy import Leaf, PolicyTree, Split
from glasstree.policy.formula import Units
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import HIGHEST, LOWEST
from glasstree.policy.sources.plant import TRUTH

INDENT = "    "


@dataclass(frozen=True)
class TextStyle:
    """Formulas in one line of plain text; x' is the normalised x."""

    names: tuple[str, ...]
    at_most: str = "<="
    at_least: str = ">="

    def number(self, value: float) -> str:
        """Write a number without needless zeros."""
        return short(value)

    def base(self, variable: int, shift: float, units: Units) -> str:
        """Write x', x or (x + shift)."""
        name = bracketed(self.names[variable])
        if units == "normalised":
            return f"{name}'"
        return f"({name} {'-' if shift < 0 else '+'} {short(abs(shift))})" if shift else name

    def product(self, coefficient: str, factors: list[tuple[str, int]]) -> str:
        """Write a product and what it is divided by."""
        above = [_power(base, exponent) for base, exponent in factors if exponent > 0]
        below = [_power(base, -exponent) for base, exponent in factors if exponent < 0]
        upper = " ".join([coefficient, *above] if coefficient else above) or "1"
        if not below:
            return upper
        lower = below[0] if len(below) == 1 else f"({' '.join(below)})"
        return f"{upper}/{lower}"

    def modulus(self, inside: str) -> str:
        """Write an absolute value with bars."""
        return f"|{inside}|"


def _power(base: str, exponent: int) -> str:
    return base if exponent == 1 else f"{base}^{exponent}"


def short(value: float) -> str:
    """Write a number in as few characters as give it back.

    >>> short(0.25), short(1000.0), short(1.5e-7)
    ('0.25', '1000', '1.5e-7')
    """
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        return np.format_float_positional(value, trim="-")
    return np.format_float_scientific(value, trim="-", exp_digits=1).replace("e+", "e")


def to_text(tree: PolicyTree, units: Literal["both", "normalised", "original"] = "both") -> str:
    """Write a policy as if-then-else rules for people.

    >>> from glasstree.policy import Rule, Scaling
    >>> tree = PolicyTree(Split(Rule([[1]], [1.0], -1.5), Leaf(0), Leaf(1)),
    ...                   Scaling([0.0], [4.0]), ("speed",), ("brake", "go"), ("m/s",))
    >>> print(to_text(tree, "original"))
    if speed <= 2:    # node 0
        brake
    else:
        go
    <BLANKLINE>
    units: speed in m/s
    limited first: -2 <= speed <= 6
    <BLANKLINE>
    """
    if units not in ("both", "normalised", "original"):
        raise OptionError(f"units must be both, normalised or original, not {units!r}")
    if units == "original" or is_raw(tree) or not tree.n_rules:
        return _original(tree)
    if units == "normalised":
        return _normalised(tree)
    return f"In normalised variables\n\n{_normalised(tree)}\nIn original units\n\n{_original(tree)}"


def branches(tree: PolicyTree, units: Units) -> list[str]:
    """Write the tree as nested lines."""
    style = TextStyle(tree.state_names)

    def leaf(node: Leaf, place: Place) -> list[str]:
        return [visible(tree.action_names[node.action])]

    def split(node: Split, place: Place, left: list[str], right: list[str]) -> list[str]:
        return [
            f"if {_condition(tree, node, units, style)}:    # node {place.number}",
            *(INDENT + line for line in left),
            "else:",
            *(INDENT + line for line in right),
        ]

    return traverse(tree, leaf, split)


def first_rule(tree: PolicyTree) -> str:
    """Write the rule at the root in original units, or the action where there is none."""
    if isinstance(tree.root, Leaf):
        return visible(tree.action_names[tree.root.action])
    return _condition(tree, tree.root, "original", TextStyle(tree.state_names))


def truth_of(tree: PolicyTree, rule: Rule) -> tuple[int, bool] | None:
    """Return the 0/1 variable that alone decides a rule, and whether 1 goes left.

    >>> from glasstree.policy import Scaling
    >>> rule = Rule([[1]], [1.0], -1.5)
    >>> tree = PolicyTree(Split(rule, Leaf(0), Leaf(1)), Scaling([0.0], [1.0]), ("leg",),
    ...                   ("fly", "rest"), ("0/1",))
    >>> truth_of(tree, rule)
    (0, False)
    """
    used = np.flatnonzero(rule.exponents.any(axis=0))
    if len(used) != 1 or tree.units[used[0]] != TRUTH:
        return None
    states = np.zeros((2, tree.n_variables))
    states[1, used[0]] = 1.0
    with np.errstate(all="ignore"):
        off, on = tree.values(rule, states) <= 0.0
    return None if off == on else (int(used[0]), bool(on))


def _condition(tree: PolicyTree, node: Split, units: Units, style: TextStyle) -> str:
    """Write when a rule goes left; the name alone where a 0/1 variable decides it."""
    truth = truth_of(tree, node.rule)
    if truth is None:
        return worded(tree, node.rule, units, style)
    name = bracketed(tree.state_names[truth[0]])
    return name if truth[1] else f"not {name}"


def legend(tree: PolicyTree) -> list[str]:
    """Write what each primed variable stands for."""
    lines = []
    used = scaled_variables(tree)
    names = [f"{bracketed(tree.state_names[variable])}'" for variable in used]
    longest = max(map(len, names), default=0)
    for variable, name in zip(used, names, strict=True):
        lines.append(f"{name:<{longest}} = {_scaled(tree, variable)}")
    return lines


def limits(tree: PolicyTree) -> list[str]:
    """Write the range of each variable that is limited, half a range beyond what was seen."""
    lines = []
    for variable in scaled_variables(tree):
        low, span = float(tree.scaling.minimum[variable]), float(tree.scaling.span[variable])
        if span > 0:
            lowest, highest = low + (LOWEST - 1) * span, low + (HIGHEST - 1) * span
            name = bracketed(tree.state_names[variable])
            lines.append(f"{digits_of(lowest, span)} <= {name} <= {digits_of(highest, span)}")
    return lines


def limited_nodes(tree: PolicyTree) -> str:
    """Say which rules read limited values, where not all do."""
    splits = [(place.number, node) for place, node in places(tree) if isinstance(node, Split)]
    limited = [str(number) for number, split in splits if not split.rule.raw]
    if len(limited) == len(splits):
        return ""
    return f" in node{'' if len(limited) == 1 else 's'} {', '.join(limited)}"


def _normalised(tree: PolicyTree) -> str:
    lines = branches(tree, "normalised")
    if scaled_variables(tree):
        lines += ["", f"each limited to [{LOWEST}, {HIGHEST}]:", *legend(tree)]
    return "\n".join(lines) + "\n"


def _original(tree: PolicyTree) -> str:
    lines = branches(tree, "original")
    units = [
        f"{bracketed(tree.state_names[variable])} in {visible(tree.units[variable])}"
        for variable in used_variables(tree)
        if tree.units[variable]
    ]
    unknown = [
        f"{bracketed(name)} {digits_of(source.unknown, max(abs(source.unknown), 1.0))}"
        for name, source in unknown_counts(tree)
    ]
    if units or limits(tree) or unknown:
        lines.append("")
    if units:
        lines.append(f"units: {', '.join(units)}")
    if limits(tree):
        lines.append(f"limited first{limited_nodes(tree)}: {', '.join(limits(tree))}")
    if unknown:
        lines.append(f"unknown counts as: {', '.join(unknown)}")
    return "\n".join(lines) + "\n"


def _scaled(tree: PolicyTree, variable: int) -> str:
    low, span = float(tree.scaling.minimum[variable]), float(tree.scaling.span[variable])
    if span == 0:
        return "1 (constant in the data)"
    name = bracketed(tree.state_names[variable])
    unit = f" {visible(tree.units[variable])}" if tree.units[variable] else ""
    if low == 0:
        return f"1 + {name} / {digits_of(span, span)}{unit}"
    sign = "-" if low > 0 else "+"
    return f"1 + ({name} {sign} {digits_of(abs(low), span)}{unit}) / {digits_of(span, span)}{unit}"


def digits_of(value: float, span: float) -> str:
    """Write a number to a ten-thousandth of the range that it belongs to."""
    if value == 0 or isinf(value):
        return f"{value + 0:g}"
    extra = max(0.0, np.log10(abs(value)) - np.log10(span))
    digits = min(17, 4 + int(np.ceil(extra)))
    return short(float(f"{value:.{digits - 1}e}"))
