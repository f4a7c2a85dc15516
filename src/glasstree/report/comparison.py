"""Several policies on one page, with their rewards against their sizes, to choose from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from glasstree.formats.shared.names import visible
from glasstree.policy.document import write_atomically
from glasstree.report.colours import policy_colour
from glasstree.report.content import Content
from glasstree.report.figures import Drawing
from glasstree.report.sections import figures_section, numbers_in, rules, scores
from glasstree.report.templating import render


def write_comparison(contents: Sequence[tuple[str, Content]], path: Path) -> None:
    """Write one page of several (name, content) pairs."""
    write_atomically(path, comparison(contents).encode())


def comparison(contents: Sequence[tuple[str, Content]]) -> str:
    """Put the page of several policies together."""
    tasks = list(dict.fromkeys(visible(content.name) for _, content in contents))
    numbered = list(enumerate((content for _, content in contents), 1))
    plots = [
        _plot(task, [(n, content) for n, content in numbered if visible(content.name) == task])
        for task in tasks
    ]
    return render(
        "comparison.html",
        name=f"{len(contents)} policies",
        title=", ".join(tasks),
        parts={"choose": "Choose", "figures": "Reward against size", "policies": "Policies"},
        rows=[_row(name, content) for name, content in contents],
        rules=rules,
        figures=figures_section(plots, "Reward against size"),
    )


def _row(name: str, content: Content) -> dict[str, Any]:
    tree = content.policy
    sizes = (tree.n_rules, tree.n_terms, tree.depth, numbers_in(tree))
    cells = [visible(content.name), *scores(content.final), *map(str, sizes)]
    return {"name": visible(name), "cells": cells, "tree": tree}


def _plot(task: str, contents: Sequence[tuple[int, Content]]) -> Drawing:
    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for number, content in contents:
            found = content.final.figures
            if not found:
                continue
            mean, (low, high) = found["mean_reward"], found["ci95"]
            size = numbers_in(content.policy)
            bars = [[mean - low], [high - mean]]
            axes.errorbar([size], [mean], yerr=bars, fmt="o", color=policy_colour(""), capsize=3)
            axes.annotate(str(number), (size, mean), xytext=(6, 5), textcoords="offset points")
        rows = [content.oracle_stage for _, content in contents]
        oracles = {row.figures["mean_reward"] for row in rows if row is not None and row.figures}
        for mean in sorted(oracles):
            axes.axhline(mean, color=policy_colour("oracle"), ls="--", lw=1.2)
            axes.annotate(
                "oracle",
                (1.0, mean),
                xycoords=("axes fraction", "data"),
                ha="right",
                va="bottom",
                fontsize=8,
            )
        axes.set(xlabel="size: numbers in the rules", ylabel="mean reward")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.margins(x=0.1, y=0.12)

    words = f"{task}: mean reward with its 95 % interval against size; up and left is better."
    return Drawing(
        f"choice-{contents[0][0]}", f"Reward against size, {task}", words, paint, (7, 3.6), True
    )
