"""Collected data is what the oracle saw and did."""

import numpy as np
import pytest

from glasstree.data import collect
from glasstree.episodes import Purpose
from glasstree.errors import DataError, OptionError
from glasstree.oracles import load_oracle
from glasstree.tasks import get_task
from toys import LAMP_TASK, lamp_oracle


@pytest.mark.parametrize("kind", ["regular", "balanced"])
def test_states_carry_the_oracles_actions(kind: str) -> None:
    data = collect(load_oracle(lamp_oracle), LAMP_TASK, 500, kind)  # type: ignore[arg-type]
    assert data.states.shape == (500, 1)
    assert np.array_equal(data.actions, lamp_oracle(data.states))
    if kind == "balanced":
        assert data.counts.tolist() == [250, 250]


def test_a_rare_action_is_looked_for_and_made_up_by_others() -> None:
    task = get_task("cartpole")
    rare = load_oracle(lambda states: (states[:, 3] > 0.55).astype(int))
    plain = collect(rare, task, 400, "regular").counts
    assert collect(rare, task, 400, "balanced").counts.min() > plain.min()


def test_purposes_see_other_episodes_and_seeds_repeat_themselves() -> None:
    task, oracle = get_task("cartpole"), load_oracle("cartpole")
    train = collect(oracle, task, 300, seed=4)
    again = collect(oracle, task, 300, seed=4)
    test = collect(oracle, task, 300, seed=4, purpose=Purpose.HELD_BACK)
    assert train.states.tobytes() == again.states.tobytes()
    assert not set(map(tuple, train.states)) & set(map(tuple, test.states))


def test_one_action_only_is_refused() -> None:
    always = load_oracle(lambda states: np.ones(len(states), dtype=int))
    with pytest.raises(DataError, match=r"took action 'on' in all of .* give another oracle"):
        collect(always, LAMP_TASK, 50)


def test_no_data_is_refused() -> None:
    with pytest.raises(OptionError, match="at least 2 states"):
        collect(load_oracle(lamp_oracle), LAMP_TASK, 1)
