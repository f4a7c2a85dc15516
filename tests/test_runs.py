"""A run's folder can be killed at any moment, resumed to the same bytes, and never hurts others."""

from pathlib import Path
from typing import Any

import pytest

from glasstree.data import Dataset
from glasstree.errors import OptionError, RunError
from glasstree.policy import PolicyTree
from glasstree.runs.store import CONFIG, FILES, STATE, RunStore, open_store, write_json
from toys import lamp_tree, small_tree

SETTINGS: dict[str, Any] = {"task": "lamp", "oracle": "lamp", "options": {"seed": 1, "depth": 2}}

RACE: dict[str, Any] = {
    "generation": 3,
    "improved": 2,
    "saturated": False,
    "best": [1.0],
    "mean": [0.5],
    "pace": None,
    "leaders": [[1.0, [0.5, 0.5]]],
    "search": None,
}


def forbidden() -> Any:
    """Fail where nothing may be made anew."""
    raise AssertionError("made although it was kept")


def begun(folder: Path) -> Path:
    """Return the folder of a run that kept one policy."""
    open_store(folder, SETTINGS).policy("open_loop.json", lamp_tree)
    return folder


def test_what_is_kept_is_not_made_again(tmp_path: Path) -> None:
    data = Dataset.of([[1.0], [2.0]], [0, 1], 2)
    keep = open_store(tmp_path / "run", SETTINGS)
    keep.dataset("train.npz", lambda: data)
    keep.policy("open_loop.json", lamp_tree)
    keep.figures("reward.json", lambda: {"reward": 0.1})
    keep.document("curve.json", {"best": [1.0, 2.0], "mean": [0.5, 1.5]})
    keep.document(STATE, [RACE])
    again = open_store(tmp_path / "run", SETTINGS, resume=True)
    assert again.dataset("train.npz", forbidden).states.tolist() == data.states.tolist()
    assert again.policy("open_loop.json", forbidden) == lamp_tree()
    assert again.figures("reward.json", forbidden) == {"reward": 0.1}
    assert again.curve() == {"best": [1.0, 2.0], "mean": [0.5, 1.5]}
    assert again.checkpoint(STATE) == [RACE]


def test_a_new_run_gives_back_what_resuming_would(tmp_path: Path) -> None:
    rule = lamp_tree().splits()[0].rule
    made: list[PolicyTree] = []
    kept = open_store(tmp_path / "run", SETTINGS).policy(
        "policy.json", lambda: made.append(lamp_tree()) or made[0]
    )
    assert kept == made[0]
    assert kept is not made[0]
    assert kept.splits()[0].rule == rule


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    keep = RunStore()
    keep.document("metrics.json", {"a": 1})
    tree = lamp_tree()
    assert keep.policy("policy.json", lambda: tree) is tree
    keep.document("curve.json", {"best": [1.0], "mean": [0.5]})
    assert keep.curve() == {"best": [1.0], "mean": [0.5]}
    assert keep.checkpoint(STATE) is None
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_fails_at_once_leaves_no_folder(tmp_path: Path) -> None:
    keep = open_store(tmp_path / "run", SETTINGS)
    with pytest.raises(AssertionError):
        keep.policy("open_loop.json", forbidden)
    assert not (tmp_path / "run").exists()


