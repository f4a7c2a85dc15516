"""Soft trees are trained to do what was done in states, then thinned and hardened.

docs/algorithm.md, section 6.
"""

from collections.abc import Iterator

import numpy as np

from glasstree.openloop.soft.tree import SoftTree, drawn, hardened
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import Node

RESTARTS = 3  # trees that are trained for each that is wanted
PRESENTED, AGAIN = 600_000, 150_000  # states that a tree sees at first, and after variables went
MOST_OFTEN = 60  # times that a tree sees the same state
SHARE, SHARES = 256, 16  # states a step, at most; steps a round through few states, at least
RATE, RATE_AGAIN = 0.02, 0.01
HARDER = 4.0  # how much steeper splits are in the end
DROPPED = 0.1  # of the variables that are left go together
MEAN, SQUARE = 0.9, 0.999  # memories of the gradient
LARGEST = 40.0  # sum that a split tells from infinity
TINY = 1e-9


def soft_roots(
    states: Floats,
    actions: Ints,
    n_actions: int,
    depth: int,
    wanted: int,
    seed: int,
    weights: Floats | None = None,
) -> list[list[Node]]:
    """Train trees of a depth, harden the best ones, drop variable after variable.

    weights (n,) tell what states are worth. Returns a list for each of the best trees: itself, then
    what is left of it.
    """
    centre, scale = states.mean(axis=0), states.std(axis=0)
    varying = scale > TINY * (1.0 + np.abs(centre))
    standard = np.where(varying, (states - centre) / np.where(varying, scale, 1.0), 0.0)
    worth = np.ones(len(states)) if weights is None else weights / weights.mean()
    school = School(standard, actions, worth)
    found = []
    for number in range(RESTARTS * wanted):
        generator = np.random.default_rng([seed, depth, number])
        first = drawn(depth, varying, n_actions, generator)
        tree = school.train(first, generator, PRESENTED, RATE, (1.0, HARDER))
        found.append((school.agreement(tree), tree, generator))
    found.sort(key=lambda one: -one[0])
    return [
        [hardened(one, centre, scale) for one in school.thinned(tree, generator)]
        for _, tree, generator in found[:wanted]
    ]


class School:
    """Trains soft trees to do what was done in states."""

    def __init__(self, states: Floats, actions: Ints, worth: Floats) -> None:
        self.states, self.actions, self.worth = states, actions, worth

    def agreement(self, tree: SoftTree) -> float:
        """Share of the states, by what they are worth, in which a hard tree does the same."""
        return float((self.worth * (tree.actions(self.states) == self.actions)).mean())

    def train(
        self,
        tree: SoftTree,
        generator: np.random.Generator,
        presented: int,
        rate: float,
        steep: tuple[float, float],
    ) -> SoftTree:
        """Go down the gradient of what the right actions lack in likelihood, split by split."""
        parts = [tree.weights.copy(), tree.biases.copy(), tree.values.copy()]
        kept = tree.weights != 0
        means, squares = ([np.zeros_like(part) for part in parts] for _ in range(2))
        epochs, number = max(1, min(presented // len(self.states), MOST_OFTEN)), 0
        together = max(1, min(SHARE, len(self.states) // SHARES))
        for epoch in range(epochs):
            sharp = steep[0] * (steep[1] / steep[0]) ** (epoch / epochs)
            order = generator.permutation(len(self.states))
            for first in range(0, len(order), together):
                number += 1
                gradients = self._gradients(parts, order[first : first + together], sharp)
                gradients[0] *= kept
                for part, gradient, mean, square in zip(
                    parts, gradients, means, squares, strict=True
                ):
                    mean += (1.0 - MEAN) * (gradient - mean)
                    square += (1.0 - SQUARE) * (gradient**2 - square)
                    usual = np.sqrt(square / (1.0 - SQUARE**number)) + TINY
                    part -= rate * mean / (1.0 - MEAN**number) / usual
        return SoftTree(*parts)

    def _gradients(self, parts: list[Floats], rows: Ints, sharp: float) -> list[Floats]:
        weights, biases, values = parts
        states, depth = self.states[rows], len(values).bit_length() - 1
        sums = np.clip(sharp * (states @ weights.T + biases), -LARGEST, LARGEST)
        right = 1.0 / (1.0 + np.exp(-sums))
        levels = [slice(2**level - 1, 2 ** (level + 1) - 1) for level in range(depth)]
        reached = [np.ones((len(rows), 1))]
        for level in levels:
            share = right[:, level]
            sides = np.stack([reached[-1] * (1.0 - share), reached[-1] * share], axis=2)
            reached.append(sides.reshape(len(rows), -1))
        likely = np.exp(values - values.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        told = likely[:, self.actions[rows]].T  # of the right action, by each leaf
        lack = -self.worth[rows] / (len(rows) * ((reached[-1] * told).sum(axis=1) + TINY))
        done = np.eye(values.shape[1])[self.actions[rows]]
        towards = (lack[:, np.newaxis] * reached[-1]).T @ done
        of_values = likely * (towards - (towards * likely).sum(axis=1, keepdims=True))
        slopes, below = np.empty_like(sums), lack[:, np.newaxis] * told
        for level, before in zip(reversed(levels), reversed(reached[:-1]), strict=True):
            share = right[:, level]
            left, other = below[:, 0::2], below[:, 1::2]
            slopes[:, level] = before * (other - left) * share * (1.0 - share)
            below = left * (1.0 - share) + other * share
        return [sharp * slopes.T @ states, sharp * slopes.sum(axis=0), of_values]

    def thinned(self, tree: SoftTree, generator: np.random.Generator) -> Iterator[SoftTree]:
        """Yield a tree, then what is left when variables go, the least ones of all lines first."""
        yield tree
        while True:
            length = np.linalg.norm(tree.weights, axis=1, keepdims=True) + TINY
            shares = np.abs(tree.weights) / length
            alone = np.count_nonzero(shares, axis=1) <= 1
            shares[(shares == 0) | alone[:, np.newaxis]] = np.inf
            many = max(1, round(DROPPED * np.count_nonzero(tree.weights)))
            order = np.argsort(shares, axis=None, kind="stable")[:many].tolist()
            least = [place for place in order if np.isfinite(shares.flat[place])]
            if not least:
                return
            weights = tree.weights.copy()
            weights.flat[least] = 0.0
            fewer = SoftTree(weights, tree.biases, tree.values)
            tree = self.train(fewer, generator, AGAIN, RATE_AGAIN, (HARDER, HARDER))
            yield tree
