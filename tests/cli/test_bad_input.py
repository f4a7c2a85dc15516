"""Bad input: one clear sentence with the way out, an exit code, no traceback, nothing written."""

import json
from pathlib import Path

import pytest

from commands import Command

SMALL = ("--samples", "300", "--episodes", "100")


@pytest.fixture
def policy(cartpole_run: Path, tmp_path: Path) -> Path:
    """A policy file to be damaged."""
    path = tmp_path / "policy.json"
    path.write_bytes((cartpole_run / "policy.json").read_bytes())
    return path


def damaged(path: Path, how: str) -> None:
    """Damage a policy file."""
    text = path.read_text()
    document = json.loads(text)
    match how:
        case "truncated":
            text = text[: len(text) // 2]
        case "empty":
            text = ""
        case "edited":
            document["tree"]["rule"]["bias"] = "large"
            text = json.dumps(document)
        case "renamed":
            document["states"][0]["name"] = "position"
            text = json.dumps(document)
        case "newer":
            document["version"] = 99
            text = json.dumps(document)
        case "foreign":
            text = '{"name": "package.json"}'
    path.write_text(text)


@pytest.mark.parametrize("command", ["evaluate", "export"])
@pytest.mark.parametrize(
    "how, words",
    [
        ("truncated", "perhaps truncated"),
        ("empty", "perhaps truncated"),
        ("edited", "Expected `float`, got `str` - at `$.tree.rule.bias`"),
        ("renamed", "not a state variable"),
        ("newer", "upgrade with: pip install --upgrade glasstree"),
        ("foreign", "not a policy document"),
    ],
)
def test_a_broken_policy_file(
    glasstree: Command, policy: Path, command: str, how: str, words: str
) -> None:
    damaged(policy, how)
    answer = glasstree(command, policy)
    assert answer.code == 2
    assert answer.out == ""
    assert len(answer.err.strip().splitlines()) == 1
    assert answer.err.startswith(f"glasstree: {policy}: ")
    assert words in answer.err


@pytest.mark.parametrize(
    "state, words",
    [
        ("nan,0,0,0", "nan in column 0"),
        ("0,inf,0,0", "inf in column 1"),
        ("0,0,0", "takes 4 numbers"),
        ("0,0,0,0,0", "takes 4 numbers"),
        ("a,b,c,d", "numbers divided by commas"),
        ("", "takes 4 numbers"),
    ],
)
def test_a_state_that_is_none(glasstree: Command, policy: Path, state: str, words: str) -> None:
    answer = glasstree("explain", policy, "--state", state)
    assert answer.code == 2
    assert words in answer.sentence
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("command", [("run",), ("evaluate", "POLICY", "--task")])
def test_an_unknown_task_suggests_the_nearest(
    glasstree: Command, policy: Path, command: tuple[str, ...], tmp_path: Path
) -> None:
    words = [str(policy) if word == "POLICY" else word for word in command]
    answer = glasstree(*words, "cartpol")
    assert answer.code == 2
    assert "did you mean 'cartpole'?" in answer.sentence
    assert not Path("runs/cartpol").exists()


def test_a_policy_of_another_task(glasstree: Command, policy: Path) -> None:
    answer = glasstree("evaluate", policy, "--task", "mountaincar")
    assert answer.code == 2
    assert "4 variables, but mountaincar has 2" in answer.sentence


def test_an_output_folder_that_exists(glasstree: Command, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    for more in ((), ("--overwrite",)):
        answer = glasstree("run", "cartpole", *SMALL, "--out", tmp_path, *more)
        assert answer.code == 2
        assert "choose another folder with --out" in answer.sentence
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_run_that_exists(glasstree: Command, cartpole_run: Path) -> None:
    before = {entry.name: entry.read_bytes() for entry in cartpole_run.iterdir()}
    paper = ("run", "cartpole", "--recipe", "paper", "--out", cartpole_run)
    answer = glasstree(*paper)
    assert answer.code == 2
    assert "--resume" in answer.sentence
    assert "--overwrite" in answer.sentence
    answer = glasstree(*paper, "--resume", "--seed", 9)
    assert "was started with other options" in answer.sentence
    answer = glasstree(*paper, "--resume", "--overwrite")
    assert "choose one" in answer.sentence
    assert {entry.name: entry.read_bytes() for entry in cartpole_run.iterdir()} == before


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("--oracle", "cartpol"), "did you mean 'cartpole'?"),
        (("--oracle", "stubborn:always_right"), "took action 'right' in all of"),
        (("--oracle", "stubborn:nothing"), "has no 'nothing'"),
        (("--oracle", "stubborn:seven"), "chose action 7, but cartpole has actions 0 to 1"),
        (("--oracle", "stubborn:words"), "must return one integer action per state"),
        (("--oracle", "stubborn:breaks"), "ZeroDivisionError"),
        (("--oracle", "absent.npz"), "absent.npz"),
        (("--data", "balance"), "did you mean 'balanced'?"),
        (("--recipe", "papers"), "did you mean 'paper'?"),
        (("--rules", "-1"), "at least 1 rule is needed, got -1"),
        (("--rules", "0"), "at least 1 rule is needed, got 0"),
        (("--samples", "1"), "at least 2 samples"),
        (("--episodes", "0"), "1 episode"),
        (("--depth", "0"), "depth must be at least 1, got 0"),
        (("--workers", "-1"), "--workers"),
        (("--terms", "0"), "at least 1"),
        (("--seed", "-1"), "--seed"),
        (("--seed", "two"), "--seed"),
        (("--resume",), "holds no run to resume; start one without --resume"),
    ],
)
def test_words_that_make_no_sense_leave_no_folder(
    glasstree: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stubborn.py").write_text(
        "always_right = lambda state: 1\n"
        "seven = lambda state: 7\n"
        "words = lambda state: 'left'\n"
        "breaks = lambda state: 1 / 0\n"
    )
    answer = glasstree("run", "cartpole", "--out", "run", *words)
    assert answer.code == 2
    assert sentence in answer.sentence
    assert "Traceback" not in answer.err
    assert not (tmp_path / "run").exists()


def test_debug_shows_the_traceback_and_the_sentence(glasstree: Command, tmp_path: Path) -> None:
    for words in (("--debug", "evaluate"), ("evaluate", "--debug")):
        answer = glasstree(*words, tmp_path / "none.json")
        assert answer.code == 2
        assert "Traceback" in answer.err
        assert "there is no policy file" in answer.sentence


def test_a_bug_is_one_sentence_too(
    glasstree: Command, policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(path: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("glasstree.policy.load", broken)
    answer = glasstree("export", policy)
    assert answer.code == 1
    assert answer.err == (
        "glasstree: unexpected RuntimeError: two lines; --debug shows where, please report it\n"
    )
    assert "Traceback" in glasstree("export", policy, "--debug").err


@pytest.mark.parametrize("words", [("evaluat",), ("evaluate", "--episode", "3"), ("cuts",)])
def test_unknown_commands_and_options_show_the_usage(
    glasstree: Command, words: tuple[str, ...]
) -> None:
    answer = glasstree(*words)
    assert answer.code == 2
    assert "Usage: " in answer.err
    assert "--help" in answer.err
    assert answer.out == ""


def test_help_shows_the_commands(glasstree: Command) -> None:
    assert "Commands:" in glasstree("--help").out
