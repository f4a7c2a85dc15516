"""The card of a run says what the run's files say."""

import hashlib
from pathlib import Path

import pytest
import yaml

import glasstree as gt
from commands import Command
from glasstree.errors import RunError


def test_a_card_tells_rules_figures_proofs_and_how_to_make_them_again(
    cartpole_run: Path, tmp_path: Path
) -> None:
    path = gt.card(cartpole_run, tmp_path / "card.md")
    text, run = path.read_text(), gt.open_run(cartpole_run)
    assert gt.to_text(run.policy).strip() in text
    figures = run.metrics
    low, high = figures["ci95"]
    assert f"| these rules | {figures['mean_reward']:,.2f} | {low:,.2f} to {high:,.2f} |" in text
    assert f"| the oracle | {figures['stages']['oracle']['mean_reward']:,.2f} |" in text
    assert hashlib.sha256((cartpole_run / "policy.json").read_bytes()).hexdigest() in text
    assert "glasstree run --config config.toml" in text
    assert "the pole never falls" in text
    assert "- theta: " in text


def test_hubs_can_read_its_header(cartpole_run: Path, tmp_path: Path) -> None:
    text = gt.card(cartpole_run, tmp_path / "card.md").read_text()
    header = yaml.safe_load(text.split("---")[1])
    (model,) = header["model-index"]
    assert model["name"] == "cartpole"
    (result,) = model["results"]
    assert result["metrics"][0]["value"] == pytest.approx(
        gt.open_run(cartpole_run).metrics["mean_reward"], rel=1e-5
    )


def test_the_command_writes_the_same(
    cartpole_run: Path, tmp_path: Path, glasstree: Command
) -> None:
    out = tmp_path / "card.md"
    answer = glasstree("card", str(cartpole_run), "--out", str(out), "--json")
    assert answer.code == 0
    assert out.read_bytes() == gt.card(cartpole_run, tmp_path / "other.md").read_bytes()


def test_a_run_that_is_not_finished_has_no_card(cartpole_run: Path, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes((cartpole_run / "config.toml").read_bytes())
    with pytest.raises(RunError):
        gt.card(tmp_path)
    assert not (tmp_path / "card.md").exists()
