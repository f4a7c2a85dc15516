"""Evolved oblique trees, their leaves learnt by Q-learning or evolved too.

After Custode and Iacca, "Evolutionary learning of interpretable decision trees", IEEE Access 2023:
grammatical evolution makes the conditions, each leaf learns the values of its actions while the
tree plays, and the mean reward of that is the fitness. Rewards are divided by their usual size, so
that they are of the size of the first values. Trees of a generation play the same episodes.
"""

from functools import partial
from typing import Any

import numpy as np

from glasstree.compiled import (
    function,
    integer,
    integers,
    kernel,
    nothing,
    random_generator,
    real,
    reals,
    reals2,
    reals3,
)
from glasstree.data import collect
from glasstree.episodes import Purpose, episode_seeds, evaluate
from glasstree.policy.arrays import Floats, Ints
from glasstree.tasks import Task
from glasstree.tasks.twins import OBSERVE, STEP

from ..base import REWARDED, Learnt, Rival
from ..forest import LEAF, Forest, ForestPolicy

POPULATION, GENES, MOST = 100, 512, 40_000
TOURNAMENT, CROSSED, MUTATED = 2, 0.1, 0.05
EPISODES = 40  # that a tree learns in
EXPLORED, DISCOUNT = 0.05, 0.99
STEPS = 0.5  # all depths of one kind of leaves, of those that glasstree's search may take
FINALISTS, CHOOSING = 5, 300
SAMPLES = 2000


@kernel(
    nothing(
        *(function(STEP), function(OBSERVE), reals, integers, integers, reals2, reals),
        *(reals2, reals2, reals2, reals3, integer, random_generator, real, real, real),
        *(reals, integers),
    )
)
def learn_leaves(
    step: Any,
    observe: Any,
    parameters: Floats,
    left: Ints,
    right: Ints,
    coefficients: Floats,
    thresholds: Floats,
    values: Floats,
    counts: Floats,
    starts: Floats,
    noise: Floats,
    step_limit: int,
    generator: Any,
    explored: float,
    discount: float,
    size: float,
    rewards: Floats,
    steps: Ints,
) -> None:
    """Play episodes with a tree whose leaves learn, unless the size of rewards is 0.

    values, counts: (nodes, actions).
    """
    state, seen = np.empty(starts.shape[1]), np.empty(coefficients.shape[1])
    for episode in range(len(starts)):
        for number in range(len(state)):
            state[number] = starts[episode, number]
        before, taken, gained, total = -1, 0, 0.0, 0.0
        ended, time = False, 0
        while time < step_limit and not ended:
            observe(state, parameters, seen)
            node = 0
            while left[node] != -1:
                score = 0.0
                for j in range(len(seen)):
                    score += coefficients[node, j] * seen[j]
                node = left[node] if score <= thresholds[node] else right[node]
            if size > 0.0 and before >= 0:
                counts[before, taken] += 1.0
                goal = gained / size + discount * values[node].max()
                values[before, taken] += (goal - values[before, taken]) / counts[before, taken]
            action = int(values[node].argmax())
            if generator.random() < explored:
                action = int(generator.random() * values.shape[1])
            gained, ended = step(state, action, noise[episode, time], parameters)
            total += gained
            before, taken = node, action
            time += 1
        if size > 0.0:
            counts[before, taken] += 1.0
            goal = gained / size + (0.0 if ended else discount * values[before].max())
            values[before, taken] += (goal - values[before, taken]) / counts[before, taken]
        rewards[episode] = total
        steps[episode] = time


