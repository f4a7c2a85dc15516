"""Play episodes with any policy, and keep what was seen where that is wanted."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from glasstree.episodes.batches import Batch, CompiledBatch, GymnasiumBatch
from glasstree.episodes.environments import borrowed
from glasstree.errors import OracleError
from glasstree.policy.arrays import Floats, Ints, Policy
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Outcomes, Task

CHUNK = 64  # environments that advance together


@dataclass(frozen=True)
class Trajectories:
    """What was seen, episode after episode: states (n, variables), actions (n,), episode (n,)."""

    states: Floats
    actions: Ints
    episodes: Ints


def play(
    policy: Policy, task: Task, seeds: Ints, *, record: bool = False, compiled: bool = True
) -> tuple[Outcomes, Trajectories | None]:
    """Play one episode per seed; record keeps every state and action."""
    if task.bounds is not None and not task.n_actions:
        task = task.free
    levels = levels_of(policy, task)
    if compiled and task.simulator is not None:
        simulator = task.simulator if levels is None else task.simulator.with_levels(levels)
        compiled_batch = CompiledBatch(simulator, task.n_variables, task.step_limit)
        return _play(policy, task, compiled_batch, seeds, record, 4096)
    played = task.free  # levels differ from tree to tree, environments need not
    with borrowed(played.environment, task.n_variables) as environments:
        batch = GymnasiumBatch(played, environments, levels)
        return _play(policy, task, batch, seeds, record, CHUNK)


def levels_of(policy: Policy, task: Task) -> Floats | None:
    """Return the levels of continuous actions: those of the tree that plays, or the task's."""
    if task.bounds is None or not task.n_actions:
        return None
    own = policy.levels if isinstance(policy, PolicyTree) else None
    return np.array(task.environment.choices, dtype=np.float64) if own is None else own


def _play(
    policy: Policy, task: Task, batch: Batch, seeds: Ints, record: bool, chunk: int
) -> tuple[Outcomes, Trajectories | None]:
    parts = [
        _play_chunk(policy, task, batch, seeds[i : i + chunk], record, first=i)
        for i in range(0, len(seeds), chunk)
    ]
    ends = Outcomes(
        *(
            np.concatenate([getattr(part[0], name) for part in parts])
            for name in ("rewards", "steps", "terminated", "last_rewards")
        )
    )
    if not record:
        return ends, None
    seen = [part[1] for part in parts if part[1] is not None]
    records = Trajectories(
        *(
            np.concatenate([getattr(part, name) for part in seen])
            for name in ("states", "actions", "episodes")
        )
    )
    return ends, records


def _play_chunk(
    policy: Policy, task: Task, batch: Batch, seeds: Ints, record: bool, first: int
) -> tuple[Outcomes, Trajectories | None]:
    n = len(seeds)
    rewards, last_rewards = np.zeros(n), np.zeros(n)
    steps, terminated = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.bool_)
    observations = batch.reset(seeds)
    alive = np.arange(n)
    seen: list[tuple[Floats, Ints, Ints]] = []
    while len(alive):
        # a policy may do with its states as it likes
        actions = asked(policy, observations.copy(), task)
        if record:
            seen.append((observations, actions, alive + first))
        observations, gained, ended, cut = batch.step(alive, actions)
        rewards[alive] += gained
        last_rewards[alive] = gained
        steps[alive] += 1
        terminated[alive] = ended
        going_on = ~(ended | cut | (steps[alive] >= task.step_limit))
        alive, observations = alive[going_on], np.ascontiguousarray(observations[going_on])
    ends = Outcomes(rewards, steps, terminated, last_rewards)
    return ends, _in_order(seen) if record else None


def asked(policy: Policy, observations: Floats, task: Task) -> Any:
    """Return the actions of a policy: numbers, or vectors where they are continuous."""
    if task.bounds is None or task.n_actions:
        count = len(policy.action_names) if isinstance(policy, PolicyTree) else task.n_actions
        return checked_actions(policy.actions(observations), len(observations), task, count)
    if not hasattr(policy, "vectors"):
        raise OracleError(f"{task.name} has continuous actions, and the policy tells no vectors")
    return policy.vectors(observations)


def checked_actions(actions: Ints, count: int, task: Task, known: int) -> Ints:
    """Return actions as integers that the task knows, or say what is wrong with them."""
    array = np.asarray(actions)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise OracleError(
            f"the policy returned {array.dtype} of shape {array.shape} for {count} states; "
            "it must return one integer action per state"
        )
    if count and not 0 <= array.min() <= array.max() < known:
        raise OracleError(
            f"the policy chose action {array.max() if array.min() >= 0 else array.min()}, but "
            f"{task.name} has actions 0 to {known - 1}"
        )
    return np.ascontiguousarray(array, dtype=np.int64)


def _in_order(seen: list[tuple[Floats, Ints, Ints]]) -> Trajectories:
    states, actions, episodes = (np.concatenate(column) for column in zip(*seen, strict=True))
    order = np.argsort(episodes, kind="stable")
    return Trajectories(states[order], actions[order], episodes[order])
