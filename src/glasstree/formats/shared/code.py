"""What Python, C and JavaScript share: the arithmetic of policy/flat.py, operation by operation."""

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap

import numpy as np

from glasstree.formats.shared.names import identifiers, plain
from glasstree.formats.shared.traversal import Place, raw_variables, scaled_variables, traverse
from glasstree.policy import Leaf, PolicyTree, Rule, Split
from glasstree.policy.sources.encoding import Source

DEEPEST_NESTING = 50  # what C and Python compilers surely take
LONGEST_LINE = 88  # what formatters take


@dataclass(frozen=True)
class Dialect:
    """How a language writes numbers, absolute values, a rule's value, a choice and an answer.

    value: (name, terms) to lines; choice: (condition, body) to lines; answer: action to a line.
    """

    number: Callable[[float], str]
    absolute: str
    value: Callable[[str, list[str]], list[str]]
    choice: Callable[[str, list[str]], list[str]]
    answer: Callable[[int], str]
    negation: str


@dataclass(frozen=True)
class Names:
    """Identifiers of the variables, one list for each kind of rule.

    They are the same for both kinds unless a variable is read in both ways.
    """

    raw: list[str]
    scaled: list[str]

    @classmethod
    def of(cls, tree: PolicyTree) -> "Names":
        """Choose identifiers for a tree."""
        both = sorted(set(raw_variables(tree)) & set(scaled_variables(tree)))
        more = [f"{tree.state_names[variable]} scaled" for variable in both]
        chosen = identifiers([*tree.state_names, *more])
        raw, scaled = chosen[: tree.n_variables], chosen[: tree.n_variables]
        for variable, name in zip(both, chosen[tree.n_variables :], strict=True):
            scaled[variable] = name
        return cls(raw, scaled)

    def read_by(self, rule: Rule) -> list[str]:
        """Return the identifiers that a rule reads."""
        return self.raw if rule.raw else self.scaled


def header(tree: PolicyTree, note: str) -> list[str]:
    """Describe a policy, in ASCII, for the comment at the top of its code."""
    title = f"A policy of {tree.n_rules} rule{'' if tree.n_rules == 1 else 's'}"
    task = f" for {plain(tree.task)}" if tree.task else ""
    lines = [f"{title}{task}, written by glasstree.", ""]
    lines.append("State, in original units, finite:")
    sources = tree.encoding.sources if tree.encoding else [None] * tree.n_variables
    described = zip(tree.state_names, tree.units, sources, strict=True)
    for number, (name, unit, source) in enumerate(described):
        shown = f"{plain(name)}{f' [{plain(unit)}]' if unit else ''}"
        lines.append(f"  {number}: {shown if source is None else _encoded(shown, source)}")
    lines.append("Actions:")
    lines += [f"  {number}: {plain(name)}" for number, name in enumerate(tree.action_names)]
    return [*lines, "", *wrap(plain(note), LONGEST_LINE)] if note else lines


def _encoded(name: str, source: Source) -> str:
    """Say which number stands for a cell of a table."""
    if source.kind == "set":
        return f"1 if {name}, else 0"
    days = ", in days since 1970-01-01" if source.kind == "date" else ""
    return f"{name}{days}; {source.unknown!r} if unknown"


def branches(tree: PolicyTree, names: Names, dialect: Dialect) -> list[str]:
    """Write the choices of a tree: the left side inside a block, the right side after it.

    Sides change places where the left one is very deep, since languages limit nesting.
    """

    def leaf(node: Leaf, place: Place) -> tuple[int, list[str]]:
        return 0, [dialect.answer(node.action)]

    def split(
        node: Split, place: Place, left: tuple[int, list[str]], right: tuple[int, list[str]]
    ) -> tuple[int, list[str]]:
        name = f"rule_{place.number}"
        lines = dialect.value(name, terms(node.rule, names.read_by(node.rule), dialect.number))
        left_first = left[0] <= DEEPEST_NESTING
        test = condition(node.rule, name, dialect)
        test = test if left_first else dialect.negation.format(test)
        inner, after = (left, right) if left_first else (right, left)
        lines += dialect.choice(test, inner[1]) + after[1]
        return max(inner[0] + 1, after[0]), lines

    return traverse(tree, leaf, split)[1]


def terms(rule: Rule, names: list[str], number: Callable[[float], str]) -> list[str]:
    """Write the weighted terms and the bias, each with its sign, to be added in this order."""
    one = number(1.0)
    written = []
    for weight, row in zip(rule.weights.tolist(), rule.exponents, strict=True):
        factors = [power(names[j], int(row[j]), one) for j in np.flatnonzero(row).tolist()]
        product = " * ".join(factors)
        value = [number(abs(weight)), f"({product})" if len(factors) > 1 else product]
        written.append(_signed(weight, " * ".join(filter(None, value))))
    return [*written, _signed(rule.bias, number(abs(rule.bias)))]


def power(name: str, exponent: int, one: str) -> str:
    """Write a power as products.

    >>> power("x", -2, "1.0")
    '(1.0 / (x * x))'
    """
    product = name if abs(exponent) == 1 else f"({' * '.join([name] * abs(exponent))})"
    return f"({one} / {product})" if exponent < 0 else product


def added(written: list[str], start: str, end: str, brackets: bool) -> list[str]:
    """Write a sum between a start and an end, on one line if it fits."""
    first = written[0].removeprefix("+ ").replace("- ", "-", 1)
    line = f"{start} {' '.join([first, *written[1:]])}{end}"
    if len(line) <= LONGEST_LINE:
        return [line]
    lines = indented([first, *written[1:]])
    if brackets:
        return [f"{start} (", *lines, f"){end}"]
    return [start, *lines[:-1], lines[-1] + end]


def condition(rule: Rule, name: str, dialect: Dialect) -> str:
    """Write when a rule goes left."""
    zero = dialect.number(0.0)
    if rule.width is None:
        return f"{name} <= {zero}"
    return f"{dialect.absolute}({name}) - {dialect.number(rule.width)} <= {zero}"


def _signed(value: float, size: str) -> str:
    return f"{'-' if np.signbit(value) else '+'} {size}"


def indented(lines: list[str], by: str = "    ") -> list[str]:
    """Move lines to the right."""
    return [by + line for line in lines]
