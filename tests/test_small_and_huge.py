"""A small file cannot ask for huge memory: sizes are checked before anything is made."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from commands import Command
from glasstree.data import Dataset
from glasstree.errors import DataError, OracleError, PolicyFileError, TaskError
from glasstree.files.archive import MOST_NUMBERS
from glasstree.oracles.files import read_oracle
from glasstree.policy import Leaf, Node, PolicyTree, Rule, Scaling, Split, load
from glasstree.policy.document import LARGEST, MOST_RULES, dumps, loads
from glasstree.tables import read_table
from glasstree.tasks import get_task
from toys import lamp_tree


def packed(path: Path, shape: tuple[int, ...], kind: str = "<f8", size: int | None = None) -> Path:
    """Write an .npz whose one array of zeros announces a shape, and holds so many bytes."""
    header = io.BytesIO()
    layout = {"descr": kind, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(header, layout)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("states.npy", "w") as member,
    ):
        member.write(header.getvalue())
        for _ in range(0, size or 0, 1 << 20):
            member.write(bytes(1 << 20))
    return path


@pytest.mark.parametrize(
    "shape, kind, size, words",
    [
        ((1 << 40, 4), "<f8", None, "announces more than it holds"),
        ((1 << 40,), "<U0", None, "more than 67,108,864 numbers"),
        ((MOST_NUMBERS + 1,), "|i1", MOST_NUMBERS + 1, "more than 67,108,864 numbers"),
        ((2,), "|O", None, "never loaded"),
    ],
)
def test_arrays_that_announce_too_much_are_not_read(
    tmp_path: Path, shape: tuple[int, ...], kind: str, size: int | None, words: str
) -> None:
    path = packed(tmp_path / "huge.npz", shape, kind, size)
    assert path.stat().st_size < 1 << 18
    with pytest.raises(DataError, match=words):
        Dataset.load(path)
    with pytest.raises(OracleError, match=words):
        read_oracle(path)


@pytest.mark.parametrize("count", [2**40, -1, 0, 1.5])
def test_a_dataset_with_absurdly_many_actions_is_refused(tmp_path: Path, count: float) -> None:
    path = tmp_path / "data.npz"
    np.savez(path, states=[[1.0], [2.0]], actions=[0, 0], n_actions=count)
    with pytest.raises(DataError, match="'n_actions' is not a number from 1 to 4096"):
        Dataset.load(path)


@pytest.mark.parametrize(
    "name, words",
    [
        ("psm:links=1000000000", "from 1 to 100 links"),
        ("psm:links=18,motors=" + "+".join(map(str, range(18))), "may have 6 motors, got 18"),
        ("psm:links=5,torque=nan", "positive torque"),
        ("psm:links=5,mass=inf", "positive mass"),
    ],
)
def test_an_arm_beyond_all_bounds_is_refused(
    glasstree: Command, tmp_path: Path, name: str, words: str
) -> None:
    document = json.loads(dumps(lamp_tree()))
    document["task"] = name
    path = tmp_path / "policy.json"
    path.write_text(json.dumps(document))
    answer = glasstree("evaluate", path)
    assert answer.code == 2
    assert words in answer.sentence


class Wide(gymnasium.Env[Any, Any]):
    """An environment with as many actions and variables as it is told."""

    def __init__(self, actions: int = 2, width: int = 2) -> None:
        self.observation_space = gymnasium.spaces.Box(-1.0, 1.0, (width,))
        self.action_space = gymnasium.spaces.Discrete(actions)


@pytest.mark.parametrize(
    "options, words", [({"actions": 2**40}, "actions"), ({"width": 10_000}, "10,000 numbers")]
)
def test_an_environment_beyond_all_bounds_is_refused(options: dict[str, int], words: str) -> None:
    name = f"glasstree-tests/Wide{next(iter(options))}-v0"
    gymnasium.register(name, entry_point=Wide, max_episode_steps=5, kwargs=options)
    with pytest.raises(TaskError, match=words):
        get_task(name)


def full_tree(depth: int) -> PolicyTree:
    """A tree of 2^depth - 1 rules."""
    node: Node = Leaf(0)
    for _ in range(depth):
        node = Split(Rule([[1]], [1.0], 0.0), node, node)
    return PolicyTree(node, Scaling([0.0], [1.0]), ("x",), ("a", "b"))


def test_a_policy_has_a_bounded_number_of_rules() -> None:
    assert loads(dumps(full_tree(10))).n_rules == MOST_RULES
    with pytest.raises(PolicyFileError, match="2,047 rules, and a policy file holds 1,023"):
        dumps(full_tree(11))


def larger(document: dict[str, Any], how: str) -> None:
    """Make a document ask for much."""
    term = {"weight": 1.0, "exponents": {}}
    state = {"unit": "", "minimum": 0.0, "maximum": 1.0}
    match how:
        case "rules":
            for _ in range(11):
                node = document["tree"]
                document["tree"] = {"rule": node.get("rule"), "left": node, "right": node}
        case "variables":
            document["states"] = [{"name": f"x{i}", **state} for i in range(5000)]
        case "actions":
            document["actions"] += [f"a{i}" for i in range(5000)]
        case "terms":
            document["states"] += [{"name": f"x{i}", **state} for i in range(1000)]
            document["tree"]["rule"]["terms"] += [term] * 5000


@pytest.mark.parametrize(
    "how, words",
    [
        ("rules", "rules, more than 1,023"),
        ("variables", "more than 4096 variables"),
        ("actions", "4096 actions"),
        ("terms", "terms of 1,001 variables are too many"),
    ],
)
def test_a_document_that_asks_for_much_is_refused(how: str, words: str) -> None:
    document = json.loads(dumps(lamp_tree()))
    larger(document, how)
    with pytest.raises(PolicyFileError, match=words):
        loads(json.dumps(document))


def test_an_endless_policy_file_is_not_read_to_its_end() -> None:
    with pytest.raises(PolicyFileError, match=f"over {LARGEST:,} bytes"):
        load("/dev/zero")


def test_an_endless_line_of_a_table_is_not_read_to_its_end() -> None:
    with pytest.raises(DataError, match="is not a CSV file"):
        read_table("/dev/zero", "label")


def test_a_table_of_too_many_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"x{i}" for i in range(5000)) + "\n")
    with pytest.raises(DataError, match="5,000 columns"):
        read_table(path, "x0")


def test_a_small_parquet_file_of_many_rows_is_not_read(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    zeros = pyarrow.array(np.zeros(1 << 20, dtype=np.int8))
    names = [f"x{i}" for i in range(65)]
    parquet.write_table(pyarrow.table(dict.fromkeys(names, zeros)), tmp_path / "rows.parquet")
    assert (tmp_path / "rows.parquet").stat().st_size < 1 << 20
    with pytest.raises(DataError, match="68,157,440 fields"):
        read_table(tmp_path / "rows.parquet", "x0")
