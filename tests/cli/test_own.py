"""A plant of a user's from the first command to the last: it is described once."""

import json
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from joblib.externals.loky import get_reusable_executor

from commands import Answer, Command
from glasstree.data import Dataset
from glasstree.policy import load
from glasstree.workflows.policies import task_of_policy
from tank import tank_in
from workflows.test_variations import FEW

GRID = [(level, target) for level in range(15) for target in range(15)]
RUN = ("run", "--config", "task.toml", "--import", "tank_plant", "--trust", "--workers", 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the plant lies."""
    with tank_in(tmp_path_factory.mktemp("tank")) as path:
        get_reusable_executor().shutdown(wait=True)  # workers of other tests import from elsewhere
        yield path
        get_reusable_executor().shutdown(wait=True)


@pytest.fixture(autouse=True)
def inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where the plant lies."""
    monkeypatch.chdir(folder)


@pytest.fixture
def finished(folder: Path, glasstree: Command) -> Answer:
    """A run of the plant, shown."""
    again = ("--resume",) if (folder / "runs").exists() else ()
    words = ("--trust", "--out", "runs/mine/Tank-v0") if again else RUN[1:]
    answer = glasstree("run", *words, *again)
    assert answer.code == 0, answer.err
    return answer


def next_lines(text: str) -> list[list[str]]:
    """Return the commands that an output ends with, as words after the program's name."""
    lines = [line.removeprefix("next:").strip() for line in text.splitlines()]
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("glasstree ")]
    return [words[1:] for words in commands]


def followed(text: str, glasstree: Command) -> list[str]:
    """Run every command that an output ends with, and what theirs end with; return their names."""
    waiting, done = next_lines(text), []
    while waiting:
        words = waiting.pop(0)
        answer = glasstree(*words)
        assert answer.code == 0, (words, answer.err)
        done.append(words[0])
        waiting += next_lines(answer.out)
    return done


def test_every_next_line_can_be_run_as_it_is_printed(finished: Answer, glasstree: Command) -> None:
    assert followed(finished.out, glasstree) == ["evaluate", "pick", "export"]


def test_the_next_line_of_conditions_makes_the_page(finished: Answer, glasstree: Command) -> None:
    policy = ("runs/mine/Tank-v0/policy.json", "--import", "tank_plant", "--episodes", 5)
    answer = glasstree("evaluate", *policy, "--noise", 0.1)
    assert followed(answer.out, glasstree) == ["report"]
    assert "How it holds up" in Path("runs/mine/Tank-v0/report.html").read_text()


def test_the_next_line_of_a_log_can_be_run(glasstree: Command, tmp_path: Path) -> None:
    rows = [f"{level / 10},{target / 10},{int(level < target)}" for level, target in GRID]
    (tmp_path / "log.csv").write_text("\n".join(["level,target,action", *rows]) + "\n")
    words = ("--data", tmp_path / "log.csv", "--depth", 1, "--out", tmp_path / "run")
    answer = glasstree("run", *words)
    assert answer.code == 0, answer.err
    assert followed(answer.out, glasstree) == ["export"]


def test_run_and_policy_keep_the_words_of_the_user(finished: Answer, folder: Path) -> None:
    config = tomllib.loads((folder / "runs/mine/Tank-v0/config.toml").read_text())
    assert config["actions"] == ["drain", "wait", "fill"]
    assert (config["module"], config["step_limit"]) == ("tank_plant", 6)
    assert (config["env_kwargs"], config["success"]) == ({"pump": 0.75}, "last reward > 0.5")
    policy = load(folder / "runs/mine/Tank-v0/policy.json")
    assert policy.units == ("m", "m")
    assert policy.plant is not None and policy.plant.env_kwargs == {"pump": 0.75}
    assert "at most 6 steps" in finished.out


def test_later_commands_need_the_module_and_nothing_else(
    finished: Answer, glasstree: Command
) -> None:
    policy = "runs/mine/Tank-v0/policy.json"
    answer = glasstree("evaluate", policy, "--episodes", 20, "--import", "tank_plant", "--json")
    figures = json.loads(answer.out)
    assert figures["mean_steps"] == 6.0
    assert figures["success_rate"] is not None
    edited = glasstree("edit", policy, "--original", policy, "--import", "tank_plant", "--json")
    assert json.loads(edited.out)["edited"]["mean_steps"] == 6.0
    report = glasstree("report", "runs/mine/Tank-v0", "--trust", "--out", "page.html")
    assert report.code == 0 and "no oracle" not in report.err
    assert "drain" in Path("page.html").read_text()


