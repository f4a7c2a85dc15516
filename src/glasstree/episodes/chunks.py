"""A chunk of episodes of Gymnasium environments: the unit of work that travels to workers."""

from dataclasses import dataclass

import numpy as np

from glasstree.episodes.environments import borrowed
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.flat import decide
from glasstree.tasks.base import Environment, Outcomes
from glasstree.tasks.checked import Checked
from glasstree.timeout import Watch, watched


@dataclass(frozen=True)
class Chunk:
    """Episodes to play: row i of (n, numbers) of one flat program plays the i-th of n seeds.

    Where actions are continuous, the last numbers of a row are their levels, of so many controls.
    """

    environment: Environment
    n_variables: int
    program: Ints
    numbers: Floats
    seeds: Ints
    levels: int = 0
    controls: int = 0


def play_chunk(chunk: Chunk) -> Outcomes:
    """Play the episodes one after another in an environment that this process keeps."""
    with borrowed(chunk.environment, chunk.n_variables) as environments:
        if not environments:
            environments.append(Checked(chunk.environment, chunk.n_variables))
        environment = environments[0]
        try:
            return watched(
                lambda watch: _episodes(environment, chunk, watch), chunk.environment.timeout
            )
        except TimeoutError as error:
            raise environment.failure(error) from error


def _episodes(environment: Checked, chunk: Chunk, watch: Watch) -> Outcomes:
    # what came over a wire may be read-only, which compiled code does not take
    program, every = chunk.program.copy(), chunk.numbers.copy()
    rows = [
        _episode(environment, program, numbers, _levels(chunk, numbers), seed, watch)
        for numbers, seed in zip(every, chunk.seeds.tolist(), strict=True)
    ]
    rewards, steps, terminated, last = zip(*rows, strict=True)
    return Outcomes(np.array(rewards), np.array(steps), np.array(terminated), np.array(last))


def _levels(chunk: Chunk, numbers: Floats) -> Floats | None:
    return numbers[-chunk.levels :].reshape(-1, chunk.controls) if chunk.levels else None


def _episode(
    environment: Checked,
    program: Ints,
    numbers: Floats,
    levels: Floats | None,
    seed: int,
    watch: Watch,
) -> tuple[float, int, bool, float]:
    limit, step = environment.factory.step_limit, environment.step
    total, reward, time, ended, cut = 0.0, 0.0, 0, False, False
    state, _ = environment.reset(seed=seed)
    while not (ended or cut) and time < limit:
        action = decide(program, numbers, state)
        state, reward, ended, cut, _ = step(action if levels is None else levels[action])
        total += reward
        time += 1
        watch.beats += 1
    return total, time, ended, reward
