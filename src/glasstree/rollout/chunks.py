"""A chunk of episodes of Gymnasium environments: the unit of work that travels to workers."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from glasstree.compiled import integer, integers, kernel, reals
from glasstree.errors import GlasstreeError, TaskError
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.flat import decide
from glasstree.rollout.lending import lent
from glasstree.tasks.base import Ends, Environment


@dataclass(frozen=True)
class Chunk:
    """Episodes to play: row i of (n, numbers) of one flat program plays the i-th of n seeds."""

    environment: Environment
    width: int
    program: Ints
    numbers: Floats
    seeds: Ints


@kernel(integer(integers, reals, reals))
def decide_if_finite(program: Ints, numbers: Floats, state: Floats) -> int:
    """Return the action of a tree, or -1 for a state that is not finite."""
    for value in state:
        if not np.isfinite(value):
            return -1
    return decide(program, numbers, state)


def play_chunk(chunk: Chunk) -> Ends:
    """Play the episodes one after another in an environment that this process keeps."""
    with lent(chunk.environment) as environments:
        if not environments:
            environments.append(chunk.environment())
        # what came over a wire may be read-only, which compiled code does not take
        program, every = chunk.program.copy(), chunk.numbers.copy()
        rows = [
            _episode(environments[0], chunk, program, numbers, seed)
            for numbers, seed in zip(every, chunk.seeds.tolist(), strict=True)
        ]
    rewards, steps, terminated, last = zip(*rows, strict=True)
    return Ends(np.array(rewards), np.array(steps), np.array(terminated), np.array(last))


def _episode(
    environment: Any, chunk: Chunk, program: Ints, numbers: Floats, seed: int
) -> tuple[float, int, bool, float]:
    state = np.empty(chunk.width)
    limit, step = chunk.environment.step_limit, environment.step
    total, reward, time, ended, cut = 0.0, 0.0, 0, False, False
    try:
        observation, _ = environment.reset(seed=seed)
        while not (ended or cut) and time < limit:
            state[:] = observation
            action = decide_if_finite(program, numbers, state)
            if action < 0:
                raise not_finite(chunk.environment, "an observation", seed)
            observation, reward, ended, cut, _ = step(action)
            total += float(reward)
            time += 1
    except Exception as error:
        raise failure(chunk.environment, error, seed) from error
    if not isfinite(total):
        raise not_finite(chunk.environment, "a reward", seed)
    return total, time, bool(ended), float(reward)


def failure(environment: Environment, error: Exception, seed: int) -> GlasstreeError:
    """Word what an environment raised in the middle of an episode."""
    if isinstance(error, GlasstreeError):
        return error
    return TaskError(
        f"environment {environment.id!r} raised {type(error).__name__}: {error} in the episode "
        f"with seed {seed}; correct it, and go on with --resume"
    )


def not_finite(environment: Environment, what: str, seed: int) -> TaskError:
    """Word a value with which nothing can be learnt."""
    return TaskError(
        f"environment {environment.id!r} returned {what} that is not finite in the episode with "
        f"seed {seed}; correct it, and go on with --resume"
    )
