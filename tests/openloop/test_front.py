"""The front of a table: the best tree of each complexity, and predictions by any of them."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_iris

from glasstree import NLDTClassifier
from glasstree.errors import OptionError
from glasstree.openloop import front as front_module
from glasstree.openloop.front import Front, Samples, find_front, split
from glasstree.openloop.growth import GrowthOptions
from glasstree.openloop.upper.candidate import Candidate
from glasstree.policy.document import dumps

NAMES = np.array(["setosa", "versicolor", "virginica"])


@pytest.fixture(scope="module")
def iris() -> NLDTClassifier:
    X, y = load_iris(return_X_y=True)
    return NLDTClassifier(max_depth=2, front=True, random_state=0).fit(X, NAMES[y])


def test_each_tree_is_better_than_all_that_are_less_complex(iris: NLDTClassifier) -> None:
    front = iris.front_
    assert isinstance(front, Front)
    assert len(front) >= 3
    for plainer, richer in pairwise(front):
        assert plainer.complexity < richer.complexity
        assert plainer.accuracy < richer.accuracy
    assert [row.complexity for row in front] == [row.tree.complexity for row in front]
    assert (front[0].complexity, front[0].rules, front[0].first_rule) == (1, 0, "setosa")
    assert (front[1].complexity, front[1].rules) == (5, 1)
    assert front[1].first_rule in str(front)
    assert front[-1].accuracy > 0.9


def test_predict_takes_the_best_tree_of_at_most_that_complexity(iris: NLDTClassifier) -> None:
    X, _ = load_iris(return_X_y=True)
    for row, richer in pairwise(iris.front_):
        labels = NAMES[row.tree.actions(X)]
        assert (iris.predict(X, complexity=row.complexity) == labels).all()
        assert (iris.predict(X, complexity=richer.complexity - 1) == labels).all()
    with pytest.raises(OptionError, match="at least that of the plainest tree, 1, got 0"):
        iris.predict(X, complexity=0)


def test_plain_predictions_are_those_without_a_front(iris: NLDTClassifier) -> None:
    X, y = load_iris(return_X_y=True)
    plain = NLDTClassifier(max_depth=2, random_state=0).fit(X, NAMES[y])
    assert dumps(plain.tree_) == dumps(iris.tree_)
    assert (plain.predict(X) == iris.predict(X)).all()
    with pytest.raises(OptionError, match="fit with front=True"):
        plain.predict(X, complexity=10)


class Singular:
    """A search whose arithmetic breaks down at every node."""

    def find(self, *_: object) -> Candidate:
        raise np.linalg.LinAlgError("Singular matrix")


def test_a_growth_that_breaks_down_leaves_the_front_to_the_others() -> None:
    X = np.random.default_rng(0).uniform(size=(200, 2))
    labels, growth = (X.sum(axis=1) > 1.0).astype(np.int64), GrowthOptions(search=Singular())
    names, samples = (("x", "y"), ("no", "yes")), Samples(X, labels, np.ones(200))
    front = find_front(samples, names, growth, 0, lambda tree, _: tree)
    assert front[-1].accuracy > 0.95


def test_a_front_is_gone_after_a_fit_without_one() -> None:
    X = np.random.default_rng(0).uniform(size=(40, 1))
    model = NLDTClassifier(max_depth=1, front=True, random_state=0).fit(X, X[:, 0] > 0.5)
    assert model.front_[-1].accuracy > 0.8
    assert not hasattr(model.set_params(front=False).fit(X, X[:, 0] > 0.5), "front_")


def test_a_hidden_line_is_on_the_front_in_original_units() -> None:
    X = np.random.default_rng(0).uniform([0, -5], [100, 5], (600, 2))
    y = X[:, 0] + 8 * X[:, 1] > 45
    model = NLDTClassifier(max_depth=1, front=True, random_state=0).fit(X, y)
    (line,) = [row for row in model.front_ if row.complexity == 9]
    (found,) = line.tree.splits()
    assert found.rule.raw
    assert line.accuracy > 0.97
    weights = dict(
        zip(found.rule.exponents.argmax(axis=1).tolist(), found.rule.weights, strict=True)
    )
    assert weights[1] / weights[0] == pytest.approx(8, rel=0.1)
    assert max(len(f"{weight:g}") for weight in weights.values()) <= 5


def test_a_line_over_many_variables_is_on_the_front(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    X = generator.normal(size=(800, 30))
    y = X @ generator.choice((-1.0, 1.0), 30) > 0
    model = NLDTClassifier(max_depth=1, front=True, random_state=0)
    best = model.fit(X, y).front_[-1]
    assert best.rules == 1 and best.accuracy > 0.95
    assert sum(best.tree.splits()[0].counts) == 600
    monkeypatch.setattr(front_module, "SOFT", ())
    assert model.fit(X, y).front_[-1].accuracy < 0.85


def test_trees_are_judged_on_what_they_were_not_grown_from() -> None:
    generator = np.random.default_rng(0)
    X, y = generator.uniform(size=(120, 6)), generator.integers(0, 2, 120)
    model = NLDTClassifier(max_depth=3, min_leaf=1, front=True, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.85
    assert model.front_[-1].accuracy < 0.8


def test_a_quarter_of_each_class_is_held_back() -> None:
    labels = np.repeat([0, 1, 2], [80, 20, 3])
    states = np.arange(103.0)[:, np.newaxis]
    train, held_back = split(Samples(states, labels, np.ones(103)), np.random.default_rng(0))
    assert np.bincount(held_back.labels, minlength=3).tolist() == [20, 5, 0]
    assert sorted([*train.states[:, 0], *held_back.states[:, 0]]) == list(range(103))
    few = Samples(states[:3], np.arange(3), np.ones(3))
    assert split(few, np.random.default_rng(0)) == (few, few)


def test_the_weights_of_classes_and_samples_reach_the_front() -> None:
    X = np.random.default_rng(0).uniform(size=(80, 1))
    y = np.arange(80) % 2
    model = NLDTClassifier(max_depth=1, class_weight={0: 1.0, 1: 3.0}, front=True, random_state=0)
    model.fit(X, y, np.where(y == 1, 3.0, 1.0))
    assert model.front_[0].first_rule == "1"
    assert model.front_[0].accuracy == pytest.approx(0.9)
