"""One SQL query whose CASE decides as the tree does, from the columns of a table `data`."""

from glasstree.errors import OptionError
from glasstree.formats.shared.code import header, indented, terms
from glasstree.formats.shared.traversal import (
    Place,
    places,
    scaled_variables,
    traverse,
    used_variables,
)
from glasstree.policy import Leaf, PolicyTree, Rule, Split
from glasstree.policy.scaling import HIGHEST, LOWEST
from glasstree.policy.sources.encoding import MONTHS, WEEKDAYS, Encoding, Source

INDENT = "        "
EPOCH = "2440587.5"  # the Julian day on which 1970 began
MILLISECONDS = "86400000.0"  # a day
SUNDAY_FIRST = "%w"  # of strftime: 0 is a Sunday


def to_sql(tree: PolicyTree, note: str = "") -> str:
    """Write a policy as a query over a table `data`: all its columns, and what is predicted.

    Dates are read by SQLite's functions; all else is standard SQL.
    """
    encoding = tree.encoding or Encoding(tuple(Source(name) for name in tree.state_names))
    _check_names(tree, encoding)
    top = [f"-- {line}".rstrip() for line in header(tree, note)]
    leaves = _leaves(tree)
    if len(leaves) == 1:
        return "\n".join([*top, "SELECT *,", f"    {leaves[0][1]} AS predicted", "FROM data;", ""])
    used = used_variables(tree)
    raw, limited = ([f"{letter}{j}" for j in range(tree.n_variables)] for letter in "vs")
    rules = [
        f"CASE WHEN {_condition(node.rule, raw if node.rule.raw else limited)} "
        f"THEN 1 ELSE 0 END AS rule_{place.number}"
        for place, node in places(tree)
        if isinstance(node, Split)
    ]
    scaled = [_scaled(tree, variable) for variable in scaled_variables(tree)]
    read = _read if tree.encoding else _number
    cells = [f"{read(encoding.sources[j])} AS {raw[j]}" for j in used] or ["0.0 AS zero"]
    decisions = [f"WHEN {test} THEN {answer}" for test, answer in leaves[:-1]]
    chosen = ["CASE", *indented([*decisions, f"ELSE {leaves[-1][1]}"]), "END"]
    inner = _selected(rules, _selected(["*", *scaled], _selected(cells, [])))
    lines = ["SELECT *,", "    (SELECT", *indented(chosen, INDENT), *indented(_from(inner), INDENT)]
    return "\n".join([*top, *lines, "    ) AS predicted", "FROM data;", ""])


def _leaves(tree: PolicyTree) -> list[tuple[str, str]]:
    """Return, from left to right, when each leaf is come to if none before it was, and its label.

    Two leaves part at a rule that takes the first one left: so these rules tell them all apart.
    """

    def leaf(node: Leaf, place: Place) -> list[tuple[str, str]]:
        return [("", _text(tree.action_names[node.action]))]

    def split(
        node: Split, place: Place, left: list[tuple[str, str]], right: list[tuple[str, str]]
    ) -> list[tuple[str, str]]:
        test = f"rule_{place.number} = 1"
        return [(f"{test} AND {more}" if more else test, label) for more, label in left] + right

    return traverse(tree, leaf, split)


def _check_names(tree: PolicyTree, encoding: Encoding) -> None:
    """Refuse names that SQL cannot hold or tell apart."""
    names = [*encoding.columns, *tree.action_names]
    if any("\0" in name for name in names):
        raise OptionError("SQL has no names or texts with a NUL character; rename what has one")
    if len({name.lower() for name in encoding.columns}) < len(encoding.columns):
        raise OptionError("SQL does not tell names by their case; rename one of the columns")


def _selected(expressions: list[str], source: list[str]) -> list[str]:
    """Write a selection from another one; without one, of the row at hand."""
    lines = [*(f"{one}," for one in expressions[:-1]), expressions[-1]]
    return ["SELECT", *indented(lines), *_from(source)]


def _from(source: list[str]) -> list[str]:
    return ["FROM (", *indented(source), ") AS given"] if source else []


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
        "": _number(source),
        "year": f"CAST(strftime('%Y', {cell}) AS DOUBLE PRECISION)",
        "hour": f"CAST(strftime('%H', {cell}) AS DOUBLE PRECISION)",
    }[source.part]
    if source.kind == "date":
        value = f"ROUND((julianday({cell}) - {EPOCH}) * {MILLISECONDS}) / {MILLISECONDS}"
    return f"COALESCE({value}, {source.unknown!r})"


def _number(source: Source) -> str:
    return f"CAST({_name(source.column)} AS DOUBLE PRECISION)"


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
