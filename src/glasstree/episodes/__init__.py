"""A policy meets a task: episodes, their records, and what they are worth."""

from glasstree.episodes.evaluation import Performance, evaluate
from glasstree.episodes.play import Trajectories, play
from glasstree.episodes.seeds import Purpose, episode_seeds

__all__ = ["Performance", "Purpose", "Trajectories", "episode_seeds", "evaluate", "play"]
