"""SARSA(lambda) with tile coding over two variables, compiled."""

from typing import Any

import numpy as np

from glasstree.compiled import (
    function,
    integer,
    integers,
    kernel,
    nothing,
    reals,
    reals2,
    reals3,
)
from glasstree.errors import TaskError
from glasstree.oracles.tiles import TileOracle
from glasstree.oracles.training.options import LARGEST_SEED, SarsaOptions
from glasstree.policy.arrays import Floats, Ints
from glasstree.tasks.base import Task
from glasstree.tasks.twins import OBSERVE, STEP

EPISODES_A_ROUND = 25  # learnt from before the budget is looked at again


@kernel(nothing(reals, reals, integer, integer, integers))
def active_tiles(
    observation: Floats, bounds: Floats, tilings: int, cells: int, tiles: Ints
) -> None:
    """Fill in the flat index of the tile that each tiling puts an observation in."""
    for tiling in range(tilings):
        index = tiling
        for variable in range(2):
            low, high = bounds[variable], bounds[2 + variable]
            place = min(max((observation[variable] - low) / (high - low), 0.0), 1.0) * (cells - 1)
            shift = ((2 * variable + 1) * tiling % tilings) / tilings
            index = index * cells + int(np.floor(place + shift))
        tiles[tiling] = index


@kernel(integer(reals2, integers))
def greedy(weights: Floats, tiles: Ints) -> int:
    """Return the action of the highest value."""
    best, action = -np.inf, 0
    for candidate in range(len(weights)):
        value = 0.0
        for tile in tiles:
            value += weights[candidate, tile]
        if value > best:
            best, action = value, candidate
    return action


@kernel(
    integer(
        *(function(STEP), function(OBSERVE), reals, reals2, reals3),
        *(reals, integer, integer, reals, reals2),
    )
)
def learn(
    step: Any,
    observe: Any,
    parameters: Floats,
    starts: Floats,
    noise: Floats,
    bounds: Floats,
    tilings: int,
    cells: int,
    settings: Floats,
    weights: Floats,
) -> int:
    """Play every start greedily, learning on the way, and return the number of steps.

    settings: learning rate, discount, decay of traces.
    """
    rate, gamma, decay = settings[0], settings[1], settings[2]
    observation, steps = np.empty(2), 0
    tiles, following = np.empty(tilings, dtype=np.int64), np.empty(tilings, dtype=np.int64)
    for episode in range(len(starts)):
        traces = np.zeros(weights.shape)
        state = starts[episode].copy()
        observe(state, parameters, observation)
        active_tiles(observation, bounds, tilings, cells, tiles)
        action = greedy(weights, tiles)
        for time in range(noise.shape[1]):
            reward, ended = step(state, action, noise[episode, time], parameters)
            steps += 1
            error = reward
            for tile in tiles:
                error -= weights[action, tile]
                traces[:, tile] = 0.0
                traces[action, tile] = 1.0
            if not ended:
                observe(state, parameters, observation)
                active_tiles(observation, bounds, tilings, cells, following)
                action = greedy(weights, following)
                for tile in following:
                    error += gamma * weights[action, tile]
                tiles[:] = following
            weights += rate * error * traces
            traces *= gamma * decay
            if ended:
                break
    return steps


class SarsaTraining:
    """Optimistic zero values explore; no random actions are needed where rewards are negative."""

    def __init__(self, options: SarsaOptions, task: Task, seed: int) -> None:
        if task.simulator is None or task.n_variables != 2:
            raise TaskError(
                f"SARSA with tile coding needs a compiled task of two variables, not {task.name}"
            )
        self.options, self.task, self.seed = options, task, seed
        self.simulator = task.simulator
        space = task.environment().observation_space
        self.bounds = np.concatenate([space.low, space.high]).astype(np.float64)
        cells = options.tilings * options.cells**2
        self.weights = np.zeros((task.n_actions, cells))
        self.steps = 0

    def advance(self, steps: int) -> None:
        """Learn for about so many steps more."""
        options, simulator, goal = self.options, self.simulator, self.steps + steps
        settings = np.array([options.learning_rate, options.gamma, options.trace_decay])
        while self.steps < goal:
            generator = np.random.default_rng([self.seed, self.steps])
            seeds: Ints = generator.integers(LARGEST_SEED, size=(EPISODES_A_ROUND,))
            starts, noise = simulator.draw(seeds, self.task.step_limit)
            self.steps += learn(
                *(simulator.step, simulator.observe, simulator.parameters, starts, noise),
                *(self.bounds, options.tilings, options.cells, settings, self.weights),
            )

    def oracle(self) -> TileOracle:
        """Return the present action values."""
        options = self.options
        shape = (self.task.n_actions, options.tilings, options.cells, options.cells)
        return TileOracle(self.weights.reshape(shape), self.bounds[:2], self.bounds[2:])

    def state(self) -> dict[str, Any]:
        """Return weights and the number of steps."""
        return {"weights": self.weights, "steps": np.array(self.steps)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.weights, self.steps = state["weights"], int(state["steps"])
