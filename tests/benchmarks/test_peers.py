"""The benchmark of peers: fronts, checks, cells and page; no package of a rival is needed."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from peers import page
from peers.aggregate import resampled
from peers.cells import Contest, control_cells, gathered, kept, run, stored
from peers.checks import checks
from peers.front import Point, best_rival, front, half_as_long, means, policies, tied, unbeaten
from peers.measure import control
from peers.origins import code_of
from peers.ours import Readable
from peers.rivals import RIVALS
from peers.rivals.cart import fit
from peers.rivals.forest import Forest, axis
from peers.rivals.symbolic import Formulas
from sklearn.tree import DecisionTreeClassifier

from deadly import measure_or_die
from glasstree.data import Dataset
from glasstree.options import Options
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.runs.store import open_store
from glasstree.studies.cells import CellStore
from glasstree.tasks import get_task
from glasstree.workflows.settings.config import config_for

CART = Contest("cartpole", "cart", 8, "plain", 0)


def point(rival: str, worth: float, occurrences: float, seed: int = 0) -> Point:
    return Point(rival, 1, "aggregated", worth, occurrences, seed)


def figures(task: str, rival: str, reward: float, occurrences: int, **others: Any) -> dict:
    known = {
        "task": task,
        "rival": rival,
        "size": 3,
        "data": "aggregated",
        "seed": 0,
        "reward": reward,
        "sd": 1.0,
        "success": 1.0,
        "accuracy": 0.9,
        "splits": 2,
        "occurrences": occurrences,
        "seconds": 1.0,
        "microseconds": 2.0,
        "long_steps": 500.0,
    }
    return {**known, **others}


def test_a_front_has_what_nobody_beats() -> None:
    points = [point("cart", 1, 2), point("cart", 3, 5), point("figs", 2, 6), point("figs", 3, 4)]
    assert front(points) == [points[0], points[3]]


def test_ours_is_unbeaten_unless_a_rival_is_as_good_and_shorter() -> None:
    ours, black_box = point("glasstree", 3, 5), point("network", 9, 1)
    assert unbeaten([ours, point("cart", 3, 5), point("cart", 2.9, 1), black_box]) == [ours]
    assert unbeaten([ours, point("cart", 3, 4)]) == unbeaten([ours, point("cart", 4, 5)]) == []


def test_at_most_half_of_the_best_rival() -> None:
    ours, rivals = point("glasstree", 10, 4), [point("oblique", 10, 8), point("cart", 9, 2)]
    assert best_rival([ours, *rivals]) == rivals[0]
    assert half_as_long([ours, *rivals]) == ours
    assert half_as_long([point("glasstree", 10, 5), *rivals]) is None
    assert half_as_long([ours]) is None


def test_means_are_over_seeds() -> None:
    (found,) = means([point("cart", 1, 2, seed=0), point("cart", 3, 4, seed=1)])
    assert (found.worth, found.occurrences, found.seed) == (2, 3, None)


def test_near_equals_are_named() -> None:
    exact, rough = Point("cart", 4, "plain", 199.9, 3), Point("cart", 4, "plain", 199.9, 3, error=1)
    ours = Point("glasstree", 1, "own", 200.0, 5)
    assert tied(rough, ours) and not tied(exact, ours)


def test_plain_arrays_decide_as_the_package_does() -> None:
    generator = np.random.default_rng(0)
    states = generator.normal(size=(2000, 3)).astype(np.float32).astype(np.float64)
    actions = np.where(states[:, 0] > states[:, 1], 3, np.where(states[:, 2] > 0, 1, 0))
    policy = fit(Dataset.of(states, actions, 5), 12, 0)
    theirs = DecisionTreeClassifier(max_leaf_nodes=12, random_state=0).fit(states, actions)
    assert (policy.actions(states) == theirs.predict(states)).all()
    assert policy.splits == policy.occurrences == 11
    assert policy.complexity == 11 * 3 + 12, "variable, comparison, number; and an action a leaf"


def test_splits_that_change_nothing_are_not_counted() -> None:
    forest = Forest()
    zero, surer, one = (forest.leaf(np.array(v), 2) for v in ([0.6, 0.4], [0.9, 0.1], [0.2, 0.8]))
    alike = forest.split(axis(1, 2), 0.0, zero, surer, 2)
    forest.roots.append(forest.split(axis(0, 2), 0.5, alike, one, 2))
    policy = forest.policy()
    assert policy.splits == policy.occurrences == 1 and policy.complexity == 3 + 2
    assert policy.actions(np.array([[0.0, 5.0], [1.0, 5.0]])).tolist() == [0, 1]
    forest.roots.append(one)
    assert forest.policy().splits == 2, "a sum of trees is left as it is"


def test_oblique_splits_are_counted_as_lines_of_ours() -> None:
    forest = Forest()
    ends = [forest.leaf(np.eye(2)[action], 3) for action in (0, 1)]
    forest.roots.append(forest.split(np.array([0.5, 0.0, -2.0]), 1.0, *ends, 2))
    rule = Rule([[1, 0, 0], [0, 0, 1]], [0.25, -1.0], -0.5, raw=True)
    ours = PolicyTree(
        Split(rule, Leaf(0), Leaf(1)), Scaling([0.0] * 3, [1.0] * 3), ("x", "y", "z"), ("a", "b")
    )
    # z - 0.25 * x >= -0.5, and two actions
    assert forest.policy().complexity == Readable(ours).complexity == 7 + 2


def test_formulas_are_counted_by_nodes_comparisons_and_actions() -> None:
    programs = [SimpleNamespace(program=["add", 0, "mul", 0.5, 1])]  # x + 0.5 * y >= 0
    one = Formulas(programs, np.arange(2), np.zeros(2), np.ones(2))
    assert (one.occurrences, one.complexity) == (2, 5 + 2 + 2)
    three = Formulas(3 * programs, np.arange(3), np.zeros(2), np.ones(2))
    assert (three.occurrences, three.complexity) == (6, 15 + 2 + 3)


def test_states_are_drawn_again_by_what_is_at_stake() -> None:
    data = Dataset.of(np.arange(1000.0)[:, np.newaxis], np.arange(1000) % 2, 2)
    weights = np.where(data.states[:, 0] < 500, 3.0, 1.0)
    drawn = resampled(replace(data, weights=weights), weights, seed=0)
    assert len(drawn) == 1000 and drawn.weights is None
    assert (drawn.states[:, 0] < 500).mean() == pytest.approx(0.75, abs=0.05)


def test_cells_are_measured_once_and_failures_are_kept(tmp_path: Path) -> None:
    told: list[str] = []
    measure = partial(control, runs=[tmp_path / "runs"])
    cells = [CART, Contest("cartpole", "no such rival", 1, "plain", 0)]
    assert run(cells, tmp_path, measure, workers=1, tell=told.append) == 1
    assert len(told) == 2
    assert run(cells, tmp_path, measure, workers=1, tell=told.append) == 1
    assert len(told) == 3, "only what failed is tried again"
    found = json.loads((tmp_path / f"{CART.name}.json").read_text())
    assert found["reward"] > 190 and found["splits"] == found["occurrences"] == 6
    assert found["complexity"] == 6 * 3 + 7
    failed = [cell for cell in gathered(tmp_path, tmp_path / "store.jsonl") if "failed" in cell]
    assert [cell["failed"] for cell in failed] == ["KeyError: 'no such rival'"]


def test_a_process_that_ends_takes_no_other_cell_along(tmp_path: Path) -> None:
    cells = [Contest("cartpole", rival, 1, "plain", 0) for rival in ("cart", "deadly", "figs")]
    assert run(cells, tmp_path, measure_or_die, workers=2, tell=lambda _: None) == 1
    found = gathered(tmp_path, tmp_path / "store.jsonl")
    assert {cell["rival"]: cell.get("failed") for cell in found} == {
        "cart": None,
        "deadly": "RuntimeError: the process ended",
        "figs": None,
    }


def stop(cell: Contest) -> dict[str, float]:
    """Measure nothing."""
    raise AssertionError(cell)


def test_the_store_alone_has_all_figures(tmp_path: Path) -> None:
    kept(lambda cell: {"reward": 1.0}, CART, CellStore(tmp_path / "cells"))
    store = tmp_path / "store.jsonl"
    assert gathered(tmp_path / "cells", store) == gathered(tmp_path / "none", store)
    assert run([CART], tmp_path / "none", stop, tell=lambda _: None, known=stored(store)) == 0
    assert not (tmp_path / "none").exists()


def test_earlier_cells_are_kept_unless_they_are_wanted_anew(tmp_path: Path) -> None:
    path = tmp_path / f"{CART.name}.json"
    kept(lambda cell: {"reward": 1.0}, CART, CellStore(tmp_path))
    assert run([CART], tmp_path, stop, tell=lambda _: None, anew=True) == 0
    figures = json.loads(path.read_text())
    assert figures["code"] == code_of("cart")
    for code in ("0" * 16, None):
        path.write_text(json.dumps({**figures, "code": code}))
        assert run([CART], tmp_path, stop, tell=lambda _: None) == 0
        told: list[str] = []
        assert run([CART], tmp_path, measure_or_die, tell=told.append, anew=True) == 0
        assert len(told) == 1
        assert json.loads(path.read_text()) == figures


def test_earlier_cells_survive_a_process_that_ends(tmp_path: Path) -> None:
    cells = [Contest("cartpole", rival, 1, "plain", 0) for rival in ("cart", "deadly", "figs")]
    for cell in cells:
        kept(lambda cell: {"reward": 2.0, "code": None}, cell, CellStore(tmp_path))
    assert run(cells, tmp_path, measure_or_die, 2, tell=lambda _: None, anew=True) == 1
    found = gathered(tmp_path, tmp_path / "store.jsonl")
    assert [cell.get("reward") for cell in found] == [1.0, None, 1.0]


def test_a_run_from_elsewhere_is_of_unknown_code(tmp_path: Path) -> None:
    task, given, own = get_task("cartpole"), tmp_path / "given", tmp_path / "own"
    options = Options.for_task(task, rules=1, seed=0)
    config = config_for(task, None, options)
    names = task.state_names
    tree = PolicyTree(Leaf(0), Scaling([0.0] * 4, [1.0] * 4), names, task.action_names)
    keep = open_store(given / "cartpole-default-0", config)
    keep.policy("policy.json", lambda: tree)
    keep.document("metrics.json", {"seconds": 1.0})
    cell = Contest("cartpole", "glasstree", 1, "aggregated", 0)
    assert control(cell, [given, own])["code"] is None
    assert "code" not in control(cell, [own, given])


def test_the_page_counts_cells_of_earlier_code() -> None:
    ours, theirs = figures("cartpole", "glasstree", 1.0, 1), figures("cartpole", "cart", 1.0, 1)
    new = {**ours, "code": code_of("glasstree")}
    assert page.earlier([new]) == "0 of 1 cells were made by earlier code than this page."
    assert page.earlier([new, theirs, {**theirs, "code": code_of("glasstree")}]).startswith(
        "2 of 3 cells were made by earlier code than this page; `make peers WORDS=--anew`"
    )


def test_a_contender_has_the_digest_of_its_own_files() -> None:
    assert code_of("cart") == code_of("viper"), "they share a file"
    assert len({code_of(name) for name in ("glasstree", "cart", "figs", "oracle")}) == 4


def test_every_rival_is_swept_on_every_task() -> None:
    cells = control_cells(["cartpole", "lunarlander"], list(RIVALS), [0, 1])
    assert len({cell.name for cell in cells}) == len(cells)
    assert {(cell.task, cell.rival) for cell in cells} == {
        (task, rival) for task in ("cartpole", "lunarlander") for rival in RIVALS
    }


def test_the_page_says_what_holds_and_who_is_better(tmp_path: Path) -> None:
    cells = [
        figures("lunarlander", "glasstree", 250.0, 20),
        figures("lunarlander", "oblique", 260.0, 50),
        figures("cartpole", "glasstree", 200.0, 2),
        figures("cartpole", "cart", 200.0, 7),
        figures("cartpole", "network", 200.0, 4000),
        figures("iris", "glasstree", 0.0, 5, data="folds", accuracy=0.95, sd=0.0),
        figures("iris", "cart", 0.0, 3, data="folds", accuracy=0.94, sd=0.0),
    ]
    template = Path(page.__file__).parent / "comparison.template.md"
    page.write(cells, tmp_path, template)
    text = (tmp_path / "comparison.md").read_text()
    assert (tmp_path / "comparison.svg").read_text().startswith("<?xml")
    assert "<!--" not in text
    assert "obliquetree, dense (depth 3, aggregated data) has a higher reward" in text
    assert "no rival reaches glasstree's best, 95.00 %" in text
    assert "the nearest is CART (leaves 3), 94.00 % with 3.0; rivals on the front: CART" in text
    assert "CART balances for 500 of 500 steps: holds" in text
    points = {name: policies(page.of(cells, name)) for name in ("cartpole", "lunarlander")}
    lines = checks({name: page.of(cells, name) for name in points}, points)
    assert "**does not hold**" in next(line for line in lines if "at most half" in line)
    assert "not measured" in next(line for line in lines if "VIPER" in line)
