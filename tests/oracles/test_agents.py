"""Agents of Stable-Baselines3 and sb3-contrib act as in their own libraries, or are refused."""

import json
import zipfile

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from glasstree.errors import MissingExtraError, OracleError
from glasstree.oracles import load_oracle
from glasstree.tasks import Task, get_task

sb3 = pytest.importorskip("stable_baselines3")
STATES = 10_000


class Plain(gymnasium.Env):
    """Observes and takes what it is told to."""

    def __init__(self, observation_space=None, action_space=None):
        self.observation_space = observation_space or spaces.Box(-1.0, 1.0, (3,))
        self.action_space = action_space or spaces.Discrete(3)

    def reset(self, seed=None, options=None):
        return self.observation_space.sample(), {}

    def step(self, action):
        return self.observation_space.sample(), 0.0, False, False, {}

    def action_masks(self):
        return np.ones(self.action_space.n, dtype=bool)


def states(count=STATES):
    return np.random.default_rng(0).uniform(-1.0, 1.0, (count, 3))


def contributed():
    return pytest.importorskip("sb3_contrib")


BOX = spaces.Box(-2.0, 2.0, (2,))
AGENTS = {
    "PPO": (lambda: sb3.PPO, None, {"n_steps": 64}),
    "A2C": (lambda: sb3.A2C, None, {}),
    "DQN": (lambda: sb3.DQN, None, {"buffer_size": 10}),
    "SAC": (lambda: sb3.SAC, BOX, {"buffer_size": 10}),
    "TD3": (lambda: sb3.TD3, BOX, {"buffer_size": 10}),
    "DDPG": (lambda: sb3.DDPG, BOX, {"buffer_size": 10}),
    "TRPO": (lambda: contributed().TRPO, None, {"n_steps": 64}),
    "QRDQN": (lambda: contributed().QRDQN, None, {"buffer_size": 10}),
    "MaskablePPO": (lambda: contributed().MaskablePPO, None, {"n_steps": 64}),
    "TQC": (lambda: contributed().TQC, BOX, {"buffer_size": 10}),
    "ARS": (lambda: contributed().ARS, BOX, {}),
}


