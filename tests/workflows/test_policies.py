"""Exports, explanations, edits and oracles, each by one call."""

from pathlib import Path

import pytest

import glasstree as gt
from glasstree.errors import ExportError, OptionError
from glasstree.oracles.training import SarsaOptions
from test_hostile_files import cartpole_tree
from toys import lamp_tree, small_tree


def test_an_export_is_checked_and_written(tmp_path: Path) -> None:
    found = gt.export(small_tree(), "python", tmp_path / "policy.py", states=200)
    assert found.check is not None
    assert found.check.equal
    assert (tmp_path / "policy.py").read_text() == found.content
    with pytest.raises(ExportError, match="choose another --out"):
        gt.export(small_tree(), "text", tmp_path)


def test_a_state_or_all_rules_are_explained() -> None:
    assert gt.explain(lamp_tree(), [1.0]).action == "on"
    assert len(gt.explain(small_tree()).rules) == 2


def test_an_edit_is_scored_beside_the_original(tmp_path: Path) -> None:
    tree = cartpole_tree()
    found = gt.edit(tree, ["2.action=left"], tmp_path / "new.json", episodes=20)
    assert found.scores is not None
    assert gt.load(tmp_path / "new.json") == found.policy != tree
    assert found.agreement < 1.0
    assert found.scores[0] == gt.evaluate(tree, "cartpole", episodes=20)
    assert found.scores[1] == gt.evaluate(found.policy, "cartpole", episodes=20)
    assert gt.edit(tree, ["2.action=left"], episodes=0).figures()["original"] is None
    with pytest.raises(OptionError, match="say what to change"):
        gt.edit(tree)


def test_an_oracle_is_trained_scored_and_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    options = SarsaOptions(total_steps=2000)
    found, card = gt.train_oracle("mountaincar", path, options=options, episodes=10)
    assert (found, card.task) == (path, "mountaincar")
    assert card.score is not None
    oracle = gt.load_oracle(path)
    assert gt.evaluate(oracle, "mountaincar", episodes=10).mean_reward == card.score.mean_reward
    with pytest.raises(OptionError, match="exists; choose another --out"):
        gt.train_oracle("mountaincar", path)


def test_a_deep_tree_is_cut(tmp_path: Path) -> None:
    budget = {"samples": 300, "episodes": 10, "data": "regular"}
    quick = gt.Options.for_task("cartpole", recipe="paper").closed_loop
    few = {"generations": 1, "population": 4, "episodes": 2, "choosing_episodes": 4}
    closed_loop = type(quick)(search="genetic", trees=1, racing_episodes=2, **few)  # type: ignore[arg-type]
    found = gt.cuts("cartpole", depths=(2, 1), depth=2, closed_loop=closed_loop, **budget)
    assert [cut.depth for cut in found] == [1, 2]
    for depths in ((0,), (3,), ()):
        with pytest.raises(OptionError, match="depths from 1 to 2"):
            gt.cuts("cartpole", depths=depths, depth=2)
