"""The classifier is a scikit-learn estimator that people can use without a control problem."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from glasstree import NLDTClassifier
from glasstree.policy.document import dumps

SKIPPED_BY_SKLEARN = {"check_array_api_input"}


@parametrize_with_checks([NLDTClassifier(), NLDTClassifier(max_depth=2, front=True)])
def test_scikit_learns_own_checks(estimator: NLDTClassifier, check: object) -> None:
    if getattr(check, "func", check).__name__ not in SKIPPED_BY_SKLEARN:  # type: ignore[attr-defined]
        check(estimator)  # type: ignore[operator]


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_known_tables_are_learnt(load: object) -> None:
    X, y = load(return_X_y=True)  # type: ignore[operator]
    assert cross_val_score(NLDTClassifier(random_state=0), X, y, cv=5).mean() > 0.9


def test_text_labels_come_back_and_shares_add_up() -> None:
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = NLDTClassifier(random_state=0).fit(X, names)
    assert set(model.predict(X)) == set(names)
    assert model.tree_.action_names == ("setosa", "versicolor", "virginica")
    shares = model.predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert (model.classes_[shares.argmax(axis=1)] == model.predict(X)).mean() > 0.99


def test_it_works_in_pipelines_grids_and_pickles() -> None:
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), NLDTClassifier(random_state=0))
    grid = GridSearchCV(pipeline, {"nldtclassifier__max_depth": [1, 2]}, cv=3).fit(X, y)
    assert grid.best_params_ == {"nldtclassifier__max_depth": 2}
    again = pickle.loads(pickle.dumps(grid.best_estimator_))
    assert (again.predict(X) == grid.predict(X)).all()


def test_workers_do_not_change_the_tree() -> None:
    X, y = load_wine(return_X_y=True)
    one, two = (NLDTClassifier(random_state=0, n_jobs=n).fit(X, y).tree_ for n in (1, 2))
    assert dumps(one) == dumps(two)


def test_duplicated_and_constant_columns_do_no_harm() -> None:
    X, y = load_iris(return_X_y=True)
    wide = np.hstack([X, X, np.full((len(X), 2), 3.0)])
    assert NLDTClassifier(random_state=0).fit(wide, y).score(wide, y) > 0.95


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1.0], [float("nan")]], [0, 1], "NaN"),
        ([[1.0], [float("inf")]], [0, 1], "infinity"),
        ([["a"], ["b"]], [0, 1], "could not convert"),
        ([[1.0], [2.0], [3.0]], [0, 1], "inconsistent numbers of samples"),
    ],
)
def test_bad_tables_are_refused_in_words(X: list, y: list, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        NLDTClassifier().fit(X, y)


def test_one_row_one_class_and_labels_that_appear_once_are_leaves_not_errors() -> None:
    assert NLDTClassifier().fit([[1.0, 2.0]], [1]).predict([[5.0, 5.0]]).tolist() == [1]
    X = np.random.default_rng(0).uniform(size=(60, 2))
    y = np.where(X[:, 0] > 0.5, 1, 0)
    y[0] = 7
    model = NLDTClassifier(random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9


@pytest.mark.filterwarnings("ignore:The number of unique classes")  # of some scikit-learns
def test_ten_thousand_classes_are_survived() -> None:
    X = np.random.default_rng(0).uniform(size=(10_000, 2))
    model = NLDTClassifier(max_depth=1, random_state=0).fit(X, np.arange(10_000))
    assert model.predict(X[:5]).shape == (5,)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_name_the_variables(library: str) -> None:
    frames = pytest.importorskip(library, reason=f"{library} is not installed")
    X = np.random.default_rng(0).uniform(size=(200, 2))
    frame = frames.DataFrame({"length": X[:, 0], "width": X[:, 1]})
    model = NLDTClassifier(random_state=0).fit(frame, X[:, 0] > X[:, 1])
    assert model.tree_.state_names == ("length", "width")
    assert model.score(frame, X[:, 0] > X[:, 1]) > 0.95
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(
            frame.rename({"width": "depth"}) if library == "polars" else frame.add_suffix("!")
        )