def test_other_words_take_the_place_of_kept_ones(finished: Answer, folder: Path) -> None:
    policy = load(folder / "runs/mine/Tank-v0/policy.json")
    task = task_of_policy(policy, trust=True, state_names=["height", "goal"], step_limit=3)
    assert task.state_names == ("height", "goal")
    assert (task.action_names, task.step_limit) == (("drain", "wait", "fill"), 3)
    assert task.environment.options == {"pump": 0.75}


@pytest.mark.parametrize("command", ["evaluate", "edit", "report"])
def test_a_module_that_only_a_file_names_is_not_imported(
    finished: Answer, glasstree: Command, command: str
) -> None:
    run = "runs/mine/Tank-v0"
    policy = f"{run}/policy.json"
    words = {"evaluate": [policy], "edit": [policy, "--original", policy], "report": [run]}
    answer = glasstree(command, *words[command])
    assert answer.code == 2
    assert "'tank_plant'" in answer.sentence and "--import" in answer.sentence


def test_words_on_the_command_line_describe_an_environment(glasstree: Command) -> None:
    words = ("--oracle", "tank_plant:hold", "--episodes", 5, "--json")
    short = glasstree("evaluate", "--task", "tank_plant:mine/Endless-v0", "--step-limit", 3, *words)
    assert json.loads(short.out)["mean_steps"] == 3.0
    task = ("--task", "mine/Tank-v0", "--import", "tank_plant", "--success", "steps >= 5")
    rewards = []
    for pump in ("0.25", "0.75"):
        answer = glasstree("evaluate", *task, "--env-kwargs", f"pump={pump}", *words)
        figures = json.loads(answer.out)
        assert figures["success_rate"] == 1.0
        rewards.append(figures["mean_reward"])
    assert rewards[0] != rewards[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--actions", "a,b"), "3 actions, which need as many different names"),
        (("--units", "m"), "2 variables"),
        (("--success", "often"), "cannot read 'often' as success"),
        (("--env-kwargs", "pump"), "needs name=value"),
        (("--env-kwargs", "{"), "not a JSON object"),
        (("--env-kwargs", "pumps=1"), "cannot make environment"),
    ],
)
def test_words_that_do_not_fit_are_one_sentence(
    glasstree: Command, words: tuple[str, ...], sentence: str
) -> None:
    answer = glasstree("run", "mine/Tank-v0", "--import", "tank_plant", *words)
    assert answer.code == 2
    assert sentence in answer.sentence


def test_an_environment_without_a_step_limit_is_told_how_to_get_one(glasstree: Command) -> None:
    answer = glasstree("run", "mine/Endless-v0", "--import", "tank_plant")
    assert answer.code == 2 and "--step-limit" in answer.err


def test_the_agreement_is_that_of_the_delivered_policy(
    finished: Answer, folder: Path, glasstree: Command
) -> None:
    run = folder / "runs/mine/Tank-v0"
    for which in ("simplest", "best"):
        assert glasstree("pick", run, which).code == 0
        test, policy = Dataset.load(run / "test.npz"), load(run / "policy.json")
        expected = float((policy.actions(test.states) == test.actions).mean())
        assert json.loads((run / "metrics.json").read_text())["agreement"] == expected


def test_the_next_line_of_a_training_says_the_words_again(
    finished: Answer, glasstree: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("stable_baselines3")
    words = ("--import", "tank_plant", "--actions", "drain,wait,fill", "--env-kwargs", "pump=0.75")
    budget = ("--steps", 64, "--episodes", 2, "--out", "mine.npz")
    answer = glasstree("oracles", "train", "mine/Tank-v0", *words, *budget)
    assert answer.code == 0, answer.err
    (line,) = next_lines(answer.out)
    assert line[:4] == ["run", "mine/Tank-v0", "--oracle", "mine.npz"]

    few = {name: value for name, value in FEW.items() if name != "rules"}
    monkeypatch.setattr("glasstree.options.recipe_for", lambda *_: dict(few))
    Path("runs/mine/Tank-v0").rename("runs/kept")
    try:
        done = followed(answer.out, glasstree)
        policy = load("runs/mine/Tank-v0/policy.json")
    finally:
        shutil.rmtree("runs/mine/Tank-v0", ignore_errors=True)
        Path("runs/kept").rename("runs/mine/Tank-v0")
    assert done == ["run", "evaluate", "pick", "export"]
    assert policy.plant is not None and policy.plant.env_kwargs == {"pump": 0.75}
    assert set(policy.action_names) <= {"drain", "wait", "fill"}
