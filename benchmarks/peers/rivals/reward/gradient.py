"""DTPO: a regression tree that is fitted again and again to a step along the policy's gradient.

After Vos and Verwer, "Optimizing interpretable decision tree policies for reinforcement learning",
2024: a tree tells the logits of each action; experience is gathered with actions drawn by them; a
network estimates values; each state's logits are moved along the gradient of the clipped objective
of PPO, and a new tree of so many leaves is fitted to them. In the end a leaf takes its best action.
"""

import warnings
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeRegressor

from glasstree.episodes import Purpose, episode_seeds, evaluate
from glasstree.episodes.batches import CompiledBatch
from glasstree.policy.arrays import Floats, Ints
from glasstree.tasks import Task

from ..base import REWARDED, Learnt, Rival, Sized
from ..forest import LEAF, Forest, axis

ITERATIONS, BATCH = 150, 10_000
TOGETHER = 64  # episodes side by side
DISCOUNT, TRACE = 0.99, 0.95
RATE, INNER = 1.0, 4  # size and number of steps along the gradient a batch
CLIP = 0.2
EPOCHS, UNITS, LEARNING, SHARE = 4, 64, 1e-3, 512
FINALISTS, CHOOSING = 5, 300


class Logits:
    """A regression tree of logits; without one all actions are alike."""

    def __init__(self, n_actions: int, tree: DecisionTreeRegressor | None = None) -> None:
        self.n_actions, self.tree = n_actions, tree

    def __call__(self, states: Floats) -> Floats:
        """Return (n, actions) logits."""
        if self.tree is None:
            return np.zeros((len(states), self.n_actions))
        return np.asarray(self.tree.predict(states)).reshape(len(states), self.n_actions)

    def policy(self, width: int) -> Sized:
        """Return the tree whose leaves take their best actions."""
        forest = Forest()
        if self.tree is None:
            forest.roots.append(forest.leaf(np.zeros(self.n_actions), width))
            return forest.policy()
        tree = self.tree.tree_
        for node in range(tree.node_count):
            if tree.children_left[node] == LEAF:
                forest.leaf(tree.value[node, :, 0], width)
                continue
            sides = tree.children_left[node], tree.children_right[node]
            row = axis(tree.feature[node], width)
            forest.split(row, tree.threshold[node], *sides, self.n_actions)
        forest.roots.append(0)
        return forest.policy()


class Critic:
    """A network that estimates what is still to come."""

    def __init__(self, width: int, seed: int) -> None:
        import torch

        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.torch = torch
        self.centre, self.scale = np.zeros(width), np.ones(width)
        self.size = 1.0
        layers = [torch.nn.Linear(width, UNITS), torch.nn.Tanh(), torch.nn.Linear(UNITS, UNITS)]
        self.model = torch.nn.Sequential(*layers, torch.nn.Tanh(), torch.nn.Linear(UNITS, 1))
        self.optimiser = torch.optim.Adam(self.model.parameters(), LEARNING)

    def _tensor(self, states: Floats) -> Any:
        scaled = (states - self.centre) / self.scale
        return self.torch.as_tensor(scaled, dtype=self.torch.float32)

    def __call__(self, states: Floats) -> Floats:
        """Return the values of states."""
        with self.torch.no_grad():
            found: Floats = self.model(self._tensor(states))[:, 0].double().numpy() * self.size
        return found

    def begin(self, states: Floats, returns: Floats) -> None:
        """Learn how large states and rewards are, once."""
        self.centre, self.scale = states.mean(axis=0), states.std(axis=0) + 1e-6
        self.size = float(np.abs(returns).max()) + 1e-9

    def fit(self, states: Floats, returns: Floats) -> None:
        """Go through the batch a few times."""
        inputs = self._tensor(states)
        goals = self.torch.as_tensor(returns / self.size, dtype=self.torch.float32)
        for _ in range(EPOCHS):
            for rows in self.torch.randperm(len(states)).split(SHARE):
                loss = ((self.model(inputs[rows])[:, 0] - goals[rows]) ** 2).mean()
                self.optimiser.zero_grad()
                loss.backward()
                self.optimiser.step()


