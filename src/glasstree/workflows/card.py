"""`card`: one Markdown page about a finished run, in the form that model hubs use."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from glasstree import __version__
from glasstree.files.writing import write_atomically
from glasstree.formats import to_text
from glasstree.formats.shared.names import visible
from glasstree.formats.text import limits
from glasstree.policy.tree import PolicyTree
from glasstree.prove import summary
from glasstree.runs.measured import held_in
from glasstree.runs.store import CONFIG
from glasstree.tasks.own.variations import in_words
from glasstree.workflows.run import Run, open_run

CARD = "card.md"


def card(run: str | Path | Run, out: str | Path | None = None) -> Path:
    """Write the card of a run: rules, figures, proofs, limits, and how to make it again."""
    opened = run if isinstance(run, Run) else open_run(run)
    path = Path(out) if out is not None else opened.folder / CARD
    write_atomically(path, written(opened).encode())
    return path


def written(run: Run) -> str:
    """Return the card of a run as Markdown."""
    figures, policy = run.metrics, run.policy
    parts = [
        _header(run, figures),
        f"# {visible(run.task)}: {_counted(policy.n_rules, 'rule')} instead of a black box",
        f"```text\n{to_text(policy).strip()}\n```",
        "## What it does",
        "\n".join(_control(run, figures)),
        "## What is proved",
        _proved(policy),
        "## Where it holds",
        "\n".join([*_validity(policy), *_elsewhere(run)]),
        "## How to make it again",
        "```sh\n"
        f"python -m pip install glasstree=={__version__}\n"
        f"glasstree run --config {CONFIG} --out again\n"
        "```",
        f"`{CONFIG}` is that of the run; all chances hang on its seed. SHA-256 of the policy:\n"
        f"`{_digest(run)}`.",
    ]
    return "\n\n".join(parts) + "\n"


def _header(run: Run, figures: Mapping[str, Any]) -> str:
    """Write the metadata that hubs read; JSON strings are YAML strings."""
    name = json.dumps(run.task)
    return (
        "---\nlibrary_name: glasstree\ntags:\n- reinforcement-learning\n- interpretable\n"
        f"model-index:\n- name: {name}\n  results:\n  - task:\n      type: reinforcement-learning\n"
        f"    dataset:\n      name: {name}\n      type: {name}\n    metrics:\n"
        f"    - type: mean_reward\n      value: {figures['mean_reward']:.6g}\n---"
    )


def _control(run: Run, figures: Mapping[str, Any]) -> Iterator[str]:
    yield f"The oracle is `{visible(run.oracle)}`. Over {figures['episodes']:,} unseen episodes:\n"
    yield "| policy | mean reward | 95 % interval | deviation of an episode | success |"
    yield "|---|---|---|---|---|"
    stages = figures["stages"]
    for name in ("oracle", list(stages)[-1]):
        yield _row("the oracle" if name == "oracle" else "these rules", stages[name])
    agreement = 100 * figures["test_accuracy"]
    size = f"{figures['complexity']} symbols, {_counted(figures['rules'], 'rule')}"
    yield f"\nSize as it is printed: {size}. The first tree does what the oracle does in"
    yield f"{agreement:.1f} % of held-back states; the search then went where reward led it."


def _row(name: str, found: Mapping[str, Any]) -> str:
    low, high = found["ci95"]
    success = "-" if found["success_rate"] is None else f"{100 * found['success_rate']:.2f} %"
    return (
        f"| {name} | {found['mean_reward']:,.2f} | {low:,.2f} to {high:,.2f} "
        f"| {found['episode_sd']:,.2f} | {success} |"
    )


def _proved(policy: PolicyTree) -> str:
    found = [f"- {answer.verdict}: {answer.claim}" for answer in summary(policy)]
    return "\n".join(found) or "Nothing: the task's dynamics are not known to the program."


def _validity(policy: PolicyTree) -> Iterator[str]:
    yield "Rules and figures are of states like those that training met:\n"
    ranges = zip(policy.scaling.minimum, policy.scaling.maximum, strict=True)
    for name, unit, (low, high) in zip(policy.state_names, policy.units, ranges, strict=True):
        yield f"- {visible(name)}: {low:.4g} to {high:.4g} {visible(unit)}".rstrip()
    if limits(policy):
        yield "\nA rule with powers limits what is further out than half a range beyond these."
    vary = policy.plant and policy.plant.train_vary
    if vary:
        yield f"\nIt was tuned over {visible(in_words(vary))}; the figures are of the plain plant."


def _elsewhere(run: Run) -> Iterator[str]:
    """Tell what was measured where things are not as they were."""
    found = held_in(run.folder)
    if not found:
        yield "\nNothing is said of other plants, sensors that fail, or another step length."
        return
    yield "\nWhere things are not as they were:\n"
    yield "| policy | made worse | arguments | episodes | mean reward | success |"
    yield "|---|---|---|---|---|---|"
    for one in found:
        vary = visible(in_words(one.vary)) or "-"
        rewards = [figures["mean_reward"] for figures in one.figures]
        shares = [figures["success_rate"] for figures in one.figures]
        success = "-" if None in shares else _from_to([100 * share for share in shares], " %")
        yield (
            f"| {visible(one.policy)} | {one.worse or '-'} | {vary} | {one.episodes:,} "
            f"| {_from_to(rewards)} | {success} |"
        )


def _from_to(values: Sequence[float], unit: str = "") -> str:
    """Write the least and the largest of some figures."""
    low, high = f"{min(values):,.2f}{unit}", f"{max(values):,.2f}{unit}"
    return low if low == high else f"{low} to {high}"


def _digest(run: Run) -> str:
    return hashlib.sha256((run.folder / "policy.json").read_bytes()).hexdigest()


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
