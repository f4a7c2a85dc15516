"""Shortening drops what the reward does not need, and nothing that it needs."""

from dataclasses import replace
from pathlib import Path

import pytest

from glasstree.closedloop import ReoptimisationOptions, ShorteningOptions, reoptimise, shorten
from glasstree.closedloop.shortening import retune
from glasstree.policy import PolicyTree, Rule, load
from glasstree.rollout import evaluate
from glasstree.runs import Keeper
from toys import LAMP_TASK, lamp_tree

QUICK = ShorteningOptions(trials=5, retunings=2, generations=3, episodes=50, choosing_episodes=100)
SEARCH = ReoptimisationOptions(
    generations=3, population=8, episodes=5, racing_episodes=20, choosing_episodes=50
)


def with_rule(rule: Rule) -> PolicyTree:
    """Return the lamp's tree with another rule."""
    tree = lamp_tree()
    return tree.with_root(replace(tree.root, rule=rule))


LONG = with_rule(Rule([[1], [2], [-1]], [1.0, 0.01, -0.01], -1.5))
CURVED = with_rule(Rule([[1], [2]], [4.0, -1.0], -4.2))


def test_terms_that_change_nothing_are_dropped() -> None:
    short = shorten(LONG, LAMP_TASK, QUICK, SEARCH, seed=0)
    assert short.n_exponents == 1
    assert evaluate(short, LAMP_TASK, episodes=500).success_rate == 1.0


def test_several_terms_go_at_once_where_a_short_search_makes_up_for_them() -> None:
    at_once = replace(QUICK, trials=0, retunings=3, share=1.0)
    short = shorten(LONG, LAMP_TASK, at_once, SEARCH, seed=0)
    assert short.n_exponents == 1
    assert evaluate(short, LAMP_TASK, episodes=500).success_rate == 1.0


def test_what_the_reward_needs_stays() -> None:
    assert shorten(lamp_tree(), LAMP_TASK, QUICK, SEARCH, seed=0) == lamp_tree()


def test_a_price_on_size_may_cost_reward() -> None:
    bad = with_rule(Rule([[1], [2]], [1.0, 0.01], -1.5))
    trees = [bad, lamp_tree(-0.9)]
    few = replace(SEARCH, search="genetic", generations=1, trial_generations=1)
    assert reoptimise(trees, LAMP_TASK, few, seed=0).n_exponents == 2
    assert reoptimise(trees, LAMP_TASK, replace(few, price=1000.0), seed=0).n_exponents == 1


def test_retuning_never_returns_worse_weights() -> None:
    start = evaluate(CURVED, LAMP_TASK, episodes=500).mean_reward
    found = retune(CURVED, LAMP_TASK, SEARCH, 0)
    assert evaluate(found, LAMP_TASK, episodes=500).mean_reward >= start


def test_each_retuned_tree_is_kept_and_read_again(tmp_path: Path) -> None:
    at_once = replace(QUICK, trials=0, share=0.4)
    keep = Keeper(tmp_path)
    short = shorten(LONG, LAMP_TASK, at_once, SEARCH, 0, keep)
    kept = sorted((tmp_path / "shorter").glob("*.json"))
    assert [path.name for path in kept] == ["00.json", "01.json"]
    assert load(kept[0]).n_exponents == 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("glasstree.closedloop.shortening.retune", pytest.fail)
        assert shorten(LONG, LAMP_TASK, at_once, SEARCH, 0, keep) == short
