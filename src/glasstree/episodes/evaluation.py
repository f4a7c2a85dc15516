"""What a policy is worth: one `evaluate` for oracles, trees and exported code alike."""

from dataclasses import dataclass, field
from math import sqrt
from typing import Any, ClassVar

from glasstree.episodes.scoring import play_all
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.errors import DataError, OptionError
from glasstree.parallel import using_workers
from glasstree.policy.arrays import Floats, Policy
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Outcomes, Task
from glasstree.tasks.registry import get_task

BATCH = 100  # episodes a batch: batch_sd is the deviation of the batches' means


@dataclass(frozen=True)
class Performance:
    """Figures over episodes: `batch_sd` is over the means of batches of 100 episodes."""

    FIGURES: ClassVar[tuple[str, ...]] = (
        *("mean_reward", "episode_sd", "batch_sd", "success_rate", "ci95", "episodes"),
        "mean_steps",
    )

    mean_reward: float
    episode_sd: float
    batch_sd: float | None
    ci95: tuple[float, float]
    success_rate: float | None
    episodes: int
    mean_steps: float
    rewards: Floats = field(repr=False, compare=False)

    @classmethod
    def of(cls, ends: Outcomes, task: Task) -> "Performance":
        """Summarise how episodes ended."""
        rewards = ends.rewards
        n = len(rewards)
        mean = float(rewards.mean())
        sd = float(rewards.std(ddof=1)) if n > 1 else 0.0
        half = 1.96 * sd / sqrt(n)
        batches = rewards[: n // BATCH * BATCH].reshape(-1, BATCH).mean(axis=1)
        return cls(
            mean_reward=mean,
            episode_sd=sd,
            batch_sd=float(batches.std(ddof=1)) if len(batches) > 1 else None,
            ci95=(mean - half, mean + half),
            success_rate=float(task.success(ends).mean()) if task.success else None,
            episodes=n,
            mean_steps=float(ends.steps.mean()),
            rewards=rewards,
        )

    def figures(self) -> dict[str, Any]:
        """Return the figures as plain values, in the order in which people read them."""
        return {name: getattr(self, name) for name in self.FIGURES}


def evaluate(
    policy: Policy,
    task: str | Task,
    *,
    episodes: int = 1000,
    seed: int = 0,
    purpose: Purpose = Purpose.FINAL,
    workers: int | None = None,
) -> Performance:
    """Score a policy over episodes that no training or choice has seen.

    Workers, 0 for all cores, are threads where the task has a compiled simulator, and processes
    where it has none; a user's own policy plays in this thread alone.
    """
    if episodes < 1:
        raise OptionError(f"at least 1 episode is needed, got {episodes}")
    if not callable(getattr(policy, "actions", None)):
        raise DataError(
            f"a policy has a method actions(states), got {type(policy).__name__}; load_oracle "
            "makes one of a function"
        )
    task = get_task(task)
    if isinstance(policy, PolicyTree):
        check_fit(policy, task)
    seeds = episode_seeds(purpose, seed, episodes)
    with using_workers(workers):
        return Performance.of(play_all(policy, task, seeds), task)


def check_fit(tree: PolicyTree, task: Task) -> None:
    """Refuse a tree that was made for another kind of task."""
    fits = len(tree.action_names) <= task.n_actions
    if tree.levels is not None and task.bounds is not None:
        fits = tree.levels.shape[1] == len(task.bounds[0])
    if tree.n_variables != task.n_variables or not fits:
        raise DataError(
            f"the policy has {tree.n_variables} variables and {len(tree.action_names)} actions, "
            f"but {task.name} has {task.n_variables} and {task.n_actions}; name its own task with "
            "--task"
        )
