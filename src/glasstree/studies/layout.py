"""Finished tables: plain values that Markdown, CSV and HTML are written from."""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from glasstree.studies.study import Figures, Plan, Study, Work, bold_keys, caption, paper_values

Table = Mapping[str, Any]
PRINTED = "printed"
DIGITS = 8  # that count, of figures in files


def works(study: Study, plan: Plan) -> dict[str, Work]:
    """Return all the work of a study by name: table, row and recipe."""
    return {
        f"{study.name}/{row.name}/{recipe}": work
        for row in study.rows(plan)
        for recipe, work in row.ours.items()
    }


def tabulated(study: Study, plan: Plan, results: Mapping[str, Any]) -> Table:
    """Return a table as plain values, the paper's beside ours."""
    printed = paper_values(study.name)
    return {
        "study": study.name,
        "title": study.title,
        "caption": caption(study.name),
        "setting": study.setting,
        "notes": study.notes,
        "runs": plan.runs,
        "quick": f"Quick, with small budgets and {plan.runs} runs: no result."
        if plan.quick
        else "",
        "columns": [[column.key, column.title, column.digits] for column in study.columns],
        "rows": [
            {
                "name": row.name,
                PRINTED: printed.get(row.name, {}),
                "bold": bold_keys(study.name, row.name),
                "ours": {
                    recipe: _rounded(study, results[f"{study.name}/{row.name}/{recipe}"])
                    for recipe in row.ours
                },
            }
            for row in study.rows(plan)
        ],
    }


def _rounded(study: Study, figures: Figures) -> dict[str, list[float]]:
    keys = [column.key for column in study.columns if column.key in figures]
    return {key: [float(f"{value:.{DIGITS}g}") for value in figures[key]] for key in keys}


def lines(table: Table) -> Iterator[tuple[str, str, Mapping[str, list[float]], list[str]]]:
    """Yield (row, whose, figures, keys in bold): the printed line, then ours."""
    for row in table["rows"]:
        if row[PRINTED]:
            yield row["name"], PRINTED, row[PRINTED], row["bold"]
        for recipe, figures in row["ours"].items():
            yield row["name"], recipe, figures, []


def markdown(table: Table) -> str:
    """Write a table with the paper's line above ours for each setting."""
    columns = table["columns"]
    head = [table["setting"], "", *(title for _, title, _ in columns)]
    text = [f"## {heading(table)}", "", _line(head)]
    text.append(_line(["---", "---"] + ["---:"] * len(columns)))
    last = None
    for name, whose, figures, bold in lines(table):
        words = [
            f"**{_words(figures, key, digits)}**" if key in bold else _words(figures, key, digits)
            for key, _, digits in columns
        ]
        text.append(_line(["" if name == last else name.replace("*", r"\*"), whose, *words]))
        last = name
    return "\n".join([*text, "", _explained(table), ""])


def heading(table: Table) -> str:
    """Return what a table is about."""
    return f"Table {table['study'].removeprefix('table')}: {table['title']}"


def csv_text(table: Table) -> str:
    """Write a table as CSV: a column each for mean and deviation."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    keys = [key for key, _, _ in table["columns"]]
    both = [name for key in keys for name in (key, f"{key}_sd")]
    writer.writerow(["row", "whose", *both])
    for name, whose, figures, _ in lines(table):
        values = [_place(figures.get(key, []), k) for key in keys for k in (0, 1)]
        writer.writerow([name, whose, *values])
    return buffer.getvalue()


def web_table(table: Table) -> dict[str, Any]:
    """Return a table as the template of a page takes it."""
    return {
        "name": table["study"],
        "heading": heading(table),
        "titles": (table["setting"], "whose", *(title for _, title, _ in table["columns"])),
        "rows": [
            (row, whose, *(_words(figures, key, digits) for key, _, digits in table["columns"]))
            for row, whose, figures, _ in lines(table)
        ],
        "words": _explained(table).replace("`", ""),
    }


def _explained(table: Table) -> str:
    words = f"Printed: {table['caption']} {table['notes']}".strip()
    return f"{table['quick']} {words}" if table.get("quick") else words


def _words(figures: Mapping[str, list[float]], key: str, digits: int) -> str:
    if key not in figures:
        return "-"
    return " ± ".join(f"{value:,.{digits}f}" for value in figures[key])


def _place(values: list[float], place: int) -> float | str:
    return values[place] if place < len(values) else ""


def _line(fields: list[str]) -> str:
    return f"| {' | '.join(fields)} |"
