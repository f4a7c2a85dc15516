"""Claims about what a policy decides in every state of a range."""

from collections.abc import Sequence
from time import monotonic

import numpy as np

from glasstree.errors import ClaimError, DataError
from glasstree.policy import PolicyTree
from glasstree.prove.answers import Answer
from glasstree.prove.boxes import MOST_ACTIONS
from glasstree.prove.claims.language import Reader
from glasstree.prove.claims.ranges import Range, range_of
from glasstree.prove.claims.search import Found, always_holds, never_holds, search
from glasstree.prove.claims.syntax import All, Claim

SECONDS = 10.0  # for a claim, unless said otherwise
CHECK_SECONDS = 1.0  # to tell whether a condition can be met at all


def decide_claim(
    tree: PolicyTree, text: str, within: Sequence[str] = (), seconds: float = SECONDS
) -> Answer:
    """Prove or refute that the policy keeps a claim in every state of a range."""
    if len(tree.action_names) > MOST_ACTIONS:
        raise DataError(
            f"claims are for policies of at most {MOST_ACTIONS} actions, "
            f"this one has {len(tree.action_names)}"
        )
    begin = monotonic()
    states = range_of(tree, within)
    claim = Reader(text, tree.state_names, tree.action_names, tree.units).claim()
    check_applies(claim, states)
    found = search(tree, claim.condition, claim.allowed, states, seconds)
    return answer(tree, claim, states, found, within, monotonic() - begin)


def check_applies(claim: Claim, states: Range) -> None:
    """Refuse a claim whose condition no state, or every state, of the range meets."""
    if claim.condition == All(()):
        return
    if never_holds(claim.condition, states, CHECK_SECONDS):
        raise ClaimError(
            f"no state of the range meets the condition of {claim.text!r}; "
            "change it, or widen the range with --within 'x in [a, b]'"
        )
    if always_holds(claim.condition, states, CHECK_SECONDS):
        raise ClaimError(
            f"every state of the range meets the condition of {claim.text!r}; "
            "leave it out, or widen the range with --within 'x in [a, b]'"
        )


def answer(
    tree: PolicyTree,
    claim: Claim,
    states: Range,
    found: Found,
    within: Sequence[str],
    seconds: float,
) -> Answer:
    """Word what a search came to."""
    if found.state is not None:
        state = dict(zip(tree.state_names, found.state.tolist(), strict=True))
        action = tree.action_names[int(tree.actions(found.state[np.newaxis])[0])]
        where = ", ".join(f"{name} = {value:.6g}" for name, value in state.items())
        sentence = f"the action is {action} at {where}"
        return Answer(claim.text, "refuted", sentence, seconds, state, action)
    if found.proved:
        halves = [
            {"boxes": boxes.tolist(), "variables": across.tolist()}
            for boxes, across in found.halvings
        ]
        evidence = {"kind": "boxes", "within": list(within), "halves": halves}
        return Answer(claim.text, "proved", f"{found.boxes:,} boxes", seconds, evidence=evidence)
    low, high = found.left.low, found.left.high
    share = np.prod((high - low) / states.width, axis=1, where=states.high > states.low).sum()
    ends = zip(low.min(axis=0).tolist(), high.max(axis=0).tolist(), strict=True)
    left = dict(zip(tree.state_names, ends, strict=True))
    where = ", ".join(f"{name} in [{a:.4g}, {b:.4g}]" for name, (a, b) in left.items())
    sentence = f"{float(share):.2g} of the range is not decided, inside {where}"
    return Answer(claim.text, "unknown", sentence, seconds, left=left, share_left=float(share))
