"""One cell of control: learn, then meet states and episodes that nothing has seen."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from glasstree.data import Dataset, collect
from glasstree.episodes import Purpose, evaluate
from glasstree.oracles import load_oracle
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats, Policy
from glasstree.tasks import Task, get_task

from .aggregate import SAMPLES, follow, imitate
from .cells import ORACLE, Contest, Figures
from .front import EPISODES
from .ours import STAGES, Readable, tree_of
from .rivals import RIVALS, Sized

CALLS = 2000
TESTING = 1000  # added to a seed, for states that no stage of a run has met


class BlackBox:
    """An oracle as a contender; occurrences and complexity are its weights."""

    splits = 0

    def __init__(self, oracle: Policy) -> None:
        self.actions = oracle.actions
        self.occurrences = self.complexity = int(getattr(oracle, "n_parameters", 0))


def control(cell: Contest, runs: Sequence[Path]) -> Figures:
    """Return the figures of a control cell; glasstree's runs are found or made in folders.

    Which code made a run is known in the last of the folders alone.
    """
    task = get_task(cell.task)
    oracle = load_oracle(cell.task, task)
    tree: PolicyTree | None = None
    policy: Sized
    origin: Figures = {}
    if cell.rival in STAGES:
        tree, seconds, known = tree_of(runs, cell.task, cell.size, cell.seed, cell.rival)
        origin = {} if known else {"code": None}
        policy = Readable(tree)
    elif cell.rival == ORACLE:
        policy, seconds = BlackBox(oracle), 0.0
    else:
        started = process_time()
        learn = imitate if cell.data == "plain" else follow
        policy = learn(RIVALS[cell.rival], cell.size, oracle, task, cell.seed)
        seconds = process_time() - started
    unseen = cell.seed + TESTING
    test = collect(oracle, task, SAMPLES, seed=unseen, purpose=Purpose.HELD_BACK)
    player = policy if tree is None else tree
    figures = {**worth(player, task, cell.seed), **looks(policy, test), "seconds": seconds}
    return {**figures, **origin}


def worth(policy: Policy, task: Task, seed: int) -> Figures:
    """Play the final episodes; those of CartPole at their full 500 steps too."""
    found = evaluate(policy, task, episodes=EPISODES, seed=seed)
    figures = {
        "reward": found.mean_reward,
        "sd": found.episode_sd,
        "batch_sd": found.batch_sd,
        "success": found.success_rate,
    }
    if task.training_steps is not None:
        steps = evaluate(policy, task.for_training, episodes=EPISODES, seed=seed)
        figures["long_steps"] = steps.mean_steps
    return figures


def looks(policy: Sized, test: Dataset) -> Figures:
    """Count a policy, and let it meet test states all at once and one by one."""
    return {
        "accuracy": float((policy.actions(test.states) == test.actions).mean()),
        "splits": policy.splits,
        "occurrences": policy.occurrences,
        "complexity": policy.complexity,
        "microseconds": decision_time(policy, test.states[:CALLS]),
    }


def decision_time(policy: Policy, states: Floats) -> float:
    """Return the median time of one decision about one state."""
    times = np.empty(len(states))
    for number in range(len(states)):
        state = states[number : number + 1]
        started = perf_counter()
        policy.actions(state)
        times[number] = perf_counter() - started
    return 1e6 * float(np.median(times))
