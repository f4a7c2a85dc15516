"""Thresholds of single variables are found without an oracle, whoever works."""

from dataclasses import replace

from closedloop.front.lamps import DARK, FEW, SEARCH, games
from closedloop.front.test_pairs import POOR, TASK
from glasstree.closedloop.front.thresholds import TUNED, find_thresholds
from glasstree.closedloop.front.tuning import Games
from glasstree.parallel import using_workers
from toys import STEPS


def test_a_threshold_makes_the_lamp_perfect() -> None:
    best = max(find_thresholds(DARK, games(), 100)[0], key=lambda entry: entry.mean)
    assert best.mean == STEPS and best.complexity == 5
    assert best.tree.actions([[-1.0], [1.0]]).tolist() == [0, 1]


def test_one_threshold_balances_a_pole_for_long_whoever_works() -> None:
    playing = Games(TASK, replace(FEW, episodes=10), SEARCH, seed=1)
    one, steps = find_thresholds(POOR, playing, 0)
    with using_workers(2):
        two, same = find_thresholds(POOR, playing, 0)
    assert [entry.tree for entry in one] == [entry.tree for entry in two]
    assert steps == same > 0
    assert len(one) == TUNED and {entry.complexity for entry in one} == {5}
    assert max(entry.mean for entry in one) > 140 > playing.ranked(POOR).mean
