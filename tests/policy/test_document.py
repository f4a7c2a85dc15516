"""Policy files come back to the bit, and broken ones are refused in one sentence."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasstree.errors import PolicyFileError
from glasstree.policy import Leaf, PolicyTree, Rule, Split, load, save
from glasstree.policy.document import dumps, loads, write_atomically
from strategies import trees
from toys import small_tree


@given(trees())
def test_documents_come_back_to_the_bit(tree: PolicyTree) -> None:
    text = dumps(tree)
    again = loads(text)
    assert again == tree
    assert dumps(again) == text
    assert again.scaling.minimum.tobytes() == tree.scaling.minimum.tobytes()
    assert again.scaling.maximum.tobytes() == tree.scaling.maximum.tobytes()
    assert again.parameters().tobytes() == tree.parameters().tobytes()


def test_a_document_is_json_that_people_can_read(tree: PolicyTree) -> None:
    document = json.loads(dumps(tree))
    assert document["format"] == "glasstree-policy"
    assert document["states"][1] == {"name": "gap", "unit": "m", "minimum": 5.0, "maximum": 45.0}
    first = document["tree"]["rule"]["terms"][1]
    assert first == {"weight": -0.5, "exponents": {"speed": 1, "gap": -2}}


def test_rules_say_in_which_units_they_read(tree: PolicyTree) -> None:
    assert json.loads(dumps(tree))["tree"]["rule"]["units"] == "normalised"
    rule = Rule([[1, 0], [0, 1]], [1.0, 0.77], -30.04, raw=True)
    document = json.loads(dumps(tree.with_root(Split(rule, Leaf(0), Leaf(1)))))
    assert (document["version"], document["tree"]["rule"]["units"]) == (2, "original")
    assert loads(json.dumps(document)).splits()[0].rule == rule


def test_files_of_the_first_version_are_read_and_become_the_second(tree: PolicyTree) -> None:
    document = json.loads(dumps(tree))
    document["version"] = 1
    for rule in (document["tree"]["rule"], document["tree"]["right"]["rule"]):
        assert rule.pop("units") == "normalised"
    again = loads(json.dumps(document))
    assert again == tree and not any(split.rule.raw for split in again.splits())
    assert dumps(again) == dumps(tree)


@given(st.integers(0, len(dumps(small_tree())) - 2))
def test_a_file_cut_anywhere_is_refused_with_the_way_out(length: int) -> None:
    with pytest.raises(PolicyFileError, match=r"perhaps truncated.*write it again"):
        loads(dumps(small_tree())[:length])


@given(st.binary(max_size=60))
def test_any_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(PolicyFileError):
        loads(content)


@given(st.data())
def test_a_changed_byte_gives_a_valid_policy_or_a_policy_file_error(data: st.DataObject) -> None:
    content = bytearray(dumps(small_tree()).encode())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] = data.draw(st.integers(0, 255))
    try:
        tree = loads(bytes(content))
    except PolicyFileError:
        return
    assert tree.actions([[1.0, 2.0]]).shape == (1,)


def edited(place: list[Any], value: Any) -> str:
    """Return the small tree's document with one value changed."""
    document = json.loads(dumps(small_tree()))
    inner = document
    for key in place[:-1]:
        inner = inner[key]
    if value is None:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return json.dumps(document)


TERM = ["tree", "rule", "terms", 0]


@pytest.mark.parametrize(
    "place, value, words",
    [
        (["version"], 4, "newer glasstree .* upgrade with: pip install --upgrade glasstree"),
        (["version"], 0, "unknown document version 0"),
        (["version"], "1", "unknown document version '1'"),
        (["format"], "other", "not a policy document"),
        (["extra"], 1, "unknown field `extra`"),
        (["states"], [], "at least one state variable"),
        (["states", 0, "minimum"], 99.0, "each maximum must be at least its minimum"),
        (["states", 1, "name"], "speed", "uses 'gap', which is not a state variable"),
        (["states", 0, "maximum"], None, "missing required field `maximum`"),
        (["actions"], ["brake", "go"], "action 'keep' is not one of brake, go"),
        (["actions"], ["brake", "keep", "go", "go"], "must be unique"),
        ([*TERM, "weight"], "big", "Expected `float`, got `str`"),
        ([*TERM, "exponents"], {"gap": 1.5}, "Expected `int`, got `float`"),
        ([*TERM, "exponents"], {"gap": 101}, "exponent 101 of 'gap' is beyond 100"),
        ([*TERM, "exponents"], {"gap": 10**30}, "not a valid policy document"),
        ([*TERM, "exponents"], {"gab": 1}, "a rule uses 'gab', which is not a state variable"),
        (["tree", "rule", "units"], "inches", "Invalid enum value 'inches'"),
        (["tree", "rule", "units"], "original", "a rule over raw values cannot divide by them"),
        (["tree", "left"], None, "a node needs either"),
        (["tree", "action"], "go", "not both"),
        (["tree", "counts"], [1.0], "needs one number for each of 3 actions"),
        (["tree"], [], "Expected `object`, got `array`"),
    ],
)
def test_an_edited_file_is_refused_by_name(place: list[Any], value: Any, words: str) -> None:
    with pytest.raises(PolicyFileError, match=words):
        loads(edited(place, value))


def test_a_number_beyond_all_numbers_is_refused() -> None:
    text = edited([*TERM, "weight"], 123.25).replace("123.25", "1e999")
    with pytest.raises(PolicyFileError):
        loads(text)


def test_nesting_without_end_is_refused() -> None:
    node = '{"rule":{"terms":[],"bias":0},"left":{"action":"go"},"right":'
    for depth in (150, 100_000):
        deep = node * depth + '{"action":"go"}' + "}" * depth
        text = edited(["tree"], {"action": "TREE"}).replace('{"action": "TREE"}', deep)
        with pytest.raises(PolicyFileError):
            loads(text)


def test_files_are_named_in_errors(tmp_path: Path) -> None:
    with pytest.raises(PolicyFileError, match=r"there is no policy file '.*none.json'"):
        load(tmp_path / "none.json")
    (tmp_path / "half.json").write_text(dumps(small_tree())[:50])
    with pytest.raises(PolicyFileError, match=r"half.json: not JSON"):
        load(tmp_path / "half.json")
    with pytest.raises(PolicyFileError, match=r"there is no policy file '.*policy.json'"):
        load(tmp_path)
    with pytest.raises(PolicyFileError, match=r"cannot write policy file .*: Is a directory"):
        save(small_tree(), tmp_path)


def test_saving_makes_folders_and_leaves_one_file(tmp_path: Path, tree: PolicyTree) -> None:
    path = tmp_path / "deep" / "er" / "policy.json"
    save(tree, path)
    save(tree, path)
    assert load(path) == tree
    assert load(path.parent) == tree  # the folder of a run
    assert [entry.name for entry in path.parent.iterdir()] == ["policy.json"]


def test_a_failed_write_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "policy.json"
    path.write_bytes(b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["policy.json"]


def test_readers_never_see_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    versions = [
        small_tree().with_root(Split(Rule([[1, 0]], [1.0], float(bias)), Leaf(0), Leaf(1)))
        for bias in range(40)
    ]
    save(versions[0], path)
    writer = threading.Thread(target=lambda: [save(version, path) for version in versions])
    writer.start()
    while writer.is_alive():
        assert load(path) in versions
    writer.join()
