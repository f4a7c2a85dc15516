"""What is certain: claims about decisions and loops, proved or refuted."""

from glasstree.prove.answers import Answer
from glasstree.prove.decisions import decide_claim

__all__ = ["Answer", "decide_claim"]
