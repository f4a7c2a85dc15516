"""Rules from logs: Minari, CSV, Parquet and NPZ, judged by held-back episodes."""

import json
from typing import get_args

import numpy as np
import pytest

import glasstree as gt
from glasstree.data.logs import is_log, read_log
from glasstree.errors import DataError, OptionError, RunError
from glasstree.options import Data

STATES = np.random.default_rng(0).uniform(-1.0, 1.0, (400, 2))
BRAKE = (STATES[:, 0] + 0.5 * STATES[:, 1] > 0.1).astype(np.int64)
EPISODES = np.repeat(np.arange(20), 20)


@pytest.fixture
def npz(tmp_path):
    path = tmp_path / "log.npz"
    np.savez(
        path, states=STATES, actions=BRAKE, episodes=EPISODES,
        state_names=["gap", "speed"], action_names=["go", "brake"],
    )  # fmt: skip
    return path


def write_csv(path, header, *columns):
    rows = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_a_log_gives_rules_a_page_and_what_is_unknown(npz, tmp_path):
    found = gt.distill_log(npz, tmp_path / "run", depth=1)
    assert found.figures["test_accuracy"] > 0.95
    assert found.policy.action_names == ("go", "brake")
    kept = gt.load(tmp_path / "run" / "policy.json")
    assert kept == found.policy
    assert "gap" in gt.to_text(kept)
    assert "reward" in json.loads((tmp_path / "run" / "metrics.json").read_text())["unknown"]
    assert "Nothing was played" in (tmp_path / "run" / "report.html").read_text()
    with pytest.raises(RunError, match="--overwrite"):
        gt.distill_log(npz, tmp_path / "run", depth=1)


def test_whole_episodes_are_held_back(npz):
    train, test = read_log(str(npz)).held_back(4, seed=0)
    assert len(np.unique(test.episodes)) == 5
    assert not set(train.episodes) & set(test.episodes)
    assert len(train.states) + len(test.states) == 400


def test_a_csv_of_words_and_one_of_continuous_actions(tmp_path):
    words = np.array(["go", "brake"])[BRAKE]
    path = write_csv(tmp_path / "log.csv", "gap,speed,episode,action", *STATES.T, EPISODES, words)
    log = read_log(str(path))
    assert log.state_names == ("gap", "speed")
    assert log.action_names == ("brake", "go")
    assert (np.array(log.action_names)[log.actions] == words).all()
    pull = np.where(BRAKE, -2.0, 1.5)
    path = write_csv(tmp_path / "pull.csv", "gap,speed,action[pull],action_turn", *STATES.T, pull,
                     0 * pull)  # fmt: skip
    found = gt.distill_log(path, depth=1, levels=2)
    assert found.policy.action_names == ("pull = -2, turn = 0", "pull = 1.5, turn = 0")
    assert found.policy.levels.tolist() == [[-2.0, 0.0], [1.5, 0.0]]


def test_a_parquet_file_is_read_too(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"gap": STATES[:, 0], "speed": STATES[:, 1], "action": BRAKE})
    frame.to_parquet(tmp_path / "log.parquet")
    assert read_log(str(tmp_path / "log.parquet")).actions.tolist() == BRAKE.tolist()


@pytest.mark.filterwarnings("ignore:.*is set to None:UserWarning")
def test_a_minari_dataset_gives_a_policy(tmp_path, monkeypatch):
    minari = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    import gymnasium
    from minari.data_collector import EpisodeBuffer

    environment, buffers = gymnasium.make("CartPole-v1"), []
    for seed in range(12):
        states, actions = [environment.reset(seed=seed)[0]], []
        for _ in range(30):
            actions.append(int(states[-1][2] + 0.2 * states[-1][3] > 0))
            states.append(environment.step(actions[-1])[0])
        more = {"rewards": [1.0] * 30, "terminations": [False] * 30}
        buffers.append(
            EpisodeBuffer(
                id=seed, observations=np.array(states), actions=np.array(actions),
                truncations=[False] * 29 + [True], **more,
            )
        )  # fmt: skip
    minari.create_dataset_from_buffers("cartpole/made-v0", buffers, env=environment)
    environment.close()
    found = gt.distill_log("minari:cartpole/made-v0", tmp_path / "run", depth=1)
    assert found.policy.task == "CartPole-v1"
    assert found.figures["test_accuracy"] > 0.9
    again = gt.distill_log(tmp_path / "datasets" / "cartpole" / "made-v0", depth=1)
    assert again.policy == found.policy


def test_the_command(npz, tmp_path, glasstree):
    out = tmp_path / "run"
    shown = glasstree("run", "--data", str(npz), "--out", str(out), "--depth", "1").out
    assert "held-back states" in shown
    assert "unknown: Nothing was played" in shown
    assert "next:" in shown
    refused = glasstree("run", "--data", str(npz), "--minutes", "3")
    assert refused.code != 0
    assert "leave out --minutes" in refused.sentence


@pytest.mark.parametrize(
    "words",
    [
        *(("--terms", 2), ("--solver", "rga"), ("--parsimony", 0.1), ("--samples", 100)),
        *(("--actions", "a,b"), ("--success", "survived"), ("--step-limit", 9)),
        *(("--env-kwargs", "pump=1"), ("--import", "json"), ("--rules", 3), ("--resume",)),
    ],
    ids=lambda words: words[0],
)
def test_a_log_refuses_what_it_has_no_use_for(npz, tmp_path, glasstree, words):
    refused = glasstree("run", "--data", str(npz), "--out", tmp_path / "run", *words)
    assert refused.code == 2
    assert f"so leave out {words[0]}" in refused.sentence
    assert not (tmp_path / "run").exists()


def test_a_folder_that_is_called_like_a_kind_of_data_is_no_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (*get_args(Data), "others"):
        (tmp_path / name).mkdir()
        assert is_log(name) == (name == "others")


def test_logs_that_cannot_be_read(npz, tmp_path):
    with pytest.raises(DataError, match="no column 'action'"):
        read_log(str(write_csv(tmp_path / "a.csv", "gap,speed", *STATES.T)))
    with pytest.raises(DataError, match="no column for the state"):
        read_log(str(write_csv(tmp_path / "b.csv", "episode,action", EPISODES, BRAKE)))
    np.savez(tmp_path / "c.npz", states=STATES)
    with pytest.raises(DataError, match="'actions'"):
        read_log(str(tmp_path / "c.npz"))
    with pytest.raises(DataError, match="cannot read"):
        read_log(str(tmp_path / "missing.npz"))
    np.savez(tmp_path / "d.npz", states=STATES, actions=BRAKE[:5])
    with pytest.raises(DataError, match="400 states came with 5 actions"):
        read_log(str(tmp_path / "d.npz"))
    with pytest.raises(OptionError, match="as many names"):
        gt.distill_log(npz, state_names=["gap"])
