"""`gt.prove`: claims, or all that is certain of a policy without being asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from glasstree.policy import PolicyTree
from glasstree.prove.answers import Answer, exit_code
from glasstree.prove.claims.decisions import SECONDS, decide_claim
from glasstree.prove.facts import Facts, Surroundings, facts_of, surroundings
from glasstree.prove.loops import SECONDS as LOOP_SECONDS
from glasstree.prove.loops import has_loop, prove_loop
from glasstree.tasks import Task


@dataclass(frozen=True)
class Findings:
    """Answers to claims; without claims, answers about the loop, and facts."""

    answers: tuple[Answer, ...]
    facts: Facts | None = None
    surroundings: Surroundings | None = None

    @property
    def proved(self) -> bool:
        """Whether every claim is proved."""
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        """0 if all is proved, 1 if something is refuted, else 2."""
        return exit_code(list(self.answers))

    def __str__(self) -> str:
        lines = [str(answer) for answer in self.answers]
        lines += self.facts.sentences() if self.facts else []
        lines += [self.surroundings.sentence()] if self.surroundings else []
        return "\n".join(lines)

    def figures(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        found: dict[str, Any] = {"proved": self.proved}
        found["answers"] = [answer.figures() for answer in self.answers]
        if self.facts:
            found["facts"] = self.facts.sentences()
        if self.surroundings:
            found["surroundings"] = vars(self.surroundings)
        return found


def prove(
    policy: PolicyTree,
    *claims: str,
    within: str | Sequence[str] = (),
    state: ArrayLike | None = None,
    task: Task | str | None = None,
    seconds: float | None = None,
) -> Findings:
    """Prove or refute claims about a policy; without any, its task's own, and tell facts.

    seconds are for each claim; states range over what was seen unless within says otherwise.

    >>> from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
    >>> tree = PolicyTree(Split(Rule([[1]], [1.0], -2.0, raw=True), Leaf(0), Leaf(1)),
    ...                   Scaling([0.0], [4.0]), ("speed",), ("go", "brake"))
    >>> prove(tree, "speed > 3 => brake").proved
    True
    >>> print(prove(tree, "speed > 1 => brake"))
    refuted: speed > 1 => brake (the action is go at speed = 2)
    """
    wanted = (within,) if isinstance(within, str) else tuple(within)
    if claims:
        limit = SECONDS if seconds is None else seconds
        answers = [decide_claim(policy, claim, wanted, limit) for claim in claims]
        return Findings(tuple(answers), surroundings=_around(policy, state, wanted))
    loops: list[Answer] = []
    if task is not None or has_loop(policy):
        loops = prove_loop(policy, task, LOOP_SECONDS if seconds is None else seconds)
    return Findings(tuple(loops), facts_of(policy, wanted), _around(policy, state, wanted))


def _around(
    policy: PolicyTree, state: ArrayLike | None, within: Sequence[str]
) -> Surroundings | None:
    return None if state is None else surroundings(policy, state, within)
