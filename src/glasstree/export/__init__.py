"""What leaves: rules for people and code for machines, over one walk of the tree."""

from collections.abc import Callable

from glasstree.errors import OptionError, unknown
from glasstree.export.text import to_text
from glasstree.policy import PolicyTree
from glasstree.policy.document import dumps as to_json

FORMATS: dict[str, Callable[[PolicyTree], str | bytes]] = {"text": to_text, "json": to_json}


def export(tree: PolicyTree, format: str) -> str | bytes:
    """Write a policy in one of FORMATS."""
    if format not in FORMATS:
        raise OptionError(unknown("format", format, FORMATS))
    return FORMATS[format](tree)


__all__ = ["FORMATS", "export", "to_json", "to_text"]
