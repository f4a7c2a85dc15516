"""What is done with a policy file or an oracle: find its task, watch it, export it, compare it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

from numpy.typing import ArrayLike

from glasstree.episodes import Performance, Purpose, episode_seeds, evaluate
from glasstree.episodes.recording import record
from glasstree.errors import ExportError, OptionError
from glasstree.explain import (
    Explanation,
    Exported,
    Reading,
    agreement,
    checked_export,
    read,
)
from glasstree.explain import edit as change
from glasstree.explain import explain as explain_state
from glasstree.oracles import load_oracle, oracle_card, oracle_names
from glasstree.oracles.base import check_suits
from glasstree.oracles.files import read_oracle
from glasstree.policy import PolicyTree, load
from glasstree.policy.arrays import Policy
from glasstree.policy.document import dumps, write_atomically
from glasstree.tasks import Task, get_task, task_in_file


def policy_and_task(
    policy: str | None = None,
    oracle: str | None = None,
    task: str | None = None,
    trust: bool = False,
    **words: Any,
) -> tuple[Policy, Task, str]:
    """Return the policy of a file or an oracle, its task, and what to call it.

    Words are those of get_task, beside or instead of those that the file keeps.
    """
    if (policy is None) == (oracle is None):
        raise OptionError(
            "give either a policy file, such as runs/cartpole/policy.json, or --oracle"
        )
    name = oracle or str(policy)
    tree = load(name) if policy or name.endswith(".json") else None
    if task is not None:
        known = get_task(task, **words)
    elif tree is not None and tree.task is not None:
        known = task_of_policy(tree, trust, **words)
    else:
        own = None if tree is not None else _own_task(name)
        if own is None:
            raise OptionError(f"{name} does not name its task; say which with --task")
        known = task_in_file(own, trust or "module" in words, **words)
    if tree is None:
        return load_oracle(name, known, trust), known, name
    check_suits(tree, known, name)
    return tree, known, name


def task_of_policy(tree: PolicyTree, trust: bool = False, **words: Any) -> Task:
    """Return the task that a policy names, made and called as the policy keeps it."""
    said = {} if tree.plant is None else tree.plant.said()
    known = task_in_file(str(tree.task), trust or "module" in words, **{**said, **words})
    sizes = (tree.n_variables, len(tree.action_names))
    if tree.plant is None or sizes != (known.n_variables, known.n_actions):
        return known
    kept = {"names": tree.state_names, "actions": tree.action_names, "units": tree.units}
    told = {"names": "state_names"}
    return known.with_names(
        **{name: value for name, value in kept.items() if told.get(name, name) not in words}
    )


def watch(
    policy: Policy,
    task: str | Task,
    out: str | Path = "episode.gif",
    *,
    episodes: int = 1,
    seed: int = 0,
) -> list[float]:
    """Film episodes of a policy into an animated GIF; return their rewards."""
    if episodes < 1:
        raise OptionError(f"at least 1 episode is needed, got {episodes}")
    seeds = episode_seeds(Purpose.FINAL, seed, episodes)
    return record(policy, get_task(task), seeds, Path(out))


@overload
def explain(tree: PolicyTree, state: None = None) -> Reading: ...
@overload
def explain(tree: PolicyTree, state: ArrayLike) -> Explanation: ...
def explain(tree: PolicyTree, state: ArrayLike | None = None) -> Explanation | Reading:
    """Say what a policy does in one state and why; without a state, how each of its rules reads."""
    return read(tree) if state is None else explain_state(tree, state)


def export(
    tree: PolicyTree,
    format: str = "text",
    out: str | Path | None = None,
    *,
    precision: str = "double",
    states: int = 100_000,
) -> Exported:
    """Write a policy in another form, checked on states by running it where it can be run."""
    exported = checked_export(tree, format, precision, states)
    if out is not None:
        content = exported.content
        _write(out, content if isinstance(content, bytes) else content.encode())
    return exported


@dataclass(frozen=True)
class Edited:
    """A policy before and after a change: how often they agree, and what both are worth."""

    original: PolicyTree
    policy: PolicyTree
    agreement: float
    scores: tuple[Performance, Performance] | None

    def figures(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        scores = [None, None] if self.scores is None else [one.figures() for one in self.scores]
        return {"agreement": self.agreement, "original": scores[0], "edited": scores[1]}


def edit(
    tree: PolicyTree,
    changes: Sequence[str] = (),
    out: str | Path | None = None,
    *,
    original: PolicyTree | None = None,
    task: str | Task | None = None,
    trust: bool = False,
    episodes: int = 1000,
    seed: int = 0,
    **words: Any,
) -> Edited:
    """Change coefficients, thresholds or leaves; score the result beside the original.

    Changes look like "0.bias=0.3" or "2.action=left". Without a task nothing is scored; words are
    those of get_task.
    """
    if not changes and original is None:
        raise OptionError("say what to change with --set, or what to compare with by --original")
    after, before = change(tree, changes), original or tree
    scores = None
    if (task or after.task) is not None and episodes:
        played = get_task(task, **words) if task else task_of_policy(after, trust, **words)
        first, second = (
            evaluate(one, played, episodes=episodes, seed=seed) for one in (before, after)
        )
        scores = (first, second)
    if out is not None:
        _write(out, dumps(after).encode())
    return Edited(before, after, agreement(before, after), scores)


def _write(path: str | Path, content: bytes) -> None:
    """Write a file, all of it or nothing."""
    try:
        write_atomically(path, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ExportError(f"cannot write {str(path)!r}: {reason}; choose another --out") from None


def _own_task(name: str) -> str | None:
    if name.endswith(".npz"):
        return read_oracle(name)[1].task
    return oracle_card(name).task if name in oracle_names() else None
