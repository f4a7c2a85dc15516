"""A check that an export decides as its tree does, made by running it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glasstree.errors import ExportError, OptionError, ToolMissingError
from glasstree.explain.rows import Rows, check_rows
from glasstree.explain.runners import (
    run_c,
    run_javascript,
    run_javascript_rows,
    run_onnx,
    run_python,
    run_python_rows,
    run_sql,
)
from glasstree.explain.states import BOUNDARY, check_states
from glasstree.files.archive import MOST_NUMBERS
from glasstree.formats.registry import export
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.document import loads

COPIES = 8  # of the states, that a check holds at a time
# how each form is run: content, states and precision in, actions and the tool's name out
RUNNERS: dict[str, Callable[[Any, Floats, str], tuple[Ints, str]]] = {
    "python": lambda content, states, _: run_python(content, states),
    "c": run_c,
    "javascript": lambda content, states, _: run_javascript(content, states),
    "onnx": run_onnx,
    "json": lambda content, states, _: (loads(content).actions(states), "read back"),
}
SQL = "sql"
# forms that read rows of a table: content, rows and the actions' names in
ROW_RUNNERS: dict[str, Callable[[str, Rows, Sequence[str]], tuple[Ints, str]]] = {
    "python": run_python_rows,
    "javascript": run_javascript_rows,
    SQL: run_sql,
}
RUNNABLE = (*RUNNERS, SQL)


@dataclass(frozen=True)
class Check:
    """How often an export and its tree differed, for each kind of states."""

    format: str
    precision: str
    tool: str
    states: dict[str, int]
    different: dict[str, int]

    @property
    def equal(self) -> bool:
        """Whether they never differed."""
        return not any(self.different.values())

    @property
    def boundary_share(self) -> float:
        """Share of the boundary states on which they differed."""
        return self.different[BOUNDARY] / max(1, self.states[BOUNDARY])

    def sentence(self) -> str:
        """Describe the result in a sentence."""
        total = sum(self.states.values())
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.states.items())
        if self.equal:
            return f"Checked: the tree's action on all {total:,} states ({kinds}); {self.tool}."
        elsewhere = sum(self.different.values()) - self.different[BOUNDARY]
        others = total - self.states[BOUNDARY]
        return (
            f"Single precision differs from the tree on {100 * self.boundary_share:.2g} % of "
            f"{self.states[BOUNDARY]:,} boundary states and on {elsewhere:,} of {others:,} others; "
            f"{self.tool}."
        )

    def figures(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {
            "equal": self.equal,
            "states": sum(self.states.values()),
            "different": sum(self.different.values()),
            "boundary_share": self.boundary_share,
            "tool": self.tool,
        }


@dataclass(frozen=True)
class Exported:
    """An export, a sentence about its check if it can be run, and the check if it was."""

    content: str | bytes
    sentence: str = ""
    check: Check | None = None


def check(
    tree: PolicyTree, format: str, precision: str = "double", count: int = 100_000, seed: int = 0
) -> Check:
    """Run an export against its tree; in double precision any difference is an error."""
    if format not in RUNNABLE:
        raise OptionError(f"{format} cannot be run; these can: {', '.join(RUNNABLE)}")
    most = MOST_NUMBERS // (COPIES * tree.n_variables)
    if not 1 <= count <= most:
        raise OptionError(
            f"a check of {tree.n_variables} variables takes from 1 to {most:,} states, "
            f"got {count:,}"
        )
    states = check_states(tree, count, precision, seed)
    together = np.concatenate(list(states.values()))
    content = export(tree, format, precision=precision)
    if format == SQL or (tree.encoding is not None and format in ROW_RUNNERS):
        rows = check_rows(tree, together, seed)
        together = rows.states
        found, tool = ROW_RUNNERS[format](str(content), rows, tree.action_names)
    else:
        found, tool = RUNNERS[format](content, together, precision)
        found = _numbered(tree, found)
    differs = found != tree.actions(together)
    ends = np.cumsum([len(values) for values in states.values()])[:-1]
    different = {
        kind: int(part.sum()) for kind, part in zip(states, np.split(differs, ends), strict=True)
    }
    sizes = {kind: len(values) for kind, values in states.items()}
    result = Check(format, precision, tool, sizes, different)
    if precision == "double" and not result.equal:
        raise ExportError(
            f"the {format} form differs from the tree on {int(differs.sum())} of {len(differs)} "
            f"states, the first being {together[differs][0].tolist()}; please report this"
        )
    return result


def _numbered(tree: PolicyTree, found: Any) -> Ints:
    """Return actions by number; that of a vector which is no level is -1."""
    if found.ndim == 1 or tree.levels is None:
        return np.asarray(found, dtype=np.int64)
    same = (found[:, np.newaxis] == tree.levels.astype(found.dtype)).all(axis=2)
    return np.where(same.any(axis=1), same.argmax(axis=1), -1)


def checked_export(
    tree: PolicyTree, format: str, precision: str = "double", count: int = 100_000
) -> Exported:
    """Export a policy with the result of its check in the header."""
    plain = export(tree, format, precision=precision)
    if format not in RUNNABLE:
        return Exported(plain)
    if count == 0:
        return Exported(plain, "Not checked: no states were asked for.")
    try:
        result = check(tree, format, precision, count)
    except ToolMissingError as error:
        sentence = f"Not checked here: {error}."
        return Exported(export(tree, format, precision=precision, note=sentence), sentence)
    sentence = result.sentence()
    return Exported(export(tree, format, precision=precision, note=sentence), sentence, result)
