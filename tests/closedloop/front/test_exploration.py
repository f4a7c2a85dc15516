"""The search over structure: known fronts, the same ones whoever works and whoever stops."""

import gc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from closedloop.front.lamps import DARK, FEW, exploration, games, raw_lamp
from deadly import FAR_LAMP_TASK
from glasstree.closedloop.front import exploration as module
from glasstree.closedloop.front.archive import Entry
from glasstree.closedloop.front.exploration import Exploration
from glasstree.episodes import evaluate
from glasstree.parallel import engine
from glasstree.policy import PolicyTree
from glasstree.tasks import Task
from toys import LAMP_TASK, SLOW_LAMP_TASK, STEPS, lamp_tree

TESTS = Path(__file__).parents[2]


def advanced(found: Exploration, times: int) -> Exploration:
    """Go on for a while."""
    for _ in range(times):
        found.advance()
    return found


@pytest.mark.parametrize("task", [LAMP_TASK, SLOW_LAMP_TASK], ids=["compiled", "gymnasium"])
def test_the_lamps_front_is_a_constant_and_one_plain_rule(task: Task) -> None:
    found = exploration(task)
    while not found.done:
        found.advance()
    constant, rule = found.archive.front()
    assert (constant.complexity, rule.complexity) == (1, 5)
    assert constant.mean < STEPS / 2 and rule.mean == STEPS
    assert rule.tree.actions([[-1.0], [1.0]]).tolist() == [0, 1]
    assert evaluate(rule.tree, task, episodes=50).success_rate == 1.0


def test_it_begins_with_all_constants_and_all_trees() -> None:
    found = exploration()
    assert sorted(found.archive.cells) == [1, 5]
    assert sorted(entry.tree.root.action for entry in found.archive.cells[1]) == [0, 1]  # type: ignore[union-attr]
    assert found.steps == sum(int(e.scores.sum()) for e in found.archive.entries()) + sum(
        int((e.scores < STEPS).sum()) for e in found.archive.entries()
    )


def test_what_is_offered_comes_in_unless_it_is_behind_too_long_or_too_late() -> None:
    found = exploration()
    found.offer([raw_lamp(0.0)])
    assert max(entry.mean for entry in found.archive.cells[5]) == STEPS
    held, steps = len(found.archive.entries()), found.steps
    _, whole = found.games.entry(raw_lamp(5.0))
    found.offer([raw_lamp(5.0)])
    assert len(found.archive.entries()) == held
    assert 0 < found.steps - steps < whole  # its first episodes told
    found = exploration(most=4)
    steps = found.steps
    found.offer([raw_lamp(0.0)])
    assert found.steps == steps
    found = exploration(steps=10)
    found.offer([raw_lamp(5.0), raw_lamp(0.0)])
    assert max(entry.mean for entry in found.archive.entries()) < STEPS


