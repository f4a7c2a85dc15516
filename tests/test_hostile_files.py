"""What a file names or holds is data: it runs no code, and takes no more than its share."""

import sys
from pathlib import Path

import pytest

from commands import Command
from glasstree.errors import PolicyFileError
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split, load, save
from glasstree.tasks import get_task

EVIL = "import pathlib\npathlib.Path('ran').touch()\nact = lambda state: 1\n"


def cartpole_tree(task: str = "cartpole") -> PolicyTree:
    """Push the cart to where the pole leans."""
    return PolicyTree(
        Split(Rule([[0, 0, 1, 0]], [1.0], -1.5), Leaf(0), Leaf(1)),
        Scaling([-1.0] * 4, [1.0] * 4),
        get_task("cartpole").state_names,
        ("left", "right"),
        task=task,
    )


def made_run(folder: Path, oracle: str = "cartpole", task: str = "cartpole") -> Path:
    """Write a folder that looks like a run that came as far as its first policy."""
    folder.mkdir()
    config = f'task = "{task}"\noracle = "{oracle}"\n[options]\nseed = 0\nepisodes = 5\n'
    (folder / "config.toml").write_text(config)
    save(cartpole_tree(), folder / "open_loop.json")
    return folder


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with code in it that leaves a trace when it runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("evil", "sinister"):
        (tmp_path / f"{name}.py").write_text(EVIL)
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


@pytest.mark.parametrize("command", ["report", "figures"])
def test_a_function_that_a_run_names_is_not_run(
    glasstree: Command, beside: Path, command: str
) -> None:
    answer = glasstree(command, made_run(beside / "run", "evil:act"))
    assert answer.code == 0
    assert not (beside / "ran").exists()
    assert "the page has no oracle" in answer.err
    assert "add --trust" in answer.err


def test_with_trust_a_function_that_a_run_names_is_on_the_page(
    glasstree: Command, beside: Path
) -> None:
    answer = glasstree("report", made_run(beside / "run", "evil:act"), "--trust")
    assert answer.code == 0
    assert (beside / "ran").exists()
    assert "no oracle" not in answer.err


def test_a_zip_that_a_run_names_needs_trust(glasstree: Command, beside: Path) -> None:
    (beside / "model.zip").write_bytes(b"not to be opened")
    answer = glasstree("report", made_run(beside / "run", "model.zip"))
    assert answer.code == 0
    assert "add --trust" in answer.err


@pytest.mark.parametrize(
    "words",
    [("report", "run"), ("evaluate", "policy.json"), ("edit", "policy.json", "--set", "0.bias=1")],
)
def test_a_task_that_a_file_names_imports_no_module(
    glasstree: Command, beside: Path, words: tuple[str, ...]
) -> None:
    made_run(beside / "run", task="sinister:CartPole-v1")
    save(cartpole_tree("sinister:CartPole-v1"), beside / "policy.json")
    answer = glasstree(*words)
    assert answer.code == 2
    assert not (beside / "ran").exists()
    assert "with --import" in answer.sentence


def test_a_policy_whose_task_names_a_module_is_not_read_in_python_either(beside: Path) -> None:
    save(cartpole_tree("sinister:CartPole-v1"), beside / "policy.json")
    with pytest.raises(PolicyFileError, match="would import a module"):
        load(beside / "policy.json")
    assert not (beside / "ran").exists()
