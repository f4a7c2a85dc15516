"""The parts of the page that need no script: outcome, rules, tables, figures."""

from html import escape
from typing import Any

from glasstree.formats.shared.names import visible
from glasstree.formats.shared.traversal import Place, traverse, used_variables
from glasstree.formats.text import legend, limited_nodes, limits
from glasstree.policy import Leaf, PolicyTree, Split
from glasstree.policy.formula import Units
from glasstree.policy.scaling import HIGHEST, LOWEST
from glasstree.report.colours import colour, ink
from glasstree.report.content import Content, Stage
from glasstree.report.typeset import rule_html

FEW = 7
UNITS: tuple[Units, ...] = ("original", "normalised")


def chip(tree: PolicyTree, action: int) -> str:
    """Write an action on its colour."""
    name = escape(visible(tree.action_names[action]))
    style = f"background:{colour(action)};color:{ink(colour(action))}"
    return f'<span class="chip" style="{style}">{name}</span>'


def counted(number: int, word: str) -> str:
    """Word a number of things.

    >>> counted(1, "rule"), counted(2600, "term")
    ('1 rule', '2,600 terms')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def percent(share: float) -> str:
    """Word a share; only what is whole is called 100 %.

    >>> percent(1.0), percent(0.99996), percent(0.5)
    ('100 %', '99.9 %', '50 %')
    """
    shown = min(100 * share, 99.9) if share < 1 else 100.0
    return f"{shown:.1f}".removesuffix(".0") + " %"


def outcome(content: Content) -> str:
    """Say in one sentence what came out."""
    tree, found = content.policy, content.final.figures
    size = f"{counted(tree.n_rules, 'rule')}, {counted(tree.n_terms, 'term')}"
    parts = [f"<strong>{size}</strong>"]
    if found:
        episodes = f"{found['episodes']:,} unseen episodes"
        if found.get("success_rate") is None:
            parts.append(f"a mean reward of {found['mean_reward']:,.2f} over {episodes}")
        else:
            share = percent(found["success_rate"])
            parts.append(f"<strong>{share}</strong> success over {episodes}")
    if content.oracle_parameters:
        parts.append(
            f"in place of an oracle with <strong>{content.oracle_parameters:,}</strong> parameters"
        )
    return ", ".join(parts) + "."


def rules(tree: PolicyTree, units: Units) -> str:
    """Typeset a tree as nested choices."""

    def leaf(node: Leaf, place: Place) -> str:
        return chip(tree, node.action)

    def split(node: Split, place: Place, left: str, right: str) -> str:
        rule = rule_html(node.rule, tree, units)
        number = f' <small class="number">rule {place.number}</small>' if tree.n_rules > FEW else ""
        return (
            f'<div class="choice" data-rule="{place.number}">'
            '<div class="if"><span class="word">if</span> '
            f'<span class="rule">{rule}</span>{number}</div>'
            f'<div class="then"><span class="word">then</span> {left}</div>'
            f'<div class="else"><span class="word">else</span> {right}</div></div>'
        )

    return traverse(tree, leaf, split)


def legend_html(tree: PolicyTree, units: Units) -> str:
    """Say what the variables of the rules stand for."""
    used = used_variables(tree)
    if not used:
        return "<p>The policy does the same in every state.</p>"
    if units == "normalised" and legend(tree):
        lines = "".join(f"<li>{escape(line)}</li>" for line in legend(tree))
        words = f"x' is written with a hat and limited to [{LOWEST}, {HIGHEST}]"
        return f"<p>{words}:</p><ul class='plain'>{lines}</ul>"
    named = [
        f"{escape(visible(tree.state_names[j]))} in {escape(visible(tree.units[j]))}"
        for j in used
        if tree.units[j]
    ]
    intro = f"<p>{', '.join(named)}.</p>" if named else ""
    if not limits(tree):
        return f"{intro}<p>Values count as they are, without limits.</p>"
    lines = "".join(f"<li>{escape(line)}</li>" for line in limits(tree))
    words = f"Beyond these, the limit counts{limited_nodes(tree)}:"
    return f"{intro}<p>{words}</p><ul class='plain'>{lines}</ul>"


def switchable_rules(tree: PolicyTree) -> str:
    """Typeset the rules in both units, one of which is shown; many stand in a box that scrolls."""
    many = " many" if tree.n_rules > FEW else ""
    opening = f'<div class="rules{many}" tabindex="0" role="group" aria-label="Rules">'
    return "".join(
        f'<div class="in-{units}">{opening}{rules(tree, units)}</div><details>'
        f"<summary>Variables and limits</summary>{legend_html(tree, units)}</details></div>"
        for units in UNITS
    )


def stage_table(content: Content) -> str:
    """Write the table of stages, or nothing if none was scored."""
    scored = [stage for stage in content.stages if stage.figures]
    if not scored:
        return ""
    heads = ("policy", "mean reward", "95 % interval", "success", "rules", "terms", "size")
    titles = ("", "", "of the mean", "", "", "", "parameters")
    head = "".join(
        f'<th scope="col">{name}{f"<small> {title}</small>" if title else ""}</th>'
        for name, title in zip(heads, titles, strict=True)
    )
    rows = "\n".join(_row(stage, content) for stage in scored)
    episodes = scored[-1].figures["episodes"]
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="Table of stages"><table>'
        f"<caption>Control of {counted(episodes, 'unseen episode')}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(stage: Stage, content: Content) -> str:
    found: Any = stage.figures
    low, high = found["ci95"]
    success, tree = found.get("success_rate"), stage.tree
    size = content.oracle_parameters if tree is None else numbers_in(tree)
    cells = [
        f"{found['mean_reward']:,.2f}",
        f"{low:,.2f} to {high:,.2f}",
        "–" if success is None else percent(success),
        str(tree.n_rules) if tree else "–",
        str(tree.n_terms) if tree else "–",
        f"{size:,}" if size else "–",
    ]
    last = ' class="final"' if stage is content.final else ""
    data = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr{last}><th scope="row">{escape(stage.name)}</th>{data}</tr>'


def numbers_in(tree: PolicyTree) -> int:
    """Count the weights, biases and widths of a tree."""
    return tree.n_terms + sum(2 if split.rule.modulus else 1 for split in tree.splits())
