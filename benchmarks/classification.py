"""Known tables: our trees against axis-parallel ones with the same number of splits.

    python benchmarks/classification.py [--docs docs/open_loop.md]

10-fold accuracy, the same folds for both. With --docs, the table goes into the page.
"""

import argparse
from pathlib import Path

import numpy as np
from pages import put, table
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from glasstree.openloop.classifier import NLDTClassifier

DEPTH = 2
FOLDS = StratifiedKFold(10, shuffle=True, random_state=0)


def tables() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the data of each table."""
    pixels, digits = load_digits(return_X_y=True)
    return {
        "iris": load_iris(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "breast cancer": load_breast_cancer(return_X_y=True),
        "digits 0 and 1": (pixels[digits < 2], digits[digits < 2]),
    }


def compare(X: np.ndarray, y: np.ndarray) -> list[float]:
    """Return both accuracies, the splits of ours, and the exponents a rule."""
    rows = []
    for train, test in FOLDS.split(X, y):
        ours = NLDTClassifier(DEPTH, random_state=0).fit(X[train], y[train])
        splits = max(1, ours.tree_.n_rules)
        plain = DecisionTreeClassifier(max_leaf_nodes=splits + 1, random_state=0)
        plain.fit(X[train], y[train])
        scores = [100 * model.score(X[test], y[test]) for model in (ours, plain)]
        rows.append([*scores, splits, ours.tree_.rule_length])
    return np.mean(rows, axis=0).tolist()


def main() -> None:
    """Print the table, and put it into a page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", type=Path)
    words = parser.parse_args()
    rows = []
    for name, (X, y) in tables().items():
        ours, plain, splits, length = compare(X, y)
        rows.append([name, f"{ours:.1f}", f"{plain:.1f}", f"{splits:.1f}", f"{length:.1f}"])
    head = ["data", "NLDTClassifier", "DecisionTreeClassifier", "splits", "exponents a rule"]
    text = table(head, rows)
    print(text)
    if words.docs:
        put(words.docs, "classification", text)


if __name__ == "__main__":
    main()