def test_a_replacement_that_fails_at_once_leaves_the_old_run(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    keep = open_store(folder, SETTINGS, overwrite=True)
    with pytest.raises(AssertionError):
        keep.policy("open_loop.json", forbidden)
    assert sorted(entry.name for entry in folder.iterdir()) == [CONFIG, "open_loop.json"]


def test_a_replaced_runs_checkpoint_is_forgotten(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    write_json(folder / STATE, [RACE])
    keep = open_store(folder, SETTINGS, overwrite=True)
    assert keep.checkpoint(STATE) is None
    keep.policy("open_loop.json", lamp_tree)
    assert keep.checkpoint(STATE) is None


def test_replacing_a_run_removes_its_files_and_no_others(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    open_store(folder, SETTINGS, resume=True).policy("rounds/00.json", lamp_tree)
    write_json(folder / "metrics.json", {})
    (folder / "notes.txt").write_text("mine")
    open_store(folder, SETTINGS, overwrite=True).policy("policy.json", small_tree)
    names = sorted(entry.name for entry in folder.iterdir())
    assert names == [CONFIG, "notes.txt", "policy.json", "rounds"]
    assert list((folder / "rounds").iterdir()) == []


def test_an_empty_folder_may_be_used(tmp_path: Path) -> None:
    assert begun(tmp_path).joinpath(CONFIG).is_file()


def test_what_a_killed_run_left_half_written_is_not_in_the_way(tmp_path: Path) -> None:
    for name in (".config.toml.ab12cd34", "rounds/.00.npz.ab12cd34", ".bashrc.ab12cd34"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("half")
    with pytest.raises(RunError, match="is not a run"):
        open_store(tmp_path, SETTINGS)
    assert (tmp_path / ".config.toml.ab12cd34").exists()
    for name in ("rounds/.00.npz.ab12cd34", ".bashrc.ab12cd34"):
        (tmp_path / name).unlink()
    (tmp_path / "rounds").rmdir()
    assert begun(tmp_path).joinpath(CONFIG).is_file()


def test_what_a_killed_run_left_half_written_goes_when_it_is_resumed(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    names = (".test.npz.ab12cd34", "rounds/.00.npz.ab12cd34", "front/.005.json.ab12cd34")
    left = [folder / name for name in names]
    for path in left:
        path.parent.mkdir(exist_ok=True)
    for path in (*left, folder / ".bashrc.ab12cd34"):
        path.write_text("half")
    with open_store(folder, SETTINGS, resume=True):
        assert not any(path.exists() for path in left)
    assert (folder / ".bashrc.ab12cd34").exists()


def test_an_existing_run_is_in_the_way(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    with pytest.raises(RunError, match=r"--resume, replace it with --overwrite, or choose another"):
        open_store(folder, SETTINGS)


@pytest.mark.parametrize("content", [None, "title = 'my own project'", "not [toml", "\xff"])
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_that_is_not_a_run_is_never_touched(
    tmp_path: Path, content: str | None, overwrite: bool
) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    if content is not None:
        (tmp_path / CONFIG).write_bytes(content.encode("latin-1"))
    with pytest.raises(RunError, match="is not a run; choose another folder"):
        open_store(tmp_path, SETTINGS, overwrite=overwrite)
    with pytest.raises(RunError, match="holds no run to resume"):
        open_store(tmp_path, SETTINGS, resume=True)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_file_in_the_place_of_a_folder_is_in_the_way(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text("a file")
    with pytest.raises(RunError, match="exists already"):
        open_store(path, SETTINGS, overwrite=True)
    assert path.read_text() == "a file"


def test_nothing_can_be_resumed_where_nothing_is(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run to resume; start one without --resume"):
        open_store(tmp_path / "none", SETTINGS, resume=True)


def test_a_run_is_resumed_with_its_own_options_only(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    other = {**SETTINGS, "options": {"seed": 2, "depth": 2}}
    with pytest.raises(RunError, match="was started with other options"):
        open_store(folder, other, resume=True)


def test_resuming_and_replacing_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="choose one"):
        open_store(begun(tmp_path / "run"), SETTINGS, resume=True, overwrite=True)


@pytest.mark.parametrize("name", ["train.npz", "open_loop.json", "reward.json", STATE])
def test_a_damaged_part_is_named_with_the_way_out(tmp_path: Path, name: str) -> None:
    folder = begun(tmp_path / "run")
    keep = open_store(folder, SETTINGS, resume=True)
    keep.dataset("train.npz", lambda: Dataset.of([[1.0], [2.0]], [0, 1], 2))
    keep.figures("reward.json", lambda: {"reward": 0.1})
    keep.document(STATE, [RACE])
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: len(content) // 2])
    again = open_store(folder, SETTINGS, resume=True)
    with pytest.raises(RunError, match=r"remove .* and go on with --resume"):
        again.dataset("train.npz", forbidden)
        again.policy("open_loop.json", forbidden)
        again.figures("reward.json", forbidden)
        again.checkpoint(STATE)


def test_a_finished_run_holds_the_files_that_replacing_removes(cartpole_run: Path) -> None:
    assert {entry.name for entry in cartpole_run.iterdir()} <= set(FILES)


def test_figures_that_json_does_not_know_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "metrics.json", {"reward": float("nan")})
    assert not (tmp_path / "metrics.json").exists()
