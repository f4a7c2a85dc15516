"""Rules as SymPy expressions: as objects, or as a module that makes them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from glasstree.errors import MissingExtraError
from glasstree.formats.shared.code import Names, header
from glasstree.formats.shared.names import plain
from glasstree.formats.shared.traversal import (
    Place,
    places,
    raw_variables,
    scaled_variables,
    traverse,
)
from glasstree.policy import Leaf, PolicyTree, Rule, Split
from glasstree.policy.scaling import HIGHEST, LOWEST


@dataclass(frozen=True)
class Expressions:
    """The rules and the action over the symbols that rules read.

    scaling: what each normalised symbol stands for; only those that some rule reads are there.
    """

    original: list[Any]
    normalised: list[Any]
    scaling: dict[Any, Any]
    rules: dict[int, Any]
    policy: Any


def to_expressions(tree: PolicyTree) -> Expressions:
    """Return the rules of a policy as SymPy objects; rules are keyed by node number."""
    try:
        from sympy import Abs, Max, Min, Piecewise, Symbol
    except ImportError:
        raise MissingExtraError("the sympy format", "sympy") from None
    original = [Symbol(plain(name), real=True) for name in tree.state_names]
    primed = {
        j: Symbol(_primed(tree.state_names[j]), positive=True) for j in scaled_variables(tree)
    }
    scaling = {}
    for j, symbol in primed.items():
        low, span = float(tree.scaling.minimum[j]), float(tree.scaling.span[j])
        inside = 1.0 + (original[j] - low) / span if span > 0 else 1.0
        scaling[symbol] = Min(Max(inside, LOWEST), HIGHEST)

    def value(rule: Rule) -> Any:
        total: Any = rule.bias
        for weight, row in zip(rule.weights.tolist(), rule.exponents, strict=True):
            read: Any = original if rule.raw else primed
            factors = [read[j] ** int(row[j]) for j in np.flatnonzero(row).tolist()]
            total += weight * np.prod(factors)
        return total if rule.width is None else Abs(total) - rule.width

    rules = {
        place.number: value(node.rule) for place, node in places(tree) if isinstance(node, Split)
    }
    policy = traverse(
        tree,
        lambda node, place: node.action,
        lambda node, place, left, right: Piecewise((left, rules[place.number] <= 0), (right, True)),
    )
    return Expressions(original, list(primed.values()), scaling, rules, policy)


def to_sympy(tree: PolicyTree, note: str = "") -> str:
    """Write a policy as a Python module that makes its SymPy expressions."""
    names = Names.of(tree)
    scaled = [(j, names.scaled[j]) for j in scaled_variables(tree)]
    last, choices = _choices(tree)
    lines = [
        *(f"# {line}".rstrip() for line in header(tree, note)),
        "",
        "from sympy import Abs, Max, Min, Piecewise, Symbol",
        "",
        *(
            f"{name} = Symbol({_primed(tree.state_names[j])!a}, positive=True)"
            for j, name in scaled
        ),
        f"normalised = [{', '.join(name for _, name in scaled)}]",
        "original = [",
        *(f"    Symbol({plain(name)!a}, real=True)," for name in tree.state_names),
        "]",
        *(f"{names.raw[j]} = original[{j}]" for j in raw_variables(tree)),
        "scaling = {",
        *(f"    {name}: {_scaled(tree, j)}," for j, name in scaled),
        "}",
        "rules = {",
        *(
            f"    {place.number}: {_value(node.rule, names.read_by(node.rule))},"
            for place, node in places(tree)
            if isinstance(node, Split)
        ),
        "}",
        *choices,
        f"policy = {last}",
    ]
    return "\n".join(lines) + "\n"


def _choices(tree: PolicyTree) -> tuple[str, list[str]]:
    """Write one line per split, children first, and the name of the last."""

    def leaf(node: Leaf, place: Place) -> tuple[str, list[str]]:
        return str(node.action), []

    def split(
        node: Split, place: Place, left: tuple[str, list[str]], right: tuple[str, list[str]]
    ) -> tuple[str, list[str]]:
        name = f"rule_{place.number}"
        choice = f"Piecewise(({left[0]}, rules[{place.number}] <= 0), ({right[0]}, True))"
        return name, [*left[1], *right[1], f"{name} = {choice}"]

    return traverse(tree, leaf, split)


def _primed(name: str) -> str:
    return f"{plain(name)}'"


def _scaled(tree: PolicyTree, variable: int) -> str:
    low, span = float(tree.scaling.minimum[variable]), float(tree.scaling.span[variable])
    inside = f"1.0 + (original[{variable}] - {low!r}) / {span!r}" if span > 0 else "1.0"
    return f"Min(Max({inside}, {LOWEST}), {HIGHEST})"


def _value(rule: Rule, names: list[str]) -> str:
    pieces = [repr(rule.bias)]
    for weight, row in zip(rule.weights.tolist(), rule.exponents, strict=True):
        factors = [_power(names[j], int(row[j])) for j in np.flatnonzero(row).tolist()]
        pieces.append(" * ".join([repr(weight), *factors]))
    total = " + ".join(pieces)
    return total if rule.width is None else f"Abs({total}) - {rule.width!r}"


def _power(name: str, exponent: int) -> str:
    return name if exponent == 1 else f"{name}**{exponent}"
