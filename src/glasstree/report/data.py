"""What the page's scripts work with, as plain values."""

from base64 import b64encode
from collections.abc import Sequence
from itertools import groupby
from math import ceil
from typing import Any

import numpy as np

from glasstree.explain import read
from glasstree.explain.reading import RuleReading
from glasstree.formats.shared.drawing import laid_out
from glasstree.formats.shared.names import visible
from glasstree.formats.shared.palette import colour, ink
from glasstree.formats.shared.traversal import (
    Place,
    places,
    raw_variables,
    traverse,
    used_variables,
)
from glasstree.formats.svg import drawn
from glasstree.formats.text import digits_of, to_text
from glasstree.policy import Leaf, PolicyTree, Split
from glasstree.policy.scaling import HIGHEST, LOWEST
from glasstree.report import charts
from glasstree.report.content import ORACLE, Content, Episode, View
from glasstree.report.maps import slices
from glasstree.report.sections import FEW, UNITS
from glasstree.report.templating import counted, percent
from glasstree.report.typeset import lettered, rule_html

MOST_FRAMES, FEWEST_FRAMES = 1000, 60  # of an episode in a page
FILM_BYTES = 1_500_000  # of all episodes in a page, about
BEYOND = 0.25  # of the seen range, to either side, that sliders go
GRID = 100  # squares of a map, across and up


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
            {"name": stage.name, **_tree(stage.tree)}
            for stage in content.lasting
            if stage.tree is not None
        ],
        "views": [view_data(view) for view in content.views],
        "fronts": [plot("", [("", content)])] if content.front else [],
        "scene": dict(content.scene),
        "starts": _films(content),
        "trace": charts.telling_variable(content) if content.starts else 0,
        "maps": _maps(content),
    }


def plot(title: str, contents: Sequence[tuple[str, Content]]) -> dict[str, Any]:
    """Gather the marks of one or several fronts over the same task, and lines of their oracles."""
    rows = [content.oracle_stage for _, content in contents]
    oracles = {row.figures["mean_reward"] for row in rows if row is not None and row.figures}
    series = [
        {"name": name, "marks": [_mark(view) for view in content.views if view.figures]}
        for name, content in contents
    ]
    return {"title": title, "series": series, "oracles": sorted(oracles)}


def _mark(view: View) -> dict[str, Any]:
    found, success = view.figures, view.figures.get("success_rate")
    words = [counted(view.key, "symbol"), f"mean reward {found['mean_reward']:,.2f}"]
    return {
        "key": view.key,
        "label": ", ".join([*words, *([] if success is None else [f"success {percent(success)}"])]),
        "mean": found["mean_reward"],
        "ci95": list(found["ci95"]),
        "text": to_text(view.tree, "original").rstrip(),
    }


def view_data(view: View) -> dict[str, Any]:
    scaling = view.tree.scaling
    used, raw = set(used_variables(view.tree)), set(raw_variables(view.tree))
    return {
        "key": view.key,
        "name": view.name,
        **_tree(view.tree),
        "minimum": scaling.minimum.tolist(),
        "span": scaling.span.tolist(),
        "used": [j in (used if span > 0 else raw) for j, span in enumerate(scaling.span)],
    }


def _maps(content: Content) -> list[dict[str, Any]]:
    """Describe where the browser paints actions, with those of the oracle in runs of equal ones."""
    tree, oracle = content.views[-1].tree, content.oracle
    visited = [episode.states for start in content.starts for episode in start]
    return [
        {
            "across": cut.across,
            "up": cut.up,
            "state": cut.state.tolist(),
            "ends": cut.ends,
            "words": cut.words(tree),
            "size": GRID,
            "oracle": None if oracle is None else _runs(oracle.actions(cut.grid(GRID))),
        }
        for cut in slices(tree, visited, content.seen)
    ]


def _runs(values: Any) -> list[int]:
    """Tell values and how often each comes in a row.

    >>> _runs([2, 2, 2, 0])
    [2, 3, 0, 1]
    """
    return [n for value, run in groupby(map(int, values)) for n in (value, len(list(run)))]


def _tree(tree: PolicyTree) -> dict[str, Any]:
    """Describe a tree and draw it in both units; of many rules the drawing shows numbers alone."""
    names, many = lettered(tree.state_names), tree.n_rules > FEW
    title = f"Tree of {counted(tree.n_rules, 'rule')}"
    drawings = {units: drawn(laid_out(tree, names, units, many), title) for units in UNITS}
    return {"nodes": nodes(tree), "drawings": drawings}


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
    rule = node.rule
    return {
        "left": children[0],
        "right": children[1],
        "exponents": rule.exponents.tolist(),
        "weights": rule.weights.tolist(),
        "bias": rule.bias,
        "width": rule.width,
        "raw": rule.raw,
        "html": {units: rule_html(rule, tree, units) for units in UNITS},
        "directions": [f"{name} {words}" for name, words in reading.directions.items()],
        "always": reading.always,
    }


def _action_names(content: Content) -> list[str]:
    """Return the names of the tree's actions, and numbers for others that an oracle took."""
    names = list(content.policy.action_names)
    taken = [int(e.actions.max()) + 1 for start in content.starts for e in start if len(e.actions)]
    return names + [f"action {n}" for n in range(len(names), max(taken, default=0))]


def _states(content: Content) -> list[dict[str, Any]]:
    tree, seen = content.policy, content.seen
    start = content.starts[0][0].states[0] if content.starts else None
    found = []
    for variable, (name, unit) in enumerate(zip(tree.state_names, tree.units, strict=True)):
        low, high = (float(end[variable]) for end in (seen.minimum, seen.maximum))
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
            }
        )
    return found


def _films(content: Content) -> list[list[dict[str, Any]]]:
    """Encode the episodes of the oracle and of every view; the more there are, the thinner."""
    names = {ORACLE, *(view.name for view in content.views)}
    kept = [[episode for episode in start if episode.policy in names] for start in content.starts]
    row = (8 * content.policy.n_variables + 2) * max(1, sum(map(len, kept)))
    frames = min(MOST_FRAMES, max(FEWEST_FRAMES, FILM_BYTES * 3 // 4 // row))
    return [[_film(episode, frames) for episode in start] for start in kept]


def _film(episode: Episode, frames: int) -> dict[str, Any]:
    steps = len(episode.actions)
    stride = max(1, ceil(steps / frames))
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
