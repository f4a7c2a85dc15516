"""What leaves: rules for people and code for machines, over one walk of the tree."""

from glasstree.export.formats import FORMATS, Format, export
from glasstree.export.proof import RUNNABLE, Exported, Proof, prove, proved_export
from glasstree.export.text import to_text
from glasstree.policy.document import dumps as to_json

__all__ = [
    "FORMATS",
    "RUNNABLE",
    "Exported",
    "Format",
    "Proof",
    "export",
    "prove",
    "proved_export",
    "to_json",
    "to_text",
]
