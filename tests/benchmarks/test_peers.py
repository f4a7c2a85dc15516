"""The benchmark of peers: cells, their digests, and the page; no package of a rival is needed."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peers import estimator
from peers.aggregate import resampled
from peers.cells import Contest, control_cells, gathered, kept, run, stored
from peers.front import policies
from peers.measure import control
from peers.notes import begin, is_noted, note_of
from peers.origins import PACKAGE, code_of, decides, run_code
from peers.pages import page
from peers.pages.checks import checks
from peers.pages.readme import refresh
from peers.pages.summary import sized_words
from peers.pages.words import sized
from peers.rivals import CONTINUOUS, RIVALS
from peers.tables import TABLES

from deadly import measure_or_die
from glasstree.data import Dataset
from glasstree.studies.cells import CellStore

CART = Contest("cartpole", "cart", 8, "plain", 0)
ROOT = Path(__file__).parents[2]
TEMPLATE = Path(page.__file__).parent / "comparison.template.md"


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
        "complexity": 4 * occurrences + 1,
        "seconds": 1.0,
        "microseconds": 2.0,
        "long_steps": 500.0,
    }
    return {**known, **others}


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
    assert found["took"] > found["seconds"] - 0.01, "with what all contenders meet"
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
    assert figures["code"] == code_of("cart", "cartpole")
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


def test_the_page_counts_cells_of_earlier_code() -> None:
    ours, theirs = figures("cartpole", "glasstree", 1.0, 1), figures("cartpole", "cart", 1.0, 1)
    new = {**ours, "code": code_of("glasstree", "cartpole")}
    assert page.earlier([new]) == "0 of 1 cells were made by earlier code than this page."
    told = page.earlier([new, theirs, {**theirs, "code": code_of("glasstree", "cartpole")}])
    assert told.startswith("2 of 3 cells were made by earlier code than this page (CART 2).")
    assert "no mean mixes them" in told and "`make peers WORDS=--anew`" in told


def test_means_of_the_page_never_mix_cells_of_two_codes(tmp_path: Path) -> None:
    new = {**figures("cartpole", "cart", 100.0, 2), "code": code_of("cart", "cartpole")}
    old = {**figures("cartpole", "cart", 200.0, 2), "seed": 1, "code": "0" * 16}
    page.write([new, old], tmp_path, TEMPLATE)
    text = (tmp_path / "comparison.md").read_text()
    assert "| CART | leaves 3 | aggregated | 1 | 0.900 | 100.00 |" in text and "150.00" not in text
    assert sized_words(replace(policies([old])[0], older=True))[0] == "200.00 †"
    page.write([old], tmp_path, TEMPLATE)
    assert "| CART † | leaves 3 | aggregated | 1 |" in (tmp_path / "comparison.md").read_text()


def test_a_contender_has_the_digest_of_its_own_files() -> None:
    names = ("glasstree", "cart", "viper", "figs", "dtpo", "oracle")
    assert len({code_of(name, "cartpole") for name in names}) == len(names)
    assert code_of("cart", "cartpole") != code_of("cart", "acrobot"), "each has its oracle"


def test_rivals_do_not_hang_on_our_search_nor_on_other_tasks() -> None:
    for name in ("closedloop/cuts.py", "openloop/growth.py", "report/figures.py", "pipeline.py"):
        assert not hangs("cart", "cartpole", PACKAGE / name)
    for name in ("tasks/acrobot.py", "tasks/own/foreign.py", "oracles/sb3.py"):
        assert not decides(PACKAGE / name, "cartpole")
    for name in ("tasks/cartpole.py", "episodes/play.py", "data/aggregation.py"):
        assert decides(PACKAGE / name, "cartpole") and hangs("cart", "cartpole", PACKAGE / name)
    assert decides(PACKAGE / "tasks/own/foreign.py", CONTINUOUS[0])


def hangs(rival: str, task: str, path: Path) -> bool:
    """Tell whether a cell's digest takes a file in."""
    from peers.origins import HERE, PLAYED, THEIRS, deciding

    return path in deciding(task, *(HERE / name for name in (*PLAYED, *THEIRS)))


def test_a_run_has_a_note_of_its_code_until_other_code_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "cartpole-default-0"
    assert not is_noted(folder, "cartpole")
    begin(folder, "cartpole")
    assert note_of(folder).read_text().strip() == run_code("cartpole")
    folder.mkdir()
    (folder / "config.toml").write_text("")
    begin(folder, "cartpole")
    assert is_noted(folder, "cartpole"), "the same code goes on"
    note_of(folder).write_text("0" * 16)
    begin(folder, "cartpole")
    assert not note_of(folder).exists()


def test_every_rival_is_swept_where_it_can_be_had() -> None:
    cells = control_cells(["cartpole", "lunarlander", *CONTINUOUS], list(RIVALS), [0, 1])
    assert len({cell.name for cell in cells}) == len(cells)
    met = {(cell.task, cell.rival) for cell in cells}
    assert {rival for task, rival in met if task == "cartpole"} == set(RIVALS) - {"ars"}
    assert {rival for task, rival in met if task == CONTINUOUS[1]} == {"ars", "written"}


def test_glasstree_is_one_run_a_seed_and_one_trace_a_task() -> None:
    cells = control_cells(["cartpole"], ["glasstree", "trace"], range(5))
    assert [cell.rival for cell in cells].count("glasstree") == 5
    assert [cell.rival for cell in cells].count("trace") == 1


