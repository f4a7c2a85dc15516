"""The columns of a table in Python code: from a row's cells to the variables of a tree."""

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
