"""Mean ranks over tables, and which differences of them may be chance (Demsar, 2006)."""

from pathlib import Path

import numpy as np
from scipy.stats import friedmanchisquare, rankdata, studentized_range


def mean_ranks(figures: np.ndarray) -> np.ndarray:
    """Return the mean rank of each column of (tables, learners), the largest figure first.

    >>> mean_ranks(np.array([[0.9, 0.8], [0.7, 0.7]])).tolist()
    [1.25, 1.75]
    """
    return np.array([rankdata(-np.round(row, 6)) for row in figures]).mean(axis=0)


def critical_difference(tables: int, learners: int) -> float:
    """Return by how much mean ranks must differ (Nemenyi, 5 %)."""
    quantile = studentized_range.ppf(0.95, learners, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(learners * (learners + 1) / (6 * tables)))


def chance(figures: np.ndarray) -> float:
    """Return Friedman's probability that all learners are alike."""
    return float(friedmanchisquare(*figures.T).pvalue)


def plot(names: list[str], ranks: np.ndarray, difference: float, path: Path) -> None:
    """Draw the ranks on a line; a bar joins those that may differ by chance."""
    import matplotlib.pyplot as plt

    order = np.argsort(ranks)
    figure, axes = plt.subplots(figsize=(8, 0.32 * len(names) + 1.2))
    low, high = 1, len(names)
    axes.set_xlim(low - 0.1, high + 0.1)
    axes.set_ylim(-len(names) - 0.5, 1.6)
    for line, place in enumerate(order):
        axes.plot([ranks[place]] * 2, [0, -line - 0.6], color="0.4", linewidth=0.8)
        text = f"{names[place]}  {ranks[place]:.2f}"
        axes.text(ranks[place] + 0.04, -line - 0.6, text, va="center", fontsize=9)
    level, reached = 0.25, -1
    for start in range(len(order)):
        alike = np.flatnonzero(ranks[order] <= ranks[order[start]] + difference)
        if alike[-1] > max(start, reached):
            axes.plot(ranks[order[[start, alike[-1]]]], [level] * 2, color="black", linewidth=3)
            level, reached = level + 0.2, alike[-1]
    axes.axhline(0, color="black", linewidth=1)
    axes.plot([low, low + difference], [1.4] * 2, color="black", linewidth=1)
    axes.text(low, 1.5, f"critical difference {difference:.2f}", fontsize=8)
    axes.set_axis_off()
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
