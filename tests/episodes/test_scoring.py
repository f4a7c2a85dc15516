"""Any number of workers plays the same episodes to the same ends."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from commands import Command
from glasstree.episodes import Purpose, episode_seeds, play, scoring
from glasstree.episodes.scoring import play_all
from glasstree.oracles import NetworkOracle
from glasstree.parallel import n_workers, threaded_map, using_workers
from glasstree.policy.arrays import Policy
from toys import LAMP_TASK, constant_tree, lamp_oracle

SEEDS = episode_seeds(Purpose.FINAL, 3, 90)
PLAIN = NetworkOracle([[[-1.0], [0.5]]], [[0.0, 0.1]])


@pytest.fixture
def crews(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Keep how much work goes to how many threads; chunks are small."""
    seen: list[tuple[int, int]] = []

    def counted(function: Callable[[Any], Any], items: Any) -> list[Any]:
        seen.append((len(items), n_workers()))
        return threaded_map(function, items)

    monkeypatch.setattr(scoring, "threaded_map", counted)
    monkeypatch.setattr(scoring, "THREADED", 25)
    monkeypatch.setattr(scoring, "COMPILED", 40)
    return seen


@pytest.mark.parametrize(
    "policy, parts", [(PLAIN, 4), (constant_tree(1), 3)], ids=["oracle", "tree"]
)
def test_threads_share_compiled_episodes(
    crews: list[tuple[int, int]], policy: Policy, parts: int
) -> None:
    expected, _ = play(policy, LAMP_TASK, SEEDS)
    for workers in (1, 2, 5):
        with using_workers(workers):
            found = play_all(policy, LAMP_TASK, SEEDS)
        for name, values in vars(expected).items():
            np.testing.assert_array_equal(getattr(found, name), values)
    assert crews == [(parts, 1), (parts, 2), (parts, 5)]


def test_a_users_policy_stays_in_its_thread(crews: list[tuple[int, int]]) -> None:
    class Mine:
        def actions(self, states: Any, /) -> Any:
            return lamp_oracle(states)

    with using_workers(4):
        assert play_all(Mine(), LAMP_TASK, SEEDS).rewards.min() == 20.0
    assert crews == []


@pytest.mark.parametrize("policy", [["--oracle", "cartpole"], ["policy.json"]])
def test_the_command_uses_as_many_workers_as_it_is_told(
    crews: list[tuple[int, int]],
    glasstree: Command,
    policy: list[str],
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from glasstree.policy.document import dumps
    from glasstree.tasks import get_task

    task = get_task("cartpole")
    tree = constant_tree(1)
    scaling = type(tree.scaling)([-1.0] * 4, [1.0] * 4)
    tree = type(tree)(tree.root, scaling, task.state_names, task.action_names, task="cartpole")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.json").write_text(dumps(tree))
    told = [
        glasstree("evaluate", *policy, "--episodes", 60, "--workers", workers, "--json").out
        for workers in (1, 3)
    ]
    assert told[0] == told[1]
    assert [threads for _, threads in crews] == [1, 3]
