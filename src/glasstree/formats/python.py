"""One Python function that needs nothing but Python."""

from glasstree.formats.shared.code import Dialect, Names, added, branches, header, indented
from glasstree.formats.shared.names import plain
from glasstree.formats.shared.rows import encoder
from glasstree.formats.shared.traversal import scaled_variables
from glasstree.policy import PolicyTree
from glasstree.policy.scaling import HIGHEST, LOWEST


def to_python(tree: PolicyTree, note: str = "") -> str:
    """Write a policy as a Python module with one function, policy(state)."""
    names = Names.of(tree)
    answer = "{}" if tree.levels is None else "LEVELS[{}]"
    named = "an index into ACTIONS" if tree.levels is None else "one of LEVELS"
    unpacked = ", ".join(names.raw) + ("," if tree.n_variables == 1 else "")
    dialect = Dialect(
        number=repr,
        absolute="abs",
        value=lambda name, terms: added(terms, f"{name} =", "", brackets=True),
        choice=lambda test, body: [f"if {test}:", *indented(body)],
        answer=lambda action: (
            f"return {answer.format(action)}  # {plain(tree.action_names[action])}"
        ),
        negation="not {}",
    )
    body = [
        f'"""Return the action, {named}, of a state."""',
        f"{unpacked} = state",
        *(_scaled(tree, variable, names) for variable in scaled_variables(tree)),
        *branches(tree, names, dialect),
    ]
    lines = [
        *(f"# {line}".rstrip() for line in header(tree, note)),
        "",
        *(["import datetime", ""] if tree.encoding else []),
        f"ACTIONS = {tree.action_names!a}",
        *([] if tree.levels is None else [f"LEVELS = {tuple(map(tuple, tree.levels.tolist()))}"]),
        "",
        "",
        "def policy(state):",
        *indented(body),
        *encoder(tree),
    ]
    return "\n".join(lines) + "\n"


def _scaled(tree: PolicyTree, variable: int, names: Names) -> str:
    value, name = names.raw[variable], names.scaled[variable]
    low, span = float(tree.scaling.minimum[variable]), float(tree.scaling.span[variable])
    if span == 0:
        return f"{name} = 1.0"
    return f"{name} = min(max(1.0 + ({value} - {low!r}) / {span!r}, {LOWEST}), {HIGHEST})"
