"""The regressor is a scikit-learn estimator whose splits are those of least variance."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from glasstree import NLDTRegressor, to_text
from glasstree.policy.document import dumps, loads
from glasstree.tables import Column, Frame

SKIPPED_BY_SKLEARN = {"check_array_api_input"}


@parametrize_with_checks([NLDTRegressor()])
def test_scikit_learns_own_checks(estimator: NLDTRegressor, check: object) -> None:
    if getattr(check, "func", check).__name__ not in SKIPPED_BY_SKLEARN:  # type: ignore[attr-defined]
        check(estimator)  # type: ignore[operator]


def test_the_split_is_that_of_least_variance() -> None:
    X = np.random.default_rng(0).uniform(size=(400, 1))
    y = np.where(X[:, 0] > 0.7, 5.0, 1.0) + X[:, 0]
    ours = NLDTRegressor(max_depth=1, terms=1, digits=6, random_state=0).fit(X, y)
    cart = DecisionTreeRegressor(max_depth=1).fit(X, y)
    assert ours.predict(X) == pytest.approx(cart.predict(X), rel=1e-5)


def test_products_are_found_in_one_rule() -> None:
    X = np.random.default_rng(0).uniform(1, 2, (600, 3))
    y = np.where(X[:, 0] * X[:, 1] > 2.0, 10.0, -10.0)
    model = NLDTRegressor(random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9
    assert loads(dumps(model.tree_)) == model.tree_


def test_noise_is_one_constant() -> None:
    generator = np.random.default_rng(0)
    model = NLDTRegressor(random_state=0).fit(
        generator.normal(size=(300, 2)), generator.normal(size=300)
    )
    assert model.tree_.n_rules == 0


def test_tables_with_words_are_learnt() -> None:
    generator = np.random.default_rng(0)
    city = generator.choice(["Rome", "Milan", "Oslo", "Lima"], 400)
    size = generator.uniform(20, 100, 400)
    price = np.where(np.isin(city, ["Rome", "Milan"]), 300.0, 100.0)
    frame = Frame({"city": Column.of_texts(city.tolist()), "size": Column("number", size)})
    model = NLDTRegressor(random_state=0).fit(frame, price)
    assert model.score(frame, price) == 1.0
    assert sorted(model.tree_.action_names) == ["100", "300"]
    assert "city in {" in to_text(model.tree_)
