"""Continuous actions become a few levels, by what the oracle does with them."""

import json
import tomllib

import gymnasium
import numpy as np
import pytest

import glasstree as gt
from glasstree.closedloop import FrontOptions, ReengineeringOptions, ReoptimisationOptions
from glasstree.data.levels import grouped, levelled, with_levels
from glasstree.episodes import evaluate, play
from glasstree.errors import OptionError, OracleError, TaskError
from glasstree.oracles import load_oracle
from glasstree.oracles.choosing import ChoosingOracle
from glasstree.tasks import Task, get_task

QUICK = {
    "data": "regular",
    "samples": 150,
    "episodes": 10,
    "front": None,
    "closed_loop": ReoptimisationOptions(
        generations=1, trial_generations=1, trees=1, population=4, episodes=2,
        racing_episodes=3, choosing_episodes=4,
    ),
    "reengineering": ReengineeringOptions(states=50, trials=0, episodes=0),
}  # fmt: skip


class Cart(gymnasium.Env):
    """Two carts, each pushed towards the middle by a force of its own."""

    observation_space = gymnasium.spaces.Box(-3.0, 3.0, (2,))
    action_space = gymnasium.spaces.Box(np.float32([-1, -2]), np.float32([1, 2]))

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.places = self.np_random.uniform(-2.0, 2.0, 2)
        return self.places.copy(), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.places = self.places + 0.5 * action
        return self.places.copy(), -float(np.abs(self.places).sum()), False, False, {}


def push(states):
    return np.where(states > 0, [-1.0, -2.0], [1.0, 2.0])


def task():
    return Task.of(Cart, step_limit=4)


def test_groups_are_the_means_of_what_lies_together():
    generator = np.random.default_rng(0)
    centres = np.array([[-1.0, 0.5], [0.2, -0.4], [0.9, 0.9]])
    vectors = np.concatenate([c + generator.normal(scale=0.01, size=(50, 2)) for c in centres])
    found = grouped(vectors, 3, ((-1.0, -1.0), (1.0, 1.0)))
    np.testing.assert_allclose(found, centres, atol=0.01)
    assert grouped(np.zeros((5, 1)), 4, ((-1.0,), (1.0,))).tolist() == [[0.0]]


def test_as_many_levels_as_reward_needs():
    oracle = load_oracle(push, task())
    found = with_levels(task(), oracle)
    assert found.n_actions == 4
    assert found.environment.choices == ((-1.0, -2.0), (-1.0, 2.0), (1.0, -2.0), (1.0, 2.0))
    assert found.action_names == ("(-1, -2)", "(-1, 2)", "(1, -2)", "(1, 2)")
    assert with_levels(task(), oracle, 2).n_actions == 2
    with pytest.raises(OptionError, match="at least 2"):
        with_levels(task(), oracle, 1)


def test_an_oracle_takes_the_level_nearest_to_what_it_would_do():
    levels = levelled(task(), np.array([[-1.0, -2.0], [1.0, 2.0]]))
    oracle = ChoosingOracle(load_oracle(lambda states: 0.9 * push(states)), levels)
    states = np.array([[1.0, 1.0], [-1.0, -1.0], [-1.0, 0.1]])
    assert oracle.actions(states).tolist()[:2] == [0, 1]
    np.testing.assert_allclose(oracle.vectors(states[:1]), [[-0.9, -1.8]])
    free = evaluate(ChoosingOracle(load_oracle(push), levels), levels.free, episodes=5)
    assert free.mean_reward > evaluate(oracle, levels, episodes=5).mean_reward


def test_functions_of_one_state_and_wrong_answers():
    one = load_oracle(lambda state: np.sign(-state), task())
    _, seen = play(one, task(), np.arange(2), record=True)
    assert seen.actions.shape == (8, 2)
    assert set(np.abs(seen.actions).reshape(-1)) == {1.0}
    for wrong in (lambda states: states[:, 0], lambda states: np.full(states.shape, np.nan)):
        with pytest.raises(OracleError):
            play(load_oracle(wrong, task()), task(), np.arange(2))


def test_a_run_keeps_its_levels_and_goes_on_with_them(tmp_path):
    result = gt.distill(task(), push, levels=4, out=tmp_path / "run", **QUICK)
    assert list(result.performances)[:2] == ["oracle", "oracle in levels"]
    config = tomllib.loads((tmp_path / "run" / "config.toml").read_text())
    assert config["levels"] == [[-1.0, -2.0], [-1.0, 2.0], [1.0, -2.0], [1.0, 2.0]]
    document = json.loads((tmp_path / "run" / "policy.json").read_text())
    assert document["environment"]["levels"] == config["levels"]
    assert set(result.policy.action_names) == {"(-1, -2)", "(-1, 2)", "(1, -2)", "(1, 2)"}
    assert "(-1, -2)" in gt.to_text(result.policy)
    again = gt.distill(
        Task.of(Cart, step_limit=4, levels=config["levels"]),
        push, out=tmp_path / "run", resume=True,
    )  # fmt: skip
    assert again.policy == result.policy


def test_each_policy_of_a_front_has_its_own_levels_and_the_page_shows_them(tmp_path):
    front = FrontOptions(
        steps=400, lines=0, soft=0, trial_generations=1, generations=2, longest=2, population=4,
        episodes=2, longest_episodes=2, racing_episodes=5, choosing_episodes=10,
        rounding_episodes=5,
    )  # fmt: skip
    words = {**QUICK, "front": front}
    known = Task.of(Cart, step_limit=4, actions=["left [N]", "right [N]"])
    result = gt.distill(known, push, levels=4, out=tmp_path / "run", **words)
    page = (tmp_path / "run" / "report.html").read_text()
    for row in result.front:
        assert row.policy.levels.shape == (len(row.policy.action_names), 2)
        assert all(name.startswith("left = ") for name in row.policy.action_names)
        assert all(name in page for name in row.policy.action_names)
        assert row.unseen == evaluate(row.policy, result.task, episodes=10)
    assert result.figures["agreement"] > 0.2


def test_levels_must_fit():
    with pytest.raises(TaskError, match="of 2 numbers"):
        Task.of(Cart, step_limit=4, levels=[[1.0]])
    with pytest.raises(TaskError, match="is 2 numbers, which need as many different names"):
        Task.of(Cart, step_limit=4, actions=["push"])
    with pytest.raises(TaskError, match="no continuous actions"):
        get_task("Blackjack-v1", step_limit=5, levels=[[1.0]])
    with pytest.raises(OptionError, match="no continuous actions"):
        gt.distill("cartpole", levels=4)
