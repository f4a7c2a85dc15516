"""Claims about the loop of a policy and a task: what happens from every start."""

from functools import lru_cache
from importlib import import_module
from typing import Any

from glasstree.errors import TaskError
from glasstree.policy import PolicyTree
from glasstree.prove.answers import Answer
from glasstree.tasks import Task, get_task

SECONDS = 60.0  # for a task, unless said otherwise
FEW_SECONDS = 15.0  # at the end of a run and for its page
PROVERS = {
    "acrobot": "glasstree.prove.loops.acrobot:prove_swing",
    "cartpole": "glasstree.prove.loops.cartpole:prove_balance",
    "mountaincar": "glasstree.prove.loops.mountaincar:prove_goal",
    "carfollowing": "glasstree.prove.loops.carfollowing:prove_distance",
}


def prove_loop(
    tree: PolicyTree,
    task: Task | str | None = None,
    seconds: float = SECONDS,
    first_only: bool = False,
) -> list[Answer]:
    """Prove or refute what the task asks of a policy, from every start and whatever the noise.

    With first_only, the first claim alone, which takes seconds.
    """
    known = task_of(tree, task)
    place, _, name = PROVERS[known.name].partition(":")
    prover: Any = getattr(import_module(place), name)
    found: list[Answer] = prover(tree, known, seconds, first_only)
    return found


def task_of(tree: PolicyTree, task: Task | str | None = None) -> Task:
    """Return the task whose loop is meant, or say why there is none."""
    name = task if task is not None else tree.task
    if name is None:
        raise TaskError("the policy does not name its task; say which with --task")
    known = get_task(name)
    if known.name not in PROVERS:
        raise TaskError(
            f"the dynamics of {known.name} are not known as intervals; loops are proved for "
            f"{', '.join(sorted(PROVERS))}, claims about decisions for every policy"
        )
    if (tree.n_variables, len(tree.action_names)) != (known.n_variables, known.n_actions):
        raise TaskError(
            f"the policy has {tree.n_variables} variables and {len(tree.action_names)} actions, "
            f"{known.name} has {known.n_variables} and {known.n_actions}; give a policy for it"
        )
    return known


@lru_cache(maxsize=8)
def summary(tree: PolicyTree) -> tuple[Answer, ...]:
    """Return the first claim about the policy's own loop, if it has one, for the end of a run."""
    if not has_loop(tree):
        return ()
    return tuple(prove_loop(tree, seconds=FEW_SECONDS, first_only=True))


def has_loop(tree: PolicyTree) -> bool:
    """Whether the policy names a task whose loop can be proved."""
    return tree.task in PROVERS
