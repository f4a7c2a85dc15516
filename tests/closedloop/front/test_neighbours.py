"""Neighbours of a tree are what they should be, and playing tells which are worth tuning."""

from dataclasses import replace

import numpy as np
import pytest

from closedloop.front.lamps import DATA, FEW, SEARCH, exploration
from closedloop.front.test_pairs import POOR, TASK
from glasstree.closedloop.front import exploration as module
from glasstree.closedloop.front.archive import Entry
from glasstree.closedloop.front.exploration import Exploration
from glasstree.closedloop.front.neighbours import divided, neighbours, screened
from glasstree.closedloop.front.tuning import Games
from glasstree.parallel import using_workers
from glasstree.policy import Leaf, PolicyTree, Rule, Split
from glasstree.policy.formula import is_linear

STATES = np.random.default_rng(0).normal(size=(400, 4)) * [1.0, 1.0, 0.1, 1.0] + [0.5, 0, 0, 0]
UPRIGHT = POOR.with_root(Split(Rule([[0, 0, 1, 0]], [1.0], 0.0, raw=True), Leaf(0), Leaf(1)))


def playing() -> Games:
    return Games(TASK, replace(FEW, episodes=10), SEARCH, seed=1)


def longer(tree: PolicyTree) -> list[PolicyTree]:
    return [one for one in neighbours(tree, STATES) if one.n_exponents > tree.n_exponents]


def test_a_line_gets_each_other_variable_or_exchanges_one() -> None:
    found = list(neighbours(UPRIGHT, STATES))
    assert all(one.n_rules == 1 and is_linear(one.splits()[0].rule) for one in found)
    used = {tuple(one.splits()[0].rule.exponents.any(axis=0)) for one in found}
    assert used == {
        *((True, False, True, False), (False, True, True, False), (False, False, True, True)),
        *((True, False, False, False), (False, True, False, False), (False, False, False, True)),
    }


def test_each_variable_may_share_a_coefficient_which_is_read_once() -> None:
    shared = [one for one in longer(UPRIGHT) if len(set(_sizes(one))) == 1]
    assert len(shared) == 2 * 3
    assert {one.complexity for one in shared} == {7}
    assert {one.complexity for one in longer(UPRIGHT)} == {7, 9}


def _sizes(tree: PolicyTree) -> list[float]:
    return np.abs(tree.splits()[0].rule.weights).tolist()


def test_a_longer_line_cuts_where_the_line_did() -> None:
    middle = STATES.mean(axis=0, keepdims=True)
    before = UPRIGHT.values(UPRIGHT.splits()[0].rule, middle)
    for one in longer(UPRIGHT):
        rule = one.splits()[0].rule
        weight = rule.weights[rule.exponents[:, 2].argmax()]
        assert one.values(rule, middle) / weight == pytest.approx(before)


def test_power_laws_have_no_neighbours() -> None:
    assert list(neighbours(POOR, STATES)) == []


def test_a_divided_leaf_acts_otherwise_on_one_side() -> None:
    found = list(divided(UPRIGHT, STATES))
    assert {one.n_rules for one in found} == {2} and len(found) == 2 * 4 * 5 * 2
    for one in found[::7]:
        changed = one.actions(STATES) != UPRIGHT.actions(STATES)
        assert 0 < changed.mean() < 0.6


def test_playing_shows_which_variable_a_line_lacks() -> None:
    near = list(neighbours(UPRIGHT, STATES))
    best, steps = screened(near, playing(), 0, 1)
    with using_workers(2):
        assert screened(near, playing(), 0, 1) == (best, steps)
    rule = best[0].splits()[0].rule
    assert steps > 0 and rule.exponents.any(axis=0).tolist() == [False, False, True, True]
    assert playing().ranked(best[0]).mean > playing().ranked(UPRIGHT).mean


def test_each_complexity_has_its_turn() -> None:
    alike = replace(UPRIGHT, units=("m", "m/s", "rad", "rad"))
    best, _ = screened(list(neighbours(alike, STATES)), playing(), 0, 8)
    sizes = [one.complexity for one in best]
    kinds = len(set(sizes))
    assert kinds > 1 and len(set(sizes[:kinds])) == kinds


def test_the_first_rounds_are_for_neighbours_of_the_plainest_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parents: list[PolicyTree] = []
    monkeypatch.setattr(
        module, "neighbours", lambda tree, states: parents.append(tree) or neighbours(tree, states)
    )
    found = exploration(lines=2)
    found.advance()
    assert not parents
    found.advance()
    assert parents and all(tree.n_rules == tree.n_exponents == 1 for tree in parents)
    assert max(entry.tree.n_rules for entry in found.archive.entries()) == 2


def test_of_plain_rules_the_best_of_each_complexity_comes_first() -> None:
    found = Exploration(playing(), DATA, FEW, seed=1)
    own = [_line([1.0, weight]) for weight in (0.06, 0.07, 0.08)]
    shared = _line([1.0, 1.0])
    for tree, mean in zip([shared, *own], (1.0, 4.0, 3.0, 2.0), strict=True):
        found.archive.add(Entry(tree, np.array([mean]), tree.complexity))
    assert found._plainest(2) == [own[0], shared]
    assert found._plainest(1) == []


def _line(weights: list[float]) -> PolicyTree:
    rule = Rule([[0, 0, 1, 0], [0, 0, 0, 1]], weights, 0.0, raw=True)
    return POOR.with_root(Split(rule, Leaf(0), Leaf(1)))
