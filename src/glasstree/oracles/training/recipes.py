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
    "Pendulum-v1": PPOOptions(
        total_steps=400_000,
        n_envs=8,
        n_steps=512,
        gamma=0.95,
        learning_rate=1e-3,
        use_sde=True,
    ),
    "MountainCarContinuous-v0": PPOOptions(
        total_steps=200_000,
        n_envs=8,
        n_steps=128,
        batch_size=128,
        gamma=0.9999,
        gae_lambda=0.9,
        learning_rate=2e-4,
        use_sde=True,
        log_std_init=-2.0,
    ),
    "LunarLanderContinuous-v3": PPOOptions(
        total_steps=2_500_000,
        n_steps=1024,
        n_epochs=6,
        gamma=0.999,
        gae_lambda=0.98,
        learning_rate=5e-4,
        normalize=False,
    ),
    "InvertedDoublePendulum-v5": PPOOptions(
        total_steps=250_000, n_envs=8, n_steps=256, batch_size=128, gamma=0.98, learning_rate=5e-4
    ),
    "BipedalWalker-v3": PPOOptions(total_steps=2_000_000, batch_size=128, log_std_init=-0.7),
    "Hopper-v5": PPOOptions(
        total_steps=1_500_000, n_envs=8, n_steps=256, batch_size=64, log_std_init=-1.0
    ),
}


def recipe(task: Task) -> Options:
    """Return how to train an oracle for a task; PPO with ordinary settings for a foreign one."""
    return RECIPES.get(task.name, PPOOptions(total_steps=1_000_000))
