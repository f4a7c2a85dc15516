"""`distill_log`: rules from logs alone, judged by held-back episodes; nothing is played."""

from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from glasstree import progress
from glasstree.data.logs import Log, read_log
from glasstree.errors import OptionError, RunError
from glasstree.files.writing import write_json
from glasstree.openloop.classifier import NLDTClassifier
from glasstree.openloop.front import Front
from glasstree.policy import PolicyTree, save
from glasstree.policy.tree import Leaf, Node, Split, fold
from glasstree.report import Content, Stage, View, write_report
from glasstree.runs.store import PAGE

HELD_BACK = 4  # of so many episodes one is held back for the figures
MARGIN = 0.01  # of accuracy that the policy which is taken may lack
UNKNOWN = (
    "Nothing was played: these rules were learnt from a log alone. Not known are the reward that "
    "they get, whether they succeed, and where they lead to states that the log does not hold; "
    "one wrong action can do that. To know, run them where it is safe, or distill with the "
    "environment"
)


@dataclass(frozen=True)
class Logged:
    """The rules of a log: a front by accuracy on samples that its trees did not see.

    figures hold the accuracy on episodes that nothing else was done with.
    """

    policy: PolicyTree
    front: Front
    figures: dict[str, Any]
    unknown: str = UNKNOWN


def distill_log(
    data: str | Path,
    out: str | Path | None = None,
    *,
    depth: int | None = None,
    levels: int | None = None,
    pick: str | int = "default",
    seed: int = 0,
    state_names: list[str] | None = None,
    units: list[str] | None = None,
    overwrite: bool = False,
) -> Logged:
    """Learn rules from a log of states and actions, and write policy, figures and page to a folder.

    data: minari:ID, a folder of Minari, or a CSV, Parquet or NPZ file. Continuous actions are
    grouped into levels. One episode of four is held back for the final figure.
    """
    folder = None if out is None else Path(out)
    if folder is not None and (folder / "policy.json").exists() and not overwrite:
        raise RunError(f"{folder} holds a run; choose another --out, or replace it: --overwrite")
    progress.emit(progress.Stage("collect"))
    log = _named(read_log(str(data), levels), state_names, units)
    train, test = log.held_back(HELD_BACK, seed)
    started = perf_counter()
    classifier = NLDTClassifier(depth, front=True, digits=3, random_state=seed)
    classifier.fit(train.states, train.actions)
    rows = [_in_words(row.tree, log, classifier.classes_) for row in classifier.front_]
    front = Front(
        tuple(replace(row, tree=tree) for row, tree in zip(classifier.front_, rows, strict=True))
    )
    policy = _picked(front, pick)
    figures = {
        "data": str(data),
        "seed": seed,
        "train_accuracy": _accuracy(policy, train),
        "test_accuracy": _accuracy(policy, test),
        "states": len(train.states),
        "held_back_states": len(test.states),
        **policy.sizes,
        "seconds": perf_counter() - started,
        "unknown": UNKNOWN,
    }
    found = Logged(policy, front, figures)
    if folder is not None:
        _write(found, log, folder)
    return found


def _named(log: Log, names: list[str] | None, units: list[str] | None) -> Log:
    count = len(log.state_names)
    for what, given in (("names", names), ("units", units)):
        if given is not None and len(given) != count:
            raise OptionError(f"{count} variables need as many {what}, got {len(given)}")
    return replace(
        log,
        state_names=log.state_names if names is None else tuple(names),
        units=log.units if units is None else tuple(units),
    )


def _in_words(tree: PolicyTree, log: Log, classes: Any) -> PolicyTree:
    """Return a tree of the classifier in the words of the log, with all of its actions."""
    count = len(log.action_names)

    def counts(old: tuple[float, ...]) -> tuple[float, ...]:
        whole = np.zeros(count)
        whole[classes[: len(old)]] = old
        return tuple(whole.tolist()) if old else ()

    def leaf(node: Leaf) -> Node:
        return Leaf(int(classes[node.action]), counts(node.counts))

    def split(node: Split, left: Node, right: Node) -> Node:
        return Split(node.rule, left, right, counts(node.counts))

    return PolicyTree(
        fold(tree.root, leaf, split),
        tree.scaling,
        log.state_names,
        log.action_names,
        log.units,
        log.task,
        plant=log.plant,
    )


def _picked(front: Front, pick: str | int) -> PolicyTree:
    """Return the most accurate tree, the simplest, or the simplest that is nearly as accurate."""
    best = front[-1]
    if pick == "best":
        return best.tree
    if pick == "simplest":
        return front[0].tree
    if pick != "default":
        return front.pick(float(pick)).tree
    bar = best.accuracy - MARGIN
    return next(row for row in front if row.accuracy >= bar).tree


def _accuracy(tree: PolicyTree, log: Log) -> float:
    return float((tree.actions(log.states) == log.actions).mean())


def _write(found: Logged, log: Log, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    save(found.policy, folder / "policy.json")
    rows = [
        {"complexity": row.complexity, "accuracy": row.accuracy, "rules": row.rules}
        for row in found.front
    ]
    write_json(folder / "metrics.json", {**found.figures, "front": rows})
    content = Content(
        name=log.task or Path(found.figures["data"]).name,
        title="rules from a log",
        policy=found.policy,
        stages=(Stage("chosen", found.policy),),
        front=tuple(View(f"{row.complexity} symbols", row.tree) for row in found.front),
        agreement=found.figures["test_accuracy"],
        seconds=found.figures["seconds"],
        unknown=found.unknown,
    )
    write_report(content, folder / PAGE)
