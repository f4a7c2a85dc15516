"""Train oracles: PPO, double DQN and SARSA(lambda), with a recipe for every task."""

from glasstree.oracles.training.loop import train
from glasstree.oracles.training.options import DQNOptions, Options, PPOOptions, SarsaOptions
from glasstree.oracles.training.recipes import recipe

__all__ = ["DQNOptions", "Options", "PPOOptions", "SarsaOptions", "recipe", "train"]