class Experience:
    """Steps of episodes side by side, with actions that are drawn; ended ones begin again."""

    def __init__(self, task: Task, seed: int) -> None:
        assert task.simulator is not None
        self.task, self.seed, self.first = task, seed, 0
        self.generator = np.random.default_rng([seed, int(Purpose.TRAIN)])

    def gather(self, logits: Logits) -> tuple[Floats, Ints, Floats, Floats, Floats, Floats]:
        """Return states, actions, rewards, ends, whether terminated, what followed: (time, n)."""
        task, count = self.task, BATCH // TOGETHER
        assert task.simulator is not None
        parts: list[tuple[Any, ...]] = []
        done = 0
        while done < BATCH:
            seeds = episode_seeds(Purpose.TRAIN, self.seed, TOGETHER, self.first)
            self.first += TOGETHER
            batch = CompiledBatch(task.simulator, task.n_variables, task.step_limit)
            seen, alive = batch.reset(seeds), np.arange(TOGETHER)
            for _ in range(max(count, task.step_limit)):
                actions = self._draw(logits(seen))
                following, gained, ended, cut = batch.step(alive, actions)
                parts.append((alive + self.first, seen, actions, gained, ended, following))
                done += len(alive)
                alive, seen = alive[~(ended | cut)], following[~(ended | cut)]
                if not len(alive) or done >= BATCH:
                    break
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        return tuple(column[order] for column in columns)  # type: ignore[return-value]

    def _draw(self, logits: Floats) -> Ints:
        bounds = softmax(logits).cumsum(axis=1)[:, :-1]
        drawn = self.generator.random((len(bounds), 1)) > bounds
        return np.asarray(drawn.sum(axis=1), dtype=np.int64)


def softmax(logits: Floats) -> Floats:
    """Return probabilities."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def advantages(found: tuple[Any, ...], critic: Critic) -> tuple[Floats, Floats]:
    """Return generalised advantages, and the returns that the critic should learn."""
    episodes, states, _, rewards, ended, following = found
    values, after = critic(states), np.where(ended, 0.0, critic(following))
    surprises = rewards + DISCOUNT * after - values
    result, carried = np.empty(len(rewards)), 0.0
    for step in range(len(rewards) - 1, -1, -1):
        last = step + 1 == len(rewards) or episodes[step + 1] != episodes[step]
        carried = surprises[step] + (0.0 if last else DISCOUNT * TRACE * carried)
        result[step] = carried
    return result, result + values


def moved(logits: Floats, actions: Ints, gains: Floats) -> Floats:
    """Move logits a few steps along the gradient of PPO's clipped objective."""
    chosen = np.eye(logits.shape[1])[actions]
    old, new = softmax(logits)[chosen > 0], logits.copy()
    for _ in range(INNER):
        shares = softmax(new)
        ratio = shares[chosen > 0] / old
        counts = np.where(gains > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        new += RATE / INNER * (counts * gains * ratio)[:, np.newaxis] * (chosen - shares)
    return new


def learn(task: Task, size: int, seed: int) -> Learnt:
    """Improve a tree of at most `size` leaves batch by batch; take the best of the last ones."""
    training = task.for_training
    experience, logits = Experience(training, seed), Logits(task.n_actions)
    critic, recent, steps = Critic(task.n_variables, seed), list[tuple[float, Logits]](), 0
    for iteration in range(ITERATIONS):
        found = experience.gather(logits)
        states, actions, steps = found[1], found[2], steps + len(found[1])
        if not iteration:
            critic.begin(states, advantages(found, critic)[1])
        gains, returns = advantages(found, critic)
        critic.fit(states, returns)
        ends = len(np.unique(found[0]))
        recent.append((float(found[3].sum()) / ends, logits))
        scaled = (gains - gains.mean()) / (gains.std() + 1e-9)
        wanted = moved(logits(states), actions, scaled)
        tree = DecisionTreeRegressor(max_leaf_nodes=size, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            logits = Logits(task.n_actions, tree.fit(states, wanted))
    best = sorted(recent, key=lambda one: -one[0])[:FINALISTS]
    policies = [one.policy(task.n_variables) for one in (logits, *(one for _, one in best))]
    scores = [
        evaluate(policy, training, episodes=CHOOSING, seed=seed, purpose=Purpose.CHOOSE)
        for policy in policies
    ]
    steps += sum(int(score.mean_steps * CHOOSING) for score in scores)
    return Learnt(policies[int(np.argmax([score.mean_reward for score in scores]))], steps)


DTPO = Rival(
    *("dtpo", "DTPO", "leaves"),
    learn=learn,
    sizes=(4, 16),
    arm_sizes=(4,),
    lander_sizes=(16,),
    data=REWARDED,
    packages=("torch",),
)
