"""How large a tree is: as held-back samples want it, by the metric that is asked for."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from glasstree import NLDTClassifier
from glasstree.errors import OptionError
from glasstree.openloop.lower.sharpening import sharpened
from glasstree.openloop.lower.structure import NodeData
from glasstree.openloop.metrics import METRICS, Costs, Judged, get_metric
from glasstree.openloop.pruning import Links, prune
from glasstree.openloop.samples import Given
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split


def three_leaves() -> PolicyTree:
    """Make a tree whose first rule spares 30 errors of 100, and whose second 4."""
    second = Split(
        Rule([[1]], [1.0], -1.75), Leaf(1, (6.0, 34.0)), Leaf(0, (8.0, 4.0)), (14.0, 38.0)
    )
    root = Split(Rule([[1]], [1.0], -1.5), Leaf(0, (46.0, 2.0)), second, (60.0, 40.0))
    return PolicyTree(root, Scaling([0.0], [1.0]), ("x",), ("a", "b"))


def test_the_cheapest_split_goes_first_and_at_its_price() -> None:
    links = Links(three_leaves())
    found = links.all()
    assert [tree.n_rules for _, tree in found] == [2, 1, 0]
    assert [price for price, _ in found] == pytest.approx([0.0, 0.04, 0.24])
    assert links.at(0.039).n_rules == 2
    assert links.at(0.041).n_rules == 1
    assert links.at(0.25).root == Leaf(0, (60.0, 40.0))


def test_pruning_counts_weights() -> None:
    tree = PolicyTree(
        Split(
            Rule([[1]], [1.0], -1.5), Leaf(0, (90.0, 20.0)), Leaf(1, (10.0, 80.0)), (100.0, 100.0)
        ),
        Scaling([0.0], [1.0]),
        ("x",),
        ("often", "rare"),
    )
    states = np.array([[0.2]] * 9 + [[0.8]] * 3)
    labels = np.array([0] * 9 + [0, 0, 1])
    assert prune(tree, states, labels, 0.0).n_rules == 0
    assert prune(tree, states, labels, 0.0, np.where(labels == 1, 10.0, 1.0)).n_rules == 1


@pytest.mark.parametrize("seed", [4, 5, 12])
def test_noise_gives_no_rule(seed: int) -> None:
    generator = np.random.default_rng(seed)
    X, y = generator.normal(size=(300, 3)), generator.integers(0, 2, 300)
    assert NLDTClassifier(random_state=0).fit(X, y).tree_.n_rules == 0


def test_what_needs_more_levels_gets_them() -> None:
    X = np.random.default_rng(0).uniform(size=(1200, 2))
    y = (5 * X[:, 0]).astype(int)
    model = NLDTClassifier(terms=1, random_state=0).fit(X, y)
    assert model.tree_.n_rules >= 4
    assert model.score(X, y) > 0.97


@pytest.fixture(scope="module")
def frauds() -> tuple[np.ndarray, np.ndarray]:
    """Four thousand rows of which sixty are frauds, told apart but for some noise."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(4000, 3))
    y = np.zeros(4000, dtype=int)
    y[np.argsort(-(X[:, 0] + X[:, 1] + 0.2 * generator.normal(size=4000)))[:60]] = 1
    return X, y


def test_a_rare_class_is_found_by_a_metric_that_counts_it(
    frauds: tuple[np.ndarray, np.ndarray],
) -> None:
    X, y = frauds
    model = NLDTClassifier(metric="balanced_accuracy", random_state=0).fit(X, y)
    assert balanced_accuracy_score(y, model.predict(X)) > 0.93
    assert NLDTClassifier(random_state=0).fit(X, y).tree_.n_rules > 0


@pytest.mark.parametrize("metric", METRICS)
def test_a_perfect_prediction_is_better_than_an_even_one(metric: str) -> None:
    labels = np.array([0, 1, 1, 2])
    metric_, judged = get_metric(metric), Judged(labels, np.ones(4), np.ones(4))
    perfect, even = np.eye(3)[labels] * 0.97 + 0.01, np.full((4, 3), 1 / 3)
    assert metric_.figure(judged, perfect) > metric_.figure(judged, even)
    generator = np.random.default_rng(0)
    assert metric_.standard_error(judged, perfect, perfect, generator) == 0.0
    assert metric_.standard_error(judged, perfect, even, generator) > 0.0


def test_two_equal_rows_vary_as_one_row_of_weight_two() -> None:
    metric = get_metric("accuracy")
    rows, shares = np.array([0, 0, 1]), np.array([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1]])
    twice = Judged(rows, np.ones(3), np.ones(3))
    once = Judged(rows[1:], np.array([2.0, 1.0]), np.array([2.0, 1.0]))
    others = 1.0 - shares
    generator = np.random.default_rng(0)
    expected = metric.standard_error(twice, shares, others, generator)
    assert metric.standard_error(once, shares[1:], others[1:], generator) == expected


