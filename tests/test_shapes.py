"""Valid JSON, TOML or arrays of the wrong kind are one sentence with the way out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import Command
from glasstree.data import Dataset
from glasstree.errors import OracleError, PolicyFileError, RunError
from glasstree.formats import export
from glasstree.oracles.files import read_oracle
from glasstree.policy.document import dumps, loads
from glasstree.runs.store import CURVE, PLAIN, STATE, open_store
from test_hostile_files import made_run
from test_runs import RACE, SETTINGS, begun, forbidden
from toys import lamp_tree, small_tree

WRONG = ["null", "[]", "{}", '"text"', "[[1]]", '{"best": 3}', "NaN", "1e999", "[" * 100_000]
REWARD = "rounds/00.reward.json"
RIGHT = {REWARD: "3.5", PLAIN: "[]", CURVE: "{}", STATE: "[]"}


@pytest.mark.parametrize(
    "name, content",
    [(name, content) for name, right in RIGHT.items() for content in WRONG if content != right],
)
def test_a_part_of_the_wrong_kind_is_named_with_the_way_out(
    tmp_path: Path, name: str, content: str
) -> None:
    folder = begun(tmp_path / "run")
    (folder / "rounds").mkdir()
    keep = open_store(folder, SETTINGS, resume=True)
    read: Callable[[], Any] = lambda: keep.figures(name, forbidden)  # noqa: E731
    (folder / name).write_text(RIGHT[name])
    assert read() == json.loads(RIGHT[name])
    (folder / name).write_text(content)
    with pytest.raises(RunError, match=r"is damaged: .*; remove .* and go on with --resume"):
        read()


@pytest.mark.parametrize("field", list(RACE))
def test_a_checkpoint_with_a_wrong_field_is_damaged(tmp_path: Path, field: str) -> None:
    folder = begun(tmp_path / "run")
    (folder / STATE).write_text(json.dumps([{**RACE, field: "text"}]))
    with pytest.raises(RunError, match=f"closed_loop.state.json is damaged: .*{field}"):
        open_store(folder, SETTINGS, resume=True).checkpoint(STATE)


def test_parts_of_different_sizes_do_not_fit(tmp_path: Path) -> None:
    keep = open_store(begun(tmp_path / "run"), SETTINGS, resume=True)
    keep.policy("open_loop.json", forbidden)
    with pytest.raises(RunError, match="has 2 variables and 3 actions, other parts of the run 1"):
        keep.policy("policy.json", small_tree)
    with pytest.raises(RunError, match=r"train\.npz has 2 variables"):
        keep.dataset("train.npz", lambda: Dataset.of([[1.0, 2.0]] * 2, [0, 1], 2))


@pytest.mark.parametrize(
    "line", ["task = 5", "oracle = []", "options = 3", "options = [1]", "task = 1979-05-27"]
)
def test_a_configuration_of_the_wrong_kind_is_no_run(
    glasstree: Command, tmp_path: Path, line: str
) -> None:
    folder = made_run(tmp_path / "run")
    text = (folder / "config.toml").read_text()
    name = line.split()[0]
    kept = [old for old in text.splitlines() if not old.startswith((name, f"[{name}"))]
    (folder / "config.toml").write_text("\n".join([line, *kept]))
    answer = glasstree("report", folder)
    assert answer.code == 2
    assert "holds no run" in answer.sentence
    with pytest.raises(RunError, match="is not a run"):
        open_store(folder, SETTINGS, overwrite=True)


@pytest.mark.parametrize("line", ['seed = "x"', "seed = -1", "seed = 99999999999", "episodes = 0"])
def test_options_of_the_wrong_kind_are_one_sentence(
    glasstree: Command, tmp_path: Path, line: str
) -> None:
    folder = made_run(tmp_path / "run")
    config = f'task = "cartpole"\noracle = "cartpole"\n[options]\n{line}\n'
    (folder / "config.toml").write_text(config)
    answer = glasstree("report", folder)
    assert answer.code == 2
    assert "config.toml is damaged" in answer.sentence


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "3",
        '{"stages": 3}',
        '{"stages": {"oracle": 3}}',
        '{"stages": {"open loop": {"mean_reward": "high"}}}',
        '{"closed_loop": [1]}',
        '{"closed_loop": {"best": "x"}}',
        '{"test_accuracy": 7}',
        '{"seconds": "long"}',
        '{"seconds": 1, "seconds": 2}',
    ],
)
def test_metrics_of_the_wrong_kind_are_one_sentence(
    glasstree: Command, tmp_path: Path, content: str
) -> None:
    folder = made_run(tmp_path / "run")
    (folder / "metrics.json").write_text(content)
    answer = glasstree("report", folder)
    assert answer.code == 2
    assert "metrics.json is damaged" in answer.sentence
    assert "go on with --resume" in answer.sentence
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize("data", ["[]", '{"rewards": 3}', '{"rewards": {"open loop": []}}'])
def test_a_page_of_the_wrong_kind_is_made_anew(
    glasstree: Command, tmp_path: Path, data: str
) -> None:
    folder = made_run(tmp_path / "run")
    page = f'<script type="application/json" id="data">{data}</script>'
    (folder / "report.html").write_text(page)
    assert glasstree("report", folder).code == 0
    assert glasstree("report", folder).code == 0


def card() -> str:
    """Return the card of a trained network as text."""
    return json.dumps(
        {"task": "x", "algorithm": "x", "hyperparameters": {}, "steps": 1, "seed": 0, "date": ""}
    )


NETWORK = {"weight0": np.ones((2, 1)), "bias0": np.ones(2), "activation": "tanh"}
NETWORK |= {"meaning": "values", "card": card()}
TILES = {"tiles": np.ones((2, 1, 3, 3)), "bounds": [[0.0, 0.0], [1.0, 1.0]], "card": card()}


CHANGES: list[dict[str, Any]] = [
    *({"weight0": value} for value in (["a"], 1j, [[np.nan]] * 2, np.zeros((2, 0)), 3.0)),
    *({"bias0": value} for value in (["a"], [np.inf, 0.0], [True, False], None)),
    *({"bounds": value} for value in (3.0, [1.0], [["a"] * 2] * 2, [[-np.inf] * 2, [1.0] * 2])),
    *({"tiles": value} for value in (3.0, ["a"], np.ones((2, 0, 3, 3)), np.ones((1, 1, 2, 3)))),
    *({"card": value} for value in (3, "[]", "{", '{"task": 1}', card()[:-1] + ', "seed": 1}')),
    *({"activation": value} for value in (3, "sine", ["tanh"], None)),
    *({"meaning": value} for value in ("gossip", 3.0)),
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_an_oracle_of_the_wrong_kind_is_one_sentence(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    right: dict[str, Any] = TILES if {"tiles", "bounds"} & set(change) else NETWORK
    path = tmp_path / "oracle.npz"
    np.savez(path, **right)
    read_oracle(path)
    np.savez(path, **{key: v for key, v in {**right, **change}.items() if v is not None})
    with pytest.raises(OracleError, match=str(path)) as caught:
        read_oracle(path)
    assert "\n" not in str(caught.value)


def test_negative_counts_are_refused() -> None:
    document = json.loads(dumps(lamp_tree()))
    document["tree"]["counts"] = [5, -5]
    with pytest.raises(PolicyFileError, match=">= 0"):
        loads(json.dumps(document))
    document["tree"]["counts"] = [0, 0]
    assert "<svg" in str(export(loads(json.dumps(document)), "svg"))


@pytest.mark.parametrize("key", ['"version": 2', '"bias": -1.5', '"light": 1'])
def test_a_key_that_stands_there_twice_is_refused(key: str) -> None:
    text = dumps(lamp_tree())
    assert text.count(key) == 1
    with pytest.raises(PolicyFileError, match="appears twice"):
        loads(text.replace(key, f"{key}, {key}"))
