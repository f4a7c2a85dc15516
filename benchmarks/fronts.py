"""Ways to search for the front, by the hypervolume that they reach in the same number of steps.

    python benchmarks/fronts.py [--tasks mountaincar,acrobot] [--steps 20e6] [--seeds 3]

archive: ours, from trees that imitate the oracle. archive, no oracle: ours, from constant actions.
nsga2: pymoo's NSGA-II for mixed variables over decision lists of a few lines, each with variables
that are on or off, weights, a threshold and an action. cma: the same lists by COMO-CatCMA with
margin of the package cmaes, where it is installed. Hypervolume: reward between a random policy and
the best of all ways, complexity to 200 symbols, as a share of that box, over 1,000 unseen episodes.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from glasstree.closedloop import FrontOptions
from glasstree.closedloop.front.choice import RandomActions
from glasstree.closedloop.front.exploration import Exploration
from glasstree.closedloop.front.tuning import Games
from glasstree.data import Dataset, collect
from glasstree.episodes import evaluate
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.options import Options
from glasstree.oracles import load_oracle
from glasstree.parallel import using_workers
from glasstree.pipeline import plain_trees
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.policy.arrays import Floats
from glasstree.tasks import Task, get_task

LIST = 4
POPULATION = 40
MOST = 200
EPISODES = 1000


class Lists:
    """Decision lists of lines, decoded from what the rivals vary."""

    def __init__(self, task: Task, data: Dataset) -> None:
        self.task = task
        self.middle, self.spread = data.states.mean(axis=0), data.states.std(axis=0) + 1e-9
        self.scaling = Scaling.fit(data.states)

    def tree(self, on: Floats, weights: Floats, actions: list[int]) -> PolicyTree:
        """Return a list: on (rules, variables), weights (rules, variables + 1), actions + 1."""
        node: Any = Leaf(actions[-1])
        for used, row, action in reversed(list(zip(on, weights, actions[:-1], strict=True))):
            chosen = np.flatnonzero(used)
            if len(chosen):
                size = row[chosen] / self.spread[chosen]
                bias = row[-1] - float(size @ self.middle[chosen])
                unit = np.eye(len(used), dtype=np.int64)[chosen]
                node = Split(Rule(unit, size, bias, raw=True), Leaf(action), node)
        names = (self.task.state_names, self.task.action_names, self.task.units)
        return PolicyTree(node, self.scaling, *names, task=self.task.name).over_raw_values()


def ours(games: Games, data: Dataset, trees: list[PolicyTree], steps: int) -> list[PolicyTree]:
    """Search as glasstree does."""
    exploration = Exploration(games, data, replace(games.options, steps=steps), games.seed)
    exploration.begin(trees)
    while not exploration.done:
        exploration.advance()
    return [entry.tree for entry in exploration.archive.front()]


def scored(games: Games, steps: list[int]) -> Callable[[PolicyTree, int], tuple[float, int]]:
    """Return what scores a list over the episodes of a generation and counts its steps."""

    def score(tree: PolicyTree, generation: int) -> tuple[float, int]:
        count = games.options.episodes
        seeds = episode_seeds(Purpose.VARY, games.seed, count, generation * count)
        found, played = games.scores(tree, seeds)
        steps[0] += played
        return float(found.mean()), tree.complexity

    return score


def nsga2(games: Games, lists: Lists, steps: int) -> list[PolicyTree]:
    """Search lists by NSGA-II for mixed variables."""
    from pymoo.algorithms.moo.nsga2 import RankAndCrowdingSurvival
    from pymoo.core.mixed import MixedVariableGA
    from pymoo.core.problem import Problem
    from pymoo.core.variable import Binary, Choice, Real

    n, actions = games.task.n_variables, list(range(games.task.n_actions))
    variables: dict[str, Any] = {}
    for rule in range(LIST):
        variables |= {f"on{rule},{j}": Binary() for j in range(n)}
        variables |= {f"w{rule},{j}": Real(bounds=(-3.0, 3.0)) for j in range(n + 1)}
    variables |= {f"a{rule}": Choice(options=actions) for rule in range(LIST + 1)}

    def decode(genome: Any) -> PolicyTree:
        on = np.array([[genome[f"on{r},{j}"] for j in range(n)] for r in range(LIST)])
        weights = np.array([[genome[f"w{r},{j}"] for j in range(n + 1)] for r in range(LIST)])
        return lists.tree(on, weights, [int(genome[f"a{r}"]) for r in range(LIST + 1)])

    used, generation = [0], 0
    score = scored(games, used)
    algorithm = MixedVariableGA(pop_size=POPULATION, survival=RankAndCrowdingSurvival())
    algorithm.setup(Problem(vars=variables, n_obj=2), seed=games.seed, verbose=False)
    while used[0] < steps:
        population = algorithm.ask()
        found = [score(decode(member.X), generation) for member in population]
        population.set("F", np.array([[-reward, size] for reward, size in found]))
        algorithm.evaluator.eval(algorithm.problem, population, evaluate_values_of=[])
        algorithm.tell(infills=population)
        generation += 1
    return [decode(member.X) for member in algorithm.pop]


def como(games: Games, lists: Lists, steps: int) -> list[PolicyTree]:
    """Search lists by COMO-CatCMA with margin."""
    from cmaes import COMOCatCMAwM

    n, actions = games.task.n_variables, games.task.n_actions
    reals = LIST * (n + 1)
    search = COMOCatCMAwM(
        x_space=[[-3.0, 3.0]] * reals,
        z_space=None,
        c_space=[2] * (LIST * n) + [actions] * (LIST + 1),
        seed=games.seed,
    )

    def decode(solution: Any) -> PolicyTree:
        chosen = np.asarray(solution.c).argmax(axis=1)
        on = chosen[: LIST * n].reshape(LIST, n)
        weights = np.asarray(solution.x).reshape(LIST, n + 1)
        return lists.tree(on, weights, chosen[LIST * n :].tolist())

    used, generation = [0], 0
    score = scored(games, used)
    found: list[PolicyTree] = []
    while used[0] < steps:
        told = []
        for solution in search.ask_iter():
            tree = decode(solution)
            reward, size = score(tree, generation)
            told.append((solution, [-reward, float(size)]))
            found.append(tree)
        search.tell(told)
        generation += 1
    return found[-10 * POPULATION :]


def hypervolume(points: list[tuple[int, float]], low: float, high: float) -> float:
    """Return the share of the box that a front covers: complexity to 200, reward low to high."""
    area, best, last = 0.0, low, 0
    for size, reward in sorted(points):
        if size > MOST:
            break
        area += (size - last) * (best - low)
        last, best = size, max(best, reward)
    area += (MOST - last) * (best - low)
    return area / (MOST * (high - low))


def ways(games: Games, data: Dataset, task: Task, steps: int) -> Iterator[tuple[str, Any]]:
    """Yield each way by name."""
    lists = Lists(games.task, data)
    options = Options.for_task(task, seed=games.seed)
    imitating = plain_trees(data, task, options)
    constant = [imitating[0].with_root(Leaf(action)) for action in range(task.n_actions)]
    yield "archive", lambda: ours(games, data, imitating, steps)
    yield "archive, no oracle's trees", lambda: ours(games, data, constant, steps)
    yield "nsga2", lambda: nsga2(games, lists, steps)
    yield "como-catcma", lambda: como(games, lists, steps)


def main() -> None:
    """Run all ways on all tasks and print their hypervolumes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", default="mountaincar,acrobot")
    parser.add_argument("--steps", type=float, default=20e6)
    parser.add_argument("--seeds", type=int, default=3)
    words = parser.parse_args()
    print("| task | seed | way | hypervolume | policies | best reward |\n|" + "---|" * 6)
    for name in words.tasks.split(","):
        task = get_task(name)
        for seed in range(words.seeds):
            games = Games(
                task.for_training, FrontOptions(), Options.for_task(task).closed_loop, seed
            )
            data = collect(load_oracle(name, task), task, 6000, seed=seed)
            low = evaluate(RandomActions(task.n_actions, seed), task, seed=seed).mean_reward
            fronts = {}
            for way, search in ways(games, data, task, int(words.steps)):
                with using_workers(0):
                    trees = search()
                fronts[way] = [
                    (
                        tree.complexity,
                        evaluate(tree, task, episodes=EPISODES, seed=seed).mean_reward,
                    )
                    for tree in trees
                ]
            high = max(reward for points in fronts.values() for _, reward in points)
            for way, points in fronts.items():
                volume, best = hypervolume(points, low, high), max(reward for _, reward in points)
                row = (name, seed, way, f"{volume:.3f}", len(points), f"{best:,.2f}")
                print(f"| {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main()