@pytest.mark.parametrize("task", [LAMP_TASK, FAR_LAMP_TASK], ids=["threads", "processes"])
def test_one_and_two_workers_hold_the_same_archive(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    one = advanced(exploration(task), 3)
    with engine("local", workers=2):
        two = advanced(exploration(task), 3)
    assert one.state() == two.state()


def test_a_stopped_search_goes_on_as_if_nothing_had_been() -> None:
    whole = advanced(exploration(), 6)
    first = advanced(exploration(), 3)
    again = Exploration(first.games, first.data, FEW, seed=3)
    again.restore(first.state())
    assert again.state() == first.state()
    assert [e.scores.tolist() for e in again.archive.entries()] == [
        e.scores.tolist() for e in first.archive.entries()
    ]
    advanced(again, 3)
    assert again.state() == whole.state() != first.state()


def test_a_budget_is_kept() -> None:
    found, last = exploration(steps=20_000), 0
    while not found.done:
        before = found.steps
        found.advance()
        last = found.steps - before
    assert found.steps - last < 20_000 <= found.steps
    assert found.number % module.TOGETHER == 0


def test_no_tree_is_tried_that_has_too_many_symbols() -> None:
    def most(found: Exploration) -> int:
        advanced(found, 3)
        return max(found._trial(number).tree.complexity for number in range(100, 200))

    assert most(exploration()) > 7
    assert most(exploration(most=7)) <= 7


def test_the_last_part_of_the_budget_tunes_the_front_for_longer() -> None:
    found = advanced(exploration(), 4)
    found.steps = 0
    early = [found._trial(number) for number in range(200, 260)]
    found.steps = FEW.steps
    late = [found._trial(number) for number in range(200, 260)]
    assert {trial.generations for trial in early} == {FEW.generations}
    assert {trial.generations for trial in late} == {FEW.generations, FEW.longest}
    front = {id(entry.tree) for entry in found.archive.front()}
    tuned = [trial.tree for trial in late if trial.generations == FEW.longest]
    assert len(tuned) > 10 and all(id(tree) in front for tree in tuned)
    assert {trial.episodes for trial in late} == {FEW.episodes, FEW.longest_episodes}
    better = {id(entry.tree) for entry in found.archive.front()[len(front) // 2 :]}
    odd = [trial for trial in late if trial.generations == FEW.longest and trial.number % 2]
    assert len(odd) > 5 and all(id(trial.tree) in better for trial in odd)


def test_lines_are_tuned_first_and_for_longest() -> None:
    found = exploration()
    found.begin([lamp_tree()], [raw_lamp(-1.2), raw_lamp(-1.5)])
    first = [found._trial(number) for number in range(3)]
    assert [trial.generations for trial in first] == [FEW.longest, FEW.longest, FEW.generations]
    assert [trial.tree for trial in first[:2]] == [raw_lamp(-1.2), raw_lamp(-1.5)]


def test_a_child_races_the_best_that_is_at_most_as_complex() -> None:
    found = advanced(exploration(), 4)
    complex_one = Entry(lamp_tree(), np.full(FEW.racing_episodes, STEPS + 1.0), 500)
    assert found.archive.add(complex_one)
    for number in range(300, 330):
        trial = found._trial(number)
        assert trial.rival is found.archive.best_within(trial.tree.complexity)
        assert trial.rival is not complex_one


def test_states_are_those_of_the_tree_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def marked(tree: PolicyTree, *_: Any) -> Any:
        return np.array([[tree.splits()[0].rule.bias]])

    monkeypatch.setattr(module, "visited_states", marked)
    found = exploration()
    for bias in range(50):  # Python gives a new object the id of one that is gone
        tree = lamp_tree(float(bias))
        assert found.states_of(tree).item() == bias
        del tree
        gc.collect()


def test_a_perfect_policy_ends_the_search_once_the_front_has_been_idle() -> None:
    found = exploration(SLOW_LAMP_TASK)
    assert not found.settled  # the best of the first ones fails
    while not found.done:
        last = found.steps
        found.advance()
    assert found.settled and found.steps < FEW.steps
    assert found.archive.front()[-1].mean == STEPS
    assert last - found.improved < module.IDLE * FEW.steps <= found.steps - found.improved
    again = Exploration(found.games, found.data, FEW, seed=3)
    again.restore(found.state())
    assert again.done and again.state() == found.state()


def test_compiled_steps_are_all_spent_and_their_state_is_as_ever() -> None:
    found = exploration(LAMP_TASK)
    while not found.done:
        found.advance()
    assert found.steps >= FEW.steps
    assert set(found.state()) == {"number", "steps", "cells"}


def test_who_knows_no_success_or_varies_in_reward_is_not_perfect() -> None:
    rule = raw_lamp(0.0)
    assert games(SLOW_LAMP_TASK).is_perfect(rule)
    assert not games(SLOW_LAMP_TASK).is_perfect(DARK)
    assert not games(replace(SLOW_LAMP_TASK, success=None)).is_perfect(rule)
    never = replace(SLOW_LAMP_TASK, success=lambda ends: ends.terminated)
    assert not games(never).is_perfect(rule)
    always = replace(SLOW_LAMP_TASK, success=lambda ends: ends.steps > 0)
    assert not games(always).is_perfect(DARK)


def test_a_perfect_constant_ends_the_search_at_once() -> None:
    found = exploration(SLOW_LAMP_TASK)
    best = found.archive.front()[-1].tree
    found.games.is_perfect = lambda tree: tree == best  # type: ignore[method-assign]
    assert found.settled == (best.n_rules == 0)
    assert found.steps - found.improved < module.IDLE * FEW.steps
