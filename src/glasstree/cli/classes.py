"""How right rules are, class by class, as a table."""

from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from glasstree.cli.console import fits, percent, print_table

if TYPE_CHECKING:
    from glasstree.tables.figures import Confusion
    from glasstree.tables.shares import Reliability

MOST_MISTAKES = 12  # that are told where the whole confusion is too wide


def show_classes(found: "Confusion") -> None:
    """Write precision, recall and what each class was taken for."""
    figures = zip(found.names, found.rows, found.precision, found.recall, strict=True)
    shown = [[name, f"{rows:,}", _known(p), _known(r)] for name, rows, p, r in figures]
    head = ["class", "rows", "precision", "recall"]
    whole = [*head, *(f"as {name}" for name in found.names)]
    counts = [[f"{count:,}" for count in row] for row in found.counts.tolist()]
    together = [[*row, *taken] for row, taken in zip(shown, counts, strict=True)]
    if fits(whole, together):
        print_table("classes", whole, together)
        return
    print_table("classes", head, shown)
    if mistakes := _mistakes(found):
        columns = ["class", "taken for", "rows"]
        print_table("most frequent mistakes", columns, mistakes, text="taken for")


def _mistakes(found: "Confusion") -> list[list[str]]:
    """Return classes, what they were taken for and how often, the most frequent first."""
    counts = np.array(found.counts)
    np.fill_diagonal(counts, 0)
    order = np.argsort(-counts, axis=None, kind="stable")[:MOST_MISTAKES]
    pairs = zip(*np.unravel_index(order, counts.shape), strict=True)
    return [
        [found.names[right], found.names[given], f"{counts[right, given]:,}"]
        for right, given in pairs
        if counts[right, given]
    ]


def show_reliability(found: "Reliability") -> None:
    """Write how often labels are right, by how often their leaves said so."""
    shown = [[percent(t.expected), f"{t.rows:,}", percent(t.right)] for t in found.tenths]
    title = f"shares: {percent(found.error)} from what is right, on the mean"
    print_table(title, ["expected right", "rows", "right"], shown)


def _known(share: float) -> str:
    return percent(None if isnan(share) else share)
