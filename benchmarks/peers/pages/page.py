"""The page: where we lose, the summary, fronts, costs, checks, and a table a task."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from glasstree.policy.document import write_atomically
from glasstree.tasks import task_names

from ..cells import is_earlier
from ..front import Point, marks, means, policies, rivals_of, unbeaten
from ..rivals import CONTINUOUS
from ..tables import TABLES
from .checks import checks
from .costs import curves, fits
from .losses import losses, section
from .plots import draw, draw_costs
from .summary import balance, readings, summary
from .volumes import floors_of, head, rows
from .words import OLDER, TITLES, Figures, mean, number, percent, sized, symbols, table

FILE = "comparison.md"
HEAD = [
    *("contender", "size", "data", "seeds", "test accuracy", "reward", "sd of seeds"),
    *("sd of episodes", "success", "splits", "occurrences", "symbols", "fit s", "steps"),
    "decision µs",
]


def write(cells: list[Figures], docs: Path, template: Path) -> None:
    """Write docs/comparison.md and its plots from stored results."""
    cells = [{**cell, "older": is_earlier(cell)} for cell in cells]
    control = {n: of(cells, n) for n in (*task_names(), *CONTINUOUS) if of(cells, n)}
    known = {name: of(cells, name) for name in TABLES if of(cells, name)}
    points = {name: policies(played(found)) for name, found in control.items()}
    folds = {name: policies(found, "accuracy") for name, found in known.items()}
    draw(points, TITLES, "mean reward", docs / "comparison.svg")
    draw(points, TITLES, "mean reward", docs / "comparison_occurrences.svg", "occurrences")
    draw_costs(control, TITLES, "seconds", docs / "comparison_seconds.svg")
    draw_costs(control, TITLES, "steps", docs / "comparison_steps.svg")
    if known:
        draw(folds, TITLES, "10-fold accuracy", docs / "comparison_tables.svg")
    lost = [loss for name, found in points.items() for loss in losses(name, found, "reward")]
    lost += [loss for name, found in folds.items() for loss in losses(name, found, "accuracy")]
    floors = {name: floors_of(found) for name, found in control.items()}
    parts = {
        "balance": balance(points, lost, len(known)),
        "losses": section(lost, any(map(is_compared, (*points.values(), *folds.values())))),
        "summary": table(*summary(points)),
        "volumes": table(head("complexity"), rows(points, floors, "complexity", TITLES)),
        "narrow": table(head("occurrences"), rows(points, floors, "occurrences", TITLES)),
        "curves": curves(control),
        "fits": fits(control),
        "checks": "\n".join(f"- {line}" for line in checks(control, points, lost)),
        "reading": readings(points, "reward", number),
        "tables": "\n\n".join(f"### {name}\n\n{every(found)}" for name, found in control.items()),
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
    write_atomically(docs / FILE, text.encode())


def is_compared(points: list[Point]) -> bool:
    """Tell whether symbols of ours and of a rival are counted."""
    known = [point for point in points if np.isfinite(point.complexity)]
    return any(point.ours for point in known) and bool(rivals_of(known))


def of(cells: list[Figures], name: str) -> list[Figures]:
    """Return the cells of a task that could be measured."""
    return [cell for cell in cells if cell["task"] == name and "failed" not in cell]


def played(cells: list[Figures]) -> list[Figures]:
    """Return the cells that are contenders, not a floor or a trace."""
    return [cell for cell in cells if cell["rival"] not in ("random", "trace")]


def counted(parts: dict[str, list[Figures]]) -> str:
    """Return how many seeds there are, at least and at most, over contenders and sizes."""
    counts = {
        count
        for found in parts.values()
        for count in Counter(
            (c["rival"], c["size"], c["data"]) for c in found if c["rival"] != "trace"
        ).values()
    }
    ends = sorted({min(counts, default=0), max(counts, default=0)})
    return " to ".join(map(str, ends))


def every(cells: list[Figures]) -> str:
    """Return the table of a task, one line a contender, size and kind of data."""
    groups: dict[tuple[str, int, str], list[Figures]] = {}
    for cell in marks(cells):
        if cell["rival"] != "trace":
            groups.setdefault((cell["rival"], cell["size"], cell["data"]), []).append(cell)
    order = list(TITLES)
    good = {point.key for point in unbeaten(means(policies(played(cells))))}
    lines = []
    for key in sorted(groups, key=lambda key: (order.index(key[0]), key[2], key[1])):
        found = [cell for cell in groups[key] if not cell.get("older")] or groups[key]
        name = f"**{TITLES[key[0]]}**" if key in good else TITLES[key[0]]
        dagger = f" {OLDER}" if found[0].get("older") else ""
        size = f"{key[1]} symbols" if key[2] == "front" else sized(key[0], key[1])
        lines.append([name + dagger, size, key[2], str(len(found)), *figures_of(found)])
    return table(HEAD, lines)


def figures_of(found: Sequence[Figures]) -> list[str]:
    """Write the means of cells of one kind."""

    def write(name: str, form: str) -> str:
        value = mean(found, name)
        return form.format(value) if np.isfinite(value) else "-"

    spread = float(np.std([cell["reward"] for cell in found], ddof=len(found) > 1))
    success = mean(found, "success")
    return [
        *(write("accuracy", "{:.3f}"), number(mean(found, "reward"))),
        *(number(spread) if len(found) > 1 else "-", number(mean(found, "sd"))),
        f"{100 * success:.1f} %" if np.isfinite(success) else "-",
        *(write(name, "{:.1f}") for name in ("splits", "occurrences", "complexity", "seconds")),
        *(write("steps", "{:,.0f}"), write("microseconds", "{:.1f}")),
    ]


def classification(known: dict[str, list[Figures]]) -> tuple[list[str], list[list[str]]]:
    """Return accuracy, with symbols in brackets, of each contender and size on each table."""
    known = {name: marks(found) for name, found in known.items()}
    keys = {(cell["rival"], cell["size"]) for found in known.values() for cell in found}
    lines = []
    for rival, size in sorted(keys, key=lambda key: (list(TITLES).index(key[0]), key[1])):
        line = [TITLES[rival], sized(rival, size)]
        for found in known.values():
            chosen = [c for c in found if (c["rival"], c["size"]) == (rival, size)]
            chosen = [c for c in chosen if not c.get("older")] or chosen
            dagger = f" {OLDER}" if chosen and chosen[0].get("older") else ""
            shown = f"{100 * mean(chosen, 'accuracy'):.1f} ({symbols(mean(chosen, 'complexity'))})"
            line.append(shown + dagger if chosen else "-")
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
    """Say how many cells were not made by the code that is here, and whose they are."""
    older = [cell for cell in cells if is_earlier(cell)]
    words = f"{len(older):,} of {len(cells):,} cells were made by earlier code than this page"
    if not older:
        return f"{words}."
    counts = Counter(cell["rival"] for cell in older)
    names = ", ".join(f"{TITLES[name]} {counts[name]:,}" for name in TITLES if counts[name])
    return (
        f"{words} ({names}). They are marked {OLDER}, and no mean mixes them with others; "
        "`make peers WORDS=--anew` measures them again."
    )
