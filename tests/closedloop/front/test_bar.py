"""What a policy must be worth to be taken, and when a candidate is behind."""

import numpy as np
import pytest

from glasstree.closedloop.front.archive import is_behind
from glasstree.closedloop.front.choice import bar
from glasstree.closedloop.options import ReoptimisationOptions
from glasstree.episodes.evaluation import Performance


def played(mean: float, deviation: float = 0.0, success: float | None = None) -> Performance:
    """Return the figures of 100 episodes."""
    ends = (mean, mean)
    return Performance(mean, deviation, None, ends, success, 100, 7.0, rewards=np.zeros(0))


@pytest.mark.parametrize(
    ("deviation", "oracle", "expected"),
    [
        (0.0, 50.0, 99.0),  # a hundredth of what is better than random actions
        (20.0, 50.0, 96.0),  # two standard errors are more
        (20.0, 110.0, 106.0),  # the oracle is better than the best
    ],
)
def test_the_bar_is_a_margin_below_the_better_of_best_and_oracle(
    deviation: float, oracle: float, expected: float
) -> None:
    found = bar(played(100.0, deviation), played(oracle), played(0.0), ReoptimisationOptions())
    assert found == pytest.approx(expected)


def test_success_has_a_bar_of_its_own() -> None:
    best, oracle, none = played(1.0, 900.0, 0.9), played(1.0, 0.0, 0.5), played(1.0, 0.0, 0.0)
    search = ReoptimisationOptions(objective="success")
    assert bar(best, oracle, none, search) == pytest.approx(0.9 - 2.0 * 0.3 / 10.0)


def test_failures_count_for_best_and_oracle_and_not_in_the_margin() -> None:
    best, oracle, none = played(100.0, 0.0, 0.9), played(101.0, 0.0, 0.5), played(0.0, 0.0, 0.0)
    assert bar(best, oracle, none, ReoptimisationOptions()) == pytest.approx(101.0 - 1.0)
    search = ReoptimisationOptions(failure_cost=100.0)
    assert bar(best, oracle, none, search) == pytest.approx(90.0 - 1.0)


def test_who_is_worse_by_more_than_the_errors_is_behind() -> None:
    old, step = np.zeros(4), np.array([1.0, -1.0, 1.0, -1.0])
    assert is_behind(step - 0.6, old)
    assert not is_behind(step - 0.4, old)
    assert not is_behind(step - 0.6, old, errors=2.0)
    assert not is_behind(step + 0.6, old)
