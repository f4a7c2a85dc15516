"""Cells measure what the paper's tables are about."""

from pathlib import Path

import numpy as np
import pytest

from glasstree.data import collect
from glasstree.episodes import Purpose
from glasstree.oracles import load_oracle
from glasstree.policy import Leaf, Rule, Split, load
from glasstree.studies.measures import (
    Sampled,
    control,
    document,
    imitation,
    reengineering,
    teacher,
    tree_of,
)
from glasstree.studies.recipes import best, imitations, median
from glasstree.studies.study import Plan
from glasstree.tasks import get_task

PAPER = Path(__file__).parents[2] / "examples" / "policies" / "paper_mountaincar.json"
PLAN = Plan(runs=1, quick=True)


@pytest.mark.parametrize("recipe, rules", [("paper", (1, 2, 3)), ("glasstree", (1,))])
def test_an_imitation_is_a_tree_with_its_figures(recipe: str, rules: tuple[int, ...]) -> None:
    (cell,) = imitations(PLAN, "cartpole", recipe, depth=2 if recipe == "paper" else None)
    found = imitation(cell.settings)
    assert 75.0 < found["test_accuracy"] <= 100.0
    assert found["rules"] in rules
    assert found["seconds"] > 0.0
    assert tree_of(found["tree"]).rule_length == found["rule_length"]


def test_control_is_measured_over_batches() -> None:
    settings = {"task": "cartpole", "player": "oracle", "seed": 0, "episodes": 300}
    found = control(settings)
    assert found["reward"] == (200.0, 0.0)
    assert found["completion"] == (100.0, 0.0)
    assert found["best"] == [200.0]
    falls = control({**settings, "player": 1})
    assert falls["completion"] == (0.0, 0.0)
    assert falls["reward"][0] < 15.0


def test_labels_of_the_paper_are_drawn() -> None:
    task = get_task("cartpole")
    drawn = teacher(task, "paper", 0, Purpose.COLLECT)
    assert isinstance(drawn, Sampled)
    states = collect(load_oracle("cartpole"), task, 2000).states
    likeliest = load_oracle("cartpole").actions(states)
    share = float((drawn.actions(states) == likeliest).mean())
    expected = drawn.oracle.preferences(states).max(axis=1).mean()
    assert share == pytest.approx(expected, abs=0.03)
    again = teacher(task, "paper", 0, Purpose.COLLECT).actions(states)
    assert np.array_equal(teacher(task, "paper", 0, Purpose.COLLECT).actions(states), again)
    assert teacher(task, "glasstree", 0, Purpose.COLLECT) is load_oracle("cartpole")
    assert teacher(get_task("lunarlander"), "paper", 0, Purpose.COLLECT) is load_oracle(
        "lunarlander"
    )


def test_re_engineering_drops_what_control_does_not_visit() -> None:
    tree = load(PAPER)
    never = Rule(np.eye(2, dtype=np.int64)[:1], [1.0], -3.0)
    wrapped = document(tree.with_root(Split(never, tree.root, Leaf(0))))
    settings = {"task": "mountaincar", "tree": wrapped, "seed": 0}
    found = reengineering({**settings, "min_share": 0.0})
    before, visited = tree_of(found["before"]), tree_of(found["tree"])
    assert sum(before.root.counts) >= 10_000
    assert before.splits()[0].rule == never
    assert [split.rule for split in visited.splits()] == [split.rule for split in tree.splits()]
    often = tree_of(reengineering({**settings, "min_share": 0.45})["tree"])
    assert often.n_rules < visited.n_rules
    assert min(sum(leaf.counts) for leaf in often.leaves()) >= 0.45 * sum(often.root.counts)


def test_the_run_in_the_middle_goes_on() -> None:
    runs = [{"test_accuracy": value} for value in (90.0, 80.0, 99.0)]
    assert median(runs) == {"test_accuracy": 90.0}
    assert best(runs) == {"test_accuracy": 99.0}
