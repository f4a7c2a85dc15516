"""One HTML file for the rules of a table, made by the engine of the page of a run."""

from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from glasstree.formats.javascript import to_javascript
from glasstree.formats.shared.names import visible
from glasstree.formats.shared.palette import colour, ink
from glasstree.policy.document import write_atomically
from glasstree.policy.scaling import HIGHEST, LOWEST
from glasstree.report.content import View
from glasstree.report.data import view_data
from glasstree.report.sections import rules
from glasstree.report.tables.content import TableContent
from glasstree.report.templating import percent, render

SCRIPTS = ("base", "views", "model", "tree", "tables/rows")
PARTS = {
    "policy": "Rules",
    "classes": "Classes",
    "leaves": "What each decides",
    "tree": "Tree",
    "try": "Try a row",
    "effects": "What matters",
    "wrong": "Wrong rows",
}
MOST_CLASSES = 12  # whose confusion is shown


def write_table_page(content: TableContent, path: Path) -> None:
    """Write the page of a table's rules."""
    write_atomically(path, table_page(content).encode())


def table_page(content: TableContent) -> str:
    """Put the page of a table's rules together."""
    view, confusion = View("rules", content.tree), content.confusion
    wrong = content.wrong()
    count = len(content.labels) - int(confusion.counts.trace())
    return render(
        "table.html",
        name=visible(content.name),
        target=visible(content.target),
        tree=content.tree,
        rules=rules,
        rows=len(content.labels),
        confusion=confusion,
        classes=_classes(content),
        crossed=len(confusion.names) <= MOST_CLASSES,
        leaves=list(content.decided()),
        chips=[(name, *_tints(n)) for n, name in enumerate(content.tree.action_names)],
        effects=content.effects(),
        columns=content.rows.names,
        wrong=wrong,
        n_wrong=count,
        parts={part: title for part, title in PARTS.items() if part != "wrong" or wrong},
        chosen=view.key,
        data=_data(content, view),
        script=Markup(to_javascript(content.tree)),
        scripts=SCRIPTS,
    )


def _tints(number: int) -> tuple[str, str]:
    return colour(number), ink(colour(number))


def _classes(content: TableContent) -> list[dict[str, Any]]:
    found = content.confusion
    lines = zip(found.names, found.rows, found.precision, found.recall, found.counts, strict=True)
    return [
        {
            "name": name,
            "rows": int(rows),
            "precision": "–" if np.isnan(precision) else percent(float(precision)),
            "recall": "–" if np.isnan(recall) else percent(float(recall)),
            "given": counts.tolist(),
        }
        for name, rows, precision, recall, counts in lines
    ]


def _data(content: TableContent, view: View) -> dict[str, Any]:
    """Gather what the scripts need: the tree, and how cells become variables."""
    tree = content.tree
    return {
        "name": content.name,
        "clip": [LOWEST, HIGHEST],
        "states": [],
        "actions": [
            {"name": visible(name), "colour": colour(n), "ink": ink(colour(n))}
            for n, name in enumerate(tree.action_names)
        ],
        "trees": [],
        "views": [view_data(view)],
        "fronts": [],
        "columns": [_column(content, name) for name in content.rows.names],
        "sources": [
            {
                "column": s.column,
                "kind": s.kind,
                "part": s.part,
                "unknown": s.unknown,
                "levels": list(s.levels),
            }
            for s in content.encoding.sources
        ],
    }


def _column(content: TableContent, name: str) -> dict[str, Any]:
    """Describe a column: its kind, its levels or ends, and the cell that the page opens with."""
    column = content.rows.columns[name]
    known = column.values[~column.unknown]
    described: dict[str, Any] = {"name": name, "kind": column.kind}
    if column.kind == "category":
        return {**described, "levels": list(column.levels)}
    middle = float(np.median(known)) if len(known) else 0.0
    ends = [float(known.min()), float(known.max())] if len(known) else [0.0, 1.0]
    if column.kind == "date":
        days = [str(np.datetime64(int(np.floor(day)), "D")) for day in (middle, *ends)]
        return {**described, "start": days[0], "ends": days[1:]}
    return {**described, "start": middle, "ends": ends}
