"""`glasstree prove`: verdicts, exit codes, certificates, and bad input in one sentence."""

import json
from pathlib import Path

import pytest

from commands import Command
from glasstree.policy import save
from proof_policies import balancing, following


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.json"
    save(following(0.77, 30.04), path)
    return path


@pytest.mark.parametrize(
    ("claim", "code", "verdict"),
    [
        ("gap < 28 and v_rel < 0 => brake", 0, "proved"),
        ("gap > 25 => accelerate", 1, "refuted"),
        ("gap + 0.77 * v_rel > 30.05 => accelerate", 0, "proved"),
    ],
)
def test_the_verdict_is_told_and_is_the_exit_code(
    glasstree: Command, policy: Path, claim: str, code: int, verdict: str
) -> None:
    answer = glasstree("prove", policy, claim)
    assert answer.code == code and answer.out.startswith(f"{verdict}: {claim}")
    told = json.loads(glasstree("prove", policy, claim, "--json").out)
    assert told["answers"][0]["verdict"] == verdict and told["proved"] == (code == 0)


def test_what_is_not_known_has_its_own_exit_code(glasstree: Command, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    save(balancing(0.125), path)
    claim = "theta + 0.125 * omega > 0 => right"
    answer = glasstree("prove", path, claim, "--seconds", 0.3)
    assert answer.code == 2 and "of the range is not decided" in answer.out


def test_the_range_can_be_said(glasstree: Command, policy: Path) -> None:
    words = ("prove", policy, "v_rel < 0 => brake")
    assert glasstree(*words).code == 1
    assert glasstree(*words, "--within", "gap in [0, 30]").code == 0


def test_a_certificate_is_written_and_checked(
    glasstree: Command, policy: Path, tmp_path: Path
) -> None:
    proof = tmp_path / "proof.json"
    claim = "gap < 28 and v_rel < 0 => brake"
    assert glasstree("prove", policy, claim, "--certificate", proof).code == 0
    answer = glasstree("prove", policy, "--check", proof)
    assert (answer.code, answer.out) == (0, f"holds: {claim}\n")
    save(following(0.78, 30.04), policy)
    answer = glasstree("prove", policy, "--check", proof)
    assert answer.code == 2 and "of another policy" in answer.err


def test_around_a_state(glasstree: Command, policy: Path) -> None:
    answer = glasstree("prove", policy, "gap < 20 and v_rel < 0 => brake", "--state", "20,0,0")
    assert "brake is certain within" in answer.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("gapp < 3 => brake",), "did you mean 'gap'?"),
        (("gap < 3 m => brake",), "without units"),
        (("gap < 3 => brake", "--within", "gap in [9, 3]"), "no gap is within"),
        (("gap < 3 => brake", "--within", "speed in [9, 3]"), "unknown variable 'speed'"),
        (("gap < 500 => brake",), "every state of the range meets the condition"),
        (("gap > 500 => brake",), "no state of the range meets the condition"),
        (("--task", "lunarlander"), "loops are proved for"),
        (("--task", "mountaincar"), "give a policy for it"),
        (("gap < 3 => brake", "--task", "mountaincar"), "give a policy for it"),
        (("--check", "nothing.json"), "nothing.json"),
        (("--state", "1,2"), "--state takes 3 numbers"),
    ],
)
def test_bad_input_gets_one_sentence(
    glasstree: Command, policy: Path, words: tuple[str, ...], told: str
) -> None:
    answer = glasstree("prove", policy, *words)
    assert answer.code == 2 and answer.out == ""
    assert told in answer.err and answer.err.count("\n") == 1
