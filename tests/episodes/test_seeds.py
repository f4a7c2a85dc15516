"""Episodes of different purposes and seeds are never the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasstree.episodes import Purpose, episode_seeds
from glasstree.episodes.seeds import INDEX_BITS, SEED_BITS
from glasstree.errors import OptionError

purposes = st.sampled_from(list(Purpose))
seeds = st.integers(0, (1 << SEED_BITS) - 1)
places = st.integers(0, (1 << INDEX_BITS) - 1)


@given(st.tuples(purposes, seeds, places), st.tuples(purposes, seeds, places))
def test_seeds_never_overlap(
    one: tuple[Purpose, int, int], other: tuple[Purpose, int, int]
) -> None:
    first, second = (
        int(episode_seeds(purpose, seed, 1, first=place)[0])
        for purpose, seed, place in (one, other)
    )
    assert (first == second) == (one == other)


@given(purposes, seeds, st.integers(1, 50), st.integers(0, 1000))
def test_a_batch_is_the_sum_of_its_parts(
    purpose: Purpose, seed: int, count: int, first: int
) -> None:
    whole = episode_seeds(purpose, seed, count, first)
    parts = [int(episode_seeds(purpose, seed, 1, first + i)[0]) for i in range(count)]
    assert whole.tolist() == parts
    assert min(parts) >= 0


@pytest.mark.parametrize("seed", [-1, 1 << SEED_BITS])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(OptionError, match="choose one from 0 to 2147483647"):
        episode_seeds(Purpose.FINAL, seed, 1)


def test_more_episodes_than_seeds_are_refused() -> None:
    with pytest.raises(OptionError, match="at most 268,435,456 episodes"):
        episode_seeds(Purpose.FINAL, 0, (1 << INDEX_BITS) + 1)
