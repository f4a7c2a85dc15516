"""The page: the summary, the checks, what rivals do better, and a table a task."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from glasstree.policy.document import write_atomically
from glasstree.tasks import task_names

from .cells import is_earlier
from .checks import checks
from .front import Point, best_rival, front, means, policies, tied, unbeaten
from .plots import draw
from .rivals import RIVALS
from .tables import FOLDED, TABLES

Figures = dict[str, Any]
TITLES = {
    "glasstree": "glasstree",
    "imitation": "glasstree, before its closed loop",
    **{name: rival.title for name, rival in RIVALS.items()},
    "oracle": "the oracle",
}
UNITS = {
    "glasstree": "rules",
    "imitation": "rules",
    "oracle": "",
    **{name: rival.unit for name, rival in RIVALS.items()},
}
HEAD = [
    *("contender", "size", "data", "seeds", "test accuracy", "reward", "sd of seeds"),
    *("sd of episodes", "success", "splits", "occurrences", "fit s", "decision µs"),
]


def write(cells: list[Figures], docs: Path, template: Path) -> None:
    """Write docs/comparison.md and its plots from stored results."""
    control = {name: of(cells, name) for name in task_names() if of(cells, name)}
    known = {name: of(cells, name) for name in TABLES if of(cells, name)}
    points = {name: policies(found) for name, found in control.items()}
    folds = {name: policies(found, "accuracy") for name, found in known.items()}
    draw(points, TITLES, "mean reward", docs / "comparison.svg")
    if known:
        draw(folds, TITLES, "10-fold accuracy", docs / "comparison_tables.svg")
    parts = {
        "summary": table(*summary(points)),
        "checks": "\n".join(f"- {line}" for line in checks(control, points)),
        "reading": readings(points, "reward", number),
        "tables": "\n\n".join(f"### {name}\n\n{rows(found)}" for name, found in control.items()),
        "classification": table(*classification(known)) if known else "Not measured.",
        "classified": readings(folds, "accuracy", percent),
        "failed": failed(cells),
        "origin": earlier(cells),
        "seeds": counted(control),
        "repeats": counted(known),
    }
    text = template.read_text(encoding="utf-8")
    for name, part in parts.items():
        text = text.replace(f"<!-- {name} -->", part)
    write_atomically(docs / "comparison.md", text.encode())


def of(cells: list[Figures], name: str) -> list[Figures]:
    """Return the cells of a task that could be measured."""
    return [cell for cell in cells if cell["task"] == name and "failed" not in cell]


def counted(parts: dict[str, list[Figures]]) -> str:
    """Return how many seeds there are, at least and at most, over contenders and sizes."""
    counts = {
        count
        for found in parts.values()
        for count in Counter((c["rival"], c["size"], c["data"]) for c in found).values()
    }
    ends = sorted({min(counts, default=0), max(counts, default=0)})
    return " to ".join(map(str, ends))


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *lines))


def summary(points: dict[str, list[Point]]) -> tuple[list[str], list[list[str]]]:
    """Compare the best of glasstree with the best of all rivals, task by task, means over seeds."""
    head = ["task", "best of ours", "reward", "occurrences"]
    head += ["best rival", "its reward", "its occurrences"]
    lines = []
    for name, found in points.items():
        averages = means(found)
        ours, rival = best_of_ours(averages), best_rival(averages)
        mine = [title(ours), number(ours.worth), f"{ours.occurrences:.1f}"] if ours else ["-"] * 3
        its = (
            [title(rival), number(rival.worth), f"{rival.occurrences:.1f}"] if rival else ["-"] * 3
        )
        lines.append([name, *mine, *its])
    return head, lines


def readings(points: dict[str, list[Point]], worth: str, say: Callable[[float], str]) -> str:
    """Return a line a task, or a table, that says where a rival is better."""
    lines = (f"- **{name}**: {reading(found, worth, say)}" for name, found in points.items())
    return "\n".join(lines)


def reading(points: list[Point], worth: str, say: Callable[[float], str]) -> str:
    """Say where a rival is better, and what of glasstree nobody beats."""
    averages = means(points)
    ours, rival = best_of_ours(averages), best_rival(averages)
    if ours is None or rival is None:
        return "not measured on both sides."
    words = []
    if rival.worth > ours.worth:
        words.append(
            f"{title(rival)} has a higher {worth} than any size of glasstree, {say(rival.worth)} "
            f"against {say(ours.worth)}, with {ratio(rival, ours)} as many occurrences"
        )
    as_good = [p for p in averages if not (p.ours or p.ceiling) and p.worth >= ours.worth]
    shorter = [p for p in as_good if p.occurrences < ours.occurrences]
    if shorter:
        least = min(shorter, key=lambda point: point.occurrences)
        words.append(
            f"{title(least)} does at least as well as glasstree's best with fewer occurrences, "
            f"{least.occurrences:.1f} against {ours.occurrences:.1f}"
        )
    elif as_good:
        least = min(as_good, key=lambda point: point.occurrences)
        if least != rival or not words:
            words.append(
                f"the shortest rival that does as well as glasstree's best, {title(least)}, has "
                f"{ratio(least, ours)} its occurrences"
            )
    else:
        words.append(
            f"no rival reaches glasstree's best, {say(ours.worth)} with {ours.occurrences:.1f} "
            f"occurrences; the nearest is {title(rival)}, {say(rival.worth)} with "
            f"{rival.occurrences:.1f}"
        )
    near = [p for p in averages if not (p.ours or p.ceiling) and tied(p, ours)]
    shortest = min(near, key=lambda point: point.occurrences, default=None)
    if shortest is not None and shortest.worth < ours.worth:
        words.append(
            f"within the noise of the episodes {title(shortest)} does as well, "
            f"{say(shortest.worth)} with {ratio(shortest, ours)} its occurrences"
        )
    line = front([point for point in averages if not point.ceiling])
    others = [title(point) for point in line if not point.ours]
    if others:
        words.append("rivals on the front: " + ", ".join(others))
    return "; ".join(words) + "."


def best_of_ours(averages: list[Point]) -> Point | None:
    """Return glasstree's point of most reward, the shorter one of equals."""
    ours = [point for point in averages if point.ours]
    return max(ours, key=lambda point: (point.worth, -point.occurrences), default=None)


