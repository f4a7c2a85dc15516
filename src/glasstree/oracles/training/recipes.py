"""How each shipped oracle was trained."""

from glasstree.oracles.training.options import DQNOptions, Options, PPOOptions, SarsaOptions
from glasstree.tasks.base import Task

RECIPES: dict[str, Options] = {
    "cartpole": PPOOptions(total_steps=400_000),
    "carfollowing": DQNOptions(
        total_steps=1_000_000,
        gamma=0.98,
        reward_scale=1 / 225,
        centre=(30.0, 0.0, 0.0),
        spread=(10.0, 2.0, 1.0),
    ),
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
    "mountaincar": SarsaOptions(total_steps=2_000_000),
    "psm5": PPOOptions(
        total_steps=4_000_000, n_envs=32, n_steps=500, batch_size=500, gamma=0.999, gae_lambda=0.98
    ),
    "psm10": PPOOptions(
        total_steps=4_000_000, n_envs=32, n_steps=500, batch_size=500, gamma=0.999, gae_lambda=0.98
    ),
    "acrobot": PPOOptions(total_steps=1_500_000, gae_lambda=0.94),
}


def recipe(task: Task) -> Options:
    """Return how to train an oracle for a task; PPO with ordinary settings for a foreign one."""
    return RECIPES.get(task.name, PPOOptions(total_steps=1_000_000))
