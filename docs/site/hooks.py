"""What the site adds to the pages: the gallery, names, and equations as MathML without a script."""

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

import glasstree
from glasstree.tasks import task_names

CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.DOTALL | re.MULTILINE)
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
CALLS, KINDS = "[every call]", "[every kind]"
INLINE = re.compile(r"\$(?=\S)([^$\n]+?)(?<=\S)\$")


def on_config(config: Any) -> Any:
    """List the pages of the gallery that are there, in the order of the tasks."""
    pages = [f"gallery/{task}.md" for task in task_names()]
    there = [page for page in pages if (Path(config.docs_dir) / page).exists()]
    next(part for part in config.nav if "Gallery" in part)["Gallery"].extend(there)
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Write the equations and the names of a page for the browser; code stays as it is."""
    markdown = markdown.replace(CALLS, named(str.islower)).replace(KINDS, named(str.isupper))
    parts = CODE.split(markdown)
    return "".join(part if number % 2 else prose(part) for number, part in enumerate(parts))


def prose(text: str) -> str:
    """Turn the equations of a text into MathML."""
    text = DISPLAY.sub(lambda found: _equation(found[1]), text)
    return INLINE.sub(lambda found: f"<span>{_converted(found[1])}</span>", text)


def _equation(latex: str) -> str:
    return f'\n<div class="equation">{_converted(latex, display="block")}</div>\n'


def _converted(latex: str, display: str = "inline") -> str:
    known = " ".join(latex.split()).replace(r"\arg\min", r"\operatorname{arg\,min}")
    return convert(known, display=display)


def named(case: Callable[[str], bool]) -> str:
    """Ask for the documentation of every public name that begins in a case."""
    words = "::: {}\n    options:\n      heading: gt.{}\n"
    return "\n".join(words.format(place(n), n) for n in glasstree.__all__ if case(n[0]))


def place(name: str) -> str:
    """Return where a public name is defined."""
    package, real = glasstree._CALLS.get(name) or (glasstree._PLACES[name], name)
    held = getattr(import_module(f"glasstree.{package}"), real)
    return f"{held.__module__}.{held.__qualname__}"