def rows(cells: list[Figures]) -> str:
    """Return the table of a task, one line a contender, size and kind of data."""
    groups: dict[tuple[str, int, str], list[Figures]] = {}
    for cell in cells:
        groups.setdefault((cell["rival"], cell["size"], cell["data"]), []).append(cell)
    order = list(TITLES)
    unbeatable = {
        (point.rival, point.size, point.data) for point in unbeaten(means(policies(cells)))
    }
    lines = []
    for key in sorted(groups, key=lambda key: (order.index(key[0]), key[2], key[1])):
        found = groups[key]
        spread = float(np.std([cell["reward"] for cell in found], ddof=len(found) > 1))
        name = f"**{TITLES[key[0]]}**" if key in unbeatable else TITLES[key[0]]
        size = sized(key[0], key[1])
        lines.append(
            [
                *(name, size, key[2], str(len(found)), f"{mean(found, 'accuracy'):.3f}"),
                number(mean(found, "reward")),
                *(number(spread) if len(found) > 1 else "-", number(mean(found, "sd"))),
                f"{100 * mean(found, 'success'):.1f} %",
                *(f"{mean(found, 'splits'):.1f}", f"{mean(found, 'occurrences'):.1f}"),
                "-" if key[0] == "imitation" else f"{mean(found, 'seconds'):.1f}",
                f"{mean(found, 'microseconds'):.1f}",
            ]
        )
    return table(HEAD, lines)


def classification(known: dict[str, list[Figures]]) -> tuple[list[str], list[list[str]]]:
    """Return accuracy, with occurrences in brackets, of each contender and size on each table."""
    keys = {(cell["rival"], cell["size"]) for found in known.values() for cell in found}
    lines = []
    for rival, size in sorted(keys, key=lambda key: (list(TITLES).index(key[0]), key[1])):
        line = [TITLES[rival], f"depth {size}" if rival == "glasstree" else sized(rival, size)]
        for found in known.values():
            chosen = [c for c in found if (c["rival"], c["size"]) == (rival, size)]
            shown = f"{100 * mean(chosen, 'accuracy'):.1f} ({mean(chosen, 'occurrences'):.1f})"
            line.append(shown if chosen else "-")
        lines.append(line)
    return ["contender", "size", *known], lines


def failed(cells: list[Figures]) -> str:
    """Name the cells that a contender could not do."""
    lines = [
        f"- {cell['task']}, {TITLES[cell['rival']]}, {sized(cell['rival'], cell['size'])}, "
        f"{cell['data']}, seed {cell['seed']}: {cell['failed']}"
        for cell in cells
        if "failed" in cell
    ]
    return "\n".join(lines) or "Every cell could be measured."


def earlier(cells: list[Figures]) -> str:
    """Say how many cells were not made by the code that is here."""
    count = sum(map(is_earlier, cells))
    words = f"{count:,} of {len(cells):,} cells were made by earlier code than this page"
    return f"{words}; `make peers WORDS=--anew` measures them again." if count else f"{words}."


def title(point: Point) -> str:
    """Name a point: contender, size, data."""
    data = "" if point.ours or point.data == FOLDED else f", {point.data} data"
    return f"{TITLES[point.rival]} ({sized(point.rival, point.size)}{data})"


def sized(rival: str, size: int) -> str:
    """Say a size in the contender's terms."""
    unit = UNITS[rival]
    return f"{unit}{size}" if unit.endswith("-") else f"{unit} {size}" if unit else ""


def ratio(point: Point, ours: Point) -> str:
    """Say how many times as long a point is."""
    return f"{point.occurrences / max(ours.occurrences, 1e-9):.1f} times"


def number(value: float) -> str:
    """Write a reward."""
    return f"{value:,.2f}" if abs(value) < 1000 else f"{value:,.1f}"


def percent(value: float) -> str:
    """Write an accuracy."""
    return f"{100 * value:.2f} %"


def mean(cells: Sequence[Figures], name: str) -> float:
    """Return the mean of a figure over cells."""
    return float(np.mean([cell[name] for cell in cells])) if cells else 0.0
