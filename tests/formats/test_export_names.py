"""Names that try to break out are escaped in every format, proved by compiling or parsing."""

import ast
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.export_policies import (
    HOSTILE_ACTIONS,
    HOSTILE_STATES,
    PAPER,
    hostile,
    mixed,
    paper,
    random_tree,
)
from glasstree.explain import explain, explanation_text, read, reading_text
from glasstree.explain.runners import COMPILERS, FLAGS, find_compiler
from glasstree.formats import export
from glasstree.formats.latex import symbol_of, symbols, text_of
from glasstree.formats.shared.names import RESERVED, bracketed, identifiers, plain, visible
from glasstree.policy import PolicyTree

TREE = hostile()
TEXT = r'"(?:[^"\\]|\\.)*"'


def test_python_keeps_the_names() -> None:
    source = str(export(TREE, "python"))
    assert source.isascii()
    space: dict[str, Any] = {}
    exec(compile(source, "policy.py", "exec"), space)
    assert space["ACTIONS"] == HOSTILE_ACTIONS
    defined = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    assert [function.name for function in defined] == ["policy"]


@pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="there is no C compiler")
def test_c_keeps_the_names(tmp_path: Path) -> None:
    source = str(export(TREE, "c"))
    assert source.isascii() and "int main(void) { return 1; } */" not in source
    count = len(HOSTILE_ACTIONS)
    printing = (
        f"int main(void) {{ for (int k = 0; k < {count}; k++) "
        "if (fwrite(policy_actions[k], strlen(policy_actions[k]) + 1, 1, stdout) != 1) return 1; "
        "return 0; }\n"
    )
    file, program = tmp_path / "names.c", tmp_path / "names"
    file.write_text(f"#include <stdio.h>\n#include <string.h>\n{source}{printing}")
    subprocess.run([find_compiler(), *FLAGS, "-o", str(program), str(file)], check=True)
    printed = subprocess.run([str(program)], capture_output=True, check=True).stdout
    expected = [name.replace("\x00", "\\0").encode() for name in HOSTILE_ACTIONS]
    assert printed.split(b"\x00")[:-1] == expected


@pytest.mark.skipif(not shutil.which("node"), reason="Node.js is not installed")
def test_javascript_keeps_the_names(tmp_path: Path) -> None:
    source = str(export(TREE, "javascript"))
    assert source.isascii() and "<" not in re.sub(r" <= ", " ", source)
    file = tmp_path / "names.js"
    file.write_text(source + "\nconsole.log(JSON.stringify(ACTIONS));\n")
    printed = subprocess.run(["node", str(file)], capture_output=True, check=True).stdout
    assert tuple(json.loads(printed)) == HOSTILE_ACTIONS


def test_json_keeps_the_names() -> None:
    document = json.loads(str(export(TREE, "json")))
    assert tuple(document["actions"]) == HOSTILE_ACTIONS
    assert tuple(state["name"] for state in document["states"]) == HOSTILE_STATES


def test_svg_is_xml_with_the_names_in_it() -> None:
    root = ElementTree.fromstring(str(export(TREE, "svg")))
    shown = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {visible(name) for name in HOSTILE_ACTIONS} <= shown
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))


def test_dot_holds_together() -> None:
    source = str(export(TREE, "dot"))
    body = source.split("\n", 1)[1].rsplit("}", 1)[0]
    name, pair = r"n\d+", rf"(?:\w+=(?:{TEXT}|\w+))"
    statement = rf"\s*(?:node|{name}(?: -> {name})?) \[{pair}(?:, {pair})*\];"
    assert re.fullmatch(rf"(?:{statement})*\s*", body)
    labels = [json.loads(found) for found in re.findall(rf"label=({TEXT})", body)]
    assert all(any(visible(name) in label for label in labels) for name in HOSTILE_ACTIONS)


def test_sympy_keeps_the_names() -> None:
    pytest.importorskip("sympy", reason="the sympy extra is not installed")
    source = str(export(TREE, "sympy"))
    assert source.isascii()
    space: dict[str, Any] = {}
    exec(compile(source, "expressions.py", "exec"), space)
    assert [symbol.name for symbol in space["original"]] == [plain(n) for n in HOSTILE_STATES]


def test_onnx_keeps_the_names() -> None:
    onnx = pytest.importorskip("onnx", reason="the onnx extra is not installed")
    model = onnx.load_from_string(export(TREE, "onnx"))
    assert all(plain(name) in model.doc_string for name in (*HOSTILE_STATES, *HOSTILE_ACTIONS))


def test_latex_is_well_formed() -> None:
    source = str(export(TREE, "latex"))
    check_latex(source)
    assert source.count(r"\begin{") == source.count(r"\end{") == 3


def check_latex(source: str) -> None:
    """Check braces, dollars and that no special character stands bare."""
    lines = [line for line in source.splitlines() if not line.startswith("%")]
    bare = re.sub(r"\\(?:[A-Za-z]+|.)", "", "\n".join(lines))
    depth = 0
    for letter in bare:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    assert "%" not in bare and "#" not in bare and "~" not in bare and "\x00" not in bare
    assert bare.count("$") % 2 == 0
    outside = "".join(bare.split("$")[::2])
    assert "_" not in outside and "^" not in outside
    assert all(ord(letter) < 256 for letter in bare)


@given(st.text(min_size=1))
def test_any_latex_name_is_well_formed(name: str) -> None:
    check_latex(f"{text_of(name)}\n")
    check_latex(f"${symbol_of(name)}$\n")


@pytest.mark.parametrize("tree", [*map(paper, PAPER), mixed(), random_tree(0, 3)])
def test_latex_formulas_are_formulas(tree: PolicyTree) -> None:
    from matplotlib.mathtext import MathTextParser

    source = str(export(tree, "latex"))
    check_latex(source)
    parser = MathTextParser("path")
    formulas = re.findall(r"\$([^$]*)\$", source)
    assert len(formulas) == 2 + 2 * tree.n_rules
    for formula in formulas:
        parser.parse(f"${formula.replace('displaystyle', ',')}$")


def test_symbols() -> None:
    names = ("theta", "omega5", "x_0", "v_rel", "θ", "gap", "v_x_y", "xi", "E_")
    assert [symbol_of(name) for name in names] == [
        *(r"\theta", r"\omega_{5}", "x_{0}", r"v_{\text{rel}}", r"\theta"),
        *(r"\text{gap}", r"\text{v\_x\_y}", r"\xi", r"\text{E\_}"),
    ]
    assert symbols(("x0", "x_0", "y")) == (r"\text{x0}", r"\text{x\_0}", "y")


def test_text_shows_each_name_on_one_line() -> None:
    for text in (
        str(export(TREE, "text")),
        reading_text(read(TREE)),
        explanation_text(
            explain(TREE, TREE.scaling.minimum), TREE.scaling.minimum, TREE.state_names
        ),
    ):
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        assert bracketed("line\nbreak\r\n") in text


@given(st.lists(st.text(), max_size=8, unique=True))
def test_identifiers_are_valid_and_different(names: list[str]) -> None:
    words = identifiers(names)
    assert len(set(words)) == len(names)
    for word in words:
        assert word.isascii() and word.isidentifier() and word not in RESERVED


@given(st.lists(st.text(), max_size=8, unique=True))
def test_shown_names_stay_different(names: list[str]) -> None:
    assert len({visible(name) for name in names}) == len(names)
    assert len({plain(name) for name in names}) == len(names)
