"""What is said of a policy: how it reads, why it decides so, what was edited and checked."""

from glasstree.explain.checking import RUNNABLE, Exported, Proof, prove, proved_export
from glasstree.explain.editing import agreement, edit
from glasstree.explain.explanation import Explanation, Flip, explain
from glasstree.explain.narration import explanation_text, reading_text
from glasstree.explain.reading import Reading, RuleReading, read

__all__ = [
    "RUNNABLE",
    "Explanation",
    "Exported",
    "Flip",
    "Proof",
    "Reading",
    "RuleReading",
    "agreement",
    "edit",
    "explain",
    "explanation_text",
    "prove",
    "proved_export",
    "read",
    "reading_text",
]