def test_the_page_says_what_holds_and_who_is_better(tmp_path: Path) -> None:
    mark = figures("lunarlander", "glasstree", 250.0, 20, text="if x <= 1:\n    nothing")
    cells = [
        {
            "task": "lunarlander",
            "rival": "glasstree",
            "size": 0,
            "data": "own",
            "seed": 0,
            "front": [mark],
            "imitation": mark,
            "chosen": 81,
            "seconds": 9.0,
            "steps": 1000,
        },
        figures("lunarlander", "oblique", 260.0, 20, text="if x + y <= 1:\n    nothing"),
        figures("lunarlander", "random", -200.0, 0),
        figures("cartpole", "glasstree", 200.0, 2),
        figures("cartpole", "cart", 200.0, 7),
        figures("cartpole", "network", 200.0, 4000),
        figures("iris", "glasstree", 0.0, 5, data="folds", accuracy=0.95, folds=[0.9, 1.0]),
        figures("iris", "cart", 0.0, 3, data="folds", accuracy=0.94, folds=[0.9, 0.98]),
    ]
    page.write(cells, tmp_path, TEMPLATE)
    text = (tmp_path / "comparison.md").read_text()
    assert (tmp_path / "comparison.svg").read_text().startswith("<?xml")
    assert "<!--" not in text
    assert text.split("\n\n")[1] == (
        "On 2 control tasks the best policy of glasstree earns more than the best of 2 rivals on "
        "0, less on 1; on 1 the 95 % interval of the difference holds 0. With no more printed "
        "symbols than a rival, glasstree is behind it, outside such an interval, on 1 of these "
        "tasks and on 0 of 1 tables."
    )
    lost = text[text.index("## Where we lose") : text.index("## In short")]
    assert "| lunarlander | obliquetree, dense (depth 3, aggregated data) † | 81.0 |" in lost
    assert "if x + y &lt;= 1:" in lost and "if x &lt;= 1:" in lost, "both rules are printed"
    assert "rivals on the joint front: CART (leaves 3) †" in text
    assert "CART balances for at least 500 of 1,000 steps: holds" in text
    points = {name: policies(page.played(page.of(cells, name))) for name in ("cartpole",)}
    lines = checks({name: page.of(cells, name) for name in points}, points, [])
    assert "not measured" in next(line for line in lines if "half the symbols" in line)
    assert "not measured" in next(line for line in lines if "VIPER" in line)


def test_the_readme_says_what_the_pages_say(tmp_path: Path) -> None:
    for name, text in (
        ("comparison.md", "We win,\nat times."),
        ("results.md", "Of 3, 2. Worse: a; b."),
    ):
        (tmp_path / name).write_text(f"# Title\n\n{text}\n\nMore.\n")
    copy = tmp_path / "README.md"
    copy.write_text("before\n<!-- figures -->\nold\n<!-- end of figures -->\nafter\n")
    refresh(copy, tmp_path)
    lines = copy.read_text().splitlines()
    assert lines[2].startswith("- **The rivals.** We win, at times. More: [docs/comparison.md]")
    assert lines[3].startswith("- **The paper.** Of 3, 2. More: [docs/results.md]")
    assert [*lines[:2], *lines[4:]] == [
        "before",
        "<!-- figures -->",
        "<!-- end of figures -->",
        "after",
    ]
    readme = (ROOT / "README.md").read_text()
    copy.write_text(readme)
    refresh(copy, ROOT / "docs")
    assert copy.read_text() == readme, "make peers writes it anew"


def test_a_table_is_met_with_all_of_a_front(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).uniform(size=(120, 2))
    monkeypatch.setitem(TABLES, "corner", lambda: (X, (X.min(axis=1) > 0.5).astype(int)))
    monkeypatch.setattr(estimator, "FOLDS", 2)
    found = estimator.on_a_table(Contest("corner", "glasstree", estimator.FRONT, "folds", 0))
    sizes = [one["complexity"] for one in found["within"]]
    assert [one["size"] for one in found["within"]] == list(estimator.WITHIN)
    assert sizes == sorted(sizes) and sizes[0] <= 5 < sizes[-1] <= found["complexity"]
    assert found["accuracy"] > 0.9 and len(found["folds"]) == 2
    words = [sized("glasstree", size) for size in (9, *estimator.WITHIN[:1])]
    assert words == ["best of its front", "best of its front within 5 symbols"]


def test_texts_are_stored_of_policies_on_fronts_alone(tmp_path: Path) -> None:
    store = CellStore(tmp_path / "cells")
    for size, reward in ((2, 1.0), (4, 3.0), (8, 2.0)):
        found = {"reward": reward, "occurrences": size, "complexity": size, "text": f"t{size}"}
        kept(lambda cell, found=found: found, replace(CART, size=size), store)
    texts = {cell["size"]: cell["text"] for cell in gathered(tmp_path / "cells", tmp_path / "s")}
    assert texts == {2: "t2", 4: "t4", 8: ""}


def test_a_front_replaces_runs_of_one_size(tmp_path: Path) -> None:
    cells = CellStore(tmp_path / "cells")
    for rival, task in (("glasstree", "cartpole"), ("imitation", "cartpole"), ("cart", "cartpole")):
        kept(lambda cell: {"reward": 1.0}, Contest(task, rival, 1, "aggregated", 0), cells)
    assert len(gathered(tmp_path / "cells", tmp_path / "store")) == 3
    kept(lambda cell: {"front": []}, Contest("cartpole", "glasstree", 0, "own", 0), cells)
    found = gathered(tmp_path / "cells", tmp_path / "store")
    assert [(cell["rival"], cell["size"]) for cell in found] == [("cart", 1), ("glasstree", 0)]
