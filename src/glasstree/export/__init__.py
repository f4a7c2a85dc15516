"""What leaves: rules for people and code for machines, over one walk of the tree."""

from glasstree.export.editing import agreement, edit
from glasstree.export.explanation import Explanation, Flip, explain
from glasstree.export.formats import FORMATS, Format, export
from glasstree.export.narration import explanation_text, reading_text
from glasstree.export.proof import RUNNABLE, Exported, Proof, prove, proved_export
from glasstree.export.reading import Reading, RuleReading, read
from glasstree.export.sympy import Expressions, to_expressions
from glasstree.export.text import to_text
from glasstree.policy.document import dumps as to_json

__all__ = [
    "FORMATS",
    "RUNNABLE",
    "Explanation",
    "Exported",
    "Expressions",
    "Flip",
    "Format",
    "Proof",
    "Reading",
    "RuleReading",
    "agreement",
    "edit",
    "explain",
    "explanation_text",
    "export",
    "prove",
    "proved_export",
    "read",
    "reading_text",
    "to_expressions",
    "to_json",
    "to_text",
]
