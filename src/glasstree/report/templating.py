"""Pages from templates: every value is escaped unless it is marked as markup."""

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from glasstree.formats.shared.names import visible


def render(template: str, **values: Any) -> Markup:
    """Fill in a template."""
    return Markup(_environment().get_template(template).render(values))


def part(name: str, *values: Any) -> Markup:
    """Fill in one of the small parts that templates share."""
    return Markup(getattr(_environment().get_template("parts.html").module, name)(*values))


def asset(name: str) -> Markup:
    """Read a script or a style that a page is made of."""
    path = files("glasstree.report") / "assets" / name
    return Markup(path.read_text(encoding="utf-8").rstrip("\n"))


def counted(number: int, word: str) -> str:
    """Format a number of things.

    >>> counted(1, "rule"), counted(2600, "term")
    ('1 rule', '2,600 terms')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def percent(share: float) -> str:
    """Format a share; only what is whole is called 100 %.

    >>> percent(1.0), percent(0.99996), percent(0.5)
    ('100 %', '99.9 %', '50 %')
    """
    shown = min(100 * share, 99.9) if share < 1 else 100.0
    return f"{shown:.1f}".removesuffix(".0") + " %"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("glasstree.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"visible": visible, "counted": counted, "percent": percent}
    environment.globals["asset"] = asset
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    return environment
