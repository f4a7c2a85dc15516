"""How right rules are, class by class, as a table."""

from math import isnan
from typing import TYPE_CHECKING

from glasstree.cli.console import percent, print_table

if TYPE_CHECKING:
    from glasstree.tables.figures import Confusion
    from glasstree.tables.shares import Reliability

MOST_SHOWN = 12  # classes whose confusion fits a terminal


def show_classes(found: "Confusion") -> None:
    """Write precision, recall and what each class was taken for."""
    figures = zip(found.names, found.rows, found.precision, found.recall, strict=True)
    shown = [[name, f"{rows:,}", _known(p), _known(r)] for name, rows, p, r in figures]
    head = ["class", "rows", "precision", "recall"]
    if len(found.names) <= MOST_SHOWN:
        head += [f"as {name}" for name in found.names]
        for row, counts in zip(shown, found.counts.tolist(), strict=True):
            row += [f"{count:,}" for count in counts]
    print_table("classes", head, shown)


def show_reliability(found: "Reliability") -> None:
    """Write how often labels are right, by how often their leaves said so."""
    shown = [[percent(t.expected), f"{t.rows:,}", percent(t.right)] for t in found.tenths]
    title = f"shares: {percent(found.error)} from what is right, on the mean"
    print_table(title, ["expected right", "rows", "right"], shown)


def _known(share: float) -> str:
    return percent(None if isnan(share) else share)
