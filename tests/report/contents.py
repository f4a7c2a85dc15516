"""Stories to make pages of: one of every task, and one of a large tree."""

from functools import cache

import numpy as np

from glasstree.closedloop.reengineering import recount
from glasstree.episodes import Purpose, episode_seeds, evaluate, play
from glasstree.oracles import load_oracle
from glasstree.policy import Leaf, Node, PolicyTree, Rule, Scaling, Split
from glasstree.report import Content, Stage
from glasstree.runs.content import tell
from glasstree.tasks import Task, get_task

CURVE = {"best": [1.0, 2.0, 2.5], "mean": [0.0, 1.0, 2.0]}


def random_rule(width: int, generator: np.random.Generator) -> Rule:
    """A rule of two terms that divides the middle of the ranges."""
    exponents = np.zeros((2, width), dtype=int)
    for row in exponents:
        row[generator.integers(width)] = generator.choice([-2, -1, 1, 2, 3])
    weights = generator.choice([-1.0, 1.0], 2) * generator.uniform(0.5, 1.0, 2)
    middle = generator.uniform(1.2, 1.8, (1, width))
    bias = -float(Rule(exponents, weights, 0.0).value(middle)[0])
    return Rule(exponents, weights, bias, 0.2 if generator.random() < 0.2 else None)


def random_tree(task: Task, states: np.ndarray, rules: int, seed: int = 0) -> PolicyTree:
    """A tree of so many rules, as flat as they allow, counted on states."""
    generator = np.random.default_rng(seed)

    def grow(rules: int) -> Node:
        if rules == 0:
            return Leaf(int(generator.integers(task.n_actions)))
        right = (rules - 1) // 2 if rules < 8 else max(0, rules // 2 - 3)
        left = grow(rules - 1 - right)
        return Split(random_rule(task.n_variables, generator), left, grow(right))

    names = (task.state_names, task.action_names, task.units)
    tree = PolicyTree(grow(rules), Scaling.fit(states), *names, task=task.name)
    return recount(tree, states)


@cache
def content_of_task(name: str, rules: int = 3, marks: int = 0) -> Content:
    """Tell of a task: its oracle, trees that nobody trained, and a front of so many of them."""
    task = get_task(name)
    oracle = load_oracle(name, task)
    _, seen = play(oracle, task, episode_seeds(Purpose.COLLECT, 0, 3), record=True)
    assert seen is not None
    trees = {
        "open loop": random_tree(task, seen.states, rules + 1),
        "closed loop": random_tree(task, seen.states, rules, seed=1),
        "re-engineered": random_tree(task, seen.states, rules, seed=2),
    }
    episodes = 10 if task.simulator else 2
    stages = []
    for stage, policy in {"oracle": oracle, **trees}.items():
        found = evaluate(policy, task, episodes=episodes)
        stages.append(Stage(stage, trees.get(stage), found.figures(), found.rewards))
    some = [random_tree(task, seen.states, size, seed=3) for size in range(marks)]
    front = [(tree, evaluate(tree, task, episodes=episodes).figures()) for tree in some]
    if front:
        stages.append(Stage("chosen", *front[1]))
    metrics = {"closed_loop": CURVE, "test_accuracy": 0.987, "seconds": 12.0}
    return tell(task, tuple(stages), oracle, 0, metrics, front)
