"""Agents with continuous actions: their networks as files, and how they are trained."""

import gymnasium
import numpy as np
import pytest

import glasstree as gt
from glasstree.errors import OracleError
from glasstree.oracles import Card, load_oracle
from glasstree.oracles.files import read_oracle, save_oracle
from glasstree.oracles.network import ActorOracle
from glasstree.oracles.training.options import PPOOptions
from glasstree.tasks import Task, get_task


class Spring(gymnasium.Env):
    """Pull a weight to the middle."""

    observation_space = gymnasium.spaces.Box(-9.0, 9.0, (1,))
    action_space = gymnasium.spaces.Box(-1.0, 1.0, (1,))

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.place = self.np_random.uniform(-2.0, 2.0, 1)
        return self.place.copy(), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.place = self.place + action
        return self.place.copy(), -abs(float(self.place[0])), False, False, {}


def task():
    return Task.of(Spring, step_limit=4)


def test_an_actor_comes_back_from_its_file(tmp_path):
    actor = ActorOracle([[[2.0]], [[-1.0]]], [[0.5], [0.25]])
    save_oracle(actor, Card("Spring", "PPO", {}, 1, 0, "2000-01-01"), tmp_path / "actor.npz")
    again, _ = read_oracle(tmp_path / "actor.npz")
    assert isinstance(again, ActorOracle)
    states = np.linspace(-3.0, 3.0, 7)[:, np.newaxis]
    np.testing.assert_array_equal(again.vectors(states), actor.vectors(states))
    on_raw = actor.on_raw_states(np.array([1.0]), np.array([0.5]))
    np.testing.assert_allclose(on_raw.vectors(states), actor.vectors((states - 1.0) * 0.5))


def test_an_actor_acts_within_the_bounds_of_its_task():
    oracle = load_oracle(ActorOracle([[[-5.0]]], [[0.0]]), task())
    assert oracle.vectors([[1.0], [-1.0], [0.1]]).reshape(-1).tolist() == [-1.0, 1.0, -0.5]


def test_an_actor_is_no_oracle_for_discrete_actions():
    with pytest.raises(OracleError, match="one output"):
        load_oracle(ActorOracle([[[1.0] * 4]], [[0.0]]), get_task("cartpole"))


def test_a_continuous_agent_is_trained_scored_and_used(tmp_path):
    pytest.importorskip("stable_baselines3")
    options = PPOOptions(
        total_steps=256, n_envs=2, n_steps=32, batch_size=32, n_epochs=2, hidden=(4,), use_sde=True
    )
    path, card = gt.train_oracle(task(), tmp_path / "spring.npz", options=options, episodes=5)
    assert card.hyperparameters["use_sde"] is True
    oracle = load_oracle(path, task())
    found = gt.evaluate(oracle, task(), episodes=5)
    assert found.mean_reward == card.score.mean_reward


@pytest.mark.parametrize("name", ["Pendulum-v1", "MountainCarContinuous-v0"])
def test_shipped_actors_control(name):
    known = get_task(name)
    found = gt.evaluate(load_oracle(name, known), known, episodes=3)
    assert found.mean_reward > {"Pendulum-v1": -500.0, "MountainCarContinuous-v0": 90.0}[name]
