"""Plain rules are found without an oracle, the same ones by any number of workers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glasstree.closedloop import ReoptimisationOptions
from glasstree.closedloop.front import pairs
from glasstree.closedloop.front.pairs import find_lines, stages
from glasstree.closedloop.objective import mean_scores
from glasstree.episodes import evaluate
from glasstree.parallel import using_workers
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.runs.store import RunStore
from glasstree.tasks import get_task

TASK = get_task("cartpole")
OPTIONS = ReoptimisationOptions()
SCALING = Scaling(np.array([-2.4, -3.0, -0.2, -3.0]), np.array([2.4, 3.0, 0.2, 3.0]))
POOR = PolicyTree(
    Split(Rule([[1, 0, 0, 0]], [1.0], -1.5), Leaf(0), Leaf(1)),
    SCALING,
    TASK.state_names,
    TASK.action_names,
    TASK.units,
    task=TASK.name,
)


def test_lines_control_what_the_given_tree_does_not() -> None:
    found = find_lines(POOR, TASK, OPTIONS, seed=0, wanted=2)
    assert [tree.n_exponents for tree in found] == [2, 2]
    assert evaluate(POOR, TASK, episodes=100).mean_reward < 60
    assert evaluate(found[0], TASK, episodes=100).mean_reward > 150


def test_one_and_two_workers_find_the_same_lines() -> None:
    one = find_lines(POOR, TASK, OPTIONS, seed=1, wanted=2)
    with using_workers(2):
        two = find_lines(POOR, TASK, OPTIONS, seed=1, wanted=2)
    assert [tree.parameters().tolist() for tree in one] == [
        tree.parameters().tolist() for tree in two
    ]


def test_kept_lines_are_not_searched_again(tmp_path: Path) -> None:
    keep = RunStore(tmp_path)
    first = find_lines(POOR, TASK, OPTIONS, seed=0, wanted=2, store=keep)
    again = find_lines(POOR, TASK, OPTIONS, seed=5, wanted=2, store=keep)
    assert [tree.parameters().tolist() for tree in first] == [
        tree.parameters().tolist() for tree in again
    ]


def test_a_tree_that_takes_one_action_tells_no_two_actions() -> None:
    constant = POOR.with_root(Split(Rule([[1, 0, 0, 0]], [1.0], 5.0), Leaf(0), Leaf(1)))
    assert find_lines(constant, TASK, OPTIONS, seed=0, wanted=2) == []


def test_fewer_pairs_are_compared_on_more_episodes(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def noted(*given: Any) -> Any:
        played.append(len(given[3]))
        return mean_scores(*given)

    monkeypatch.setattr(pairs, "mean_scores", noted)
    find_lines(POOR, TASK, OPTIONS, seed=0, wanted=1)
    compared = [count for count in played if count != pairs.FEW]
    assert compared == [60] * 6 + [120] * 2 + [240]


def test_many_pairs_try_fewer_lines_each() -> None:
    assert list(stages(190, 2)) == [
        *((190, 0, 21), (63, 21, 42), (21, 63, 84), (7, 147, 168), (2, 315, 336)),
    ]
    assert next(iter(stages(780, 2))) == (780, 0, 6)
    assert list(stages(1, 2)) == [(1, 0, 21)]
