"""What leaves: rules for people and code for machines, over one walk of the tree."""

from glasstree.formats.registry import FORMATS, Format, export
from glasstree.formats.sympy import Expressions, to_expressions
from glasstree.formats.text import to_text
from glasstree.policy.document import dumps as to_json

__all__ = ["FORMATS", "Expressions", "Format", "export", "to_expressions", "to_json", "to_text"]
