"""What a policy costs: seconds of the processor and steps of the environment, beside its reward."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..rivals import CONTINUOUS
from .words import OLDER, TITLES, count, mean, number, sized, table

Figures = dict[str, Any]
HEAD = ["task", "contender", "reward", "seconds", "steps"]


def traces(cells: Iterable[Figures]) -> list[list[Figures]]:
    """Return the moments of each traced run."""
    return [cell["moments"] for cell in cells if cell["rival"] == "trace" and "failed" not in cell]


def curves(control: Mapping[str, list[Figures]]) -> str:
    """Return the table of what glasstree's run has after some seconds."""
    known = {name: found[0] for name, cells in control.items() if (found := traces(cells))}
    seconds = sorted({one["seconds"] for moments in known.values() for one in moments})
    if not known:
        return "Not measured."
    lines = []
    for name, moments in known.items():
        at = {one["seconds"]: one for one in moments}
        words = [_moment(at[second]) if second in at else "-" for second in seconds]
        lines.append([name, *words])
    return table(["task", *(f"{second:g} s" for second in seconds)], lines)


def _moment(one: Figures) -> str:
    return f"{number(one['reward'])} ({one['complexity']} symbols, {count(one['steps'])} steps)"


def fits(control: Mapping[str, list[Figures]]) -> str:
    """Return the table of what each contender's best size took, means over seeds."""
    lines = []
    for name, cells in control.items():
        for rival in TITLES:
            group = best(cell for cell in cells if cell["rival"] == rival)
            if group:
                first = group[0]
                size = a_run(name) if "front" in first else sized(rival, first["size"])
                data = f"{size}, {first['data']}" if size else first["data"]
                dagger = f" {OLDER}" if first.get("older") else ""
                steps = mean(group, "steps")
                lines.append(
                    [
                        *(name, f"{TITLES[rival]} ({data}){dagger}", number(worth(group))),
                        f"{mean(group, 'seconds'):,.1f}",
                        count(steps) if np.isfinite(steps) else "-",
                    ]
                )
    return table(HEAD, lines) if lines else "Not measured."


def a_run(name: str) -> str:
    """Say what a run of glasstree on a task was told."""
    return "run with --effort quick" if name in CONTINUOUS else "default run"


def best(cells: Iterable[Figures]) -> list[Figures]:
    """Return the cells of the size and data with most reward on average, those with seconds.

    Cells of earlier code count where there are no others.
    """
    groups: dict[tuple[int, str], list[Figures]] = {}
    every = list(cells)
    for cell in [cell for cell in every if not cell.get("older")] or every:
        if "seconds" in cell and ("reward" in cell or "front" in cell):
            groups.setdefault((cell["size"], cell["data"]), []).append(cell)
    return max(groups.values(), key=worth, default=[])


def worth(cells: list[Figures]) -> float:
    """Return the mean reward of cells; of a front, that of its longest policy."""
    rewards = [c["front"][-1]["reward"] if "front" in c else c["reward"] for c in cells]
    return float(np.mean(rewards))
