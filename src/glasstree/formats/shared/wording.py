"""Rules of tables in the table's own terms: sets, dates, and what happens to unknown cells."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import cast

import numpy as np

from glasstree.policy import PolicyTree, Rule
from glasstree.policy.formula import Units
from glasstree.policy.notation import Style, readable
from glasstree.policy.sources.encoding import UNKNOWN, Source

FURTHEST = 2_900_000.0  # days from 1970 that a calendar has


@dataclass(frozen=True)
class DateStyle:
    """Another style whose numbers are days since 1970."""

    style: Style

    def __getattr__(self, name: str) -> object:
        return getattr(self.style, name)

    def number(self, value: float) -> str:
        """Write a day, with its time where that is not midnight."""
        moment = datetime.fromtimestamp(0, UTC) + timedelta(days=value)
        whole = f"{moment:%Y-%m-%d}"
        return whole if value.is_integer() else f"{whole} {moment:%H:%M}"


def worded(tree: PolicyTree, rule: Rule, units: Units, style: Style) -> str:
    """Write when a rule goes left; one about a single column of a table in that column's terms."""
    written = readable(rule, tree.scaling, units, style)
    used = np.flatnonzero(rule.exponents.any(axis=0))
    if tree.encoding is None or len(used) != 1:
        return written
    variable = int(used[0])
    source = tree.encoding.sources[variable]
    if source.kind == "set":
        outside, inside = (_holds(tree, rule, variable, value) for value in (0.0, 1.0))
        return written if inside == outside else source.words(inside)
    if source.kind == "date" and _is_calendar(rule):
        dates = cast(Style, DateStyle(style))
        written = readable(rule, tree.scaling, "original", dates)
    written = written.replace(f"[{tree.state_names[variable]}]", source.subject)
    if tree.encoding.may_be_unknown(source) and _holds(tree, rule, variable, source.unknown):
        written += f" or {UNKNOWN}"
    return written


def unknown_counts(tree: PolicyTree) -> list[tuple[str, Source]]:
    """Return the variables of longer rules whose cells may be unknown, by name."""
    if tree.encoding is None:
        return []
    longer = np.zeros(tree.n_variables, dtype=np.bool_)
    for split in tree.splits():
        used = split.rule.exponents.any(axis=0)
        longer |= used & (used.sum() > 1)
    return [
        (tree.state_names[variable], tree.encoding.sources[variable])
        for variable in np.flatnonzero(longer).tolist()
        if tree.encoding.may_be_unknown(tree.encoding.sources[variable])
        and tree.encoding.sources[variable].kind != "set"
    ]


def _holds(tree: PolicyTree, rule: Rule, variable: int, value: float) -> bool:
    """Tell whether a rule over one variable goes left at a value of it."""
    state = np.ones((1, tree.n_variables))
    state[0, variable] = value
    return bool(tree.values(rule, state)[0] <= 0.0)


def _is_calendar(rule: Rule) -> bool:
    """Tell whether a rule compares a date with others that a calendar has."""
    if not rule.raw or rule.n_terms != 1 or rule.exponents.sum() != 1:
        return False
    middle, reach = -rule.bias / rule.weights[0], (rule.width or 0.0) / abs(rule.weights[0])
    return bool(middle - reach > 0.0 and middle + reach < FURTHEST)
