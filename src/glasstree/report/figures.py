"""Figures as SVG text, to stand inside the page."""

import io
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")


def training_curve(best: list[float], mean: list[float]) -> str:
    """Draw the best and mean reward of each closed-loop generation."""
    figure, axes = _axes()
    generations = range(1, len(best) + 1)
    axes.plot(generations, best, color=COLOURS[0], label="best so far")
    axes.plot(generations, mean, color=COLOURS[1], label="population mean")
    axes.set_xlabel("generation")
    axes.set_ylabel("reward of an episode")
    axes.legend(frameon=False)
    return _svg(figure)


def reward_histogram(rewards: dict[str, Any]) -> str:
    """Draw the rewards of single episodes, one outline a policy."""
    figure, axes = _axes()
    for colour, (name, values) in zip(COLOURS, rewards.items(), strict=False):
        axes.hist(values, bins=40, histtype="step", color=colour, label=name)
    axes.set_xlabel("reward of an episode")
    axes.set_ylabel("episodes")
    axes.legend(frameon=False)
    return _svg(figure)


def _axes() -> tuple[Figure, Any]:
    figure = Figure(figsize=(6, 3), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Figure) -> str:
    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "glasstree", "svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None}, transparent=True)
    text = buffer.getvalue()
    return text[text.index("<svg") :]
