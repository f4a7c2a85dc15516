"""How each shipped oracle was trained."""

from glasstree.oracles.training.options import DQNOptions, Options, PPOOptions, SarsaOptions
from glasstree.tasks.base import Task

RECIPES: dict[str, Options] = {
    "cartpole": PPOOptions(total_steps=400_000),
    "lunarlander": PPOOptions(
        total_steps=2_500_000,
        n_steps=1024,
        n_epochs=6,
        gamma=0.999,
        gae_lambda=0.98,
        ent_coef=0.01,
        learning_rate=5e-4,
        normalize=False,
    ),
    "psm5": PPOOptions(
        total_steps=4_000_000, n_envs=32, n_steps=500, batch_size=500, gamma=0.999, gae_lambda=0.98
    ),
    "psm10": PPOOptions(
        total_steps=4_000_000, n_envs=32, n_steps=500, batch_size=500, gamma=0.999, gae_lambda=0.98
    ),
}


def recipe(task: Task) -> Options:
    """Return how to train an oracle for a task; PPO with ordinary settings for a foreign one."""
    return RECIPES.get(task.name, PPOOptions(total_steps=1_000_000))
