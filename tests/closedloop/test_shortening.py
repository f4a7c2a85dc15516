"""Shortening drops what the reward does not need, and nothing that it needs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from glasstree.closedloop import ReoptimisationOptions, ShorteningOptions, reoptimise, shorten
from glasstree.closedloop.shortening import retune, shorter_rules
from glasstree.episodes import Purpose, episode_seeds, evaluate
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split, load
from glasstree.runs import RunStore
from glasstree.tasks.base import Environment, Task
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


class LedgerEnv(gymnasium.Env[Any, Any]):
    """Two switches; who does not answer "is one of them on?" wins or loses 1 by turns, less a loss.

    The number of the episode decides the switches and the turn.
    """

    observation_space = gymnasium.spaces.Box(0.0, 1.0, (2,))
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, loss: float, choosing_loss: float) -> None:
        self.losses = loss, choosing_loss

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Set the switches."""
        assert seed is not None
        self.switches = np.array([seed & 1, seed >> 1 & 1], dtype=np.float64)
        self.other = (1.0 if seed >> 2 & 1 else -1.0) - self.losses[seed in CHOOSING]
        return self.switches, {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Pay."""
        right = action == self.switches.max()
        return self.switches, 0.0 if right else self.other, True, False, {}


CHOOSING = set(episode_seeds(Purpose.CHOOSE, 0, 400).tolist())
LEDGER = "glasstree-tests/Ledger-v0"
if LEDGER not in gymnasium.registry:
    gymnasium.register(LEDGER, entry_point=LedgerEnv)

EITHER = PolicyTree(
    Split(Rule([[1, 0], [0, 1]], [1.0, 1.0], -2.6), Leaf(0), Leaf(1)),
    Scaling([0.0, 0.0], [1.0, 1.0]),
    ("a", "b"),
    ("no", "yes"),
)
# without one switch a quarter of the answers change: a standard error is 0.5 / 20, and a loss of
# 0.1 in each of them is one
WITHOUT_SEARCH = ShorteningOptions(trials=3, retunings=0, episodes=400, choosing_episodes=400)


def ledger(loss: float, choosing_loss: float) -> Task:
    """Return the task with these losses."""
    losses = {"loss": loss, "choosing_loss": choosing_loss}
    return Task("ledger", "", Environment(LEDGER, 1, losses), ("a", "b"), ("", ""), ("no", "yes"))


@pytest.mark.parametrize(
    "loss, choosing_loss, exponents",
    [
        (0.0, 0.0, 1),
        (0.04, 0.0, 1),
        (0.06, 0.0, 2),
        (0.0, 0.04, 1),
        (0.0, 0.06, 2),
        (1.0, 1.0, 2),
    ],
)
def test_a_drop_may_lose_half_a_standard_error_when_tried_and_when_checked(
    loss: float, choosing_loss: float, exponents: int
) -> None:
    task = ledger(loss, choosing_loss)
    assert shorten(EITHER, task, WITHOUT_SEARCH, SEARCH, seed=0).n_exponents == exponents


def test_the_least_missed_term_goes_first() -> None:
    mostly_a = EITHER.with_parameters(np.array([1.0, 0.01, -1.5, 0.0]))
    once = replace(WITHOUT_SEARCH, trials=1)
    short = shorten(mostly_a, ledger(0.0, 0.0), once, SEARCH, seed=0)
    assert short.splits()[0].rule.exponents.tolist() == [[1, 0]]


def test_a_price_on_size_may_cost_reward() -> None:
    bad = with_rule(Rule([[1], [2]], [1.0, 0.01], -1.5))
    trees = [bad, lamp_tree(-0.9)]
    few = replace(SEARCH, search="genetic", generations=1, trial_generations=1)
    assert reoptimise(trees, LAMP_TASK, few, seed=0).n_exponents == 2
    assert reoptimise(trees, LAMP_TASK, replace(few, parsimony=1000.0), seed=0).n_exponents == 1


def test_retuning_never_returns_worse_weights() -> None:
    start = evaluate(CURVED, LAMP_TASK, episodes=500).mean_reward
    found = retune(CURVED, LAMP_TASK, SEARCH, 0)
    assert evaluate(found, LAMP_TASK, episodes=500).mean_reward >= start


def test_each_retuned_tree_is_kept_and_read_again(tmp_path: Path) -> None:
    at_once = replace(QUICK, trials=0, share=0.4)
    keep = RunStore(tmp_path)
    short = shorten(LONG, LAMP_TASK, at_once, SEARCH, 0, keep)
    kept = sorted((tmp_path / "shorter").glob("*.json"))
    assert [path.name for path in kept] == ["00.json", "01.json"]
    assert load(kept[0]).n_exponents == 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("glasstree.closedloop.shortening.retune", pytest.fail)
        assert shorten(LONG, LAMP_TASK, at_once, SEARCH, 0, keep) == short


def test_raw_rules_are_shortened_by_means_in_original_units() -> None:
    states = np.array([[10.0, 2.0], [30.0, 4.0]])
    rule = Rule([[1, 1], [1, 0]], [0.5, 3.0], -7.0, 0.25, raw=True)
    first, *_, last = shorter_rules(rule, states)
    assert first == Rule([[1, 0]], [3.0], -7.0 + 0.5 * 70.0, 0.25, raw=True)
    assert last == Rule([[1, 1]], [0.5], -7.0 + 3.0 * 20.0, 0.25, raw=True)
    assert all(found.raw and found.width == 0.25 for found in shorter_rules(rule, states))


def test_a_factor_of_a_raw_rule_that_is_always_zero_can_go() -> None:
    rule = Rule([[1, 1]], [0.5], -7.0, raw=True)
    found = list(shorter_rules(rule, np.array([[0.0, 2.0], [0.0, 4.0]])))
    assert [one.exponents.tolist() for one in found] == [[[0, 1]], [[1, 0]]]
    assert all(one.raw for one in found)


def test_raw_terms_that_change_nothing_are_dropped() -> None:
    long = with_rule(Rule([[1], [2], [3]], [1.0, 0.001, 0.002], 0.0, raw=True))
    short = shorten(long, LAMP_TASK, QUICK, SEARCH, seed=0)
    (rule,) = (split.rule for split in short.splits())
    assert rule.raw and rule.length == 1
    assert evaluate(short, LAMP_TASK, episodes=500).success_rate == 1.0
