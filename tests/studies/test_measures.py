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
from glasstree.studies.recipes import (
    best,
    control_of_all,
    controlled,
    imitations,
    median,
    median_tree,
    within_rules,
)
from glasstree.studies.study import Bench, Plan
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
    assert tree_of(found["tree"]).complexity == found["complexity"]


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


def test_control_of_all_runs_is_over_every_tree() -> None:
    bench = Bench()
    for tree, reward in (({"n": 1}, 10.0), ({"n": 2}, 30.0), ({"n": 3}, 80.0)):
        cell = controlled(PLAN, "cartpole", tree)
        bench.known[cell.name] = {"reward": [reward, 5.0], "completion": [reward, 0.0], "rules": 1}
    trees = [{"n": 1}, {"n": 2}, {"n": 3}]
    found = control_of_all(bench, PLAN, "cartpole", trees)
    assert found["reward_all"] == pytest.approx((40.0, np.std([10.0, 30.0, 80.0])))
    both = median_tree(bench, PLAN, "cartpole", trees)
    assert both["reward"] == [30.0, 5.0] and both["reward_all"] == found["reward_all"]


def test_a_front_gives_the_best_tree_with_so_many_rules() -> None:
    front = [{"rules": r, "worth": w, "tree": r} for r, w in ((1, 2.0), (3, 9.0), (4, 7.0))]
    run = {"front": front, "tree": "the result"}
    assert [within_rules(run, most) for most in (1, 2, 3, 9)] == [1, 1, 3, 3]
    assert within_rules({**run, "front": []}, 9) == "the result"
