"""Those who learn a table: each is told that classes count alike, and finds its own size."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from peers.rivals.forest import Forest
from peers.rivals.oblique import fit as oblique
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import compute_sample_weight

from glasstree import NLDTClassifier
from glasstree.data import Dataset

from .streed import fit as streed

Labels = np.ndarray
INNER = 5  # folds by which a rival's size is chosen
PRICES = 20  # of a leaf that pruning tries


@dataclass(frozen=True)
class Answer:
    """Labels of the test rows, and the symbols that are read where a model can be printed."""

    labels: Labels
    symbols: int | None = None


Learn = Callable[[pd.DataFrame, Labels, pd.DataFrame], Answer]


def glasstree(X: pd.DataFrame, y: Labels, test: pd.DataFrame) -> Answer:
    """Learn from the table as it is."""
    model = NLDTClassifier(metric="balanced_accuracy", random_state=0).fit(X, y)
    return Answer(model.predict(test), model.tree_.complexity)


def numbers(X: pd.DataFrame, test: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return both parts as numbers: words one-hot, dates as days, gaps as medians."""
    parts = [part.copy() for part in (X, test)]
    for part in parts:
        for name in part.select_dtypes("datetime"):
            part[name] = part[name].astype("int64") / 86.4e12
    numeric = parts[0].select_dtypes("number").columns
    others = [name for name in X.columns if name not in numeric]
    encoder = make_column_transformer(
        (SimpleImputer(strategy="median"), list(numeric)),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), others),
    )
    return encoder.fit_transform(parts[0]), encoder.transform(parts[1])


def sized(fit: Callable[..., Any], sizes: tuple[int, ...]) -> Learn:
    """Return a learner whose size is chosen by balanced accuracy over inner folds."""

    def learn(X: pd.DataFrame, y: Labels, test: pd.DataFrame) -> Answer:
        states, unseen = numbers(X, test)
        classes, codes = np.unique(y, return_inverse=True)
        weights = compute_sample_weight("balanced", codes)

        def model(rows: np.ndarray, size: int) -> Any:
            data = Dataset(states[rows], codes[rows], len(classes), weights[rows])
            return fit(data, size, 0)

        inner = StratifiedKFold(INNER, shuffle=True, random_state=0)
        figures = dict.fromkeys(sizes, 0.0)
        for train, held_back in inner.split(states, codes):
            for size in sizes:
                found = model(train, size).actions(np.ascontiguousarray(states[held_back]))
                figures[size] += balanced_accuracy_score(codes[held_back], found)
        best = model(np.arange(len(codes)), max(sizes, key=lambda size: figures[size]))
        return Answer(classes[best.actions(np.ascontiguousarray(unseen))], best.complexity)

    return learn


def cart(X: pd.DataFrame, y: Labels, test: pd.DataFrame) -> Answer:
    """Prune a tree by its cost and complexity, the price found over inner folds."""
    from sklearn.model_selection import GridSearchCV

    states, unseen = numbers(X, test)
    tree = DecisionTreeClassifier(class_weight="balanced", random_state=0)
    path = np.maximum(tree.cost_complexity_pruning_path(states, y).ccp_alphas, 0.0)
    prices = np.unique(np.quantile(path, np.linspace(0, 1, PRICES)))
    inner = StratifiedKFold(INNER, shuffle=True, random_state=0)
    search = GridSearchCV(tree, {"ccp_alpha": prices}, scoring="balanced_accuracy", cv=inner)
    search.fit(states, y)
    splits = search.best_estimator_.get_n_leaves() - 1
    return Answer(search.predict(unseen), 4 * splits + 1)  # variable, sign, number, and leaves


def plain(make: Callable[[], Any], balanced: bool = True) -> Learn:
    """Return a learner that cannot be printed as rules."""

    def learn(X: pd.DataFrame, y: Labels, test: pd.DataFrame) -> Answer:
        states, unseen = numbers(X, test)
        scaler = StandardScaler().fit(states)
        weights = {"sample_weight": compute_sample_weight("balanced", y)} if balanced else {}
        model = make().fit(scaler.transform(states), y, **weights)
        return Answer(model.predict(scaler.transform(unseen)))

    return learn


def logistic() -> Any:
    """Return scikit-learn's logistic regression."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=2000)


def boosting() -> Any:
    """Return scikit-learn's gradient boosting, the ceiling."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(random_state=0, max_iter=60)


def additive() -> Any:
    """Return an explainable boosting machine, without pairs and with few bags."""
    from interpret.glassbox import ExplainableBoostingClassifier

    bags = {"outer_bags": 2, "interactions": 0, "max_rounds": 400}
    return ExplainableBoostingClassifier(random_state=0, n_jobs=1, **bags)


def oblique3(data: Dataset, size: int, seed: int) -> Forest:
    """Fit obliquetree with splits over at most three variables."""
    return oblique(data, size, seed, variables=3)


TREES = ("glasstree", "CART", "obliquetree", "pystreed")
LEARNERS: dict[str, Learn] = {
    "glasstree": glasstree,
    "CART": cart,
    "obliquetree": sized(oblique3, (1, 2, 3, 4, 5, 6)),
    "pystreed": sized(streed, (1, 2, 3)),
    "EBM": plain(additive),
    "logistic regression": plain(logistic),
    "gradient boosting": plain(boosting),
}


def answer(name: str, X: pd.DataFrame, y: Labels, test: pd.DataFrame) -> Answer:
    """Let a learner answer, in peace."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LEARNERS[name](X, y, test)
