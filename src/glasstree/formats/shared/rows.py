"""The columns of a table in code: from a row's cells to the variables of a tree."""

import json

from glasstree.formats.shared.code import indented
from glasstree.policy import PolicyTree
from glasstree.policy.sources.encoding import MONTHS, WEEKDAYS, Source

HELPERS = f'''\
MONTHS = {MONTHS!r}
WEEKDAYS = {WEEKDAYS!r}
PARTS = {{
    "": lambda cell: cell,
    "year": lambda cell: cell.year,
    "month": lambda cell: MONTHS[cell.month - 1],
    "weekday": lambda cell: WEEKDAYS[cell.weekday()],
    "hour": lambda cell: getattr(cell, "hour", 0),
}}


def unknown(cell):
    """Tell None and NaN from values."""
    return cell is None or cell != cell


def days(cell):
    """Return days since 1970, by the clock that a date is written with."""
    clock = (getattr(cell, part, 0) for part in ("hour", "minute", "second", "microsecond"))
    moment = datetime.datetime(cell.year, cell.month, cell.day, *clock)
    return (moment - datetime.datetime(1970, 1, 1)).total_seconds() / 86400.0
'''


def encoder(tree: PolicyTree) -> list[str]:
    """Write functions that turn a row into a state, and into an action's name."""
    if tree.encoding is None:
        return []
    cells = [f"{_variable(source)}," for source in tree.encoding.sources]
    return [
        *("", "", *HELPERS.splitlines(), "", "", "def encoded(row):"),
        '    """Return the state of a row: a dict of cells by column, None where unknown."""',
        *("    return [", *indented(cells, "        "), "    ]"),
        *("", "", "def predicted(row):", '    """Return the name of the action of a row."""'),
        "    return ACTIONS[policy(encoded(row))]",
    ]


def _variable(source: Source) -> str:
    cell = f"row[{source.column!a}]"
    part = f"PARTS[{source.part!r}]({cell})" if source.part else cell
    if source.kind == "set":
        known = f"float(str({part}) in {tuple(source.levels)!a})"
    else:
        known = f"days({cell})" if source.kind == "date" else f"float({part})"
    return f"{source.unknown!r} if unknown({cell}) else {known}"


SCRIPT_HELPERS = f"""\
const MONTHS = {json.dumps(MONTHS)};
const WEEKDAYS = {json.dumps(WEEKDAYS)};

// Tell null, undefined and NaN from values.
function unknown(cell) {{
    return cell === null || cell === undefined || cell !== cell;
}}

// Read a date such as 2024-01-31 or 2024-01-31 17:30, by the clock that it is written with.
function moment(cell) {{
    const text = String(cell).trim().replace(" ", "T");
    return new Date((text.length === 10 ? text + "T00:00:00" : text) + "Z");
}}

const PARTS = {{
    "": (cell) => cell,
    year: (cell) => moment(cell).getUTCFullYear(),
    month: (cell) => MONTHS[moment(cell).getUTCMonth()],
    weekday: (cell) => WEEKDAYS[(moment(cell).getUTCDay() + 6) % 7],
    hour: (cell) => moment(cell).getUTCHours(),
}};
"""


def script_encoder(tree: PolicyTree) -> list[str]:
    """Write the same functions in JavaScript; a row is an object of cells by column."""
    if tree.encoding is None:
        return []
    cells = [f"{_script_variable(source)}," for source in tree.encoding.sources]
    return [
        *("", *SCRIPT_HELPERS.splitlines()),
        *("", "// Return the state of a row: cells by column, null where unknown."),
        *("function encoded(row) {", "    return [", *indented(cells, "        "), "    ];", "}"),
        *("", "// Return the name of the action of a row.", "function predicted(row) {"),
        *("    return ACTIONS[policy(encoded(row))];", "}"),
    ]


def _script_variable(source: Source) -> str:
    cell = f"row[{_quoted(source.column)}]"
    part = f"PARTS.{source.part}({cell})" if source.part else cell
    if source.kind == "set":
        levels = ", ".join(map(_quoted, source.levels))
        known = f"Number([{levels}].includes(String({part})))"
    elif source.kind == "date":
        known = f"moment({cell}).getTime() / 86400000"
    else:
        known = f"Number({part})"
    return f"unknown({cell}) ? {source.unknown!r} : {known}"


def _quoted(text: str) -> str:
    return json.dumps(text).replace("<", "\\u003c")
