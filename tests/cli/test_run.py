"""`glasstree run`: CartPole from network to rule, as a user sees it."""

import json
import tomllib
from pathlib import Path

from commands import Command
from glasstree.formats import to_text
from glasstree.policy import load

PAPER = ("run", "cartpole", "--recipe", "paper")


def test_cartpole_becomes_a_few_rules_that_never_fail(glasstree: Command, tmp_path: Path) -> None:
    glasstree("run", "cartpole", "--out", tmp_path / "run", "--json")
    metrics = json.loads((tmp_path / "run" / "metrics.json").read_text())
    policy = load(tmp_path / "run" / "policy.json")
    assert policy.n_rules <= 2
    assert policy.n_rules == metrics["rules"]
    assert metrics["success_rate"] == 1.0
    assert metrics["episodes"] == 1000
    assert metrics["mean_reward"] == 200.0
    assert metrics["test_accuracy"] > 0.9


def test_the_same_seed_gives_byte_identical_policies(
    glasstree: Command, cartpole_run: Path, tmp_path: Path
) -> None:
    answer = glasstree(*PAPER, "--workers", 1, "--out", tmp_path / "again", "--json")
    assert answer.code == 0
    for name in ("policy.json", "open_loop.json", "closed_loop.json", "train.npz", "config.toml"):
        assert (tmp_path / "again" / name).read_bytes() == (cartpole_run / name).read_bytes()


def test_another_seed_is_another_run_with_the_same_success(
    glasstree: Command, cartpole_run: Path, tmp_path: Path
) -> None:
    answer = glasstree(*PAPER, "--seed", 1, "--out", tmp_path / "other", "--json")
    figures = json.loads(answer.out)
    assert (figures["seed"], figures["success_rate"]) == (1, 1.0)
    assert (tmp_path / "other" / "policy.json").read_bytes() != (
        cartpole_run / "policy.json"
    ).read_bytes()


def test_a_finished_run_can_be_resumed_for_its_table(
    glasstree: Command, cartpole_run: Path
) -> None:
    before = (cartpole_run / "policy.json").read_bytes()
    answer = glasstree(*PAPER, "--out", cartpole_run, "--resume")
    assert answer.code == 0
    assert (cartpole_run / "policy.json").read_bytes() == before
    for words in ("oracle", "open loop", "closed loop", "re-engineered", "100.0 %", "200.00"):
        assert words in answer.out
    assert to_text(load(cartpole_run / "policy.json")).strip() in answer.out
    assert "In normalised variables" in answer.out
    assert "In original units" in answer.out
    assert f"glasstree evaluate {cartpole_run / 'policy.json'}" in answer.out
    for stage in ("collect", "evaluate"):
        assert stage in answer.err


def test_the_configuration_is_written_beside_the_results(cartpole_run: Path) -> None:
    config = tomllib.loads((cartpole_run / "config.toml").read_text())
    assert (config["task"], config["oracle"]) == ("cartpole", "cartpole")
    assert config["options"]["seed"] == 0
    assert config["options"]["growth"]["solver"]["name"] == "ScanSolver"