class Grammar:
    """Turns genes into trees: leaf or split, then a number a variable and one to compare with."""

    def __init__(self, task: Task, depth: int, states: Floats) -> None:
        self.n_actions, self.depth = task.n_actions, depth
        self.centre, self.scale = states.mean(axis=0), states.std(axis=0) + 1e-9

    def tree(self, genes: Ints) -> Forest:
        """Return the tree; where genes end there is a leaf. The root is node 0."""
        width = len(self.centre)
        rows: list[tuple[int, int, Floats, float, int]] = []
        place = 0

        def number() -> float:
            nonlocal place
            place += 1
            return float(genes[place - 1] % 2001 - 1000) / 1000

        def add(depth: int) -> int:
            nonlocal place
            node = len(rows)
            place += 1
            gene = int(genes[(place - 1) % len(genes)])
            rows.append((LEAF, LEAF, np.zeros(width), 0.0, gene // 2 % self.n_actions))
            ended = depth == self.depth or place + width + 1 > len(genes)
            if ended or (depth and gene % 2):
                return node
            weights = np.array([number() for _ in range(width)]) / self.scale
            threshold = number() + float(weights @ self.centre)
            rows[node] = (add(depth + 1), add(depth + 1), weights, threshold, 0)
            return node

        add(0)
        forest = Forest([0])
        for left, right, row, threshold, action in rows:
            forest._add(left, right, row, threshold, np.eye(self.n_actions)[action])
        return forest


class Evolution:
    """A population of genes, each with its fitness and the values that its leaves learnt."""

    def __init__(self, task: Task, grammar: Grammar, seed: int, size: float) -> None:
        assert task.simulator is not None
        self.task, self.grammar, self.seed, self.size = task, grammar, seed, size
        self.generator = np.random.default_rng([seed, int(Purpose.TRAIN)])
        self.steps, self.generation = 0, 0
        genes = self.generator.integers(MOST, size=(POPULATION, GENES))
        self.genes = genes
        self.played = [self.play(row) for row in genes]

    def play(self, genes: Ints) -> tuple[float, Forest]:
        """Let a tree learn in the episodes of this generation; return its mean reward."""
        simulator, forest = self.task.simulator, self.grammar.tree(genes)
        assert simulator is not None
        if self.steps == 0 or self.drawn[0] != self.generation:
            first = self.generation * EPISODES
            seeds = episode_seeds(Purpose.TRAIN, self.seed, EPISODES, first)
            self.drawn = self.generation, simulator.draw(seeds, self.task.step_limit)
        shape = (len(forest.left), self.task.n_actions)
        values = np.array(forest.values)
        if self.size:
            values = np.random.default_rng([self.seed, 1]).uniform(-1.0, 1.0, shape)
        rewards, steps = np.empty(EPISODES), np.empty(EPISODES, dtype=np.int64)
        learn_leaves(
            *(simulator.step, simulator.observe, simulator.parameters),
            *(np.array(side, dtype=np.int64) for side in (forest.left, forest.right)),
            *(np.array(forest.coefficients), np.array(forest.thresholds)),
            *(
                values,
                np.zeros(shape),
                *self.drawn[1],
                self.task.step_limit,
                np.random.default_rng(self.seed),
            ),
            *(EXPLORED if self.size else 0.0, DISCOUNT, self.size, rewards, steps),
        )
        self.steps += int(steps.sum())
        forest.values = list(values)
        return float(rewards.mean()), forest

    def advance(self) -> None:
        """Make a child of each winner of a tournament; it takes a place where it is no worse."""
        self.generation += 1
        generator = self.generator
        rivals = generator.integers(POPULATION, size=(POPULATION, TOURNAMENT))
        parents = [max(row, key=lambda one: self.played[one][0]) for row in rivals.tolist()]
        for number, parent in enumerate(parents):
            child = self.genes[parent].copy()
            if generator.random() < CROSSED:
                cut = generator.integers(GENES)
                child[cut:] = self.genes[parents[number - 1]][cut:]
            changed = generator.random(GENES) < MUTATED
            child[changed] = generator.integers(MOST, size=int(changed.sum()))
            played = self.play(child)
            if played[0] >= self.played[parent][0]:
                self.genes[parent], self.played[parent] = child, played


def learn(task: Task, size: int, seed: int, learning: bool = False) -> Learnt:
    """Evolve trees of at most `size` conditions in a row; take the best of a few on fresh ones."""
    training, anything = task.for_training, Random(task.n_actions, seed)
    states = collect(anything, task, SAMPLES, seed=seed).states
    found = evaluate(anything, task, episodes=CHOOSING, seed=seed, purpose=Purpose.TRAIN)
    usual = abs(found.mean_reward) / found.mean_steps + 1e-9 if learning else 0.0
    evolution = Evolution(training, Grammar(task, size, states), seed, usual)
    budget = STEPS * task.search_steps / len(EVOLVED.sizes_for(task.name))
    while evolution.steps < budget:
        evolution.advance()
    best = sorted(evolution.played, key=lambda one: -one[0])[:FINALISTS]
    policies = [forest.policy() for _, forest in best]
    scores = [
        evaluate(policy, training, episodes=CHOOSING, seed=seed, purpose=Purpose.CHOOSE)
        for policy in policies
    ]
    steps = sum(int(score.mean_steps * CHOOSING) for score in scores)
    chosen: ForestPolicy = policies[int(np.argmax([score.mean_reward for score in scores]))]
    return Learnt(chosen, evolution.steps + steps)


class Random:
    """Random actions: their states tell in which range conditions make sense."""

    def __init__(self, n_actions: int, seed: int) -> None:
        self.n_actions, self.generator = n_actions, np.random.default_rng(seed)

    def actions(self, states: Floats) -> Ints:
        """Return random actions."""
        return self.generator.integers(self.n_actions, size=len(states))


EVOLVED = Rival(
    *("evolved", "evolved oblique tree", "depth"),
    learn=learn,
    sizes=(1, 3),
    arm_sizes=(1,),
    lander_sizes=(3,),
    data=REWARDED,
)
LEARNT = Rival(
    *("qevolved", "evolved oblique tree, Q-learnt leaves", "depth"),
    learn=partial(learn, learning=True),
    sizes=(1, 3),
    arm_sizes=(1,),
    lander_sizes=(3,),
    data=REWARDED,
)
