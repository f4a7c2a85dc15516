"""What must hold, computed from the stored results and said as it comes out."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..front import Point, best_rival, gap, means, pick
from .losses import Loss
from .words import interval, number, symbols, title

Figures = dict[str, Any]


def checks(
    cells: dict[str, list[Figures]], points: dict[str, list[Point]], lost: Sequence[Loss]
) -> list[str]:
    """Return one line a check: whether it holds, and by which figures."""
    return [
        *(unlost(name, found, lost) for name, found in points.items()),
        shorter(points.get("lunarlander", [])),
        steps(cells.get("cartpole", [])),
        reached(cells.get("lunarlander", []), ("oblique", 3), 230, "dense obliquetree of depth 3"),
        reached(cells.get("lunarlander", []), ("viper", 32), 90, "VIPER with 32 leaves"),
    ]


def unlost(name: str, points: list[Point], lost: Sequence[Loss]) -> str:
    """Tell whether no rival has more reward, outside the noise, than ours with as many symbols."""
    claim = f"{name}: no rival has more reward, outside the noise, than ours with as many symbols"
    if not any(point.data == "front" for point in points) or best_rival(points) is None:
        return f"{claim}: not measured"
    found = [loss for loss in lost if loss.name == name and loss.gap.sure]
    words = "; ".join(f"{title(one.rival)}, {interval(one.gap, 'reward')}" for one in found)
    return f"{claim}: {verdict(not found)}" + (f" ({words})" if found else "")


def shorter(points: list[Point]) -> str:
    """Tell whether ours with half the symbols of the best rival is not worse than it."""
    claim = "lunarlander: ours with half the symbols of the best rival is not below it"
    rival = best_rival(means(points))
    marks = [point for point in points if point.data == "front"]
    pairs = []
    for part in rival.parts if rival is not None else ():
        own = pick([point for point in marks if point.seed == part.seed], part.complexity / 2)
        if own is not None:
            pairs.append((own, part))
    if rival is None or not pairs:
        return f"{claim}: not measured"
    difference = gap(*zip(*pairs, strict=True))  # type: ignore[arg-type]
    holds = difference.value >= 0 or not difference.sure
    mine = [own for own, _ in pairs]
    return (
        f"{claim}: {verdict(holds)} ({number(float(np.mean([p.worth for p in mine])))} with "
        f"{symbols(float(np.mean([p.complexity for p in mine])))} against {number(rival.worth)} "
        f"with {symbols(rival.complexity)}, {title(rival)}; {interval(difference, 'reward')})"
    )


def steps(cells: list[Figures]) -> str:
    """Tell whether CART balances for all of 500 steps."""
    claim = "cartpole: CART balances for at least 500 of 1,000 steps"
    found = [cell["long_steps"] for cell in cells if cell["rival"] == "cart"]
    if not found:
        return f"{claim}: not measured"
    return f"{claim}: {verdict(max(found) >= 500)} (at best {max(found):,.0f})"


def reached(cells: list[Figures], who: tuple[str, int], least: float, name: str) -> str:
    """Tell whether a rival does as well with aggregation as it is known to."""
    claim = f"lunarlander: {name} reaches {least:.0f} with aggregation"
    found = [
        cell["reward"]
        for cell in cells
        if (cell["rival"], cell["size"], cell["data"]) == (*who, "aggregated")
    ]
    if not found:
        return f"{claim}: not measured"
    average = float(np.mean(found))
    return f"{claim}: {verdict(average >= least)} (mean {average:.1f}, best {max(found):.1f})"


def verdict(holds: bool) -> str:
    """Say whether a claim holds."""
    return "holds" if holds else "**does not hold**"
