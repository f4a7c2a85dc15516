"""The parts of the page that need no script: rules, what their variables mean, and a table."""

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from glasstree.formats.shared.names import visible
from glasstree.formats.shared.palette import colour, ink
from glasstree.formats.shared.traversal import Place, traverse, used_variables
from glasstree.formats.text import legend, limited_nodes, limits
from glasstree.policy import Leaf, PolicyTree, Split
from glasstree.policy.formula import Units
from glasstree.policy.scaling import HIGHEST, LOWEST
from glasstree.report.content import Content
from glasstree.report.figures import Drawing, svg_of
from glasstree.report.templating import part, percent, render
from glasstree.report.typeset import rule_html

FEW = 7  # rules: more stand in a box that scrolls, and are drawn by their numbers alone
NONE = "–"  # in cells without a figure
UNITS: tuple[Units, ...] = ("original", "normalised")


def nested_rules(tree: PolicyTree, units: Units) -> Markup:
    """Typeset a tree as nested choices."""

    def leaf(node: Leaf, place: Place) -> Markup:
        tint = colour(node.action)
        return part("chip", tree.action_names[node.action], tint, ink(tint))

    def split(node: Split, place: Place, left: Markup, right: Markup) -> Markup:
        rule = rule_html(node.rule, tree, units)
        return part("choice", place.number, rule, left, right, tree.n_rules > FEW)

    return traverse(tree, leaf, split)


def rules(tree: PolicyTree) -> Markup:
    """Typeset the rules in both units, one of which is shown; many stand in a box that scrolls."""
    views = []
    for units in UNITS:
        words, lines = explained_variables(tree, units)
        view = {"units": units, "rules": nested_rules(tree, units), "words": words, "lines": lines}
        views.append(view)
    return render("rules.html", views=views, many=tree.n_rules > FEW)


def explained_variables(tree: PolicyTree, units: Units) -> tuple[list[str], list[str]]:
    """Say what the variables of the rules stand for: sentences, then lines."""
    used = used_variables(tree)
    if not used:
        return ["The policy does the same in every state."], []
    if units == "normalised" and legend(tree):
        words = f"x' is written with a hat and limited to [{LOWEST}, {HIGHEST}]:"
        return [words], list(legend(tree))
    named = [
        f"{visible(tree.state_names[j])} in {visible(tree.units[j])}" for j in used if tree.units[j]
    ]
    intro = [f"{', '.join(named)}."] if named else []
    if not limits(tree):
        return [*intro, "Values count as they are, without limits."], []
    return [*intro, f"Beyond these, the limit counts{limited_nodes(tree)}:"], list(limits(tree))


def figures_section(shown: list[Drawing], title: str = "Figures") -> Markup:
    """Show drawings, each with what it says."""
    return render("figures.html", shown=shown, title=title, svg_of=svg_of) if shown else Markup("")


def stage_rows(content: Content) -> Iterator[dict[str, Any]]:
    """Yield the row of each stage that was scored."""
    parameters = content.oracle_parameters
    for stage in content.lasting:
        if stage.figures:
            cells = [*scores(stage.figures), *_sizes(stage.tree, parameters)]
            yield {"name": stage.name, "key": None, "cells": cells}
    for view in content.views:
        if view.figures:
            cells = [*scores(view.figures), *_sizes(view.tree, parameters)]
            yield {"name": view.name, "key": view.key, "cells": cells}


def _sizes(tree: PolicyTree | None, oracle_parameters: int | None) -> list[str]:
    if tree is None:
        return [NONE, NONE, f"{oracle_parameters:,}" if oracle_parameters else NONE]
    return [f"{tree.complexity:,}", str(tree.n_rules), f"{numbers_in(tree):,}"]


def scores(found: Mapping[str, Any]) -> list[str]:
    """Format mean reward, its interval and success, as far as they are known."""
    if not found:
        return [NONE] * 3
    success = found.get("success_rate")
    interval = "{:,.2f} to {:,.2f}".format(*found["ci95"])
    return [f"{found['mean_reward']:,.2f}", interval, NONE if success is None else percent(success)]


def numbers_in(tree: PolicyTree) -> int:
    """Count the weights, biases and widths of a tree."""
    return tree.n_terms + sum(2 if split.rule.modulus else 1 for split in tree.splits())
