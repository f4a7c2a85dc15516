"""Charts: rewards, training, and what happens over time."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from glasstree.formats.shared.names import visible
from glasstree.formats.shared.palette import INK, colour, policy_colour
from glasstree.formats.shared.traversal import used_variables
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats
from glasstree.report.content import ORACLE, Content, Episode, Stage, View

BINS = 40  # of a histogram
MOST_POINTS = 1000  # of a line: more than its pixels


def label(name: str) -> str:
    """Return a name as a figure writes it: dollars would start a formula there."""
    return visible(name).replace("$", r"\$")


def training(figure: Figure, curve: Mapping[str, list[float]]) -> None:
    """Draw the best and the mean reward of each closed-loop generation."""
    axes = figure.add_subplot()
    generations = range(1, len(curve["best"]) + 1)
    axes.plot(generations, curve["best"], color=policy_colour(""), label="best so far", lw=2)
    if len(curve.get("mean", ())) == len(generations):
        axes.plot(generations, curve["mean"], color=colour(0), label="mean", lw=1.2)
    axes.set(xlabel="generation", ylabel="reward of an episode")
    axes.legend()


def rewards(figure: Figure, found: Mapping[str, Floats]) -> None:
    """Draw a histogram per policy, one below the other over the same rewards."""
    low = min(float(np.min(values)) for values in found.values())
    high = max(float(np.max(values)) for values in found.values())
    half = max(abs(low), abs(high), 1.0) * 0.01 if high - low < 1e-9 else 0.0
    grid = np.linspace(low - half, high + half, BINS + 1)
    all_axes = figure.subplots(len(found), sharex=True, squeeze=False)[:, 0]
    for axes, (name, values) in zip(all_axes, found.items(), strict=True):
        axes.hist(values, bins=grid, color=policy_colour(name))
        axes.axvline(float(np.mean(values)), color=INK, lw=1.5)
        axes.set_ylabel(label(name), rotation=0, ha="right", va="center")
        axes.set_yticks([])
    all_axes[-1].set_xlabel("reward of an episode; the line is the mean")


def front(figure: Figure, policies: Sequence[View], shown: View, oracle: Stage | None) -> None:
    """Draw reward over complexity with 95 % intervals, the oracle as a line across."""
    axes = figure.add_subplot()
    if oracle is not None:
        worth = oracle.figures["mean_reward"]
        axes.axhline(worth, color=policy_colour(ORACLE), lw=1.5, ls="--", label="the oracle")
    for view in policies:
        low, high = view.figures["ci95"]
        tint = policy_colour("" if view is shown else "open loop")
        reward = view.figures["mean_reward"]
        error = [[reward - low], [high - reward]]
        axes.errorbar(view.key, reward, error, fmt="o", color=tint, capsize=3)
    axes.plot([], [], "o", color=policy_colour(""), label="taken")
    axes.set(xlabel="symbols", ylabel="mean reward, unseen episodes")
    axes.legend()


def actions(figure: Figure, start: Sequence[Episode], names: Sequence[str]) -> None:
    """Draw the action at every step as bands of colour, one row per policy."""
    axes = figure.add_subplot()
    longest = max(len(episode.actions) for episode in start)
    for row, episode in enumerate(start):
        strip = thinned(episode.actions)[np.newaxis]
        tints = ListedColormap([colour(n) for n in range(max(len(names), strip.max() + 1))])
        axes.imshow(
            strip,
            cmap=tints,
            interpolation="nearest",
            aspect="auto",
            vmin=-0.5,
            vmax=tints.N - 0.5,
            extent=(0, len(episode.actions), row + 0.38, row - 0.38),
        )
    axes.set_xlim(0, longest)
    axes.set_ylim(len(start) - 0.5, -0.5)
    axes.set_yticks(range(len(start)), [label(episode.policy) for episode in start])
    axes.set_xlabel("step")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    action_legend(figure, names)


def thinned(values: Any) -> Any:
    """Keep every k-th value, so that at most MOST_POINTS are left.

    >>> len(thinned(np.arange(50_000)))
    1000
    """
    return values[:: max(1, -(-len(values) // MOST_POINTS))]


def action_legend(figure: Figure, names: Sequence[str]) -> None:
    """Say below a figure which colour is which action."""
    from matplotlib.patches import Patch

    patches = [Patch(facecolor=colour(n), label=label(name)) for n, name in enumerate(names)]
    if len(patches) <= 8:
        figure.legend(handles=patches, loc="outside lower center", ncols=min(4, len(patches)))


def variable(
    figure: Figure,
    start: Sequence[Episode],
    tree: PolicyTree,
    number: int,
    scene: Mapping[str, Any],
) -> None:
    """Draw one variable over time, one line per policy."""
    axes = figure.add_subplot()
    for order, episode in enumerate(start):
        tint, width = policy_colour(episode.policy), 2.4 - 0.6 * order
        values = thinned(episode.states[:, number])
        steps = thinned(np.arange(len(episode.states)))
        axes.plot(steps, values, color=tint, label=label(episode.policy), lw=width)
    if "safe" in scene and tree.state_names[number] == "gap":
        axes.axhline(scene["safe"], color=colour(2), ls="--", lw=1, label="wanted")
    unit = f" [{label(tree.units[number])}]" if tree.units[number] else ""
    axes.set(xlabel="step", ylabel=f"{label(tree.state_names[number])}{unit}")
    figure.legend(loc="outside lower center", ncols=4)


def telling_variable(content: Content) -> int:
    """Return the variable to show over time: the gap of cars, else the one that decides most."""
    tree = content.views[-1].tree
    if "gap" in tree.state_names:
        return tree.state_names.index("gap")
    states = np.concatenate([episode.states for start in content.starts for episode in start])
    return ranked(tree, states)[0]


def ranked(tree: PolicyTree, states: Floats) -> list[int]:
    """Return the variables, first those whose shuffling changes most of the actions."""
    generator = np.random.default_rng(0)
    states = states[generator.permutation(len(states))[:2000]]
    wanted = tree.actions(states)
    found = {}
    for number in used_variables(tree):
        shuffled = states.copy()
        shuffled[:, number] = generator.permutation(shuffled[:, number])
        found[number] = float((tree.actions(shuffled) != wanted).mean())
    rest = [number for number in range(tree.n_variables) if number not in found]
    return [*sorted(found, key=lambda number: -found[number]), *rest]
