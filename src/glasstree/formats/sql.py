"""One SQL query whose CASE decides as the tree does, from the columns of a table `data`."""

from glasstree.formats.shared.code import header, indented, terms
from glasstree.formats.shared.traversal import (
    Place,
    scaled_variables,
    traverse,
    used_variables,
)
from glasstree.policy import Leaf, PolicyTree, Rule, Split
from glasstree.policy.encoding import MONTHS, WEEKDAYS, Encoding, Source
from glasstree.policy.scaling import HIGHEST, LOWEST

EPOCH = "2440587.5"  # the Julian day on which 1970 began
MILLISECONDS = "86400000.0"  # a day
SUNDAY_FIRST = "%w"  # of strftime: 0 is a Sunday


def to_sql(tree: PolicyTree, note: str = "") -> str:
    """Write a policy as a query over a table `data`: all its columns, and what is predicted.

    Dates are read by SQLite's functions; all else is standard SQL.
    """
    encoding = tree.encoding or Encoding(tuple(Source(name) for name in tree.state_names))
    used, scaled = used_variables(tree), scaled_variables(tree)
    raw = [f"v{variable}" for variable in range(tree.n_variables)]
    limited = [f"s{variable}" for variable in range(tree.n_variables)]

    def leaf(node: Leaf, place: Place) -> list[str]:
        return [_text(tree.action_names[node.action])]

    def split(node: Split, place: Place, left: list[str], right: list[str]) -> list[str]:
        names = raw if node.rule.raw else limited
        first = f"CASE WHEN {_condition(node.rule, names)} THEN"
        return [first, *indented(left), "ELSE", *indented(right), "END"]

    used = used or [0]
    inner = _selected([f"{_read(encoding.sources[j])} AS {raw[j]}" for j in used])
    outer = _selected([*(raw[j] for j in used), *(_scaled(tree, j) for j in scaled)])
    lines = [
        *(f"-- {line}".rstrip() for line in header(tree, note)),
        "SELECT",
        "    *,",
        "    (SELECT",
        *indented(traverse(tree, leaf, split), "        "),
        "    FROM (",
        *indented(outer, "        "),
        "        FROM (",
        *indented(inner, "            "),
        "        ) AS cells",
        "    ) AS variables) AS predicted",
        "FROM data;",
    ]
    return "\n".join(lines) + "\n"


def _selected(expressions: list[str]) -> list[str]:
    return ["SELECT", *indented([f"{one}," for one in expressions[:-1]]), f"    {expressions[-1]}"]


def _condition(rule: Rule, names: list[str]) -> str:
    written = terms(rule, names, repr)
    total = " ".join([written[0].removeprefix("+ ").replace("- ", "-", 1), *written[1:]])
    if rule.width is None:
        return f"{total} <= 0.0"
    return f"ABS({total}) - {rule.width!r} <= 0.0"


def _scaled(tree: PolicyTree, variable: int) -> str:
    low, span = float(tree.scaling.minimum[variable]), float(tree.scaling.span[variable])
    if span == 0:
        return f"1.0 AS s{variable}"
    moved = f"1.0 + (v{variable} - ({low!r})) / {span!r}"
    lowest, highest = (f"WHEN {moved} {sign} THEN" for sign in (f"< {LOWEST}", f"> {HIGHEST}"))
    return f"CASE {lowest} {LOWEST} {highest} {HIGHEST} ELSE {moved} END AS s{variable}"


def _read(source: Source) -> str:
    """Write the number that a variable has, in a row with its columns."""
    cell = _name(source.column)
    if source.kind == "set":
        return _set(source, cell)
    value = {
        "": f"CAST({cell} AS DOUBLE PRECISION)",
        "year": f"CAST(strftime('%Y', {cell}) AS DOUBLE PRECISION)",
        "hour": f"CAST(strftime('%H', {cell}) AS DOUBLE PRECISION)",
    }[source.part]
    if source.kind == "date":
        value = f"ROUND((julianday({cell}) - {EPOCH}) * {MILLISECONDS}) / {MILLISECONDS}"
    if source.kind == "ratio":
        value += f" / NULLIF(CAST({_name(source.over)} AS DOUBLE PRECISION), 0.0)"
    return f"COALESCE({value}, {source.unknown!r})"


def _set(source: Source, cell: str) -> str:
    written = {
        "": f"CAST({cell} AS VARCHAR)",
        "month": f"strftime('%m', {cell})",
        "weekday": f"strftime('{SUNDAY_FIRST}', {cell})",
    }[source.part]
    coded = {
        **({name: f"{number:02}" for number, name in enumerate(MONTHS, 1)}),
        **({name: str((number + 1) % 7) for number, name in enumerate(WEEKDAYS)}),
    }
    levels = [coded[level] if source.part else level for level in source.levels]
    whether = f"WHEN {written} IN ({', '.join(map(_text, levels))}) THEN 1.0" if levels else ""
    unknown = f"WHEN {cell} IS NULL THEN {source.unknown!r}"
    return " ".join(filter(None, ["CASE", unknown, whether, "ELSE 0.0 END"]))


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
