"""Small edges: absurd sizes, strict numbers, full disks, rights that are missing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glasstree as gt
from commands import Command
from glasstree.errors import DataError, OptionError, RunError
from glasstree.formats import export
from glasstree.openloop.classifier import NLDTClassifier
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split, save
from glasstree.runs.store import open_store
from glasstree.tables import read_table
from test_runs import SETTINGS
from toys import lamp_tree, small_tree

TABLE = "a,b,label\n" + "\n".join(f"{i},{-i},{'p' if i > 9 else 'q'}" for i in range(20))


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """A policy file."""
    save(small_tree(), tmp_path / "policy.json")
    return tmp_path / "policy.json"


@pytest.mark.parametrize("count", [10**9, 10**15, -1])
def test_a_check_of_absurdly_many_states_is_refused(
    glasstree: Command, policy: Path, count: int
) -> None:
    answer = glasstree("export", policy, "--to", "python", "--states", count)
    assert answer.code == 2
    assert "takes from 1 to 4,194,304 states" in answer.sentence


def test_memory_that_runs_out_is_one_sentence(
    glasstree: Command, policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def greedy(path: object) -> None:
        raise MemoryError

    monkeypatch.setattr("glasstree.policy.load", greedy)
    answer = glasstree("export", policy)
    assert answer.code == 2
    assert answer.sentence == (
        "glasstree: there is not enough memory for this; ask for less at a time"
    )


@pytest.mark.parametrize(
    "number, words",
    [(28, "make room"), (13, "right to write"), (30, "right to write"), (5, "mend")],
)
def test_a_write_that_fails_names_the_way_out_that_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    def fails(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    keep = open_store(tmp_path / "run", SETTINGS)
    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(RunError, match=f"{words}.* and go on with --resume"):
        keep.policy("policy.json", lamp_tree)


@pytest.mark.parametrize("field", ["1_000", "١٢", "１２", "1\u00a0000"])
def test_a_number_of_a_table_is_written_in_plain_digits(tmp_path: Path, field: str) -> None:
    path = tmp_path / "table.csv"
    numbers = "".join(f"{number},p\n" for number in range(30))
    path.write_text(f"a,label\n{numbers}{field},q\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"line 32, column 'a': .* is not a number"):
        read_table(path, "label")


def test_digits_are_checked_before_anything_is_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    def grown(*_: object, **__: object) -> None:
        raise AssertionError("grown although the digits make no sense")

    monkeypatch.setattr("glasstree.openloop.classifier.grow", grown)
    with pytest.raises(OptionError, match="digits must be in 1"):
        NLDTClassifier(digits=0).fit([[0.0], [1.0]], [0, 1])


def test_numbers_near_the_largest_are_learnt_and_written_without_warnings(
    glasstree: Command, tmp_path: Path
) -> None:
    generator = np.random.default_rng(0)
    numbers = generator.uniform(-8e307, 8e307, 60)
    lines = [f"{x!r},{'p' if x > 0 else 'q'}" for x in numbers.tolist()]
    (tmp_path / "table.csv").write_text("\n".join(["a,label", *lines]))
    out = tmp_path / "policy.json"
    answer = glasstree("fit", tmp_path / "table.csv", "--target", "label", "--out", out, "--json")
    assert json.loads(answer.out)["train_accuracy"] == 1.0
    for form in ("text", "c", "python"):
        assert glasstree("export", out, "--to", form).code == 0


def test_a_range_of_nearly_all_numbers_is_written() -> None:
    rule = Rule([[1]], [1.0], -1.5)
    widest = Scaling([-8e307], [8e307])
    tree = PolicyTree(Split(rule, Leaf(0), Leaf(1)), widest, ("x",), ("a", "b"))
    assert "limited first: -1.6e308 <= x <= inf" in str(export(tree, "text"))


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_is_cut_is_an_error(tmp_path: Path, unbuffered: str) -> None:
    resource = pytest.importorskip("resource")

    def short() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (5, 5))

    with (tmp_path / "out").open("w") as out:
        answer = subprocess.run(
            [sys.executable, "-m", "glasstree", "--version"],
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=short,
        )
    assert answer.returncode == 2
    assert answer.stderr.splitlines() == [answer.stderr.strip()]
    assert "File too large" in answer.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only some systems have /dev/full")
def test_a_full_disk_has_a_way_out() -> None:
    with Path("/dev/full").open("w") as out:
        answer = subprocess.run(
            [sys.executable, "-m", "glasstree", "tasks", "--json"],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert answer.returncode == 2
    assert "No space left on device; make room, or write elsewhere" in answer.stderr


def test_standard_output_may_be_closed() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "glasstree", "--version"],
        stderr=subprocess.PIPE,
        preexec_fn=lambda: os.close(1),
    )
    assert (answer.returncode, answer.stderr) == (0, b"")


def test_closed_loop_options_may_be_given_for_a_task() -> None:
    task = gt.get_task("cartpole")
    wanted = gt.Options.for_task(task).closed_loop.paper()
    chosen = gt.Options.for_task(task, closed_loop=wanted).closed_loop
    assert (chosen.search, chosen.generations) == ("genetic", 30)


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("--terms", "0"), "terms must be at least 1"),
        (("--parsimony", "2"), "has no price for an exponent"),
        (("--parsimony", "0.1"), "has no price for an exponent"),
    ],
)
@pytest.mark.parametrize("solver", ["rga", "sqp"])
def test_what_the_papers_search_cannot_do_is_refused(
    glasstree: Command, tmp_path: Path, solver: str, words: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "table.csv").write_text(TABLE)
    out = ("--out", tmp_path / "policy.json")
    table: tuple[Any, ...] = ("fit", tmp_path / "table.csv", "--target", "label", *out)
    for command in (table, ("run", "cartpole", "--out", tmp_path / "run")):
        answer = glasstree(*command, "--solver", solver, *words)
        assert answer.code == 2
        assert sentence in answer.sentence
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
