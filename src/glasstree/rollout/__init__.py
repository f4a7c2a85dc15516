"""A policy meets a task: episodes, their records, and what they are worth."""

from glasstree.rollout.collection import collect
from glasstree.rollout.episodes import Records, play
from glasstree.rollout.evaluation import Performance, evaluate
from glasstree.rollout.seeds import Purpose, episode_seeds

__all__ = ["Performance", "Purpose", "Records", "collect", "episode_seeds", "evaluate", "play"]
