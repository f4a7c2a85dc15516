"""How each shipped oracle was trained."""

from glasstree.oracles.training.options import DQNOptions, Options, PPOOptions, SarsaOptions
from glasstree.tasks.base import Task

RECIPES: dict[str, Options] = {
    "cartpole": PPOOptions(total_steps=400_000),
}


def recipe(task: Task) -> Options:
    """Return how to train an oracle for a task; PPO with ordinary settings for a foreign one."""
    return RECIPES.get(task.name, PPOOptions(total_steps=1_000_000))
