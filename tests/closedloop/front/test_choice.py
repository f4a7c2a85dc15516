"""Which policy of a front is taken: words, numbers, and the bar."""

from dataclasses import replace

import numpy as np
import pytest

from glasstree.closedloop.front.choice import Front, RandomActions, Row, front_from, worth
from glasstree.closedloop.options import ReoptimisationOptions
from glasstree.episodes.evaluation import Performance
from glasstree.errors import OptionError
from toys import constant_tree, lamp_tree, small_tree


def performance(mean: float, success: float | None = None) -> Performance:
    """Figures of which one or two matter."""
    return Performance(mean, 0.0, None, (mean, mean), success, 100, 1.0, np.zeros(0))


def front(*means: float, bar: float = 8.0) -> Front:
    """The front of a constant, a rule and two rules."""
    trees = (constant_tree(), lamp_tree(), small_tree())
    rows = (
        Row(tree, performance(mean), performance(mean - 0.5), mean)
        for tree, mean in zip(trees, means, strict=True)
    )
    return Front(tuple(rows), bar)


def test_the_least_complex_that_reaches_the_bar_is_taken() -> None:
    found = front(1.0, 8.0, 9.0)
    assert found.pick().complexity == found[1].complexity == 5
    assert found.pick("default") is found[1]
    assert replace(found, bar=8.1).pick() is found[2]
    assert replace(found, bar=0.5).pick() is found[0]


def test_the_best_is_taken_where_none_reaches_the_bar() -> None:
    assert front(1.0, 9.0, 8.5, bar=10.0).pick().complexity == 5


def test_words_and_numbers_pick() -> None:
    found = front(1.0, 8.0, 9.0)
    assert found.pick("best") is found[2]
    assert found.pick("simplest") is found[0]
    assert [found.pick(size) for size in (1, "4", 5, "7")] == [found[0]] * 2 + [found[1]] * 2
    assert found.pick(1000) is found[2]


@pytest.mark.parametrize("word", ["worst", "", "-3", "1.5", "15 symbols"])
def test_other_words_are_one_sentence(word: str) -> None:
    with pytest.raises(OptionError, match="pick default, best, simplest, or give the most symbols"):
        front(1.0, 8.0, 9.0).pick(word)


def test_too_few_symbols_are_one_sentence() -> None:
    with pytest.raises(OptionError, match="no policy has at most 0 symbols; the simplest has 1"):
        front(1.0, 8.0, 9.0).pick(0)


def test_a_policy_is_worth_its_success_where_that_counts_and_is_known() -> None:
    known, unknown = performance(10.0, success=0.9), performance(10.0)
    rewards, successes = ReoptimisationOptions(), ReoptimisationOptions(objective="success")
    assert (worth(known, successes), worth(known, rewards)) == (0.9, 10.0)
    assert worth(unknown, successes) == 10.0


def test_a_policy_is_worth_less_where_it_fails() -> None:
    search = ReoptimisationOptions(failure_cost=20.0)
    assert worth(performance(10.0, success=0.9), search) == pytest.approx(8.0)
    assert worth(performance(10.0), search) == 10.0


def test_the_table_is_read_as_it_was_written() -> None:
    found = front(1.0, 8.0, 9.0)
    again = front_from(found.figures(), [row.policy for row in found])
    assert again == found
    table = found.figures()["policies"]
    assert [row["worth"] for row in table] == [1.0, 8.0, 9.0]
    assert [row["mean_reward"] for row in table] == [0.5, 7.5, 8.5]
    assert [row["complexity"] for row in table] == [1, 5, small_tree().complexity]
    assert found[1].first_rule == "light <= 0"
    assert len(found[:2]) == 2 and len(found) == 3


def test_random_actions_are_all_of_them_and_the_same_for_a_seed() -> None:
    states = np.zeros((300, 2))
    drawn = RandomActions(3, seed=1).actions(states)
    assert sorted(set(drawn.tolist())) == [0, 1, 2]
    assert (drawn == RandomActions(3, seed=1).actions(states)).all()
    assert (drawn != RandomActions(3, seed=2).actions(states)).any()
