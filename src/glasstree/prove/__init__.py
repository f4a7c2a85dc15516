"""What is certain: claims about decisions and about loops, proved or refuted."""

from glasstree.prove.answers import Answer, exit_code
from glasstree.prove.certificates import check_certificate, write_certificate
from glasstree.prove.claims.decisions import decide_claim
from glasstree.prove.facts import Facts, Surroundings, facts_of, surroundings
from glasstree.prove.findings import Findings, prove
from glasstree.prove.loops import has_loop, prove_loop, summary
from glasstree.prove.pictures import region_of

__all__ = [
    "Answer",
    "Facts",
    "Findings",
    "Surroundings",
    "check_certificate",
    "decide_claim",
    "exit_code",
    "facts_of",
    "has_loop",
    "prove",
    "prove_loop",
    "region_of",
    "summary",
    "surroundings",
    "write_certificate",
]
