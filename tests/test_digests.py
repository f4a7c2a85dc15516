"""Digests follow what files import, and tell any change."""

from pathlib import Path

from glasstree import digests
from glasstree.digests import PACKAGE, code_and_data, digest, sources


def names(*files: str) -> set[str]:
    """Return the sources of files of the package by their places in it."""
    found = sources(*(PACKAGE / file for file in files))
    return {path.relative_to(PACKAGE).as_posix() for path in found}


def test_imports_are_followed() -> None:
    found = names("openloop/lower/directions.py")
    assert {
        "openloop/lower/impurity.py",
        "openloop/lower/sums.py",
        "compiled.py",
        "caches.py",
    } <= found
    assert "openloop/upper/search.py" not in found
    assert names("policy/flat.py") >= {"policy/scaling.py", "policy/tree.py"}


def test_what_decides_a_result_is_in_and_what_shows_it_is_not() -> None:
    found = names("studies/measures.py")
    assert {
        "pipeline.py",
        "episodes/seeds.py",
        "tasks/acrobot.py",
        "closedloop/weights.py",
    } <= found
    assert not any(name.startswith(("cli/", "report/", "export/")) for name in found)


def test_what_only_talks_is_not_followed(tmp_path: Path) -> None:
    lines = (
        "from glasstree import errors\nfrom glasstree.runs.store import store",
        "from glasstree.cli.console import figure",
    )
    (tmp_path / "user.py").write_text("\n".join(lines))
    found = sources(tmp_path / "user.py")
    assert {tmp_path / "user.py", PACKAGE / "runs/store.py"} <= found
    assert not any("cli" in path.parts or path.name == "errors.py" for path in found)


def test_a_digest_tells_any_change_and_no_place(tmp_path: Path) -> None:
    for folder, text in (("a", "x = 1"), ("b", "x = 1"), ("c", "x = 2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file.py").write_text(text)
    one, two, three = (digest([tmp_path / folder / "file.py"]) for folder in "abc")
    assert one == two != three
    assert digest([tmp_path / "a" / "file.py"], "word") != one


def test_the_weights_of_oracles_decide_too() -> None:
    start = PACKAGE / "studies" / "measures.py"
    assert code_and_data(start) == digest({*sources(start), *digests.WEIGHTS.glob("*.npz")})
    assert code_and_data(start) != digest(sources(start))
