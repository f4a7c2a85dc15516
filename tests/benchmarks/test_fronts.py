"""Fronts of the peers' benchmark: what is on them, what a size is worth, and what is noise."""

import numpy as np
import pytest
from peers.front import (
    Point,
    best_rival,
    front,
    gap,
    half_as_long,
    marks,
    means,
    pick,
    policies,
    unbeaten,
)
from peers.pages.losses import losses
from peers.pages.volumes import hypervolume, volumes


def point(rival: str, worth: float, size: float, seed: int = 0, **others: object) -> Point:
    words = {"complexity": size, "data": "aggregated", **others}
    data = str(words.pop("data"))
    return Point(rival, int(size), data, worth, size, seed, **words)  # type: ignore[arg-type]


def test_a_front_has_what_nobody_beats() -> None:
    points = [point("cart", 1, 2), point("cart", 3, 5), point("figs", 2, 6), point("figs", 3, 4)]
    assert front(points) == [points[0], points[3]]


def test_each_axis_has_its_own_front() -> None:
    few, short = Point("a", 1, "b", 1, 1, complexity=9), Point("a", 1, "b", 1, 2, complexity=7)
    assert front([few, short], "occurrences") == [few]
    assert front([few, short], "complexity") == [short]
    assert front([Point("a", 1, "b", 1, 1)]) == [], "what was not counted is on none"


def test_ours_is_unbeaten_unless_a_rival_is_as_good_and_shorter() -> None:
    ours, black_box = point("glasstree", 3, 5), point("network", 9, 1)
    assert unbeaten([ours, point("cart", 3, 5), point("cart", 2.9, 1), black_box]) == [ours]
    assert unbeaten([ours, point("cart", 3, 4)]) == unbeaten([ours, point("cart", 4, 5)]) == []


def test_at_most_half_of_the_best_rival() -> None:
    ours, rivals = point("glasstree", 10, 4), [point("oblique", 10, 8), point("cart", 9, 2)]
    assert best_rival([ours, *rivals]) == rivals[0]
    assert half_as_long([ours, *rivals]) == ours
    assert half_as_long([point("glasstree", 10, 5), *rivals]) is None
    assert half_as_long([ours]) is None


def test_means_are_over_seeds() -> None:
    (found,) = means([point("cart", 1, 2, seed=0), point("cart", 3, 2, seed=1)])
    assert (found.worth, found.occurrences, found.seed) == (2, 2, None)


def test_what_a_front_has_within_so_many_symbols_is_a_size() -> None:
    found = {"accuracy": 0.9, "occurrences": 4, "complexity": 12.0, "folds": [0.9, 0.9]}
    within = [{**found, "size": 5, "accuracy": 0.7, "complexity": 5.0, "folds": [0.7, 0.7]}]
    cell = {"task": "t", "rival": "glasstree", "size": 9, "data": "folds", "seed": 0, **found}
    points = policies([{**cell, "within": within}], "accuracy")
    assert [(one.size, one.worth, one.complexity) for one in points] == [(5, 0.7, 5), (9, 0.9, 12)]
    short, long = (
        point("cart", worth, size, data="folds", folds=(worth, worth))
        for worth, size in ((0.8, 5), (0.85, 20))
    )
    (loss,) = losses("t", [*points, short, long], "accuracy")
    assert (loss.rival.size, loss.ours.size) == (5, 5), "with 20 symbols there is more"


def test_a_mean_over_fronts_is_of_what_is_picked_for_so_many_symbols() -> None:
    cell = {"task": "t", "rival": "glasstree", "size": 0, "data": "own", "chosen": 5}
    fronts = {0: [(1, 10.0), (5, 30.0)], 1: [(1, 20.0), (9, 40.0)]}
    cells = [
        {
            **cell,
            "seed": seed,
            "front": [{"complexity": c, "occurrences": c, "reward": r} for c, r in found],
            "imitation": {"complexity": 3, "occurrences": 3, "reward": 0.0},
        }
        for seed, found in fronts.items()
    ]
    assert [mark["size"] for mark in marks(cells[:1])] == [1, 5, 0]
    points = policies(cells)
    ours = [one for one in means(points) if one.rival == "glasstree"]
    assert [(one.size, one.worth, one.complexity) for one in ours] == [
        (1, 15.0, 1.0),
        (5, 25.0, 3.0),
        (9, 35.0, 7.0),
    ]
    assert pick([one for one in points if one.seed == 1 and one.data == "front"], 8).worth == 20.0  # type: ignore[union-attr]


def test_better_is_said_outside_the_interval_alone() -> None:
    steady = [point("a", 2.0 + 0.01 * n, 1, n) for n in range(5)]
    noisy = [point("a", 2.0 + 5 * (-1) ** n, 1, n) for n in range(5)]
    zero = [point("b", 1.0, 1, n) for n in range(5)]
    assert gap(steady, zero).sure and not gap(noisy, zero).sure
    assert gap(steady, zero).value == pytest.approx(1.02)
    # one pair: 1.96 standard errors of its episodes
    one, two = point("a", 2.0, 1, error=0.3), point("b", 1.0, 1, error=0.4)
    assert gap([one], [two]).half == pytest.approx(1.96 * 0.5)


def test_folds_are_wider_than_if_they_were_independent() -> None:
    folds = tuple(np.random.default_rng(0).normal(0.9, 0.05, 10).tolist())
    first, second = point("a", 0.9, 1, folds=folds), point("b", 0.8, 1, folds=(0.8,) * 10)
    alone = [point("a", value, 1, n) for n, value in enumerate(folds)]
    others = [point("b", 0.8, 1, n) for n in range(10)]
    wide, narrow = gap([first], [second]), gap(alone, others)
    assert wide.value == pytest.approx(narrow.value)
    assert wide.half == pytest.approx(narrow.half * np.sqrt(1 + 10 / 9))


def test_a_loss_is_more_than_ours_has_for_as_many_symbols() -> None:
    ours = [
        point("glasstree", worth, size, seed, data="front")
        for seed in (0, 1)
        for worth, size in ((180, 5), (200, 9))
    ]
    written = [point("written", 200, 7, seed, data="none") for seed in (0, 1)]
    (found,) = losses("cartpole", [*ours, *written], "reward")
    assert (found.ours.worth, found.ours.complexity, found.gap.value) == (180, 5, 20)
    longer = [point("written", 200, 9, seed, data="none") for seed in (0, 1)]
    assert losses("cartpole", [*ours, *longer], "reward") == []


def test_hypervolumes_are_shares_of_a_box() -> None:
    assert hypervolume([(0, 1.0)], 0.0, 1.0, 200) == 1.0
    points = [point("glasstree", 1.0, 100), point("cart", 1.0, 50), point("figs", 0.5, 0)]
    shares = volumes(points, {0: 0.0}, "complexity")
    assert shares["glasstree"] == [0.5] and shares["cart"] == [0.75] and shares["figs"] == [0.5]
    assert shares["together"] == [0.875]
    assert volumes(points, {1: 0.0}, "complexity") == {}, "a seed without its floor does not count"
