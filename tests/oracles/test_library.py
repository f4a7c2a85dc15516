"""Finding oracles, and what is refused."""

import json
import subprocess
import sys

import numpy as np
import pytest

from glasstree.episodes import evaluate
from glasstree.errors import OracleError, PolicyFileError
from glasstree.oracles import (
    Card,
    NetworkOracle,
    Oracle,
    load_oracle,
    oracle_card,
    oracle_for,
    oracle_names,
)
from glasstree.oracles.files import FORMAT, read_oracle, save_oracle
from glasstree.tasks import get_task, task_names

AT_LEAST = {
    "cartpole": (200.0, 1.0),
    "carfollowing": (173_000.0, 1.0),
    "mountaincar": (-110.0, 1.0),
    "lunarlander": (245.0, 0.95),
    "psm5": (-183.0, 0.89),
    "psm10": (-326.0, 0.86),
    "acrobot": (-80.0, 0.99),
}


def test_every_task_has_an_oracle():
    continuous = ("LunarLanderContinuous-v3", "MountainCarContinuous-v0", "Pendulum-v1")
    more = ["BipedalWalker-v3", "Hopper-v5", "InvertedDoublePendulum-v5", *continuous]
    assert oracle_names() == [*task_names(), *more]


@pytest.mark.parametrize("name", list(AT_LEAST))
def test_cards_hold_what_the_papers_oracles_reach(name):
    card = oracle_card(name)
    reward, success = AT_LEAST[name]
    assert card.task == name
    assert card.score is not None and card.score.episodes == 1000
    assert card.score.mean_reward >= reward
    assert card.score.success_rate is not None and card.score.success_rate >= success


@pytest.mark.parametrize("name", list(AT_LEAST))
def test_shipped_oracles_suit_their_tasks_and_tell_preferences(name):
    task = get_task(name)
    oracle = load_oracle(name, task)
    assert isinstance(oracle, Oracle)
    states = np.random.default_rng(0).normal(size=(50, task.n_variables))
    preferences = oracle.preferences(states)
    assert preferences.shape == (50, task.n_actions)
    np.testing.assert_array_equal(preferences.argmax(axis=1), oracle.actions(states))


def test_shipped_oracles_need_neither_torch_nor_gymnasium_training():
    code = (
        "import sys\n"
        "for name in ('torch', 'stable_baselines3', 'onnxruntime'): sys.modules[name] = None\n"
        "from glasstree.oracles import load_oracle, oracle_names\n"
        "import json\n"
        "print(json.dumps({name: load_oracle(name).n_variables for name in oracle_names()}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    foreign = {"Hopper-v5": 11, "InvertedDoublePendulum-v5": 9}  # MuJoCo's need not be there
    assert found == {n: foreign.get(n) or get_task(n).n_variables for n in oracle_names()}


def test_objects_and_functions_pass_through():
    oracle = load_oracle("cartpole")
    assert load_oracle(oracle) is oracle
    assert load_oracle(lambda state: 1).actions(np.zeros((2, 2))).tolist() == [1, 1]
    with pytest.raises(OracleError, match="got int"):
        load_oracle(3)


def test_function_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_rules.py").write_text("def go(state): return 1\nnumber = 3\n")
    assert load_oracle("my_rules:go").actions(np.zeros((1, 2))).tolist() == [1]
    for spec, words in [
        ("my_rules:stop", "has no 'stop'"),
        ("my_rules:number", "not a function"),
        ("no_rules:go", "cannot import"),
    ]:
        with pytest.raises(OracleError, match=words):
            load_oracle(spec)


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(OracleError, match="did you mean 'cartpole'"):
        load_oracle("cartpol")


def test_a_task_without_an_oracle_says_how_to_get_one():
    with pytest.raises(OracleError, match="name one with --oracle, or train one"):
        oracle_for(get_task("psm:links=3"))


def test_unsuitable_oracles_are_refused():
    with pytest.raises(OracleError, match="expects 4 variables, but lunarlander has 8"):
        load_oracle("cartpole", get_task("lunarlander"))
    greedy = NetworkOracle([np.zeros((3, 4))], [np.zeros(3)])
    with pytest.raises(OracleError, match="has 3 actions, but cartpole has 2"):
        load_oracle(greedy, get_task("cartpole"))


@pytest.fixture
def card():
    return Card("cartpole", "PPO", {"gamma": 0.9}, 10, 0, "2026-01-01")


def test_files_round_trip_to_the_bit(tmp_path, card):
    generator = np.random.default_rng(0)
    oracle = NetworkOracle([generator.normal(size=(2, 4))], [generator.normal(size=2)], "relu")
    save_oracle(oracle, card, tmp_path / "mine.npz")
    found, found_card = read_oracle(tmp_path / "mine.npz")
    np.testing.assert_array_equal(found.weights[0], oracle.weights[0])
    assert found.activation == "relu" and found_card == card
    tiles, tiles_card = read_oracle(str(_shipped("mountaincar")))
    save_oracle(tiles, tiles_card, tmp_path / "tiles.npz")
    np.testing.assert_array_equal(read_oracle(tmp_path / "tiles.npz")[0].weights, tiles.weights)


def _shipped(name):
    from glasstree.oracles.library import WEIGHTS

    return WEIGHTS / f"{name}.npz"


def test_broken_files_are_told(tmp_path, card):
    oracle = NetworkOracle([np.zeros((2, 4))], [np.zeros(2)])
    good = tmp_path / "good.npz"
    save_oracle(oracle, card, good)
    (tmp_path / "cut.npz").write_bytes(good.read_bytes()[:200])
    (tmp_path / "text.npz").write_text("hello")
    np.savez(tmp_path / "foreign.npz", a=np.zeros(3))
    np.savez(tmp_path / "newer.npz", card=np.array(_newer(card)))
    np.savez(tmp_path / "pickled.npz", card=np.array([object()], dtype=object))
    for name in ("cut", "text", "foreign", "newer", "pickled", "absent"):
        with pytest.raises(OracleError):
            load_oracle(tmp_path / f"{name}.npz")
    (tmp_path / "model.pt").write_text("")
    with pytest.raises(OracleError, match="not a kind of oracle file"):
        load_oracle(tmp_path / "model.pt")
    with pytest.raises(PolicyFileError):
        load_oracle(tmp_path / "absent.json")


def _newer(card):
    import msgspec

    return msgspec.json.encode(card).decode().replace(FORMAT, "glasstree-oracle-9")


@pytest.mark.parametrize("name", [name for name in AT_LEAST if name != "lunarlander"])
def test_cards_tell_the_truth(name):
    score = oracle_card(name).score
    found = evaluate(load_oracle(name), name, episodes=score.episodes)
    chance = 4.0 * score.episode_sd / np.sqrt(score.episodes)  # arms are chaotic, processors differ
    assert found.mean_reward == pytest.approx(score.mean_reward, abs=chance + 1e-9)
    assert found.success_rate == pytest.approx(score.success_rate, abs=0.02)
