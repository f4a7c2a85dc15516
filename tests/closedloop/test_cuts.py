"""One deep tree, cut to several depths: each is re-optimised, none gets worse."""

import json
from pathlib import Path

import pytest

from commands import Command
from glasstree.closedloop.cuts import cut_and_reoptimise
from glasstree.closedloop.reoptimisation import ReoptimisationOptions
from glasstree.errors import OptionError
from glasstree.policy import Leaf, Split
from toys import LAMP_TASK, lamp_tree

FEW = ReoptimisationOptions(
    generations=10, population=8, racing_episodes=20, choosing_episodes=100, patience=10
)


def test_each_depth_is_scored_before_and_after() -> None:
    bad = lamp_tree(-0.9).splits()[0].rule
    lower = Split(bad, Leaf(0, (50.0, 0.0)), Leaf(1, (0.0, 50.0)), (50.0, 50.0))
    deep = lamp_tree().with_root(Split(bad, Leaf(0, (20.0, 0.0)), lower, (70.0, 50.0)))
    found = cut_and_reoptimise(deep, LAMP_TASK, [1, 2], FEW, seed=0, episodes=200)
    assert [one.open_loop.depth for one in found] == [0, 2]
    assert found[0].after == found[0].before
    assert found[1].before.success_rate == 0.0
    assert found[1].after.success_rate == 1.0
    with pytest.raises(OptionError, match="at least 1"):
        cut_and_reoptimise(deep, LAMP_TASK, [0], FEW, seed=0, episodes=200)


def test_the_command_prints_one_table_and_resumes(glasstree: Command, tmp_path: Path) -> None:
    words = ("cuts", "mountaincar", "--depth", 2, "--cut", "1,2", "--samples", 400)
    words = (*words, "--episodes", 50, "--workers", 1, "--out", tmp_path / "cuts")
    answer = glasstree(*words, "--json")
    assert answer.code == 0, answer.err
    first = json.loads(answer.out)["cuts"]
    assert [one["depth"] for one in first] == [1, 2]
    for one in first:
        assert one["after"]["mean_reward"] >= one["before"]["mean_reward"] - 10
    kept = (tmp_path / "cuts" / "cuts" / "02.json").read_bytes()
    again = glasstree(*words, "--resume")
    assert again.code == 0
    assert f"NLDT-2 ({first[1]['rules']})" in again.out
    assert (tmp_path / "cuts" / "cuts" / "02.json").read_bytes() == kept


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("--cut", "two"), "depths with commas between them"),
        (("--cut", "0,2"), "from 1 to 6"),
        (("--cut", "7"), "from 1 to 6"),
        (("--data", "dagger"), "--data regular or balanced"),
    ],
)
def test_depths_that_make_no_sense(
    glasstree: Command, words: tuple[str, ...], sentence: str
) -> None:
    answer = glasstree("cuts", "cartpole", *words)
    assert answer.code == 2
    assert sentence in answer.sentence
