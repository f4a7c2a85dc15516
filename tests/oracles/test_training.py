"""Training: tiny runs of each algorithm, checkpoints, and the command."""

import random
import sys
from dataclasses import replace

import numpy as np
import pytest

from glasstree import progress
from glasstree.errors import MissingExtraError, OracleError, TaskError
from glasstree.oracles import load_oracle
from glasstree.oracles.training import (
    DQNOptions,
    PPOOptions,
    SarsaOptions,
    recipe,
    train,
)
from glasstree.tasks import get_task, task_names

torch = pytest.importorskip("torch")
pytest.importorskip("stable_baselines3")

PPO = PPOOptions(total_steps=256, n_envs=2, n_steps=32, batch_size=32, n_epochs=1, hidden=(8,))
DQN = DQNOptions(
    total_steps=200,
    n_envs=4,
    memory=100,
    warm_up=40,
    batch_size=8,
    target_period=5,
    centre=(30.0, 0.0, 0.0),
    spread=(10.0, 2.0, 1.0),
    hidden=(8,),
)
SARSA = SarsaOptions(total_steps=20_000)
TINY = [("psm5", PPO), ("carfollowing", DQN), ("mountaincar", SARSA)]


class Stopped(Exception):
    """Stands for a power cut."""


@pytest.mark.parametrize(("name", "options"), TINY)
def test_trainings_stop_and_go_on(tmp_path, name, options):
    task = get_task(name)
    scores = iter([1.0, 3.0])

    def score_then_stop(policy):
        try:
            return next(scores)
        except StopIteration:
            raise Stopped from None

    with pytest.raises(Stopped):
        train(task, score_then_stop, options=options, folder=tmp_path)
    seen = []
    with progress.listening(seen.append):
        oracle, card = train(task, lambda policy: 2.0, options=options, folder=tmp_path)
    advances = [event for event in seen if isinstance(event, progress.Advance)]
    assert advances and all(event.figures["best"] == 3.0 for event in advances)
    assert advances[0].step > card.steps, "the best round was before the stop"
    assert advances[-1].step >= options.total_steps
    assert load_oracle(oracle, task).actions(np.zeros((3, task.n_variables))).shape == (3,)
    with pytest.raises(OracleError, match="another task, seed or options"):
        train(task, lambda policy: 0.0, options=options, folder=tmp_path, seed=1)
    (tmp_path / "checkpoint.npz").write_text("hello")
    with pytest.raises(OracleError, match="damaged"):
        train(task, lambda policy: 0.0, options=options, folder=tmp_path)


@pytest.mark.parametrize(("name", "options"), TINY)
def test_same_seed_same_oracle(name, options):
    task, states = (
        get_task(name),
        np.random.default_rng(0).normal(size=(20, get_task(name).n_variables)),
    )
    first, second, other = (
        train(task, lambda policy: 0.0, options=options, seed=seed)[0].preferences(states)
        for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("normalize", [True, False])
def test_plain_network_is_the_trained_policy(normalize):
    training = replace(PPO, normalize=normalize).start(get_task("cartpole"), seed=0)
    training.advance(64)
    states = np.random.default_rng(0).normal(size=(200, 4)).astype(np.float32)
    given = states
    if normalize:
        given = training.model.get_vec_normalize_env().normalize_obs(states)
    given = torch.as_tensor(given, dtype=torch.float32)
    expected = training.model.policy.get_distribution(given).distribution.probs
    np.testing.assert_allclose(
        training.oracle().preferences(states.astype(np.float64)), expected.detach(), atol=1e-5
    )


def test_gymnasium_environments_train_too():
    task = get_task("CartPole-v1")
    oracle, card = train(task, lambda policy: 0.0, options=PPO)
    assert oracle.layers == (4, 8, 2)
    assert card.algorithm == "PPO" and card.task == "CartPole-v1"


def test_double_learning_chooses_online_and_values_by_the_target():
    from glasstree.oracles.training.dqn import double_estimate

    def online(states):
        return torch.tensor([[1.0, 2.0]]).repeat(len(states), 1)

    def target(states):
        return torch.tensor([[50.0, 7.0]]).repeat(len(states), 1)

    assert double_estimate(online, target, torch.zeros(3, 1)).tolist() == [[7.0], [7.0], [7.0]]


def test_sarsa_learns_mountain_car_in_a_second():
    task = get_task("mountaincar")
    training = SARSA.start(task, seed=0)
    training.advance(200_000)
    environment = task.environment()
    oracle, steps = training.oracle(), []
    for seed in range(5):
        state, ended, count = environment.reset(seed=seed)[0], False, 0
        while not ended and count < 200:
            action = oracle.actions(state[np.newaxis])[0]
            state, _, ended, _, _ = environment.step(action)
            count += 1
        steps.append(count)
    assert max(steps) < 200


def test_sarsa_needs_two_variables():
    with pytest.raises(TaskError, match="two variables"):
        SARSA.start(get_task("cartpole"), seed=0)


def test_every_task_has_a_recipe():
    algorithms = {name: recipe(get_task(name)).algorithm for name in task_names()}
    assert algorithms.pop("carfollowing") == "double DQN"
    assert algorithms.pop("mountaincar") == "SARSA(lambda)"
    assert set(algorithms.values()) == {"PPO"}


def test_missing_training_packages_name_the_install_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    for name in ("ppo", "dqn", "vector"):
        monkeypatch.delitem(sys.modules, f"glasstree.oracles.training.{name}", raising=False)
    with pytest.raises(MissingExtraError, match=r"pip install 'glasstree\[oracles\]'"):
        PPO.start(get_task("cartpole"), seed=0)


def process_settings():
    """What a training must leave as it was."""
    return (
        random.getstate(),
        np.random.get_state()[1].tolist(),  # noqa: NPY002
        torch.get_rng_state().tolist(),
        torch.get_num_threads(),
    )


@pytest.mark.parametrize(("name", "options"), TINY[:2])
def test_training_leaves_the_process_as_it_was(tmp_path, name, options):
    threads = torch.get_num_threads()
    torch.set_num_threads(3)
    before = process_settings()
    task = get_task(name)
    training = options.start(task, seed=5)
    assert process_settings() == before
    training.advance(64)
    assert process_settings() == before
    training.restore(training.state())
    assert process_settings() == before
    torch.set_num_threads(threads)


@pytest.mark.parametrize(("name", "options"), TINY[:2])
def test_what_users_draw_in_between_does_not_change_a_training(name, options):
    task, states = (
        get_task(name),
        np.random.default_rng(0).normal(size=(20, get_task(name).n_variables)),
    )

    def score(policy):
        torch.rand(3)
        np.random.rand(3)  # noqa: NPY002
        return 0.0

    told = [
        train(task, judge, options=options)[0].preferences(states)
        for judge in (score, lambda policy: 0.0)
    ]
    np.testing.assert_array_equal(*told)
