"""Re-optimisation makes control better, never worse, and only its seed decides how."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from glasstree import progress
from glasstree.closedloop import ReoptimisationOptions, reoptimise
from glasstree.closedloop.parameters import free_parameters, normalised_parameters, step_sizes
from glasstree.episodes import evaluate
from glasstree.errors import OptionError
from glasstree.parallel import using_workers
from glasstree.policy import Leaf, Rule, Split
from glasstree.runs.store import RunStore
from toys import LAMP_TASK, SLOW_LAMP_TASK, STEPS, constant_tree, lamp_tree, small_tree

QUICK = ReoptimisationOptions(generations=15, racing_episodes=50, choosing_episodes=100)
GENETIC = replace(QUICK, search="genetic", population=24, generations=8)
BAD = -0.9


@pytest.mark.parametrize("options", [QUICK, GENETIC], ids=["covariance", "genetic"])
def test_a_bad_rule_for_two_states_becomes_perfect(options: ReoptimisationOptions) -> None:
    assert evaluate(lamp_tree(BAD), LAMP_TASK, episodes=200).mean_reward < 3
    keep = RunStore()
    better = reoptimise(lamp_tree(BAD), LAMP_TASK, options, 0, keep)
    assert evaluate(better, LAMP_TASK, episodes=1000).success_rate == 1.0
    best, mean = keep.curve()["best"], keep.curve()["mean"]
    assert best[-1] == STEPS
    assert best == sorted(best)
    assert len(best) == len(mean) <= options.generations


def test_success_is_an_objective_too() -> None:
    better = reoptimise(lamp_tree(BAD), LAMP_TASK, replace(QUICK, objective="success"), seed=0)
    assert evaluate(better, LAMP_TASK, episodes=1000).success_rate == 1.0


def test_the_best_of_several_trees_wins() -> None:
    trees = [constant_tree(), lamp_tree(BAD), lamp_tree()]
    better = reoptimise(trees, LAMP_TASK, replace(QUICK, trial_generations=2), seed=0)
    assert evaluate(better, LAMP_TASK, episodes=500).success_rate == 1.0


def test_it_works_without_a_compiled_twin_and_agrees_with_it() -> None:
    few = ReoptimisationOptions(
        generations=3, population=8, episodes=4, racing_episodes=10, choosing_episodes=20
    )
    fast = reoptimise(lamp_tree(BAD), LAMP_TASK, few, seed=1)
    slow = reoptimise(lamp_tree(BAD), SLOW_LAMP_TASK, few, seed=1)
    assert fast == slow


def test_the_seed_decides_and_the_number_of_workers_does_not() -> None:
    one = reoptimise(lamp_tree(BAD), LAMP_TASK, QUICK, seed=5)
    with using_workers(3):
        assert reoptimise(lamp_tree(BAD), LAMP_TASK, QUICK, seed=5) == one
    assert reoptimise(lamp_tree(BAD), LAMP_TASK, QUICK, seed=6) != one


def test_a_perfect_tree_is_left_alone() -> None:
    tree = lamp_tree()
    assert reoptimise(tree, LAMP_TASK, QUICK, seed=0) is tree


def test_a_policy_without_rules_has_nothing_to_optimise() -> None:
    found = reoptimise(constant_tree(), LAMP_TASK, QUICK, seed=0)
    assert found == constant_tree()


def test_the_first_tree_stays_where_no_other_is_worth_its_price() -> None:
    dear = replace(QUICK, generations=1, parsimony=1000.0)
    found = reoptimise([constant_tree(), lamp_tree(BAD)], LAMP_TASK, dear, seed=0)
    assert found == constant_tree()


def test_listeners_hear_every_generation() -> None:
    heard: list[progress.Event] = []
    keep = RunStore()
    with progress.listening(heard.append):
        reoptimise(lamp_tree(BAD), LAMP_TASK, QUICK, 0, keep)
    steps = [event for event in heard if isinstance(event, progress.Advance)]
    best = keep.curve()["best"]
    assert [event.step for event in steps] == list(range(1, len(best) + 1))
    assert [event.figures["best reward"] for event in steps] == best


@pytest.mark.parametrize("name", ["generations", "trees", "population", "episodes"])
def test_a_budget_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match="at least"):
        ReoptimisationOptions(**{name: 0})  # type: ignore[arg-type]


def test_widths_are_free_only_inside_a_modulus() -> None:
    # three weights, two biases, two widths of which the second rule's alone counts
    assert free_parameters(small_tree()).tolist() == [True] * 5 + [False, True]


def test_normalising_parameters_keeps_every_decision() -> None:
    tree = small_tree()
    states = np.random.default_rng(0).uniform([-20, -15], [60, 65], (2000, 2))
    scaled = tree.with_parameters(7.5 * tree.parameters())
    again = scaled.with_parameters(normalised_parameters(scaled, scaled.parameters()))
    assert again.actions(states).tolist() == tree.actions(states).tolist()
    for split in again.splits():
        rule = split.rule
        assert max(np.abs(rule.weights).max(), abs(rule.bias), rule.width or 0.0) == 1.0


LIGHTS = np.tile([[-1.0], [1.0]], (50, 1))


def test_steps_are_positive_and_one_a_parameter() -> None:
    steps = step_sizes(lamp_tree(), LIGHTS)
    assert steps.shape == lamp_tree().parameters().shape
    assert (steps > 0).all()


def test_steps_of_a_raw_rule_follow_its_units() -> None:
    def steps(factor: float) -> Any:
        rule = Rule([[1], [2]], [factor, 0.5 * factor], 0.0, raw=True)
        return step_sizes(lamp_tree().with_root(Split(rule, Leaf(0), Leaf(1))), LIGHTS)

    found = steps(1.0)
    # the lamp is -1 or 1, so that it spreads by 1, and its square, always 1, does not
    assert found[:3] == pytest.approx([0.15 / 1.05, 0.15 / 0.05, 0.15], rel=0.02)
    assert steps(1e-12) == pytest.approx(1e-12 * found, rel=1e-9), "no constant has a say"


def test_normalising_a_raw_rule_leaves_its_largest_weight_alone() -> None:
    rule = Rule([[1, 0], [0, 1]], [0.25604, 0.19778], -7.6926, 2.0, raw=True)
    tree = small_tree().with_root(Split(rule, Leaf(0), Leaf(1)))
    again = tree.with_parameters(normalised_parameters(tree, tree.parameters()))
    (found,) = (split.rule for split in again.splits())
    assert found.raw and found.weights[0] == 1.0
    assert found.bias == pytest.approx(-7.6926 / 0.25604)
    assert found.width == pytest.approx(2.0 / 0.25604)
