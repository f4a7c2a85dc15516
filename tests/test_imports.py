"""Imports point one way, and the first import is light."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import glasstree

ROOT = Path(glasstree.__file__).parent
ANYONE = {"errors", "files", "progress", "digests", "compiled", "parallel", "timeout"}
# who may import whom, beside itself and ANYONE; None: everything
ALLOWED: dict[str, set[str] | None] = {
    "errors": set(),
    "files": set(),
    "progress": set(),
    "clusters": set(),
    "parallel": {"clusters"},
    "digests": set(),
    "caches": set(),
    "compiled": {"caches"},
    "timeout": set(),
    "policy": set(),
    "tasks": {"policy"},
    "oracles": {"policy", "tasks"},
    "episodes": {"policy", "tasks"},
    "prove": {"policy", "tasks", "episodes"},
    "data": {"tables", "policy", "tasks", "oracles", "episodes"},
    "tables": {"policy"},
    "openloop": {"policy", "formats", "tables"},
    "formats": {"policy"},
    "explain": {"policy", "formats", "tables"},
    "report": {"policy", "formats", "explain", "tables"},
    "runs": {"policy", "tasks", "oracles", "episodes", "data", "report", "prove"},
    "closedloop": {"policy", "tasks", "data", "episodes", "openloop", "formats", "runs"},
    "options": {"tasks", "data", "episodes", "openloop", "closedloop", "runs"},
    "pipeline": {
        *("policy", "tasks", "oracles", "episodes", "data"),
        *("openloop", "closedloop", "runs", "options"),
    },
    "studies": {
        *("policy", "tasks", "oracles", "episodes", "data", "openloop", "closedloop"),
        *("runs", "options", "pipeline", "report"),
    },
    "workflows": {
        *("policy", "tasks", "oracles", "episodes", "data", "openloop", "closedloop"),
        *("explain", "formats", "prove", "report", "runs", "options", "pipeline", "tables"),
    },
    "cli": None,
    "__main__": {"cli"},
    "__init__": None,
}
HEAVY = ("numba", "torch", "gymnasium", "sklearn", "matplotlib", "pymoo", "scipy", "pandas")


def package(path: Path) -> str:
    """Return the package or module at the top that a file belongs to."""
    return path.relative_to(ROOT).with_suffix("").parts[0]


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the packages that a file imports, type checking alone left out."""
    packages = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "glasstree" and len(parts) > 1:
                packages.add(parts[1])
    return frozenset(packages - {"__version__"})


SOURCES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    here = package(path)
    assert here in ALLOWED, f"say in tests/test_imports.py what {here} may import"
    allowed = ALLOWED[here]
    if allowed is None:
        return
    assert imported(path) <= allowed | ANYONE | {here}


def test_every_permission_is_used() -> None:
    used: dict[str, set[str]] = {}
    for path in SOURCES:
        used.setdefault(package(path), set()).update(imported(path))
    for here, allowed in ALLOWED.items():
        assert (allowed or set()) <= used[here], here


def test_no_rooms_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for path in SOURCES:
        here = package(path)
        if here != "__init__":
            graph.setdefault(here, set()).update(imported(path) - {here})
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", ["glasstree", "glasstree.cli"])
def test_the_first_import_is_light(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(set(sys.modules) & {set(HEAVY)!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_help_of_every_command_is_light() -> None:
    code = (
        "import sys, glasstree.cli as c; c.register(); "
        f"print(*sorted(set(sys.modules) & {set(HEAVY)!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_all_public_names_exist() -> None:
    for name in glasstree.__all__:
        assert getattr(glasstree, name) is not None
    assert {*glasstree._PLACES, *glasstree._CALLS} == set(glasstree.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = glasstree.nothing


@pytest.mark.parametrize("first", ["glasstree.explain", "glasstree.report", "glasstree"])
def test_packages_with_the_name_of_a_call_can_be_called(first: str) -> None:
    code = (
        f"import {first}, glasstree as gt; from glasstree.explain import read; "
        "print([task.name for task in gt.tasks()][0], gt.oracles()['cartpole'].task, "
        "callable(gt.report), callable(gt.explain), gt.explain.read is read)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["cartpole", "cartpole", "True", "True", "True"]


def test_no_folder_holds_more_than_twelve_files() -> None:
    for folder in {path.parent for path in SOURCES}:
        assert len(list(folder.glob("*.py"))) <= 12, folder


def test_no_file_has_more_than_300_lines() -> None:
    for path in SOURCES:
        assert len(path.read_text().splitlines()) <= 300, path


def test_every_room_says_what_it_is_for() -> None:
    for path in SOURCES:
        assert ast.get_docstring(ast.parse(path.read_text())), path
