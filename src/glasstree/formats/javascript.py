"""One JavaScript function, for pages and for Node."""

import json

import numpy as np

from glasstree.formats.shared.code import Dialect, Names, added, branches, header, indented
from glasstree.formats.shared.names import plain
from glasstree.formats.shared.rows import script_encoder
from glasstree.formats.shared.traversal import raw_variables, scaled_variables
from glasstree.policy import PolicyTree
from glasstree.policy.scaling import HIGHEST, LOWEST


def to_javascript(tree: PolicyTree, note: str = "", by_number: bool = False) -> str:
    """Write a policy as a script with one function, policy(state).

    Where actions are continuous it returns their numbers, or the number of the action by_number.
    """
    names = Names.of(tree)
    by_number = by_number or tree.levels is None
    levels = None if by_number else json.dumps(np.asarray(tree.levels).tolist())
    answer = "{}" if levels is None else "LEVELS[{}]"
    named = "an index into ACTIONS" if levels is None else "one of LEVELS"
    offered = [
        "ACTIONS",
        *([] if levels is None else ["LEVELS"]),
        "policy",
        *([] if tree.encoding is None else ["encoded", "predicted"]),
    ]
    actions = json.dumps(tree.action_names).replace("<", "\\u003c")
    read = [
        *(f"const {names.raw[j]} = state[{j}];" for j in raw_variables(tree)),
        *(_scaled(tree, j, names.scaled[j]) for j in scaled_variables(tree)),
    ]
    dialect = Dialect(
        number=repr,
        absolute="Math.abs",
        value=lambda name, terms: added(terms, f"const {name} =", ";", brackets=False),
        choice=lambda test, body: [f"if ({test}) {{", *indented(body), "}"],
        answer=lambda action: (
            f"return {answer.format(action)}; // {_comment(plain(tree.action_names[action]))}"
        ),
        negation="!({})",
    )
    lines = [
        *(f"// {_comment(line)}".rstrip() for line in header(tree, note)),
        "",
        f"const ACTIONS = {actions};",
        *([] if levels is None else [f"const LEVELS = {levels};"]),
        "",
        f"// Return the action, {named}, of a state.",
        "function policy(state) {",
        *indented([*read, *branches(tree, names, dialect)]),
        "}",
        *script_encoder(tree),
        "",
        f'if (typeof module !== "undefined") module.exports = {{ {", ".join(offered)} }};',
    ]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> str:
    """Keep a page's parser from seeing the end of the script in a comment."""
    return text.replace("<", "\\x3c")


def _scaled(tree: PolicyTree, variable: int, name: str) -> str:
    low, span = float(tree.scaling.minimum[variable]), float(tree.scaling.span[variable])
    if span == 0:
        return f"const {name} = 1.0;"
    inner = f"1.0 + (state[{variable}] - {low!r}) / {span!r}"
    return f"const {name} = Math.min(Math.max({inner}, {LOWEST}), {HIGHEST});"
