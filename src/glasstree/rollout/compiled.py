"""Whole episodes of many candidate trees without leaving compiled code."""

from concurrent.futures import ThreadPoolExecutor
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
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.flat import decide
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import OBSERVE, STEP, Ends, Simulator, Task


@kernel(
    nothing(
        *(function(STEP), function(OBSERVE), reals, integers, reals2),
        *(reals2, reals3, integer, integer, reals2, integers2, integers2, reals2),
    )
)
def roll_trees(
    step: Any,
    observe: Any,
    parameters: Floats,
    program: Ints,
    numbers: Floats,
    starts: Floats,
    noise: Floats,
    width: int,
    step_limit: int,
    rewards: Floats,
    steps: Ints,
    terminated: Ints,
    last_rewards: Floats,
) -> None:
    """Play every start with every row of numbers; results are (candidates, episodes)."""
    state = np.empty(starts.shape[1])
    observation = np.empty(width)
    for candidate in range(len(numbers)):
        for episode in range(len(starts)):
            state[:] = starts[episode]
            total, reward, ended, time = 0.0, 0.0, False, 0
            while time < step_limit and not ended:
                observe(state, parameters, observation)
                action = decide(program, numbers[candidate], observation)
                reward, ended = step(state, action, noise[episode, time], parameters)
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
        self.starts, self.noise = self.simulator.draw(seeds, task.step_limit)

    def play(self, tree: PolicyTree, candidates: Floats, threads: int = 1) -> Ends:
        """Play all episodes with each row of (n, parameters) candidates: fields (n, episodes)."""
        program, numbers = tree.flat
        scaling = np.tile(numbers[: 2 * tree.width], (len(candidates), 1))
        rows = np.ascontiguousarray(np.hstack([scaling, candidates]))
        shape = (len(candidates), len(self.starts))
        rewards, last = np.empty(shape), np.empty(shape)
        steps, ended = np.empty(shape, dtype=np.int64), np.empty(shape, dtype=np.int64)
        simulator, task = self.simulator, self.task

        def work(part: slice) -> None:
            roll_trees(
                *(simulator.step, simulator.observe, simulator.parameters, program, rows[part]),
                *(self.starts, self.noise, task.width, task.step_limit),
                *(rewards[part], steps[part], ended[part], last[part]),
            )

        parts = [slice(i, i + 1) for i in range(len(rows))] if threads > 1 else [slice(None)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, parts))
        return Ends(rewards, steps, ended.astype(np.bool_), last)
