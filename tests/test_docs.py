"""Every path and command that the documents name exists, and their Python can be imported."""

import ast
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import glasstree
from glasstree.cli import app, register

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "glasstree"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
OURS = re.compile(
    r"(src|tests|docs|examples|benchmarks|\.ci)/[\w./-]+|[\w/]+(\.py|\.md|\.toml)|\w+/"
)
# what users or runs make, and what is no path although it looks like one
MADE = re.compile(
    r"(runs|oracles)/.*\.(json|npz|html)|(config|policy)\.(toml|json)|card\.md|my_\w+\.py|https?:.*"
)

register()
COMMANDS = get_command(app)
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return [code for found, code in FENCE.findall(page.read_text()) if found == language]


def spans(page: Path) -> Iterator[str]:
    """Yield inline code, and the lines of fenced and indented blocks."""
    text = page.read_text()
    for _, code in FENCE.findall(text):
        yield from code.splitlines()
    rest = FENCE.sub("", text)
    yield from re.findall(r"^    (\S.*)$", rest, re.MULTILINE)
    yield from re.findall(r"`([^`\n]+)`", rest)


def cases(pattern: str) -> list[Any]:
    """Return each distinct span of each page that fits a pattern, as test cases."""
    found = {(page, span.strip()) for page in PAGES for span in spans(page)}
    chosen = sorted(pair for pair in found if re.fullmatch(pattern, pair[1]))
    return [pytest.param(page, span, id=f"{page.name}: {span}") for page, span in chosen]


def test_pages_are_found_and_have_something_to_check() -> None:
    assert {page.name for page in PAGES} >= {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}
    assert len(cases(r"(\.venv/bin/)?glasstree .*")) > 8
    assert len(cases(r"make .*")) > 4
    assert len(cases(OURS.pattern)) > 20


@pytest.mark.parametrize("page, path", cases(OURS.pattern))
def test_paths_exist(page: Path, path: str) -> None:
    if MADE.fullmatch(path):
        return
    places = (ROOT, PACKAGE, page.parent)
    assert any((place / path).exists() for place in places), f"{page.name} names {path}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_inside_sentences_and_commands_exist(page: Path) -> None:
    for path in re.findall(
        r"\b(?:src|tests|docs|examples|benchmarks)/[\w./-]*\w", page.read_text()
    ):
        assert (ROOT / path).exists(), f"{page.name} names {path}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", FENCE.sub("", page.read_text())):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page, line", cases(r"make [a-z].*"))
def test_make_targets_exist(page: Path, line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    assert {word for word in words if "=" not in word} <= TARGETS


@pytest.mark.parametrize("page, line", cases(r"(\.venv/bin/)?glasstree .*"))
def test_commands_and_options_exist(page: Path, line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    command: Any = COMMANDS
    while words and hasattr(command, "commands") and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    assert command is not COMMANDS or all(word.startswith("--") for word in words), line
    known = {option for parameter in command.params for option in parameter.opts}
    wanted = {word.split("=")[0] for word in words if word.startswith("--")}
    assert wanted <= known | {"--help", "--debug"}, f"{page.name}: {line}"


def test_each_equation_of_the_paper_is_cited_where_the_table_says() -> None:
    rows = re.findall(
        r"^\| (Eq\. \d) \|.*\| `(\w+)` in `([\w/]+\.py)` \|$",
        (ROOT / "docs" / "ARCHITECTURE.md").read_text(),
        re.MULTILINE,
    )
    assert [equation for equation, _, _ in rows] == [f"Eq. {number}" for number in range(1, 8)]
    for equation, name, path in rows:
        code = (PACKAGE / path).read_text()
        functions = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.FunctionDef)]
        (function,) = (n for n in functions if n.name == name)
        assert equation in str(ast.get_source_segment(code, function)), f"{equation}: {path}"


def test_the_way_of_a_state_names_each_file_once() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text()
    way = text[text.index("## One state") : text.index("## The packages")]
    rows = re.findall(r"^\| (\d+) \| .*? \| `([^`]+)` \|$", way, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, len(rows) + 1))
    assert len(rows) == way.count("\n| ") - 1
    assert len({path for _, path in rows}) == len(rows) > 20
    assert all((PACKAGE / path).is_file() for _, path in rows)


def test_whatever_a_command_does_is_a_call() -> None:
    elsewhere = {"run": "distill", "pick": "Run.pick", "figures": "Run.figures"}
    for command in COMMANDS.commands:
        place = glasstree
        for name in elsewhere.get(command, command).split("."):
            place = getattr(place, name)
        assert callable(place), command


def test_sections_of_the_algorithm_and_their_files_name_each_other() -> None:
    text = (ROOT / "docs" / "algorithm.md").read_text()
    sections = dict(re.findall(r"^## (\d+)\. (.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for number in re.findall(r"docs/algorithm\.md, section (\d+)", path.read_text()):
            assert f"`{path.relative_to(PACKAGE)}`" in sections[number], path
            found.add(number)
    assert found == set(sections)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_documents_can_be_imported(page: Path) -> None:
    for code in blocks(page, "python"):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("glasstree"):
                module = import_module(str(node.module))
                assert all(hasattr(module, alias.name) for alias in node.names), page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_public_names_in_documents_exist(page: Path) -> None:
    import glasstree

    for name in re.findall(r"\bgt\.(\w+)", page.read_text()):
        assert name in glasstree.__all__, f"{page.name} names gt.{name}"
