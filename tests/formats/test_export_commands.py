"""The commands export, explain and edit, and what they say when things go wrong."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from formats.export_policies import EXAMPLES, PAPER
from glasstree.cli import main
from glasstree.policy import load

POLICY = str(EXAMPLES / "paper_cartpole.json")


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    return int(ended.value.code or 0)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert run(*words, "--json") == 0
    output = capsys.readouterr().out
    assert output.count("\n") == 1
    result: dict[str, Any] = json.loads(output)
    return result


def failed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(*words) != 0
    captured = capsys.readouterr()
    assert captured.out == "" and "Traceback" not in captured.err
    return captured.err


def test_export_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", POLICY) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("In normalised variables") and captured.err == ""


def test_export_says_that_it_was_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "new" / "policy.py"
    assert run("export", POLICY, "--to", "python", "--out", str(out), "--states", "2000") == 0
    assert "all 2,000 states" in " ".join(capsys.readouterr().err.split())
    assert "# Checked: the tree's action on all 2,000 states" in out.read_text()


def test_export_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    result = told(capsys, "export", POLICY, "--to", "python", "--states", "2000")
    assert result["check"]["equal"] and result["check"]["states"] == 2000
    assert "def policy(state):" in result["content"]
    out = tmp_path / "policy.svg"
    result = told(capsys, "export", POLICY, "--to", "svg", "--out", str(out))
    assert result["check"] is None and result["content"] is None and out.exists()


def test_no_check_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    result = told(capsys, "export", POLICY, "--to", "python", "--states", "0")
    assert result["check"] is None and "Checked" not in result["content"]


@pytest.mark.parametrize(("format", "tool"), [("c", "C compiler"), ("javascript", "Node.js")])
def test_a_missing_tool_is_named(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    format: str,
    tool: str,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_: None)
    result = told(capsys, "export", POLICY, "--to", format)
    assert result["check"] is None
    assert result["note"].startswith("Not checked here") and tool in result["note"]
    assert f"Not checked here: {result['note'][18:26]}" in result["content"]


@pytest.mark.parametrize(
    ("format", "package", "extra"),
    [("onnx", "onnx", "glasstree[onnx]"), ("onnx", "onnxruntime", "onnxruntime")],
)
def test_a_missing_package_is_named(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    format: str,
    package: str,
    extra: str,
) -> None:
    pytest.importorskip("onnx", reason="the onnx extra is not installed")
    monkeypatch.setitem(sys.modules, package, None)
    out = tmp_path / "policy.onnx"
    words = ("export", POLICY, "--to", format, "--out", str(out))
    if package == "onnx":
        assert extra in failed(capsys, *words) and not out.exists()
    else:
        assert extra in told(capsys, *words)["note"] and out.exists()


def test_sympy_objects_need_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    from glasstree.errors import MissingExtraError
    from glasstree.formats import to_expressions

    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(MissingExtraError, match=r"glasstree\[sympy\]"):
        to_expressions(load(POLICY))


def test_bad_requests(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "did you mean 'latex'?" in failed(capsys, "export", POLICY, "--to", "latx")
    assert "say where to write it with --out" in failed(capsys, "export", POLICY, "--to", "onnx")
    assert "there is no policy file" in failed(capsys, "export", str(tmp_path / "none.json"))
    assert "one precision only" in failed(
        capsys, "export", POLICY, "--to", "dot", "--precision", "float"
    )
    file = tmp_path / "file"
    file.write_text("in the way")
    message = failed(capsys, "export", POLICY, "--out", str(file / "policy.txt"))
    assert "cannot write" in message and "choose another --out" in message
    assert file.read_text() == "in the way"


def test_explain_a_policy(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", POLICY) == 0
    assert "that is: 2.39 <= x'/theta'^2 + 3.5/omega'^2 <= 5.06" in capsys.readouterr().out
    result = told(capsys, "explain", POLICY)
    assert result["unused"] == ["v"] and len(result["rules"][0]["corners"]) == 8


def test_explain_a_state(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", POLICY, "--state", "0.1, 0, 0.02 0.1") == 0
    assert "action: right (node 2)" in capsys.readouterr().out
    result = told(capsys, "explain", POLICY, "--state", "-0.1,0,1e308,5")
    assert result["state"] == [-0.1, 0.0, 1e308, 5.0]
    assert "not 'a,b'" in failed(capsys, "explain", POLICY, "--state", "a,b")
    assert "takes 4 numbers" in failed(capsys, "explain", POLICY, "--state", "1,2")


def test_edit_scores_both(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "edited.json"
    words = ("edit", POLICY, "--set", "0.bias=0.6", "--out", str(out), "--episodes", "50")
    result = told(capsys, *words)
    assert result["original"]["success_rate"] == 1.0 > result["edited"]["success_rate"]
    assert load(out).splits()[0].rule.bias == 0.6
    again = told(capsys, "edit", str(out), "--original", POLICY, "--episodes", "50")
    assert again["edited"] == result["edited"] and again["agreement"] == result["agreement"]
    assert run("edit", POLICY, "--set", "0.bias=0.6", "--episodes", "0") == 0
    assert "same action" in capsys.readouterr().out
    assert "say what to change" in failed(capsys, "edit", POLICY)


@pytest.mark.parametrize(
    ("task", "reward", "success"),
    [
        ("cartpole", 200.0, 1.0),
        ("carfollowing", 174_000.0, 1.0),
        ("mountaincar", -130.0, 0.99),
        ("psm5", -400.0, 0.75),
    ],
)
def test_the_papers_trees_control(task: str, reward: float, success: float) -> None:
    from glasstree.episodes import evaluate

    assert task in PAPER
    performance = evaluate(load(EXAMPLES / f"paper_{task}.json"), task, episodes=300, seed=1)
    assert performance.mean_reward >= reward
    assert performance.success_rate is not None and performance.success_rate >= success
