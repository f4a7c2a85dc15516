"""Several policies on one page, with the fronts that they are from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from glasstree.formats.shared.names import visible
from glasstree.policy.document import write_atomically
from glasstree.report.content import Content
from glasstree.report.data import plot
from glasstree.report.sections import numbers_in, rules, scores
from glasstree.report.templating import render


def write_comparison(contents: Sequence[tuple[str, Content]], path: Path) -> None:
    """Write one page of several (name, content) pairs."""
    write_atomically(path, comparison(contents).encode())


def comparison(contents: Sequence[tuple[str, Content]]) -> str:
    """Put the page of several policies together."""
    tasks = list(dict.fromkeys(visible(content.name) for _, content in contents))
    named = [(f"{n}. {visible(name)}", content) for n, (name, content) in enumerate(contents, 1)]
    fronts = [
        _front(task, [one for one in named if visible(one[1].name) == task]) for task in tasks
    ]
    return render(
        "comparison.html",
        name=f"{len(contents)} policies",
        title=", ".join(tasks),
        parts={"choose": "Choose", "fronts": "Fronts", "policies": "Policies"},
        rows=[_row(name, content) for name, content in contents],
        rules=rules,
        data={"fronts": [front for front in fronts if any(s["marks"] for s in front["series"])]},
    )


def _front(task: str, contents: Sequence[tuple[str, Content]]) -> dict[str, Any]:
    """Gather the fronts of a task, each with what was chosen from it."""
    found = plot(task, contents)
    for series, (_, content) in zip(found["series"], contents, strict=True):
        series["chosen"] = content.shown.key
    return found


def _row(name: str, content: Content) -> dict[str, Any]:
    tree = content.policy
    sizes = (tree.complexity, tree.n_rules, tree.depth, numbers_in(tree))
    cells = [visible(content.name), *scores(content.shown.figures), *map(str, sizes)]
    return {"name": visible(name), "cells": cells, "tree": tree}