def stirred(model):
    """Draw larger weights for an untrained agent: it then does more than one thing."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    with torch.no_grad():
        for weights in model.policy.parameters():
            shape = tuple(weights.shape)
            matrix = len(shape) == 2
            weights.copy_(torch.randn(shape) * 2.0 / shape[-1] ** 0.5 if matrix else weights * 0.0)
    return model


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.filterwarnings("ignore")
def test_an_agent_acts_as_in_its_own_library(name, tmp_path):
    kind, actions, options = AGENTS[name]
    environment = Plain(action_space=actions)
    model = stirred(kind()("MlpPolicy", environment, seed=0, device="cpu", **options))
    model.save(tmp_path / "model.zip")
    task = Task.of(lambda: Plain(action_space=actions), step_limit=3)
    oracle = load_oracle(tmp_path / "model.zip", task, trust=True)
    expected, _ = model.predict(states().astype(np.float32), deterministic=True)
    if actions is None:
        np.testing.assert_array_equal(oracle.actions(states()), expected)
        assert len(np.unique(expected)) > 1
    else:
        np.testing.assert_allclose(oracle.vectors(states()), expected, atol=1e-6)
        assert expected.shape == (STATES, 2) and expected.std(axis=0).min() > 0.1


@pytest.mark.filterwarnings("ignore")
def test_an_agent_in_memory_is_an_oracle_with_its_statistics():
    from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

    normal = VecNormalize(DummyVecEnv([Plain]))
    normal.obs_rms.mean, normal.obs_rms.var = np.array([0.5, -0.5, 0.2]), np.full(3, 0.01)
    model = stirred(sb3.PPO("MlpPolicy", normal, n_steps=64, seed=0, device="cpu"))
    raw, _ = model.predict(states().astype(np.float32), deterministic=True)
    seen, _ = model.predict(normal.normalize_obs(states().astype(np.float32)), deterministic=True)
    np.testing.assert_array_equal(load_oracle(model).actions(states()), seen)
    np.testing.assert_array_equal(load_oracle(model.policy).actions(states()), raw)
    assert (raw != seen).any()
    memory = contributed().RecurrentPPO("MlpLstmPolicy", Plain(), n_steps=64, device="cpu")
    for recurrent in (memory, memory.policy):
        with pytest.raises(OracleError, match="decides by what it remembers"):
            load_oracle(recurrent)


def test_statistics_beside_an_agent_are_used(tmp_path):
    from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

    normal = VecNormalize(DummyVecEnv([Plain]))
    model = sb3.PPO("MlpPolicy", normal, n_steps=64, seed=0, device="cpu")
    model.save(tmp_path / "Plain.zip")
    plain = load_oracle(tmp_path / "Plain.zip", trust=True).actions(states(1000))
    normal.obs_rms.mean, normal.obs_rms.var = np.array([0.5, -0.5, 0.2]), np.full(3, 0.01)
    (tmp_path / "Plain").mkdir()
    normal.save(tmp_path / "Plain" / "vecnormalize.pkl")
    oracle = load_oracle(tmp_path / "Plain.zip", trust=True)
    seen = normal.normalize_obs(states(1000).astype(np.float32))
    expected, _ = model.predict(seen, deterministic=True)
    np.testing.assert_array_equal(oracle.actions(states(1000)), expected)
    assert (plain != expected).any()


def test_a_folder_of_the_zoo_is_its_best_model_or_its_last(tmp_path):
    folder = tmp_path / "Plain-v0_1"
    folder.mkdir()
    with pytest.raises(OracleError, match="without a model"):
        load_oracle(folder, trust=True)
    for name, seed in (("Plain-v0", 0), ("best_model", 1)):
        model = sb3.PPO("MlpPolicy", Plain(), n_steps=64, seed=seed, device="cpu")
        model.save(folder / f"{name}.zip")
        oracle = load_oracle(folder, trust=True)
        expected, _ = model.predict(states(1000).astype(np.float32), deterministic=True)
        np.testing.assert_array_equal(oracle.actions(states(1000)), expected)


def test_an_agent_that_observes_a_number_or_a_dictionary(tmp_path):
    lake = gymnasium.make("FrozenLake-v1")
    model = sb3.PPO("MlpPolicy", lake, n_steps=64, seed=3, device="cpu")
    model.save(tmp_path / "lake.zip")
    oracle = load_oracle(tmp_path / "lake.zip", get_task("FrozenLake-v1"), trust=True)
    cells = np.array([divmod(cell, 4) for cell in range(16)], dtype=float)
    expected, _ = model.predict(np.arange(16), deterministic=True)
    np.testing.assert_array_equal(oracle.actions(cells), expected)
    space = spaces.Dict(a=spaces.Box(-1.0, 1.0, (2,)), b=spaces.Box(-1.0, 1.0, (1,)))
    model = sb3.PPO("MultiInputPolicy", Plain(space), n_steps=64, seed=0, device="cpu")
    model.save(tmp_path / "parts.zip")
    oracle = load_oracle(tmp_path / "parts.zip", trust=True)
    seen = {"a": states(50)[:, :2].astype(np.float32), "b": states(50)[:, 2:].astype(np.float32)}
    expected, _ = model.predict(seen, deterministic=True)
    np.testing.assert_array_equal(oracle.actions(states(50)), expected)
    assert oracle.preferences(states(50)).shape == (50, 3)


def test_a_recurrent_agent_is_refused(tmp_path):
    model = contributed().RecurrentPPO("MlpLstmPolicy", Plain(), n_steps=64, device="cpu")
    model.save(tmp_path / "model.zip")
    with pytest.raises(OracleError, match="decides by what it remembers"):
        load_oracle(tmp_path / "model.zip", trust=True)


def test_a_recurrent_file_is_refused_before_it_is_loaded(tmp_path):
    kind = {"policy_class": {"__module__": "sb3_contrib.common.recurrent.policies"}}
    with zipfile.ZipFile(tmp_path / "model.zip", "w") as archive:
        archive.writestr("data", json.dumps(kind))
    with pytest.raises(OracleError, match="decides by what it remembers"):
        load_oracle(tmp_path / "model.zip", trust=True)


def test_unknown_and_missing_agents_are_one_sentence(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("data", json.dumps({"policy_class": {"__module__": "mine.policies"}}))
    with zipfile.ZipFile(tmp_path / "plain.zip", "w") as archive:
        archive.writestr("readme", "hello")
    wrong = {
        "other": "mine.policies is not known",
        "plain": "not a Stable",
        "none": "there is no file",
    }
    for name, words in wrong.items():
        with pytest.raises(OracleError, match=words) as caught:
            load_oracle(tmp_path / f"{name}.zip", trust=True)
        assert "\n" not in str(caught.value)
    with zipfile.ZipFile(tmp_path / "tqc.zip", "w") as archive:
        kind = {"policy_class": {"__module__": "sb3_contrib.tqc.policies"}}
        archive.writestr("data", json.dumps(kind))
    monkeypatch.setitem(__import__("sys").modules, "sb3_contrib", None)
    with pytest.raises(MissingExtraError, match=r"glasstree\[contrib\]"):
        load_oracle(tmp_path / "tqc.zip", trust=True)
