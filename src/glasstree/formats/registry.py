"""The formats by name."""

from collections.abc import Callable
from dataclasses import dataclass

from glasstree.errors import OptionError, unknown
from glasstree.formats.c import to_c
from glasstree.formats.dot import to_dot
from glasstree.formats.javascript import to_javascript
from glasstree.formats.latex import to_latex
from glasstree.formats.onnx import to_onnx
from glasstree.formats.python import to_python
from glasstree.formats.sql import to_sql
from glasstree.formats.svg import to_svg
from glasstree.formats.sympy import to_sympy
from glasstree.formats.text import to_text
from glasstree.policy import PolicyTree
from glasstree.policy.document import dumps as to_json

PRECISIONS = ("double", "float")


@dataclass(frozen=True)
class Format:
    """How to write a policy, the usual ending of such files, and what the writer accepts."""

    write: Callable[..., str | bytes]
    suffix: str
    takes_note: bool = True
    takes_precision: bool = False


FORMATS: dict[str, Format] = {
    "text": Format(to_text, ".txt", takes_note=False),
    "latex": Format(to_latex, ".tex"),
    "python": Format(to_python, ".py"),
    "c": Format(to_c, ".c", takes_precision=True),
    "javascript": Format(to_javascript, ".js"),
    "json": Format(to_json, ".json", takes_note=False),
    "dot": Format(to_dot, ".dot"),
    "svg": Format(to_svg, ".svg"),
    "sympy": Format(to_sympy, ".py"),
    "sql": Format(to_sql, ".sql"),
    "onnx": Format(to_onnx, ".onnx", takes_precision=True),
}


def export(
    tree: PolicyTree, format: str, *, precision: str = "double", note: str = ""
) -> str | bytes:
    """Write a policy in one of FORMATS; a note goes to the header of those that have one."""
    if format not in FORMATS:
        raise OptionError(unknown("format", format, FORMATS))
    if precision not in PRECISIONS:
        raise OptionError(unknown("precision", precision, PRECISIONS))
    chosen = FORMATS[format]
    if precision != "double" and not chosen.takes_precision:
        able = [name for name, known in FORMATS.items() if known.takes_precision]
        raise OptionError(f"{format} has one precision only; {' and '.join(able)} have two")
    options = {"note": note} if note and chosen.takes_note else {}
    if chosen.takes_precision:
        options["precision"] = precision
    return chosen.write(tree, **options)
