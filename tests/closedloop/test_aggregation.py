"""Rounds of aggregation: the best comes first, prices differ, and what is at stake counts."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from glasstree.closedloop import ReengineeringOptions, ReoptimisationOptions
from glasstree.compiled import kernel
from glasstree.data import AggregationOptions, Dataset, aggregate
from glasstree.data.aggregation import value_gaps
from glasstree.openloop import GrowthOptions, ParsimoniousSearch, Solver
from glasstree.openloop.lower.structure import NodeData
from glasstree.openloop.upper.candidate import Candidate
from glasstree.oracles.function import FunctionOracle
from glasstree.oracles.network import NetworkOracle
from glasstree.pipeline import run_stages
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats
from glasstree.runs.store import RunStore
from glasstree.tasks.twins import STEP, Simulator
from toys import LAMP_TASK, lamp_oracle, lamp_tree, little, observe

PLAIN = ParsimoniousSearch(terms=1, starts=1, population=4, generations=1, refinements=0)
FEW = ReoptimisationOptions(
    generations=1, population=4, episodes=2, racing_episodes=2, choosing_episodes=2
)
NOTHING = ReengineeringOptions(states=2, episodes=0)


def point(generator: np.random.Generator) -> Floats:
    """Draw where the dial points first."""
    return generator.uniform(-1.0, 1.0, 1)


def turns(generator: np.random.Generator, steps: int) -> Floats:
    """Draw where the dial points later."""
    return generator.uniform(-1.0, 1.0, (steps, 1))


@kernel(STEP)
def turn(state: Floats, action: int, noise: Floats, parameters: Floats) -> tuple[float, bool]:
    """Point anywhere, whatever is done."""
    state[0] = noise[0]
    return 1.0, False


DIAL_TASK = replace(
    LAMP_TASK, name="dial", success=None, simulator=Simulator(point, turn, observe, turns)
)


def inverted() -> PolicyTree:
    """A rule that is always wrong."""
    tree = lamp_tree()
    return tree.with_parameters(-tree.parameters())


def test_the_tree_that_controls_best_comes_first() -> None:
    rounds = [lamp_tree(-0.9), lamp_tree(), inverted()]

    def grow(data: Dataset, number: int) -> PolicyTree:
        return rounds[number]

    options = AggregationOptions(rounds=2, first=50, added=20, episodes=10)
    found = aggregate(FunctionOracle(lamp_oracle), LAMP_TASK, grow, options, 0, RunStore())
    assert found.trees == [rounds[1], rounds[0], rounds[2]]


class Pricing(ParsimoniousSearch):
    """A search that notes the price of an exponent."""

    prices: list[float] = []  # noqa: RUF012

    def find(self, data: NodeData, solver: Solver, generator: np.random.Generator) -> Candidate:
        """Note the price and search."""
        self.prices.append(self.parsimony)
        return super().find(data, solver, generator)


def test_short_and_long_rules_compete() -> None:
    Pricing.prices.clear()
    options = little(
        samples=50,
        episodes=2,
        growth=GrowthOptions(max_depth=1, search=Pricing(parsimony=0.01)),
        aggregation=AggregationOptions(rounds=3, first=50, added=20, episodes=2),
        closed_loop=FEW,
        reengineering=NOTHING,
    )
    run_stages(LAMP_TASK, lamp_oracle, options)
    assert Pricing.prices == pytest.approx([0.01, 0.004, 0.0015, 0.01])


def dial_oracle(heights: list[float]) -> NetworkOracle:
    """Tell values whose difference runs through the given heights at -1, -0.75, ... 1."""
    knots = np.linspace(-1.0, 1.0, 9)
    bends = np.diff(np.diff(heights) * 4, prepend=0.0)
    hidden = (np.ones((8, 1)), -knots[:-1])
    output = (np.vstack([np.zeros(8), bends]), np.array([0.0, heights[0]]))
    return NetworkOracle(*zip(hidden, output, strict=True), activation="relu", meaning="values")


@pytest.mark.parametrize("light, edge", [(-0.25, 0.5), (0.25, -0.5)])
def test_a_rule_is_right_where_more_is_at_stake(light: float, edge: float) -> None:
    sides = [-1.0, -1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 1.0]
    sides[3 if light < 0 else 5] *= 0.02
    oracle = dial_oracle(sides)
    seen = oracle.actions([[-0.6], [-0.4], [-0.1], [0.1], [0.4], [0.6]])
    assert seen.tolist() == [0, 1, 1, 0, 0, 1]
    options = little(
        samples=50,
        episodes=2,
        growth=GrowthOptions(max_depth=1, search=PLAIN),
        aggregation=AggregationOptions(rounds=0, first=400, added=2, episodes=2),
        closed_loop=FEW,
        reengineering=NOTHING,
    )
    tree = run_stages(DIAL_TASK, oracle, options).policies["open loop"]
    assert tree.actions([[edge - 0.1], [edge + 0.1]]).tolist() == [0, 1]
    assert tree.actions([[-0.9], [0.9]]).tolist() == [0, 1]


@pytest.mark.parametrize("data", ["dagger", "regular"])
def test_there_are_no_more_rules_than_are_allowed(data: Literal["dagger", "regular"]) -> None:
    stripes = dial_oracle([-1.0, -1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 1.0])
    options = little(
        data=data,
        samples=400,
        episodes=2,
        growth=GrowthOptions(max_depth=2, search=PLAIN),
        aggregation=AggregationOptions(rounds=0, first=400, added=2, episodes=2),
        closed_loop=FEW,
        reengineering=NOTHING,
    )
    lengths = [
        run_stages(DIAL_TASK, stripes, replace(options, rules=rules)).policies["open loop"].n_rules
        for rules in (1, 3)
    ]
    assert lengths[0] == 1 < lengths[1]


def test_what_is_at_stake_is_the_best_value_less_the_worst() -> None:
    oracle = NetworkOracle([[[2.0], [1.0]]], [[0.0, 4.0]], meaning="values")
    assert oracle.preferences([[1.0], [2.0]]).tolist() == [[2.0, 5.0], [4.0, 6.0]]
    assert value_gaps(oracle, np.array([[1.0], [2.0]])) == pytest.approx([1.2, 0.8])
