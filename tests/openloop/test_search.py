"""The upper level gives hidden rules back, whatever the number of workers."""

import numpy as np
import pytest

from glasstree.errors import OptionError
from glasstree.openloop.lower.paper.rga import GeneticSolver
from glasstree.openloop.lower.paper.sqp import SQPSolver
from glasstree.openloop.lower.scanning import ScanSolver
from glasstree.openloop.lower.structure import Structure
from glasstree.openloop.upper.paper import PaperSearch
from glasstree.openloop.upper.search import ParsimoniousSearch
from glasstree.openloop.upper.variation import pairs, powers, quotients
from glasstree.parallel import using_workers
from glasstree.policy.rule import Rule
from openloop.openloop_data import agreement, hidden_rule, labelled, node


def test_hidden_rules_come_back_short_and_accurate() -> None:
    accurate, short = 0, 0
    for seed in range(20):
        generator = np.random.default_rng([7, seed])
        rule = hidden_rule(generator, int(generator.integers(4, 21)))
        states, labels = labelled(rule, 2000, generator)
        found = ParsimoniousSearch().find(
            node(states, labels), ScanSolver(), np.random.default_rng(0)
        )
        accurate += agreement(found.rule, *labelled(rule, 2000, generator)) >= 0.99
        short += found.rule.length <= rule.length + 2
    assert accurate >= 18
    assert short >= 15


def test_a_rule_over_three_of_many_variables_is_found() -> None:
    exponents = np.zeros((2, 100), dtype=np.int64)
    exponents[0, [3, 50]] = 1
    exponents[1, 97] = -2
    rule = Rule(exponents, [0.6, -0.8], -0.9)
    generator = np.random.default_rng(0)
    found = ParsimoniousSearch().find(
        node(*labelled(rule, 3000, generator)), ScanSolver(), generator
    )
    assert agreement(found.rule, *labelled(rule, 3000, generator)) > 0.98
    assert set(np.flatnonzero(found.rule.exponents.any(axis=0))) == {3, 50, 97}


def test_a_plain_threshold_is_found_as_one() -> None:
    generator = np.random.default_rng(0)
    states = generator.uniform(1, 2, (1000, 6))
    found = ParsimoniousSearch().find(
        node(states, (states[:, 4] > 1.3).astype(np.int64)), ScanSolver(), generator
    )
    assert (found.rule.length, found.rule.n_terms, found.rule.modulus) == (1, 1, False)
    assert found.solution.impurity == 0.0


def test_parsimony_shortens_rules() -> None:
    generator = np.random.default_rng(3)
    rule = hidden_rule(generator, 8)
    data = node(*labelled(rule, 2000, generator))
    lengths = [
        ParsimoniousSearch(parsimony=price)
        .find(data, ScanSolver(), np.random.default_rng(0))
        .rule.length
        for price in (0.001, 0.3)
    ]
    assert lengths[1] == 1 < lengths[0]


@pytest.mark.parametrize("search", [ParsimoniousSearch(), PaperSearch(generations=4)])
def test_one_and_two_workers_find_the_same_rule(search: ParsimoniousSearch) -> None:
    generator = np.random.default_rng(5)
    data = node(*labelled(hidden_rule(generator, 6), 800, generator))
    solver = GeneticSolver() if isinstance(search, PaperSearch) else ScanSolver()
    one = search.find(data, solver, np.random.default_rng(0))
    with using_workers(2):
        two = search.find(data, solver, np.random.default_rng(0))
    assert one.rule == two.rule


@pytest.mark.parametrize("solver", [GeneticSolver(), SQPSolver()], ids=["rga", "sqp"])
def test_the_papers_search_stops_at_a_feasible_rule_of_one_exponent(solver: SQPSolver) -> None:
    generator = np.random.default_rng(0)
    states = generator.uniform(1, 2, (500, 3))
    labels = (states[:, 1] > 1.5).astype(np.int64)
    found = PaperSearch().find(node(states, labels), solver, generator)
    assert found.solution.impurity <= 0.05
    assert found.rule.length == 1


def test_constraint_domination_puts_feasible_before_infeasible() -> None:
    search = PaperSearch()
    generator = np.random.default_rng(0)
    data = node(generator.uniform(1, 2, (200, 2)), generator.integers(0, 2, 200))
    short, long = (Structure.of(rows, False) for rows in ([[1, 0]], [[1, 0], [0, 1], [1, 1]]))
    solutions = ScanSolver().solve(data, [short, long], generator, np.inf)
    from dataclasses import replace

    from glasstree.openloop.upper.candidate import Candidate

    feasible = [
        Candidate(structure, replace(solution, impurity=0.04), 0.0)
        for structure, solution in zip((short, long), solutions, strict=True)
    ]
    poor = Candidate(short, replace(solutions[0], impurity=0.3), 0.0)
    worse = Candidate(long, replace(solutions[1], impurity=0.4), 0.0)
    assert sorted([worse, poor, feasible[1], feasible[0]], key=search.rank) == [
        *feasible,
        poor,
        worse,
    ]


def test_a_rule_divided_by_one_of_its_terms_splits_the_same_way() -> None:
    generator = np.random.default_rng(0)
    states = generator.uniform(1, 2, (500, 3))
    rule = Rule([[1, 1, 0], [0, 0, 2]], [0.8, -0.5], -0.3)
    first, second = quotients(Structure.of(rule.exponents, False), 3)
    assert {tuple(map(tuple, one.exponents)) for one in (first, second)} == {
        ((-1, -1, 0), (-1, -1, 2)),
        ((0, 0, -2), (1, 1, -2)),
    }
    divided = Rule([[1, 1, -2], [0, 0, -2]], [0.8, -0.3], -0.5)
    assert ((rule.value(states) > 0) == (divided.value(states) > 0)).all()
    assert not list(quotients(Structure.of(rule.exponents, True), 3))


def test_larger_edits_stay_within_the_largest_exponent() -> None:
    structure = Structure.of([[3, -2, 0], [0, 0, 2]], False)
    for edit in (powers, pairs, quotients):
        found = list(edit(structure, 3))
        assert found
        assert all(np.abs(one.exponents).max() <= 3 for one in found)


def test_synonyms_are_one_structure() -> None:
    one = Structure.of([[2, -2], [0, 0]], True)
    assert one.key == Structure.of([[-3, 3]], True).key
    assert Structure.of([[1, 0], [0, 1]], False).key == Structure.of([[0, 1], [1, 0]], False).key
    assert one.key != Structure.of([[1, -1]], False).key


@pytest.mark.parametrize("options", [{"terms": 0}, {"parsimony": -0.1}, {"population": 2}])
def test_senseless_options_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        ParsimoniousSearch(**options)  # type: ignore[arg-type]
