"""Trees grow until they are pure, deep or small enough, and shrink without losing much."""

import numpy as np
import pytest

from glasstree.errors import OptionError
from glasstree.openloop import GrowthOptions, cut, grow, limit_rules, prune, simplify
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, walk
from openloop.openloop_data import hidden_rule, labelled


def grown(states: Floats, labels: Ints, **options: float) -> PolicyTree:
    """Grow a tree over states in [1, 2]."""
    classes = int(labels.max()) + 1
    root = grow(states, labels, classes, GrowthOptions(**options), seed=0)  # type: ignore[arg-type]
    width = states.shape[1]
    names = tuple(f"x{j}" for j in range(width))
    actions = tuple(f"a{k}" for k in range(classes))
    return PolicyTree(root, Scaling([1.0] * width, [2.0] * width), names, actions)


def checkerboard(samples: int = 1500) -> tuple[Floats, Ints]:
    """Return three classes that need three rules."""
    states = np.random.default_rng(0).uniform(1, 2, (samples, 3))
    labels = np.where(states[:, 0] < 1.4, 0, np.where(states[:, 1] < 1.6, 1, 2))
    return states, labels.astype(np.int64)


def test_three_regions_need_two_rules() -> None:
    states, labels = checkerboard()
    tree = simplify(grown(states, labels, max_depth=3))
    assert (tree.actions(states) == labels).mean() > 0.99
    assert tree.n_rules == 2


def test_pure_small_and_deep_nodes_are_leaves() -> None:
    states, labels = checkerboard()
    assert grown(states, labels, max_depth=0).n_rules == 0
    assert grown(states, labels * 0, max_depth=3).n_rules == 0
    assert grown(states[:9], labels[:9], max_depth=3).n_rules == 0
    assert grown(states, labels, max_depth=1).depth == 1
    smallest = min(sum(leaf.counts) for leaf in grown(states, labels, min_leaf=200).leaves())
    assert smallest >= 200


@pytest.mark.parametrize("few", [slice(0, 3), slice(97, 100)], ids=["left", "right"])
def test_a_child_that_is_too_small_is_not_split_off(few: slice) -> None:
    states, labels = np.linspace(1.0, 2.0, 100)[:, np.newaxis], np.zeros(100, dtype=np.int64)
    labels[few] = 1
    assert grown(states, labels, max_depth=1, impurity_tolerance=0.0, min_leaf=3).n_rules == 1
    assert grown(states, labels, max_depth=1, impurity_tolerance=0.0, min_leaf=4).n_rules == 0


def test_counts_add_up_at_every_split() -> None:
    states, labels = checkerboard()
    tree = grown(states, labels, max_depth=3)
    assert tree.root.counts == tuple(np.bincount(labels).astype(float))
    for _, node in walk(tree.root):
        if isinstance(node, Split):
            children = np.add(node.left.counts, node.right.counts)
            assert children.tolist() == list(node.counts)


def test_cutting_keeps_the_top() -> None:
    states, labels = checkerboard()
    tree = grown(states, labels, max_depth=3)
    top = cut(tree, 1)
    assert top.depth == 1
    assert top.splits()[0].rule == tree.splits()[0].rule
    assert cut(tree, 0).root == Leaf(int(np.bincount(labels).argmax()), tree.root.counts)


def test_merging_siblings_changes_no_decision() -> None:
    generator = np.random.default_rng(1)
    states, labels = labelled(hidden_rule(generator, 3), 1000, generator)
    noisy = np.where(generator.random(1000) < 0.2, 1 - labels, labels)
    tree = grown(states, noisy, max_depth=4)
    small = simplify(tree, 0)
    assert small.n_rules <= tree.n_rules
    assert (small.actions(states) == tree.actions(states)).all()


def test_pruning_on_held_back_states_drops_what_only_fits_noise() -> None:
    generator = np.random.default_rng(2)
    states = generator.uniform(1, 2, (2000, 3))
    labels = (states[:, 0] > 1.5).astype(np.int64)
    noisy = np.where(generator.random(2000) < 0.15, 1 - labels, labels)
    tree = grown(states[:1000], noisy[:1000], max_depth=4)
    pruned = prune(tree, states[1000:], noisy[1000:])
    assert tree.n_rules > 1
    assert pruned.n_rules == 1
    before, after = ((t.actions(states) == labels).mean() for t in (tree, pruned))
    assert after >= before


@pytest.mark.parametrize("tolerance, rules", [(0.0, 1), (0.019, 1), (0.021, 0)])
def test_pruning_keeps_what_is_worth_its_accuracy(tolerance: float, rules: int) -> None:
    states = np.linspace(1.0, 2.0, 100)[:, np.newaxis]
    labels = np.where(np.arange(100) < 2, 1, 0)
    tree = PolicyTree(
        Split(Rule([[1]], [1.0], -1.015), Leaf(1), Leaf(0), (98.0, 2.0)),
        Scaling([1.0], [2.0]),
        ("x",),
        ("a", "b"),
    )
    assert prune(tree, states, labels, tolerance).n_rules == rules


def split(left: Node, right: Node) -> Split:
    """Return a split whose counts are those of its children."""
    counts = tuple(np.add(left.counts, right.counts).tolist())
    return Split(Rule([[1]], [1.0], -1.5), left, right, counts)


WEAK = split(Leaf(0, (55.0, 45.0)), Leaf(1, (40.0, 60.0)))
STRONG = split(Leaf(0, (90.0, 10.0)), Leaf(1, (10.0, 90.0)))


@pytest.mark.parametrize("root", [split(WEAK, STRONG), split(STRONG, WEAK)])
def test_limiting_keeps_the_rules_that_spare_most_errors(root: Split) -> None:
    tree = PolicyTree(root, Scaling([0.0], [1.0]), ("x",), ("a", "b"))
    two = limit_rules(tree, 2)
    assert [kept for kept in two.splits() if kept is not two.root] == [STRONG]
    assert limit_rules(tree, 3) == tree
    assert limit_rules(tree, 1).n_rules == 1


def test_a_limited_tree_loses_as_little_as_it_can() -> None:
    states, labels = checkerboard()
    tree = grown(states, labels, max_depth=3)
    accuracy = [(limit_rules(tree, n).actions(states) == labels).mean() for n in (2, 1)]
    assert limit_rules(tree, 2).n_rules == 2
    assert limit_rules(tree, 1).n_rules == 1
    assert accuracy[0] > 0.99 > accuracy[1] > 0.6


@pytest.mark.parametrize("options", [{"max_depth": -1}, {"impurity_tolerance": 1.5}])
def test_senseless_options_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        GrowthOptions(**options)  # type: ignore[arg-type]
