"""What is said of a policy: how it reads, why it decides so, what was edited and checked."""

from glasstree.explain.checking import RUNNABLE, Check, Exported, check, checked_export
from glasstree.explain.editing import agreement, edit
from glasstree.explain.explanation import Explanation, Flip, explain
from glasstree.explain.narration import explanation_text, reading_text
from glasstree.explain.reading import Reading, RuleReading, read

__all__ = [
    "RUNNABLE",
    "Check",
    "Explanation",
    "Exported",
    "Flip",
    "Reading",
    "RuleReading",
    "agreement",
    "check",
    "checked_export",
    "edit",
    "explain",
    "explanation_text",
    "read",
    "reading_text",
]
