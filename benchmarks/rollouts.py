"""Compiled steps a second of processor time over the Python loop's, one tree policy in both.

The Python loop steps Gymnasium environments, for the manipulators those of PyBullet.

    python benchmarks/rollouts.py [--json]
"""

import json
import sys
from collections.abc import Sequence
from time import process_time

import numpy as np

from glasstree.episodes import Purpose, episode_seeds
from glasstree.episodes.compiled import CompiledEpisodes
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.tasks import Task, get_task

WANTED = {
    "cartpole": 100,
    "mountaincar": 100,
    "carfollowing": 100,
    "acrobot": 100,
    "lunarlander": 6,
    "psm5": 15,
    "psm10": 15,
}
SECONDS = 2.0


def example_tree(task: Task) -> PolicyTree:
    """Return three rules of three terms; the first one alone decides, and balances CartPole."""
    generator = np.random.default_rng(0)
    width = task.n_variables

    def rule(variables: Sequence[int], weights: Sequence[float]) -> Rule:
        exponents = np.zeros((3, width), dtype=np.int64)
        exponents[np.arange(3), variables] = 1
        return Rule(exponents, weights, -1.5 * sum(weights))

    def example() -> Rule:
        return rule(
            generator.integers(width, size=3).tolist(), generator.uniform(-1, 1, 3).tolist()
        )

    first = rule([1, 2, 3], [0.1, 1.0, 0.3]) if task.name == "cartpole" else example()
    left, right = Leaf(0), Leaf(task.n_actions - 1)
    root = Split(first, Split(example(), left, left), Split(example(), right, right))
    scaling = Scaling(np.full(width, -1.0), np.full(width, 1.0))
    return PolicyTree(root, scaling, task.state_names, task.action_names)


def compiled_rate(task: Task, tree: PolicyTree) -> float:
    """Return compiled steps a second."""
    parameters = tree.parameters()[np.newaxis]
    episodes = CompiledEpisodes(task, episode_seeds(Purpose.TRAIN, 0, 1000))
    episodes.play(tree, parameters)
    steps, started = 0, process_time()
    while process_time() - started < SECONDS:
        steps += int(episodes.play(tree, parameters).steps.sum())
    return steps / (process_time() - started)


def loop_rate(task: Task, tree: PolicyTree) -> float:
    """Return the Python loop's steps a second: one environment, one decision at a time."""
    environment = task.environment()
    environment.reset(seed=0)
    steps, started = 0, process_time()
    while process_time() - started < SECONDS:
        state, _ = environment.reset()
        done = False
        while not done:
            action = int(tree.actions(state[np.newaxis])[0])
            state, _, ended, cut, _ = environment.step(action)
            done = ended or cut
            steps += 1
    environment.close()
    return steps / (process_time() - started)


def main() -> int:
    """Measure, print, and fail where a ratio is below what is wanted."""
    results = {}
    for name, wanted in WANTED.items():
        task = get_task(name)
        slow = task
        if name.startswith("psm"):
            options = task.environment.options
            words = {**options, "motors": options["motors"][0], "engine": "bullet"}
            slow = get_task("psm:" + ",".join(f"{key}={value}" for key, value in words.items()))
        tree = example_tree(task)
        fast, loop = compiled_rate(task, tree), loop_rate(slow, tree)
        ratio = fast / loop
        results[name] = {"compiled": fast, "python": loop, "ratio": ratio, "wanted": wanted}
        if "--json" not in sys.argv:
            line = f"{name:14}{fast:14,.0f} steps/s {loop:12,.0f} steps/s {ratio:9,.0f} x"
            print(f"{line}  (wanted: {wanted})", flush=True)
    if "--json" in sys.argv:
        print(json.dumps(results))
    return int(any(result["ratio"] < result["wanted"] for result in results.values()))


if __name__ == "__main__":
    sys.exit(main())
