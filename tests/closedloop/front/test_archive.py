"""The archive keeps the best few of each complexity; its front is better and better."""

import numpy as np

from glasstree.closedloop.front.archive import Archive, Entry, front_of
from toys import constant_tree, lamp_tree


def entry(complexity: int, *scores: float) -> Entry:
    return Entry(lamp_tree(), np.array(scores), complexity)


def test_a_cell_keeps_the_best_few_the_best_first() -> None:
    archive = Archive(keep=2)
    assert archive.add(entry(5, 1.0)) and archive.add(entry(5, 3.0)) and archive.add(entry(5, 2.0))
    assert [found.mean for found in archive.cells[5]] == [3.0, 2.0]
    assert not archive.add(entry(5, 1.5))


def test_what_plays_alike_is_kept_once() -> None:
    archive = Archive(keep=3)
    assert archive.add(entry(5, 1.0, 2.0))
    assert not archive.add(entry(5, 1.0, 2.0))
    assert archive.add(entry(5, 2.0, 1.0))


def test_the_front_pays_for_every_symbol() -> None:
    entries = [entry(9, 4.0), entry(5, 3.0), entry(7, 3.0), entry(3, 1.0), entry(9, 5.0)]
    assert [(e.complexity, e.mean) for e in front_of(entries)] == [(3, 1.0), (5, 3.0), (9, 5.0)]


def test_a_rival_is_the_best_that_is_at_most_as_complex() -> None:
    archive = Archive()
    for found in (entry(3, 2.0), entry(5, 1.0), entry(9, 7.0)):
        archive.add(found)
    best = archive.best_within(8)
    assert best is not None and best.complexity == 3
    assert archive.best_within(2) is None


def test_a_policy_without_rules_has_one_symbol() -> None:
    assert constant_tree().complexity == 1


def test_contenders_are_not_clearly_behind_what_is_as_plain() -> None:
    archive = Archive()
    for found in (entry(3, 5.0, 7.0), entry(5, 1.0, 1.5), entry(5, 4.0, 7.5), entry(9, 5.0, 8.0)):
        archive.add(found)
    assert [(e.complexity, e.mean) for e in archive.contenders()] == [(3, 6.0), (5, 5.75), (9, 6.5)]
