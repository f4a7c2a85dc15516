"""Every format against a file that a person has looked at; GLASSTREE_GOLDEN=1 writes them anew."""

import os
from pathlib import Path

import pytest

from formats.export_policies import both, chain, line, mixed, paper
from glasstree.explain import read, reading_text
from glasstree.formats import FORMATS, export
from glasstree.policy import Leaf, PolicyTree, Scaling

GOLDEN = Path(__file__).parent / "golden"
TREES = {
    "cartpole": paper("cartpole"),
    "carfollowing": paper("carfollowing"),
    "mixed": mixed(),
    "line": line(),
    "both": both(),
    "leaf": PolicyTree(Leaf(0), Scaling([0.0], [1.0]), ("x",), ("only",)),
}


def compared(name: str, content: bytes) -> None:
    file = GOLDEN / f"{name}.golden"
    if os.environ.get("GLASSTREE_GOLDEN"):
        file.write_bytes(content)
    assert content == file.read_bytes(), f"{name} changed; look at it, then set GLASSTREE_GOLDEN=1"


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("format", FORMATS)
def test_format(tree: str, format: str) -> None:
    if format == "onnx":
        pytest.importorskip("onnx", reason="the onnx extra is not installed")
    content = export(TREES[tree], format)
    raw = content if isinstance(content, bytes) else content.encode()
    compared(f"{tree}.{format}", raw)


@pytest.mark.parametrize("format", ["c", "onnx"])
def test_single_precision(format: str) -> None:
    if format == "onnx":
        pytest.importorskip("onnx", reason="the onnx extra is not installed")
    content = export(TREES["mixed"], format, precision="float")
    raw = content if isinstance(content, bytes) else content.encode()
    compared(f"mixed.float.{format}", raw)


@pytest.mark.parametrize("tree", TREES)
def test_reading(tree: str) -> None:
    compared(f"{tree}.reading", reading_text(read(TREES[tree])).encode())


def test_very_deep_python_nests_little() -> None:
    source = str(export(chain(100, "l"), "python"))
    assert max(len(line) - len(line.lstrip()) for line in source.splitlines()) < 4 * 60
