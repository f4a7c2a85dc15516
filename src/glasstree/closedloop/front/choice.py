"""Which policies are on the front, and which of them is taken."""

from dataclasses import dataclass

import numpy as np

from glasstree.episodes.evaluation import Performance
from glasstree.policy.tree import PolicyTree

STANDARD_ERRORS = 2.0
SHARE = 0.01  # of the spread between random actions and the best

Pick = str | int


@dataclass(frozen=True)
class Row:
    """One policy of the front: how complex it is, and what it is worth."""

    policy: PolicyTree
    choosing: Performance
    final: Performance | None = None

    @property
    def complexity(self) -> int:
        """Number of printed symbols."""
        return self.policy.complexity


def margin(best: Performance, random: Performance) -> float:
    """Return what a plainer policy may lose against the best or the oracle.

    It is two standard errors, or a hundredth of the spread between random actions and the best,
    whichever is more.
    """
    error = best.episode_sd / np.sqrt(best.episodes)
    return max(STANDARD_ERRORS * error, SHARE * (best.mean_reward - random.mean_reward))
