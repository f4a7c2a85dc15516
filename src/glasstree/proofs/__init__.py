"""What is certain: claims about decisions and about loops, proved or refuted."""

from glasstree.proofs.answers import Answer, exit_code
from glasstree.proofs.certificates import check_certificate, write_certificate
from glasstree.proofs.claims.decisions import decide_claim
from glasstree.proofs.facts import Facts, Surroundings, facts_of, surroundings
from glasstree.proofs.findings import Findings, prove
from glasstree.proofs.loops import has_loop, prove_loop

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
    "surroundings",
    "write_certificate",
]
