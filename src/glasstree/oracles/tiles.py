"""Tile coding: action values as sums over overlapping grids."""

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import OracleError
from glasstree.oracles.base import Meaning
from glasstree.policy.arrays import Floats, Ints, checked_states, frozen


class TileOracle:
    """Action values over two variables; weights are (actions, tilings, cells, cells).

    Tiling t of n is shifted by t/n and 3t/n of a cell.
    """

    meaning: Meaning = "values"
    width = 2

    def __init__(self, weights: ArrayLike, low: ArrayLike, high: ArrayLike) -> None:
        self.weights = frozen(weights, np.float64)
        self.low, self.high = frozen(low, np.float64), frozen(high, np.float64)
        shape = self.weights.shape
        square = len(shape) == 4 and shape[2] == shape[3] and min(shape) > 0
        if not square or not self.low.shape == self.high.shape == (2,):
            raise OracleError(
                f"tile weights of shape {shape} are not (actions, tilings, cells, cells)"
            )
        bounds = np.array([self.low, self.high])
        finite = np.isfinite(self.weights).all() and np.isfinite(bounds).all()
        if not finite or not (self.high > self.low).all():
            raise OracleError("tile weights and bounds must be finite numbers, bounds increasing")

    @property
    def n_actions(self) -> int:
        """Number of actions."""
        return int(self.weights.shape[0])

    @property
    def n_parameters(self) -> int:
        """Number of weights."""
        return int(self.weights.size)

    def preferences(self, states: ArrayLike) -> Floats:
        """Return the (n, actions) action values."""
        array = checked_states(states, self.width)
        _, tilings, cells, _ = self.weights.shape
        places = np.clip((array - self.low) / (self.high - self.low), 0.0, 1.0) * (cells - 1)
        values = np.zeros((len(array), self.n_actions))
        for tiling in range(tilings):
            shift = np.array([tiling, 3 * tiling % tilings]) / tilings
            cell = np.floor(places + shift).astype(np.int64)
            values += self.weights[:, tiling, cell[:, 0], cell[:, 1]].T
        return values

    def actions(self, states: ArrayLike) -> Ints:
        """Return the action of the highest value of each state."""
        return np.asarray(self.preferences(states).argmax(axis=1), dtype=np.int64)
