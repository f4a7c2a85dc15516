"""The closed loop's speed, and what its searches reach in how much time, in one run.

1. generations a second, compiled against a plain Gymnasium loop, on CartPole;
2. the share of the time that Gymnasium's LunarLander itself takes where it is played;
3. reward against time for the default search and for the paper's GA, on MountainCar.

python benchmarks/closed_loop.py [--json]
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from glasstree import progress
from glasstree.closedloop import ReoptimisationOptions, reoptimise
from glasstree.data import collect
from glasstree.episodes import Purpose, episode_seeds
from glasstree.episodes.environments import borrowed, close_all
from glasstree.episodes.scoring import play_all, play_candidates
from glasstree.openloop import GrowthOptions
from glasstree.oracles import load_oracle
from glasstree.pipeline import learn
from glasstree.policy import PolicyTree
from glasstree.tasks import Task, get_task

POPULATION, EPISODES = 50, 20
WANTED = {"ratio": 100.0, "share": 0.8}


def small_tree(task: Task, depth: int = 1, states: int = 4000) -> PolicyTree:
    """Return a tree that imitates the task's oracle."""
    data = collect(load_oracle(task.name), task, states, seed=0)
    return learn(data, task, GrowthOptions(max_depth=depth), seed=0)


def plain_episode(task: Task, environment: Any, tree: PolicyTree, seed: int) -> float:
    """Play one episode as a first program would."""
    state, _ = environment.reset(seed=seed)
    total, done = 0.0, False
    while not done:
        action = int(tree.actions(state[np.newaxis])[0])
        state, reward, ended, cut, _ = environment.step(action)
        total, done = total + float(reward), ended or cut
    return total


def generations() -> dict[str, float]:
    """Return generations a second of the paper's size, compiled and in the plain loop."""
    task = get_task("cartpole")
    tree = small_tree(task)
    crowd = np.tile(tree.parameters(), (POPULATION, 1))
    seeds = episode_seeds(Purpose.TRAIN, 0, EPISODES)
    play_candidates(tree, crowd, task, seeds)
    count, started = 0, perf_counter()
    while perf_counter() - started < 2.0:
        play_candidates(tree, crowd, task, seeds)
        count += 1
    compiled = count / (perf_counter() - started)
    environment = task.environment()
    started, episodes = perf_counter(), 0
    while perf_counter() - started < 4.0:
        plain_episode(task, environment, tree, int(seeds[episodes % EPISODES]))
        episodes += 1
    plain = episodes / (perf_counter() - started) / (POPULATION * EPISODES)
    return {"compiled": compiled, "plain": plain, "ratio": compiled / plain}


def timed(call: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    """Return a function that adds up the time of its calls."""

    def timing(*words: Any, **options: Any) -> Any:
        started = perf_counter()
        result = call(*words, **options)
        spent[0] += perf_counter() - started
        return result

    return timing


def share() -> dict[str, float]:
    """Return the share of the time that LunarLander itself takes in Gymnasium's loop."""
    task = replace(get_task("lunarlander"), simulator=None)
    tree = small_tree(task, depth=2)
    seeds, spent = episode_seeds(Purpose.TRAIN, 0, 100), [0.0]
    play_all(tree, task, seeds[:5])
    with borrowed(task.environment) as environments:
        for environment in environments:
            environment.step = timed(environment.step, spent)
            environment.reset = timed(environment.reset, spent)
    started = perf_counter()
    ends = play_all(tree, task, seeds)
    seconds = perf_counter() - started
    close_all()
    return {"share": spent[0] / seconds, "steps_a_second": float(ends.steps.sum()) / seconds}


def race(options: ReoptimisationOptions, tree: PolicyTree, task: Task) -> list[list[float]]:
    """Return [seconds, best reward so far] after every generation."""
    points: list[list[float]] = []
    started = perf_counter()

    def listen(event: progress.Event) -> None:
        if isinstance(event, progress.Advance) and event.stage == "closed loop":
            best = max([event.figures["best reward"], *(point[1] for point in points[-1:])])
            points.append([perf_counter() - started, best])

    with progress.listening(listen):
        reoptimise(tree, task, options, seed=0)
    return points


def main() -> int:
    """Measure, print, and fail where a ratio is below what is wanted."""
    speed, inside = generations(), share()
    task = get_task("mountaincar")
    tree = small_tree(task, depth=2)
    default = replace(ReoptimisationOptions.compiled(task.step_limit), racing_episodes=1000)
    paper = replace(ReoptimisationOptions.paper(), racing_episodes=1000)
    curves = {"default": race(default, tree, task), "paper": race(paper, tree, task)}
    ok = speed["ratio"] >= WANTED["ratio"] and inside["share"] >= WANTED["share"]
    if "--json" in sys.argv:
        print(json.dumps({"generations": speed, "lunarlander": inside, "curves": curves}))
        return int(not ok)
    print(
        f"cartpole: {speed['compiled']:.1f} generations/s compiled, {speed['plain']:.4f} in the "
        f"plain loop: {speed['ratio']:,.0f} x (wanted: {WANTED['ratio']:.0f})"
    )
    print(
        f"lunarlander: {100 * inside['share']:.0f} % of the time inside the environment, "
        f"{inside['steps_a_second']:,.0f} steps/s (wanted: {100 * WANTED['share']:.0f} %)"
    )
    for name, points in curves.items():
        for part in (0.1, 0.25, 0.5, 1.0):
            seconds, reward = points[max(0, round(part * len(points)) - 1)]
            print(f"mountaincar, {name:8}{seconds:7.2f} s  best reward {reward:8.2f}")
    return int(not ok)


if __name__ == "__main__":
    sys.exit(main())
