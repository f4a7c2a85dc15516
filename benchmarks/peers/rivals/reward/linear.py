"""ARS: linear policies of continuous actions by random search over their weights.

After Mania, Guy and Recht, "Simple random search of static linear policies is competitive for
reinforcement learning", 2018, version V2-t: states are normalised by those seen, directions are
sampled in pairs, the best of them make the step, which is divided by the deviation of rewards.
"""

from dataclasses import dataclass

import numpy as np

from glasstree.episodes import Purpose, episode_seeds, evaluate
from glasstree.episodes.play import play
from glasstree.policy.arrays import Floats, Ints
from glasstree.tasks import Task

from ..base import CONTINUOUS, REWARDED, Learnt, Rival
from ..printing import sum_symbols, weighted_sum

DIRECTIONS, BEST = 16, 8
STEP, NOISE = 0.05, 0.1
STEPS = 500_000  # of the environment
CHECKED, CHOOSING = 20, 50  # updates between two looks, and the episodes of a look


@dataclass(frozen=True)
class Linear:
    """weights . x + constants for each control, limited to what the task allows."""

    weights: Floats
    constants: Floats
    low: Floats
    high: Floats

    splits = 0

    @property
    def occurrences(self) -> int:
        """How often a variable stands in it."""
        return int(np.count_nonzero(self.weights))

    @property
    def complexity(self) -> int:
        """The symbols of each control's sum, and one for the control."""
        pairs = zip(self.weights, self.constants, strict=True)
        return sum(sum_symbols(row, float(constant)) + 1 for row, constant in pairs)

    def vectors(self, states: Floats) -> Floats:
        """Return one vector a state."""
        return np.clip(np.asarray(states) @ self.weights.T + self.constants, self.low, self.high)

    def actions(self, states: Floats) -> Ints:
        """Say that there are no numbers of actions."""
        raise TypeError("this policy tells vectors")

    def text(self, task: Task) -> str:
        """Print a sum a control."""
        rows = enumerate(zip(self.weights, self.constants, strict=True), 1)
        return "\n".join(
            f"u{number} = {weighted_sum(row, float(constant), task.state_names)}"
            for number, (row, constant) in rows
        )


class Seen:
    """Mean and deviation of all states so far."""

    def __init__(self, width: int) -> None:
        self.count, self.mean, self.square = 0, np.zeros(width), np.zeros(width)

    def add(self, states: Floats) -> None:
        """Count more states."""
        self.count += len(states)
        self.mean = self.mean + (states - self.mean).sum(axis=0) / self.count
        self.square = self.square + (states**2).sum(axis=0)

    @property
    def scale(self) -> Floats:
        """The deviation of each variable; 1 where it does not vary."""
        variance = self.square / max(self.count, 1) - self.mean**2
        return np.sqrt(np.where(variance > 1e-8, variance, 1.0))


class Search:
    """Random search over the weights of normalised states."""

    def __init__(self, task: Task, seed: int) -> None:
        assert task.bounds is not None
        self.task, self.seed = task.free, seed
        self.low, self.high = (np.array(bound) for bound in task.bounds)
        self.weights = np.zeros((len(self.low), task.n_variables))
        self.seen = Seen(task.n_variables)
        self.generator = np.random.default_rng([seed, int(Purpose.TRAIN)])
        self.steps, self.first = 0, 0

    def policy(self, weights: Floats) -> Linear:
        """Return weights of normalised states as a policy over states as they are."""
        own = weights / self.seen.scale
        return Linear(own, -own @ self.seen.mean, self.low, self.high)

    def play(self, weights: Floats, seeds: Ints) -> float:
        """Return the reward of weights, and count what was seen."""
        ends, records = play(self.policy(weights), self.task, seeds, record=True)
        assert records is not None
        self.steps += int(ends.steps.sum())
        self.met.append(records.states)
        return float(ends.rewards.mean())

    def advance(self) -> None:
        """Try directions both ways and step along the best of them."""
        self.met: list[Floats] = []
        directions = self.generator.normal(size=(DIRECTIONS, *self.weights.shape))
        rewards = np.empty((DIRECTIONS, 2))
        for number, direction in enumerate(directions):
            seeds = episode_seeds(Purpose.TRAIN, self.seed, 1, self.first + number)
            for side, sign in enumerate((1.0, -1.0)):
                rewards[number, side] = self.play(self.weights + sign * NOISE * direction, seeds)
        self.first += DIRECTIONS
        best = np.argsort(-rewards.max(axis=1), kind="stable")[:BEST]
        gaps = rewards[best, 0] - rewards[best, 1]
        deviation = float(rewards[best].std()) + 1e-9
        self.weights += STEP / deviation * np.tensordot(gaps, directions[best], 1) / BEST
        for states in self.met:
            self.seen.add(states)


def learn(task: Task, size: int, seed: int) -> Learnt:
    """Search until the steps are spent; the best of the looks at fresh episodes is taken."""
    search, best, updates = Search(task, seed), (-np.inf, None), 0
    while search.steps < STEPS:
        search.advance()
        updates += 1
        if updates % CHECKED == 0 or search.steps >= STEPS:
            policy = search.policy(search.weights)
            fresh = {"episodes": CHOOSING, "seed": seed, "purpose": Purpose.CHOOSE}
            found = evaluate(policy, search.task, **fresh)  # type: ignore[arg-type]
            search.steps += int(found.mean_steps * CHOOSING)
            best = max(best, (found.mean_reward, policy), key=lambda one: one[0])
    assert best[1] is not None
    return Learnt(best[1], search.steps)


ARS = Rival(
    *("ars", "ARS, linear", ""),
    learn=learn,
    sizes=(0,),
    arm_sizes=(),
    lander_sizes=(),
    tasks=CONTINUOUS,
    data=REWARDED,
)