def test_an_unknown_metric_is_refused_with_the_nearest() -> None:
    with pytest.raises(OptionError, match="did you mean 'accuracy'"):
        NLDTClassifier(metric="acuracy").fit([[0.0], [1.0]], [0, 1])


def test_probabilities_are_never_certain() -> None:
    X = np.random.default_rng(0).uniform(size=(40, 1))
    shares = NLDTClassifier(max_depth=1, random_state=0).fit(X, X[:, 0] > 0.5).predict_proba(X)
    assert 0.0 < shares.min() < shares.max() < 1.0


def test_a_leaf_has_the_label_of_least_cost() -> None:
    generator = np.random.default_rng(0)
    X = generator.uniform(size=(600, 1))
    y = np.where(generator.random(600) < np.where(X[:, 0] > 0.5, 0.3, 0.02), "fraud", "fine")
    assert "fraud" not in NLDTClassifier(random_state=0).fit(X, y).predict(X)
    dear = NLDTClassifier(costs={"fraud": {"fine": 10}}, random_state=0).fit(X, y)
    assert dear.predict([[0.9], [0.1]]).tolist() == ["fraud", "fine"]


def test_three_classes_are_labelled_by_their_costs() -> None:
    costs = Costs.of({"a": {"b": 9.0}, "c": {"b": 9.0}}, ["a", "b", "c"])
    counts = np.array([3.0, 4.0, 3.0]) * costs.weights
    tree = PolicyTree(Leaf(1, tuple(counts)), Scaling([0.0], [1.0]), ("x",), ("a", "b", "c"))
    assert costs.relabelled(tree).root.action != 1


def test_a_line_without_an_error_is_found_and_rounded() -> None:
    generator = np.random.default_rng(5)
    age, income = generator.uniform(18, 80, 800), generator.lognormal(10, 0.6, 800)
    X = np.column_stack([income, age])
    model = NLDTClassifier(random_state=0).fit(X[:600], (income / age > 400)[:600])
    assert model.score(X[:600], (income / age > 400)[:600]) == 1.0
    assert model.score(X[600:], (income / age > 400)[600:]) > 0.99


def test_weights_are_sharpened_until_nothing_errs() -> None:
    columns = np.random.default_rng(0).uniform(1.0, 2.0, (2, 3000))
    labels = (columns[0] - columns[1] > 0.1).astype(np.int64)
    data = NodeData(columns, labels, np.ones(3000), 2)
    rough = np.array([1.0, -1.01])
    side = rough @ columns - 0.1 > 0.0
    assert 0 < (side != labels).sum() < 100
    found = sharpened(data, np.eye(2, dtype=np.int64), rough, -0.1) @ columns
    assert found[labels == 0].max() < found[labels == 1].min()


def test_of_many_samples_some_are_searched_and_all_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("glasstree.openloop.classifier.MOST_GROWN", 400)
    X = np.random.default_rng(0).uniform(size=(3000, 2))
    model = NLDTClassifier(random_state=0).fit(X, X[:, 0] > 0.3)
    assert sum(model.tree_.root.counts) == 3000.0
    assert model.score(X, X[:, 0] > 0.3) > 0.98


def test_a_sample_keeps_the_weight_of_a_rare_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glasstree.openloop.samples.FEWEST_OF_CLASS", 100)
    codes = np.repeat([0, 1], [9900, 100])
    given = Given(np.zeros((10_000, 1)), codes, np.ones(10_000), np.ones(10_000))
    sample = given.sample(1000, 0)
    assert np.bincount(sample.codes).tolist() == [990, 100]
    weights = np.bincount(sample.codes, sample.weights)
    assert weights[1] / weights.sum() == pytest.approx(0.01)
    assert weights.sum() == pytest.approx(len(sample.codes))


def test_without_a_depth_small_leaves_are_left_to_pruning() -> None:
    X = np.linspace(0.0, 1.0, 200)[:, np.newaxis]
    y = np.zeros(200, dtype=int)
    y[98:101] = 1
    X, y = np.tile(X, (3, 1)) + np.arange(600)[:, np.newaxis] * 1e-7, np.tile(y, 3)
    assert NLDTClassifier(metric="balanced_accuracy", random_state=0).fit(X, y).tree_.n_rules > 0
    held = NLDTClassifier(metric="balanced_accuracy", min_leaf=400, random_state=0).fit(X, y)
    assert held.tree_.n_rules == 0
