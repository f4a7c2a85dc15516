"""What users may put in the place of a default: pymoo's algorithms, weights by value gap."""

from typing import Literal

import numpy as np
import pytest
from pymoo.algorithms.soo.nonconvex.cmaes import CMAES
from pymoo.algorithms.soo.nonconvex.de import DE
from pymoo.algorithms.soo.nonconvex.pso import PSO

from glasstree.closedloop import ReoptimisationOptions, reoptimise
from glasstree.data import AggregationOptions, Dataset, aggregate
from glasstree.data.aggregation import is_weighted, value_gaps
from glasstree.episodes import evaluate
from glasstree.errors import OptionError
from glasstree.oracles.function import FunctionOracle
from glasstree.oracles.network import NetworkOracle
from glasstree.policy import PolicyTree
from glasstree.runs.store import RunStore
from toys import LAMP_TASK, lamp_oracle, lamp_tree

NETWORK = NetworkOracle([[[-1.0], [1.0]]], [[0.0, 0.0]], meaning="values")


@pytest.mark.parametrize(
    "algorithm", [DE(pop_size=20), PSO(pop_size=20), CMAES()], ids=["DE", "PSO", "CMAES"]
)
def test_any_algorithm_of_pymoo_may_search(algorithm: object) -> None:
    options = ReoptimisationOptions(
        search=algorithm, generations=30, racing_episodes=50, choosing_episodes=100
    )
    better = reoptimise(lamp_tree(-0.9), LAMP_TASK, options, seed=0)
    assert evaluate(better, LAMP_TASK, episodes=500).success_rate == 1.0
    assert reoptimise(lamp_tree(-0.9), LAMP_TASK, options, seed=0) == better


def test_an_unknown_search_or_objective_is_refused() -> None:
    with pytest.raises(OptionError, match="did you mean 'success'"):
        ReoptimisationOptions(objective="sucess")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="did you mean 'genetic'"):
        ReoptimisationOptions(search="genetics")


def test_states_count_by_what_is_at_stake() -> None:
    gaps = value_gaps(NETWORK, np.array([[0.0], [0.5], [1.0]]))
    assert gaps == pytest.approx([0.0, 1.0, 2.0], abs=1e-6)
    with pytest.raises(OptionError, match="tells actions alone"):
        value_gaps(FunctionOracle(lamp_oracle), np.array([[0.0]]))


@pytest.mark.parametrize(("meaning", "weighted"), [("values", True), ("probabilities", False)])
def test_without_a_word_oracles_that_tell_values_are_weighted(
    meaning: Literal["values", "probabilities"], weighted: bool
) -> None:
    oracle = NetworkOracle([[[-1.0], [1.0]]], [[0.0, 0.0]], meaning=meaning)
    assert is_weighted(oracle, AggregationOptions()) == weighted
    assert not is_weighted(oracle, AggregationOptions(weighting=False))


@pytest.mark.parametrize("weighting", [False, True])
def test_growth_sees_the_weights_where_that_is_wanted(weighting: bool) -> None:
    seen: list[Dataset] = []

    def grow(data: Dataset, number: int) -> PolicyTree:
        seen.append(data)
        return lamp_tree()

    options = AggregationOptions(rounds=1, first=50, added=20, episodes=5, weighting=weighting)
    aggregate(NETWORK, LAMP_TASK, grow, options, 0, RunStore())
    assert [len(data) for data in seen] == [50, 70]
    assert all((data.weights is not None) == weighting for data in seen)
    if weighting:
        means = [data.weights.mean() for data in seen if data.weights is not None]
        assert means == pytest.approx([1.0, 1.0])
