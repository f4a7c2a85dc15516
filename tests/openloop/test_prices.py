"""Parsimony pays for exponents, or for the symbols that are printed."""

import numpy as np
import pytest

from glasstree import NLDTClassifier
from glasstree.errors import OptionError
from glasstree.openloop.lower.scanning import ScanSolver
from glasstree.openloop.lower.structure import Structure
from glasstree.openloop.upper.archive import Price, PricedBy
from glasstree.openloop.upper.search import ParsimoniousSearch
from glasstree.policy.formula import is_linear
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling
from glasstree.policy.tree import Leaf, PolicyTree, Split
from openloop.openloop_data import agreement, hidden_rule, labelled, node


def printed_symbols(rule: Rule) -> int:
    """Count the symbols of a rule by the tree that has it, two actions left out."""
    n_variables = rule.exponents.shape[1]
    scaling = Scaling(np.full(n_variables, -0.37), np.linspace(0.41, 7.3, n_variables))
    names = tuple(f"x{j}" for j in range(n_variables)), ("left", "right")
    return PolicyTree(Split(rule, Leaf(0), Leaf(1)), scaling, *names).complexity - 2


def test_symbols_of_a_structure_are_those_of_its_rule_in_print() -> None:
    for seed in range(200):
        drawn = hidden_rule(np.random.default_rng(seed), 6)
        structure = Structure.of(drawn.exponents, drawn.modulus)
        weights = np.random.default_rng(seed).uniform(0.2, 0.9, len(structure.exponents))
        rule = Rule(structure.exponents, weights, -0.77, drawn.width)
        assert structure.symbols == printed_symbols(rule), structure


@pytest.mark.parametrize("modulus", [False, True])
@pytest.mark.parametrize("variables", [1, 2, 5])
def test_a_line_costs_the_same_by_both_prices(variables: int, modulus: bool) -> None:
    line = Structure.of(np.eye(variables), modulus)
    width = 0.3 if modulus else None
    rule = Rule(line.exponents, np.linspace(0.3, 0.8, variables), -0.77, width)
    assert line.symbols == printed_symbols(rule) == 4 * variables - 1 + 2 * modulus
    by_symbols, by_exponents = Price(0.01, "symbols"), Price(0.01, "exponents")
    assert by_symbols.length(line) == by_exponents.length(line) == variables


def test_a_hidden_line_comes_back_as_a_line() -> None:
    generator = np.random.default_rng(2)
    hidden = Rule(np.eye(6, dtype=np.int64)[[1, 4]], [0.5, -0.8], 0.4)
    found = ParsimoniousSearch(price="symbols").find(
        node(*labelled(hidden, 1000, generator)), ScanSolver(), generator
    )
    assert sorted(map(tuple, found.rule.exponents)) == sorted(map(tuple, hidden.exponents))
    assert agreement(found.rule, *labelled(hidden, 2000, generator)) > 0.99


@pytest.mark.parametrize(("price", "line"), [("symbols", True), ("exponents", False)])
def test_a_line_stands_for_a_product_where_symbols_are_dear(price: PricedBy, line: bool) -> None:
    generator = np.random.default_rng(0)
    product = Rule([[1, 1, 0]], [1.0], -2.25)
    data = node(*labelled(product, 1000, generator))
    search = ParsimoniousSearch(parsimony=0.15, price=price)
    assert is_linear(search.find(data, ScanSolver(), generator).rule) == line


def test_prices_that_nobody_knows_are_refused() -> None:
    X, y = np.random.default_rng(0).uniform(size=(40, 2)), np.arange(40) % 2
    with pytest.raises(OptionError, match="unknown price 'symbol'; did you mean 'symbols'"):
        NLDTClassifier(price="symbol").fit(X, y)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="the paper's search counts exponents"):
        NLDTClassifier(solver="rga", price="symbols").fit(X, y)
