"""Trees of lines that are trained as a whole."""

import numpy as np
import pytest

from glasstree.data import Dataset
from glasstree.openloop.soft import training
from glasstree.openloop.soft.training import School, soft_roots
from glasstree.openloop.soft.tree import SoftTree, drawn, hardened
from glasstree.policy import Leaf, PolicyTree, Scaling, Split
from glasstree.policy.arrays import Floats

ROWS = 3000
UNITS = np.array([3.0, 0.01, 100.0, 1.0, 1.0])
OFFSETS = np.array([-5.0, 0.0, 1000.0, 0.0, 7.0])


@pytest.fixture(scope="module")
def quadrants() -> Dataset:
    """Three actions by two crossing lines over variables of other units; the last is constant."""
    plain = np.random.default_rng(1).normal(size=(ROWS, 5))
    plain[:, 4] = 0.0
    upper, right = plain[:, 0] + plain[:, 1] > 0, plain[:, 0] - 0.5 * plain[:, 2] > 0.3
    actions = np.where(upper, np.where(right, 0, 1), np.where(right, 2, 1))
    return Dataset(plain * UNITS + OFFSETS, actions, 3)


def test_the_gradient_is_that_of_the_loss() -> None:
    generator = np.random.default_rng(0)
    states, actions = generator.normal(size=(40, 3)), generator.integers(4, size=40)
    worth, rows, sharp = generator.uniform(0.5, 2.0, 40), np.arange(40), 1.7
    parts = [generator.normal(size=shape) for shape in ((7, 3), (7,), (8, 4))]

    def loss() -> float:
        right = 1.0 / (1.0 + np.exp(-sharp * (states @ parts[0].T + parts[1])))
        likely = np.exp(parts[2]) / np.exp(parts[2]).sum(axis=1, keepdims=True)
        total = np.zeros(40)
        for leaf in range(8):
            share, node = np.ones(40), 0
            for level in (2, 1, 0):
                side = leaf >> level & 1
                share = share * (right[:, node] if side else 1.0 - right[:, node])
                node = 2 * node + 1 + side
            total += share * likely[leaf, actions]
        return float(-(worth * np.log(total)).mean())

    found = School(states, actions, worth)._gradients(parts, rows, sharp)
    for part, gradient in zip(parts, found, strict=True):
        for place in np.ndindex(part.shape):
            middle = part[place]
            ends = []
            for step in (1e-5, -1e-5):
                part[place] = middle + step
                ends.append(loss())
            part[place] = middle
            assert gradient[place] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-7)


def as_tree(root: Split | Leaf, data: Dataset) -> PolicyTree:
    names = tuple(f"x{number}" for number in range(data.states.shape[1]))
    return PolicyTree(root, Scaling.fit(data.states), names, ("a", "b", "c"))


def lines_of(tree: PolicyTree) -> list[Floats]:
    return [split.rule.exponents.sum(axis=0) for split in tree.splits()]


def test_lines_in_other_units_are_found_and_thinned(quadrants: Dataset) -> None:
    labelled = (quadrants.states, quadrants.actions, 3)
    paths = soft_roots(*labelled, depth=2, wanted=1, seed=0)
    assert len(paths) == 1
    trees = [as_tree(root, quadrants) for root in paths[0]]
    agreement = [(tree.actions(quadrants.states) == quadrants.actions).mean() for tree in trees]
    assert agreement[0] > 0.97
    used = [sum(int(line.sum()) for line in lines_of(tree)) for tree in trees]
    assert used == sorted(used, reverse=True) and len(set(used)) == len(used)
    assert all(line.sum() >= 1 for tree in trees for line in lines_of(tree))
    assert not any(line[4] for tree in trees for line in lines_of(tree))
    plainer = [place for place, count in enumerate(used) if count <= 6]
    assert agreement[plainer[0]] > 0.95  # noise goes before what decides
    assert used[-1] == len(lines_of(trees[-1]))
    again = soft_roots(*labelled, depth=2, wanted=1, seed=0)
    assert [as_tree(root, quadrants) for root in again[0]] == trees


def test_a_hard_tree_acts_as_the_soft_one_says(quadrants: Dataset) -> None:
    generator = np.random.default_rng(3)
    tree = SoftTree(
        generator.normal(size=(7, 5)), generator.normal(size=7), generator.normal(size=(8, 3))
    )
    tree.weights[5] = 0.0
    centre, scale = quadrants.states.mean(axis=0), np.array([3.0, 0.01, 100.0, 1.0, 1.0])
    hard = as_tree(hardened(tree, centre, scale), quadrants)
    wanted = tree.actions((quadrants.states - centre) / scale)
    assert np.mean(hard.actions(quadrants.states) == wanted) > 0.999
    assert len(np.unique(wanted)) == 3


def test_what_is_worth_nothing_is_not_learnt(quadrants: Dataset) -> None:
    wrong = np.arange(ROWS) % 2 == 1
    actions = np.where(wrong, (quadrants.actions + 1) % 3, quadrants.actions)
    school = School((quadrants.states - OFFSETS) / UNITS, actions, np.where(wrong, 0.0, 2.0))
    generator = np.random.default_rng(0)
    first = drawn(2, np.array([True] * 4 + [False]), 3, generator)
    tree = school.train(first, generator, training.PRESENTED, training.RATE, (1.0, training.HARDER))
    assert school.agreement(tree) > 0.9
    assert (tree.actions(school.states) == actions)[wrong].mean() < 0.1
