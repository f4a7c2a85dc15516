"""At most so many rules and symbols, and what was judged on the way to the size that is taken."""

import numpy as np
import pytest

from glasstree import NLDTClassifier, NLDTRegressor
from glasstree.errors import OptionError
from glasstree.openloop.sizing import Wanted
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split

X = np.random.default_rng(0).uniform(size=(500, 2))
STAIRS = (5 * X[:, 0]).astype(int)


def stairs() -> PolicyTree:
    """Make three rules: the first spares 40 errors of 100, those below it 20 and 10."""
    lower = Split(
        Rule([[1]], [1.0], -1.2), Leaf(0, (40.0, 0.0)), Leaf(1, (0.0, 10.0)), (40.0, 10.0)
    )
    upper = Split(
        Rule([[1]], [1.0], -1.8), Leaf(1, (0.0, 30.0)), Leaf(0, (20.0, 0.0)), (20.0, 30.0)
    )
    root = Split(Rule([[1]], [1.0], -1.5), lower, upper, (60.0, 40.0))
    return PolicyTree(root, Scaling([0.0], [1.0]), ("x",), ("a", "b"))


def test_of_a_tree_that_is_too_large_the_splits_go_that_spare_least() -> None:
    tree = stairs()
    assert Wanted().largest(tree) is tree
    two = Wanted(rules=2).largest(tree)
    assert two.n_rules == 2
    assert two.root.left == Leaf(0, (40.0, 10.0))
    assert Wanted(symbols=8).largest(tree).complexity <= 8 < tree.complexity
    assert Wanted(rules=0).largest(tree).root == Leaf(0, (60.0, 40.0))


@pytest.mark.parametrize("depth", [None, 3])
@pytest.mark.parametrize("limit", [{"max_rules": 2}, {"complexity": 12}])
@pytest.mark.parametrize("estimator", [NLDTClassifier, NLDTRegressor])
def test_no_tree_is_larger_than_asked_for(
    estimator: type, limit: dict[str, int], depth: int | None
) -> None:
    free = estimator(depth, terms=1, random_state=0).fit(X, STAIRS)
    small = estimator(depth, terms=1, random_state=0, **limit).fit(X, STAIRS)
    assert free.tree_.n_rules == 4 or depth == 3
    assert 0 < small.tree_.n_rules < free.tree_.n_rules
    assert small.tree_.n_rules <= limit.get("max_rules", 99)
    assert small.tree_.complexity <= limit.get("complexity", 99)
    assert small.score(X, STAIRS) > 0.5


def test_sizes_tell_what_was_judged_and_which_is_taken() -> None:
    model = NLDTClassifier(terms=1, random_state=0).fit(X, STAIRS)
    figures = [size.figure for size in model.sizes_]
    taken = [size for size in model.sizes_ if size.is_taken]
    assert [(t.complexity, t.rules) for t in taken] == [(model.tree_.complexity, 4)]
    assert figures == sorted(figures)
    assert figures[0] < 0.5 < 0.9 < taken[0].figure
    assert [size.rules for size in model.sizes_][:1] == [0]
    assert NLDTClassifier(max_depth=1, random_state=0).fit(X, STAIRS).sizes_ == ()


def test_without_slack_the_best_is_taken_and_with_much_of_it_the_plainest() -> None:
    noisy = np.where(np.random.default_rng(1).random(500) < 0.15, 4 - STAIRS, STAIRS)
    best, usual, plain = (
        NLDTClassifier(terms=1, slack=slack, random_state=0).fit(X, noisy) for slack in (0, 1, 9)
    )
    figures = [size.figure for size in best.sizes_]
    assert [size.figure for size in best.sizes_ if size.is_taken] == [max(figures)]
    sizes = [model.tree_.complexity for model in (plain, usual, best)]
    assert sizes == sorted(sizes)
    assert plain.tree_.complexity < best.tree_.complexity


@pytest.mark.parametrize("limit", [{"max_rules": -1}, {"complexity": 0}, {"slack": -0.5}])
def test_limits_that_no_tree_can_keep_are_refused(limit: dict[str, int]) -> None:
    with pytest.raises(OptionError, match="at least"):
        NLDTClassifier(**limit).fit(X, STAIRS)
