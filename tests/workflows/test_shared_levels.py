"""Policies with levels of their own are shown by one list of them."""

import numpy as np

from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.policy.sources.plant import Plant
from glasstree.runs.levels import shared_levels, with_shared


def tree(*levels):
    root = Split(Rule([[1]], [1.0], 0.0, raw=True), Leaf(0, (3.0, 1.0)), Leaf(1, (0.0, 2.0)))
    plant = Plant(levels=[[level] for level in levels])
    names = (("x",), tuple(map(str, levels)))
    return PolicyTree(root, Scaling([-1.0], [1.0]), *names, plant=plant)


def test_each_level_is_listed_once_and_decisions_stay():
    first, second = tree(0.5, -1.0), tree(-1.0, 0.25)
    levels = shared_levels([[0.5], [2.0]], [first, second])
    assert levels == [[0.5], [2.0], [-1.0], [0.25]]
    states = np.array([[-0.5], [0.5]])
    for own in (first, second):
        shown = with_shared(own, levels)
        given = shown.levels[shown.actions(states)]
        np.testing.assert_array_equal(given, own.levels[own.actions(states)])
        assert shown.action_names == ("0.5", "2", "-1", "0.25")
    assert with_shared(second, levels).leaves()[1].counts == (0.0, 0.0, 0.0, 2.0)
