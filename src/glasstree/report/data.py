"""What the page's scripts work with, as plain values."""

import re
from base64 import b64encode
from math import ceil
from typing import Any

import numpy as np

from glasstree.explain import read
from glasstree.explain.reading import RuleReading
from glasstree.formats.shared.names import visible
from glasstree.formats.shared.traversal import (
    Place,
    places,
    raw_variables,
    traverse,
    used_variables,
)
from glasstree.formats.text import TextStyle, digits_of
from glasstree.policy import Leaf, PolicyTree, Split
from glasstree.policy.formula import Units, readable
from glasstree.policy.scaling import HIGHEST, LOWEST
from glasstree.report.colours import colour, ink
from glasstree.report.content import ORACLE, Content, Episode
from glasstree.report.typeset import RAISED, lettered, rule_html

MOST_FRAMES = 1000
BEYOND = 0.25
WIDEST = 40
UNITS: tuple[Units, ...] = ("original", "normalised")


def page_data(content: Content) -> dict[str, Any]:
    """Gather all that the scripts of a page need."""
    return {
        "name": content.name,
        "clip": [LOWEST, HIGHEST],
        "states": _states(content),
        "actions": [
            {"name": visible(name), "colour": colour(n), "ink": ink(colour(n))}
            for n, name in enumerate(_action_names(content))
        ],
        "trees": [
            {"name": stage.name, "nodes": nodes(stage.tree)}
            for stage in content.stages or (content.final,)
            if stage.tree is not None
        ],
        "rewards": {s.name: s.rewards.tolist() for s in content.stages if s.rewards is not None},
        "scene": dict(content.scene),
        "starts": [
            [_film(episode) for episode in start if episode.policy in (ORACLE, content.final.name)]
            for start in content.starts
        ],
    }


def nodes(tree: PolicyTree) -> list[dict[str, Any]]:
    """Describe every node in preorder, children by number."""
    readings = {rule.node: rule for rule in read(tree).rules}
    children: dict[int, tuple[int, int]] = {}

    def split(_: Split, place: Place, left: int, right: int) -> int:
        children[place.number] = (left, right)
        return place.number

    traverse(tree, lambda _, place: place.number, split)
    return [
        {
            "depth": place.depth,
            "counts": list(node.counts),
            **(
                {"action": node.action}
                if isinstance(node, Leaf)
                else _split(node, tree, readings[place.number], children[place.number])
            ),
        }
        for place, node in places(tree)
    ]


def _split(
    node: Split, tree: PolicyTree, reading: RuleReading, children: tuple[int, int]
) -> dict[str, Any]:
    rule, style = node.rule, TextStyle(lettered(tree.state_names))
    lines = {units: lines_of(readable(rule, tree.scaling, units, style)) for units in UNITS}
    return {
        "left": children[0],
        "right": children[1],
        "exponents": rule.exponents.tolist(),
        "weights": rule.weights.tolist(),
        "bias": rule.bias,
        "width": rule.width,
        "raw": rule.raw,
        "lines": lines,
        "html": {units: rule_html(rule, tree, units) for units in UNITS},
        "directions": [f"{name} {words}" for name, words in reading.directions.items()],
        "always": reading.always,
    }


def lines_of(rule: str) -> list[str]:
    """Break a rule between terms, and long fractions before their line, with signs of print.

    >>> lines_of("0.5 (x + 1)^2 <= 1")
    ['0.5 (x + 1)² ≤ 1']
    """
    lines = [""]
    for piece in _pieces(rule):
        joined = f"{lines[-1]} {piece}".strip()
        if lines[-1] and len(joined) > WIDEST:
            lines.append(piece)
        else:
            lines[-1] = joined
    printed = [line.replace("<=", "≤").replace(">=", "≥") for line in lines]
    return [re.sub(r"\^(\d+)", lambda found: found[1].translate(RAISED), x) for x in printed]


def _pieces(rule: str) -> list[str]:
    """Cut a rule where it may break: before signs, and before fraction bars of long terms."""
    pieces, depth = [""], 0
    for word in re.split(r" (?=[+-] |[<>]= )|(?<=[^ ])(?=/\()", rule):
        slash = word.startswith("/")
        if depth > 0 or (slash and len(pieces[-1]) + len(word) <= WIDEST):
            pieces[-1] += word if slash else f" {word}"
        else:
            pieces.append(word)
        depth += word.count("(") - word.count(")")
    return [piece.strip() for piece in pieces if piece]


def _action_names(content: Content) -> list[str]:
    """Return the names of the tree's actions, and numbers for others that an oracle took."""
    names = list(content.policy.action_names)
    taken = [int(e.actions.max()) + 1 for start in content.starts for e in start if len(e.actions)]
    return names + [f"action {n}" for n in range(len(names), max(taken, default=0))]


def _states(content: Content) -> list[dict[str, Any]]:
    tree = content.policy
    used, raw = set(used_variables(tree)), set(raw_variables(tree))
    start = content.starts[0][0].states[0] if content.starts else None
    found = []
    for variable, (name, unit) in enumerate(zip(tree.state_names, tree.units, strict=True)):
        low, high = (float(end[variable]) for end in (tree.scaling.minimum, tree.scaling.maximum))
        span = high - low
        first = (low + high) / 2 if start is None else float(start[variable])
        found.append(
            {
                "name": visible(name),
                "unit": visible(unit),
                "minimum": low,
                "maximum": high,
                "span": span,
                "from": low - (BEYOND * span or 1.0),
                "to": high + (BEYOND * span or 1.0),
                "start": first,
                "ends": [digits_of(low, span or 1.0), digits_of(high, span or 1.0)],
                "used": variable in (used if span > 0 else raw),
            }
        )
    return found


def _film(episode: Episode) -> dict[str, Any]:
    steps = len(episode.actions)
    stride = max(1, ceil(steps / MOST_FRAMES))
    states = np.ascontiguousarray(episode.states[::stride], dtype="<f8")
    short = states.astype("<f4")
    exact = bool((short.astype("<f8") == states).all())
    return {
        "policy": episode.policy,
        "reward": episode.reward,
        "success": episode.success,
        "steps": steps,
        "stride": stride,
        "single": exact,
        "states": b64encode((short if exact else states).tobytes()).decode(),
        "actions": episode.actions[::stride].tolist(),
    }
