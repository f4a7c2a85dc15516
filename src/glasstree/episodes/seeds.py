"""Episode seeds: what they are for is part of the number, so that they can never overlap.

docs/algorithm.md, section 12.
"""

from enum import IntEnum

import numpy as np

from glasstree.errors import OptionError
from glasstree.policy.arrays import Ints

SEED_BITS, INDEX_BITS = 31, 28  # with 4 bits of purpose they fill 63 of an int64


class Purpose(IntEnum):
    """What an episode is played for.

    Data: COLLECT under the oracle, FOLLOW under earlier trees, HELD_BACK for the test set, VISIT
    where a tree goes. Search: TRAIN candidates, RACE the best of them, STEP_SIZE first steps,
    RELABEL leaves, LINE the plainest rules, VARY trees of the front, RANK them, ROUND their
    numbers. CHOOSE between finalists, FINAL for figures.
    """

    COLLECT = 0
    TRAIN = 1
    CHOOSE = 2
    FINAL = 3
    HELD_BACK = 4
    FOLLOW = 5
    VISIT = 6
    RACE = 7
    STEP_SIZE = 8
    LINE = 9
    RELABEL = 10
    VARY = 11
    RANK = 12
    ROUND = 13


def check_seed(seed: int) -> None:
    """Refuse a seed that does not fit into the seeds of episodes."""
    if not 0 <= seed < 1 << SEED_BITS:
        raise OptionError(
            f"seed {seed} is out of range; choose one from 0 to {(1 << SEED_BITS) - 1}"
        )


def episode_seeds(purpose: Purpose, seed: int, count: int, first: int = 0) -> Ints:
    """Return the seeds of `count` episodes of a purpose.

    >>> import numpy as np
    >>> train, final = (episode_seeds(p, 7, 1000) for p in (Purpose.TRAIN, Purpose.FINAL))
    >>> bool(np.isin(train, final).any())
    False
    """
    check_seed(seed)
    if first + count > 1 << INDEX_BITS:
        raise OptionError(
            f"at most {1 << INDEX_BITS:,} episodes can be played, got {first + count:,}"
        )
    base = (int(purpose) << SEED_BITS | seed) << INDEX_BITS
    return np.arange(base + first, base + first + count, dtype=np.int64)
