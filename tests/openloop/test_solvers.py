"""Each weight solver finds the weights of a known structure, and the exact one finds most."""

import numpy as np
import pytest
from scipy.optimize import check_grad

from glasstree.errors import OptionError
from glasstree.openloop.lower.paper.dipoles import mixed_dipoles
from glasstree.openloop.lower.paper.evolution import member_impurity
from glasstree.openloop.lower.paper.rga import GeneticSolver
from glasstree.openloop.lower.paper.sqp import SoftImpurity, SQPSolver
from glasstree.openloop.lower.scanning import ScanSolver
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.lower.structure import NodeData, Structure
from glasstree.openloop.lower.terms import power_terms
from glasstree.openloop.registry import get_search, get_solver
from glasstree.policy.rule import Rule
from openloop.openloop_data import hidden_rule, labelled, node

SOLVERS = [ScanSolver(), GeneticSolver(), SQPSolver()]


def cases() -> list[tuple[Rule, NodeData]]:
    """Return six rules with 1,500 states each."""
    found = []
    for seed in range(6):
        generator = np.random.default_rng(seed)
        rule = hidden_rule(generator, 5)
        found.append((rule, node(*labelled(rule, 1500, generator))))
    return found


def solved(solver: Solver, rule: Rule, data: NodeData) -> float:
    """Return the impurity that a solver reaches when told the structure."""
    structure = Structure.of(rule.exponents, rule.modulus)
    solution = solver.solve(data, [structure], np.random.default_rng(0), np.inf)[0]
    return solver.polish(data, data, structure, solution).impurity


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: type(solver).__name__)
def test_the_impurity_reported_is_that_of_the_rule(solver: Solver) -> None:
    for rule, data in cases():
        structure = Structure.of(rule.exponents, rule.modulus)
        found = solver.solve(data, [structure], np.random.default_rng(0), np.inf)[0]
        found = solver.polish(data, data, structure, found)
        member = np.array([*found.weights, found.bias, found.width or 0.0])
        terms = power_terms(data.columns, structure.exponents)
        arguments = (terms, data.labels, data.sample_weights, data.counts, structure.modulus)
        assert found.impurity == pytest.approx(member_impurity(*arguments, member), abs=1e-3)
        assert np.abs(member).max() <= 1.0


def test_the_exact_solver_gets_every_known_structure_nearly_pure() -> None:
    assert max(solved(ScanSolver(), rule, data) for rule, data in cases()) < 0.02


def test_the_exact_solver_beats_the_papers_two() -> None:
    means = [np.mean([solved(solver, *case) for case in cases()]) for solver in SOLVERS]
    assert means[0] < means[2] < 0.5
    assert means[0] < means[1] < 0.5


def test_the_literal_sqp_returns_its_dipole() -> None:
    rule, data = cases()[0]
    structure = Structure.of(rule.exponents, rule.modulus)
    literal, soft = (
        solver.solve(data, [structure], np.random.default_rng(3), np.inf)[0].impurity
        for solver in (SQPSolver(literal=True), SQPSolver())
    )
    terms = power_terms(data.columns, structure.exponents)
    generator = np.random.default_rng(3).spawn(1)[0]
    start = mixed_dipoles(terms, data.labels, structure.modulus, 1, generator)[0]
    arguments = (terms, data.labels, data.sample_weights, data.counts, structure.modulus)
    assert literal == member_impurity(*arguments, start)
    assert soft < literal


@pytest.mark.parametrize("modulus", [False, True])
def test_the_softened_impurity_has_the_gradient_that_it_says(modulus: bool) -> None:
    rule, data = cases()[1]
    terms = power_terms(data.columns, rule.exponents.copy())
    start = mixed_dipoles(terms, data.labels, modulus, 1, np.random.default_rng(0))[0]
    soft = SoftImpurity(data, terms, modulus, start)
    assert check_grad(lambda x: soft(x)[0], lambda x: soft(x)[1], start) < 1e-5


def test_a_dipole_has_one_state_on_each_side() -> None:
    _, data = cases()[0]
    members = mixed_dipoles(data.columns, data.labels, False, 20, np.random.default_rng(1))
    values = members[:, :-2] @ data.columns + members[:, -2:-1]
    assert ((values > 0).any(axis=1) & (values < 0).any(axis=1)).all()
    assert np.abs(members).max() <= 1.0


def test_names_become_solvers_and_searches() -> None:
    assert get_solver("scan") == get_solver("exact") == ScanSolver()
    mine = ScanSolver(bins=64)
    assert get_solver(mine) is mine
    assert type(get_search(None, mine, 3, 0.1, 0.05)).__name__ == "ParsimoniousSearch"
    assert type(get_search(None, SQPSolver(), 3, 0.005, 0.05)).__name__ == "PaperSearch"
    with pytest.raises(OptionError, match="did you mean 'scan'"):
        get_solver("scann")
    with pytest.raises(OptionError, match="unknown objective"):
        get_search("short", mine, 3, 0.1, 0.05)
