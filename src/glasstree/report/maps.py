"""State-action maps: which action over two variables, and where the rules divide them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from glasstree.formats.shared.names import visible
from glasstree.formats.shared.palette import colour
from glasstree.formats.text import digits_of
from glasstree.policy import PolicyTree, Scaling, Split
from glasstree.policy.arrays import Floats, Policy
from glasstree.policy.tree import walk
from glasstree.report.charts import action_legend, label, ranked
from glasstree.report.content import Region

COARSE, FINE = 20, 120  # squares a side: to choose a slice, and to draw it
CANDIDATES = 24  # visited states through which slices are tried
LINE = "#000000"


@dataclass(frozen=True)
class Slice:
    """Two variables that vary over what was seen while the others stay as in one state."""

    across: int
    up: int
    state: Floats
    seen: Scaling

    @property
    def ends(self) -> list[list[float]]:
        """The lowest and the highest value across, and up."""
        low, high = self.seen.minimum, self.seen.maximum
        return [[float(low[j]), float(high[j])] for j in (self.across, self.up)]

    def words(self, tree: PolicyTree) -> str:
        """Say what varies and what does not."""
        names = tree.state_names
        text = f"{visible(names[self.across])} and {visible(names[self.up])}"
        fixed = [j for j in range(tree.n_variables) if j not in (self.across, self.up)]
        if not fixed:
            return text
        shown = [f"{visible(names[j])} {_short(tree, j, self.state[j])}" for j in fixed[:6]]
        more = " and so on" if len(fixed) > 6 else ""
        return f"{text}, with {', '.join(shown)}{more}"

    def grid(self, size: int) -> Floats:
        """Return (size * size, variables) states over the range that was seen."""
        x, y = np.meshgrid(*(np.linspace(low, high, size) for low, high in self.ends))
        states = np.repeat(self.state[np.newaxis], size * size, axis=0)
        states[:, self.across], states[:, self.up] = x.ravel(), y.ravel()
        return states


def slices(tree: PolicyTree, visited: Sequence[Floats], seen: Scaling) -> list[Slice]:
    """Choose up to two slices through states that were visited."""
    middle = (seen.minimum + seen.maximum)[np.newaxis] / 2
    states = np.concatenate([*visited, middle])
    varying = [j for j in ranked(tree, states) if seen.span[j] > 0]
    if len(varying) < 2 or not tree.n_rules:
        return []
    if tree.n_variables == 2:
        return [Slice(0, 1, states[0], seen)]
    used = [j for j in varying if any(s.rule.exponents[:, j].any() for s in tree.splits())]
    pairs = [(varying[0], other) for other in (used if len(used) > 1 else varying)[1:3]]
    chosen = states[np.linspace(0, len(states) - 1, CANDIDATES).astype(int)]
    return [
        _fullest(tree, [Slice(across, up, state, seen) for state in chosen]) for across, up in pairs
    ]


def _fullest(tree: PolicyTree, cuts: Sequence[Slice]) -> Slice:
    """Take the slice that shows most of every action."""

    def entropy(cut: Slice) -> float:
        counts = np.bincount(tree.actions(cut.grid(COARSE)))
        shares = counts[counts > 0] / counts.sum()
        return float(-(shares * np.log(shares)).sum())

    return max(cuts, key=entropy)


def paint(figure: Figure, tree: PolicyTree, policies: Mapping[str, Policy], cut: Slice) -> None:
    """Paint the map of each policy side by side, the rules' boundaries over it."""
    states = cut.grid(FINE)
    names = tree.action_names
    tints = ListedColormap([colour(n) for n in range(len(names))])
    all_axes = figure.subplots(1, len(policies), squeeze=False, sharey=True)[0]
    for axes, (name, policy) in zip(all_axes, policies.items(), strict=True):
        chosen = np.asarray(policy.actions(states)).reshape(FINE, FINE)
        axes.imshow(
            chosen,
            cmap=tints,
            interpolation="nearest",
            aspect="auto",
            origin="lower",
            vmin=-0.5,
            vmax=len(names) - 0.5,
            extent=(*cut.ends[0], *cut.ends[1]),
        )
        _boundaries(axes, tree, states, cut.ends)
        axes.set_title(label(name))
        axes.set_xlabel(_axis(tree, cut.across))
    all_axes[0].set_ylabel(_axis(tree, cut.up))
    action_legend(figure, names)


def _boundaries(axes: Any, tree: PolicyTree, states: Floats, ends: list[Any]) -> None:
    x, y = (np.linspace(low, high, FINE) for low, high in ends)
    nodes = (node for _, node in walk(tree.root))
    for node, rows in zip(nodes, tree.apply(states), strict=True):
        if isinstance(node, Split) and len(rows):
            values, elsewhere = np.zeros(FINE * FINE), np.ones(FINE * FINE, dtype=np.bool_)
            values[rows], elsewhere[rows] = tree.values(node.rule, states[rows]), False
            if values.min() < 0 < values.max():
                field = np.ma.masked_array(values, elsewhere).reshape(FINE, FINE)
                axes.contour(x, y, field, levels=[0.0], colors=LINE, linewidths=1.4)


def _axis(tree: PolicyTree, variable: int) -> str:
    unit = f" [{label(tree.units[variable])}]" if tree.units[variable] else ""
    return f"{label(tree.state_names[variable])}{unit}"


def _short(tree: PolicyTree, variable: int, value: float) -> str:
    return digits_of(float(f"{value:.3g}"), float(tree.scaling.span[variable]) or 1.0)


def region(figure: Figure, shown: Region, played: Sequence[Floats], names: Sequence[str]) -> None:
    """Draw all states that can occur over two variables, with episodes inside."""
    axes = figure.add_subplot()
    edges = [
        np.linspace(shown.low[axis], shown.high[axis], shown.inside.shape[axis] + 1)
        for axis in range(2)
    ]
    axes.pcolormesh(
        *edges, shown.inside.T, cmap=ListedColormap(["#ffffff00", "#9ec9e2"]), rasterized=True
    )
    for states in played:
        axes.plot(*states[:, list(shown.variables)].T, color=LINE, lw=0.6, alpha=0.7)
    axes.set(xlabel=label(names[0]), ylabel=label(names[1]))
