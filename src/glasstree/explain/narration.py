"""Readings and explanations as plain text."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from glasstree.explain.explanation import ExplainedRule, Explanation, Flip
from glasstree.explain.reading import Reading, RuleReading
from glasstree.formats.shared.names import bracketed, visible
from glasstree.formats.text import INDENT, short
from glasstree.policy.formula import significant

MOST_SHOWN = 16  # corners that people read: 4 variables of a rule


def reading_text(reading: Reading) -> str:
    """Write what a policy's rules say."""
    used = ", ".join(map(bracketed, reading.used)) or "none"
    lines = [f"variables used: {used}"]
    if reading.unused:
        lines.append(f"not used: {', '.join(map(bracketed, reading.unused))}")
    for rule in reading.rules:
        lines += ["", *_rule(rule)]
    return "\n".join(lines) + "\n"


def explanation_text(explanation: Explanation, state: ArrayLike, names: Sequence[str]) -> str:
    """Write why a policy acts as it does in a state."""
    values = np.asarray(state, dtype=np.float64).tolist()
    where = ", ".join(
        f"{bracketed(name)} = {short(value)}" for name, value in zip(names, values, strict=True)
    )
    lines = [f"state: {where}", f"action: {visible(explanation.action)} (node {explanation.leaf})"]
    if explanation.unseen:
        outside = ", ".join(map(bracketed, explanation.unseen))
        lines.append(f"outside the range that was seen: {outside}")
    for rule in explanation.rules:
        lines += ["", *_step(rule)]
    lines += ["", "what would change it, one variable at a time, nearest first:"]
    before = dict(zip(names, values, strict=True))
    lines += [INDENT + _flip(flip, before[flip.variable]) for flip in explanation.flips]
    if not explanation.flips:
        lines.append(f"{INDENT}nothing: no single variable can")
    return "\n".join(lines) + "\n"


def _rule(rule: RuleReading) -> list[str]:
    lines = [f"node {rule.node}: {rule.condition}"]
    lines += [f"{INDENT}that is: {form}" for form in rule.rearranged]
    lines.append(f"{INDENT}if so: {rule.left}; if not: {rule.right}")
    if rule.always:
        going = rule.left if rule.always == "left" else rule.right
        lines.append(f"{INDENT}in the seen range it never changes: {going}")
    for name, word in rule.directions.items():
        lines.append(f"{INDENT}more {bracketed(name)} {word}")
    goes_left = sum(side == "left" for side in rule.corners.values())
    if rule.corners and not rule.always:
        lines.append(
            f"{INDENT}{goes_left} of {len(rule.corners)} corners of the range: {rule.left}"
        )
    if len(rule.corners) <= MOST_SHOWN and not rule.always:
        for ends, side in rule.corners.items():
            going = rule.left if side == "left" else rule.right
            lines.append(f"{2 * INDENT}{', '.join(ends)}: {going}")
    return lines


def _step(rule: ExplainedRule) -> list[str]:
    rows = [*rule.terms, ("constant", rule.bias)]
    value, sign = rule.value, "<="
    if rule.flipped:
        rows = [(_turned(name), 0.0 - part) for name, part in rule.terms]
        rows.append(("constant", 0.0 - rule.bias))
        value, sign = (0.0 - value, ">=") if rule.width is None else (value, sign)
    result = "sum" if rule.width is None else f"|sum| - {_figure(rule.width)}"
    longest = max(len(name) for name, _ in [*rows, (result, 0.0)])
    lines = [f"node {rule.node}: {rule.condition}"]
    lines += [f"{INDENT}{name:<{longest}}  {_signed(value)}" for name, value in rows]
    answer = "yes" if rule.goes_left else "no"
    lines.append(f"{INDENT}{result:<{longest}}  {_signed(value)} {sign} 0? {answer}")
    return lines


def _turned(term: str) -> str:
    return term.removeprefix("-") if term.startswith("-") else f"-{term}"


def _flip(flip: Flip, before: float) -> str:
    unit = f" {visible(flip.unit)}" if flip.unit else ""
    unseen = "" if flip.seen else ", beyond what was seen"
    return (
        f"{bracketed(flip.variable)} from {_figure(before)} to {_figure(flip.value)}{unit} "
        f"({100 * flip.share:.2g} % of its range{unseen}): {visible(flip.action)}"
    )


def _figure(value: float) -> str:
    return short(significant(value, 4))


def _signed(value: float) -> str:
    return ("" if value < 0 else "+") + _figure(value)
