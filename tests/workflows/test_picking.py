"""Taking another policy of a finished run, and taking the first one again."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import glasstree as gt
from commands import Command
from glasstree.closedloop import FrontOptions, ReoptimisationOptions
from glasstree.errors import OptionError, RunError
from glasstree.runs.picking import picked
from glasstree.runs.store import write_json

LITTLE: dict[str, Any] = {
    "data": "regular",
    "samples": 300,
    "episodes": 20,
    "closed_loop": ReoptimisationOptions(
        generations=2, trial_generations=1, trees=1, population=4, episodes=2,
        racing_episodes=3, choosing_episodes=10,
    ),
    "front": FrontOptions(
        steps=400_000, lines=0, soft=0, trial_generations=1, generations=2, longest=3, population=4,
        episodes=4, racing_episodes=20, choosing_episodes=20, rounding_episodes=20,
    ),
}  # fmt: skip
FOLLOWING = ("policy.json", "metrics.json", "report.html")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with a front, to be read only."""
    path = tmp_path_factory.mktemp("runs") / "cartpole"
    gt.distill("cartpole", out=path, **LITTLE)
    return path


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A copy of it to pick from."""
    return Path(shutil.copytree(finished, tmp_path / "run"))


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FOLLOWING}


def test_a_run_knows_its_front(finished: Path) -> None:
    run = gt.open_run(finished)
    front = run.front
    assert front is not None and len(front) >= 2
    assert list(run.policies) == ["open loop", "closed loop", "re-engineered", "chosen"]
    assert run.policy == front.pick().policy == gt.load(finished / "policy.json")
    sizes = [row.complexity for row in front]
    worths = [row["worth"] for row in front.figures()["policies"]]
    assert sizes == sorted(set(sizes)) and worths == sorted(set(worths))
    assert run.metrics["complexity"] == run.policy.complexity
    for row in front:
        assert gt.load(finished / f"front/{row.complexity:03d}.json") == row.policy


@pytest.mark.parametrize("word", ["simplest", "best"])
def test_picking_another_and_back_gives_the_same_bytes(folder: Path, word: str) -> None:
    before, run = bytes_of(folder), gt.open_run(folder)
    for which in ("simplest", "best"):
        run.pick(which)
    assert run.front is not None
    row = run.front.pick(word)
    run.pick(word)
    assert gt.load(folder / "policy.json") == run.policy == row.policy
    metrics = json.loads((folder / "metrics.json").read_text())
    assert metrics["complexity"] == row.complexity
    assert metrics["rules"] == row.policy.n_rules
    assert metrics["mean_reward"] == metrics["stages"]["chosen"]["mean_reward"]
    assert metrics["mean_reward"] == row.unseen.mean_reward
    run.pick("default")
    assert bytes_of(folder) == before


def test_picking_reads_agreements_and_needs_no_kernels(folder: Path) -> None:
    metrics = json.loads((folder / "metrics.json").read_text())
    assert sorted(map(int, metrics["agreements"])) == [
        int(path.stem) for path in sorted((folder / "front").iterdir())
    ]
    words = ("pick", str(folder), "simplest")
    code = f"import sys; sys.argv[1:] = {words!r}; from glasstree.cli import main; main()"
    after = "import sys; print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"try:\n  {code}\nfinally:\n  {after}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "False", done.stderr
    quick = json.loads((folder / "metrics.json").read_text())
    del metrics["agreements"]
    write_json(folder / "metrics.json", metrics)
    gt.open_run(folder).pick("simplest")
    assert json.loads((folder / "metrics.json").read_text())["agreement"] == quick["agreement"]


def test_a_number_picks_the_best_within_it(folder: Path) -> None:
    run = gt.open_run(folder)
    assert run.front is not None
    assert run.pick(1) == run.front[0].policy
    assert run.pick(run.front[1].complexity) == run.front[1].policy


def test_what_was_picked_stays_when_the_run_is_resumed(folder: Path) -> None:
    gt.open_run(folder).pick("simplest")
    picked_bytes = (folder / "policy.json").read_bytes()
    result = gt.distill(out=folder, resume=True)
    assert (folder / "policy.json").read_bytes() == picked_bytes
    assert result.policy.complexity == result.figures["complexity"] == 1
    metrics = json.loads((folder / "metrics.json").read_text())
    assert metrics["complexity"] == 1
    assert metrics["mean_reward"] == result.performances["chosen"].mean_reward


def test_the_command_picks_and_says_so(glasstree: Command, folder: Path) -> None:
    answer = glasstree("pick", folder, "simplest")
    assert answer.code == 0
    assert "1 symbol, 0 rules: mean reward" in answer.out
    assert str(folder / "policy.json") in answer.out and "export" in answer.out
    assert gt.load(folder / "policy.json").n_rules == 0
    answer = glasstree("pick", folder, "best", "--json")
    told = json.loads(answer.out)
    assert told["complexity"] == gt.load(folder / "policy.json").complexity > 1
    assert told["policy"] == str(folder / "policy.json")


def test_the_table_marks_what_is_taken(
    glasstree: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    answer = glasstree("run", "--resume", "--out", folder)
    run = gt.open_run(folder)
    assert run.front is not None
    lines = answer.out.splitlines()
    first = next(number for number, line in enumerate(lines) if "the front: the best" in line)
    table = lines[first : first + 8 + len(run.front)]
    marked = [line for line in table if "*" in line]
    assert len(marked) == 1
    assert f" {run.front.pick().complexity} " in marked[0]
    for row in run.front:
        word = row.first_rule.split()[0]
        assert any(word in line and f" {row.complexity} " in line for line in table)
    assert f"pick {folder} best" in answer.out.replace("\n", " ")


def test_a_run_is_told_what_to_pick(
    glasstree: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []

    def stop(task: Any, oracle: Any, options: Any, store: Any) -> None:
        taken.append(options.pick)
        raise KeyboardInterrupt

    monkeypatch.setattr("glasstree.workflows.distillation.run_stages", stop)
    for words in ((), ("--pick", "best"), ("--pick", "15")):
        glasstree("run", "cartpole", "--out", tmp_path / "run", *words)
    assert taken == ["default", "best", "15"]
    answer = glasstree("run", "cartpole", "--out", tmp_path / "run", "--pick", "worst")
    assert (answer.code, "cannot pick 'worst'" in answer.sentence) == (2, True)


def test_the_pick_of_a_run_is_its_final_policy(finished: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(finished, tmp_path / "run"))
    text = (other / "config.toml").read_text()
    (other / "config.toml").write_text(text.replace('pick = "default"', 'pick = "simplest"'))
    (other / "policy.json").unlink()
    assert gt.distill(out=other, resume=True).policy.n_rules == 0


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("worst", "cannot pick 'worst'; pick default, best, simplest, or give the most symbols"),
        ("0", "no policy has at most 0 symbols; the simplest has 1"),
    ],
)
def test_words_that_pick_nothing_are_one_sentence_and_change_nothing(
    glasstree: Command, folder: Path, word: str, sentence: str
) -> None:
    before = bytes_of(folder)
    answer = glasstree("pick", folder, word)
    assert (answer.code, sentence in answer.sentence) == (2, True)
    with pytest.raises(OptionError):
        gt.open_run(folder).pick(word)
    assert bytes_of(folder) == before


def test_a_run_without_a_front_is_one_sentence(glasstree: Command, tmp_path: Path) -> None:
    answer = glasstree("pick", tmp_path / "none", "best")
    assert (answer.code, "has no front to pick from; finish" in answer.sentence) == (2, True)


@pytest.mark.parametrize(
    ("gone", "sentence"),
    [("metrics.json", "is not finished; continue it with --resume"), ("front/001.json", "missing")],
)
def test_a_run_that_lacks_something_is_one_sentence(folder: Path, gone: str, sentence: str) -> None:
    (folder / gone).unlink()
    before = {name: (folder / name).read_bytes() for name in ("policy.json", "report.html")}
    with pytest.raises(RunError, match=sentence):
        gt.open_run(folder).pick("simplest")
    assert before == {name: (folder / name).read_bytes() for name in before}


def test_a_damaged_table_is_one_sentence(folder: Path) -> None:
    write_json(folder / "front.json", {"bar": 1.0, "objective": "reward", "policies": []})
    with pytest.raises(RunError, match=r"front.json is damaged"):
        gt.open_run(folder).pick("best")
    with pytest.raises(RunError, match=r"front.json is damaged.*remove .* --resume"):
        _ = gt.open_run(folder).front


def test_a_run_that_somebody_writes_in_is_left_alone(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from glasstree.runs.locks import FolderLock; "
        "FolderLock(Path(sys.argv[1])).acquire(); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        with pytest.raises(RunError):
            gt.open_run(folder).pick("best")
        process.communicate("")


def test_the_first_of_equals_is_the_best() -> None:
    assert picked([1, 5, 9], [2.0, 3.0, 3.0], 10.0, "best") == 1
    assert picked([1, 5, 9], [2.0, 3.0, 3.0], 10.0, "default") == 1
