"""Where we lose: rivals with more than ours has for as many symbols, both printed side by side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from ..front import Gap, Point, front, mean, means, paired, pick, rivals_of
from .words import OLDER, interval, number, percent, symbols, table, title

UNPRINTED = "(too long to print)"
HEAD = ["where", "rival", "symbols", "{}", "ours with as many symbols", "{}", "difference"]


@dataclass(frozen=True)
class Loss:
    """A rival's mean, what ours picks for as many symbols, and the difference."""

    name: str
    worth: str
    rival: Point
    ours: Point
    gap: Gap


def losses(name: str, points: Sequence[Point], worth: str) -> list[Loss]:
    """Return what rivals on their own front have more of, the shortest first."""
    averages = means(points)
    found = []
    for rival in front(rivals_of(averages)):
        ours = counterpart(rival, points, averages)
        difference = paired(rival, ours)
        if ours is not None and difference is not None and difference.value > 0:
            found.append(Loss(name, worth, rival, ours, difference))
    return found


def counterpart(rival: Point, points: Sequence[Point], averages: list[Point]) -> Point | None:
    """Return what ours has for at most the rival's symbols: of a front, seed by seed.

    Where ours comes in sizes, the best that is no longer, else the shortest.
    """
    marks = [point for point in points if point.data == "front"]
    if marks:
        own = [p for p in marks if not p.older] or marks
        chosen = [
            pick([p for p in own if p.seed == part.seed], part.complexity) for part in rival.parts
        ]
        known = [one for one in chosen if one is not None]
        return mean(known) if known else None
    sizes = [p for p in averages if p.rival == "glasstree" and np.isfinite(p.complexity)]
    short = [p for p in sizes if p.complexity <= rival.complexity]
    if short:
        return max(short, key=lambda point: point.worth)
    return min(sizes, key=lambda point: point.complexity, default=None)


def section(found: Sequence[Loss], compared: bool = True) -> str:
    """Write the table of losses outside the noise, their rules, and what is within the noise."""
    if not compared:
        return "Not measured yet: no stored cell has its symbols counted on both sides."
    sure = [loss for loss in found if loss.gap.sure]
    parts = [
        _table([loss for loss in sure if loss.worth == worth], worth)
        for worth in ("reward", "accuracy")
        if any(loss.worth == worth for loss in sure)
    ]
    text = "\n\n".join(parts) or "Nowhere outside the noise."
    near = [_words(loss) for loss in found if not loss.gap.sure]
    if near:
        text += "\n\nAhead of ours, but within the noise: " + "; ".join(near) + "."
    both = "\n\n".join(side_by_side(loss) for loss in sure)
    return f"{text}\n\n{both}".strip()


def _table(found: Sequence[Loss], worth: str) -> str:
    say: Callable[[float], str] = percent if worth == "accuracy" else number
    head = [words.format(worth) for words in HEAD]
    lines = [
        [
            *(loss.name, title(loss.rival), symbols(loss.rival.complexity), say(loss.rival.worth)),
            *(f"{symbols(loss.ours.complexity)} symbols{_dagger(loss.ours)}", say(loss.ours.worth)),
            interval(loss.gap, worth),
        ]
        for loss in found
    ]
    return table(head, lines)


def _dagger(point: Point) -> str:
    return f" {OLDER}" if point.older else ""


def _words(loss: Loss) -> str:
    return f"{loss.name}, {title(loss.rival)} ({interval(loss.gap, loss.worth)})"


def side_by_side(loss: Loss) -> str:
    """Print the rival's policy of its median seed beside ours of that seed."""
    seeds = {part.seed: part for part in loss.ours.parts}
    pairs = [(part, seeds[part.seed]) for part in loss.rival.parts if part.seed in seeds]
    pairs.sort(key=lambda pair: pair[0].worth)
    rival, ours = pairs[(len(pairs) - 1) // 2]
    say: Callable[[float], str] = percent if loss.worth == "accuracy" else number
    cells = [
        f"<td>{escape(name)}: {symbols(point.complexity)} symbols, {say(point.worth)}"
        f"<pre>{escape(point.text or UNPRINTED)}</pre></td>"
        for name, point in ((title(loss.rival), rival), ("glasstree", ours))
    ]
    head = f"{loss.name}, seed {rival.seed}"
    return f"**{head}**\n\n<table><tr>\n" + "\n".join(cells) + "\n</tr></table>"
