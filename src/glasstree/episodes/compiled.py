"""Whole episodes of many candidate trees without leaving compiled code."""

from functools import lru_cache
from typing import Any

import numpy as np

from glasstree.compiled import (
    function,
    integer,
    integers,
    integers2,
    kernel,
    nothing,
    reals,
    reals2,
    reals3,
)
from glasstree.parallel import n_workers, threaded_map
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.flat import decide
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Outcomes, Task
from glasstree.tasks.twins import OBSERVE, STEP, Simulator


@kernel(
    nothing(
        *(function(STEP), function(OBSERVE), reals, integers, reals2, integer),
        *(reals2, reals3, integer, integer, reals2, integers2, integers2, reals2),
    )
)
def roll_trees(
    step: Any,
    observe: Any,
    parameters: Floats,
    program: Ints,
    numbers: Floats,
    levels: int,
    starts: Floats,
    noise: Floats,
    n_variables: int,
    step_limit: int,
    rewards: Floats,
    steps: Ints,
    terminated: Ints,
    last_rewards: Floats,
) -> None:
    """Play every start with every row of numbers; results are (candidates, episodes).

    The last so many numbers of a row are levels of actions, which follow the parameters.
    """
    state = np.empty(starts.shape[1])
    observation = np.empty(n_variables)
    for candidate in range(len(numbers)):
        own = np.concatenate((parameters, numbers[candidate, numbers.shape[1] - levels :]))
        for episode in range(len(starts)):
            for number in range(len(state)):  # compiled sooner than a slice
                state[number] = starts[episode, number]
            total, reward, ended, time = 0.0, 0.0, False, 0
            while time < step_limit and not ended:
                observe(state, own, observation)
                action = decide(program, numbers[candidate], observation)
                reward, ended = step(state, action, noise[episode, time], own)
                total += reward
                time += 1
            rewards[candidate, episode] = total
            steps[candidate, episode] = time
            terminated[candidate, episode] = ended
            last_rewards[candidate, episode] = reward


class CompiledEpisodes:
    """A fixed set of episodes, played by any candidate of one tree's structure."""

    def __init__(self, task: Task, seeds: Ints) -> None:
        assert task.simulator is not None
        self.task = task
        self.simulator: Simulator = task.simulator
        drawing = (self.simulator.start, self.simulator.noise)
        self.starts, self.noise = _drawn(*drawing, seeds.tobytes(), task.step_limit)

    def play(self, tree: PolicyTree, candidates: Floats) -> Outcomes:
        """Play all episodes with each row of (n, parameters) candidates: fields (n, episodes)."""
        program, numbers = tree.flat
        scaling = np.tile(numbers[: 2 * tree.n_variables], (len(candidates), 1))
        rows = np.ascontiguousarray(np.hstack([scaling, candidates]))
        shape = (len(candidates), len(self.starts))
        rewards, last = np.empty(shape), np.empty(shape)
        steps, ended = np.empty(shape, dtype=np.int64), np.empty(shape, dtype=np.int64)
        simulator, task = self.simulator, self.task
        levels = 0 if tree.levels is None else tree.levels.size

        def work(part: tuple[slice, slice]) -> None:
            some, episodes = part
            roll_trees(
                *(simulator.step, simulator.observe, simulator.parameters, program, rows[some]),
                *(
                    levels,
                    self.starts[episodes],
                    self.noise[episodes],
                    task.n_variables,
                    task.step_limit,
                ),
                *(rewards[part], steps[part], ended[part], last[part]),
            )

        threaded_map(work, _parts(shape, n_workers()))
        return Outcomes(rewards, steps, ended.astype(np.bool_), last)


@lru_cache(maxsize=8)
def _drawn(start: Any, noise: Any, seeds: bytes, steps: int) -> tuple[Floats, Floats]:
    """Cache starts and noise of episodes that are played again and again."""
    drawing = Simulator(start, step=start, observe=start, noise=noise)
    return drawing.draw(np.frombuffer(seeds, dtype=np.int64), steps)


def _parts(shape: tuple[int, int], threads: int) -> list[tuple[slice, slice]]:
    """Share work between threads: by candidates, or by episodes where there are few of those."""
    candidates, episodes = shape
    if threads == 1:
        return [(slice(None), slice(None))]
    if candidates >= 2 * threads:
        return [(slice(i, i + 1), slice(None)) for i in range(candidates)]
    size = max(1, -(-episodes // (2 * threads)))
    blocks = [slice(i, i + size) for i in range(0, episodes, size)]
    return [(slice(i, i + 1), block) for i in range(candidates) for block in blocks]
