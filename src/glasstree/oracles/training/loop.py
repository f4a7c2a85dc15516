"""Train in rounds: score, keep the best, write a checkpoint, and resume from one."""

import io
import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from glasstree import progress
from glasstree.errors import OracleError
from glasstree.oracles.files import Card, read_arrays, read_oracle, save_oracle
from glasstree.oracles.network import NetworkOracle
from glasstree.oracles.tiles import TileOracle
from glasstree.oracles.training.options import Options, Training
from glasstree.oracles.training.recipes import recipe
from glasstree.policy.arrays import Policy
from glasstree.policy.document import write_atomically
from glasstree.tasks.base import Task

ROUNDS = 25  # in which a training is scored; the best of them is kept
Trained = NetworkOracle | TileOracle


def train(
    task: Task,
    score: Callable[[Policy], float],
    *,
    seed: int = 0,
    options: Options | None = None,
    folder: Path | None = None,
) -> tuple[Trained, Card]:
    """Train an oracle and return the best round's, as judged by score, with its card.

    folder keeps checkpoints; a training that finds its own there goes on from it.
    """
    options = options or recipe(task)
    training = options.start(task, seed)
    fingerprint = {"task": task.name, "seed": seed, **asdict(options)}  # type: ignore[call-overload]
    best, best_score = _resume(training, folder, fingerprint)
    name = f"training {task.name}"
    progress.emit(progress.Stage(name, total=options.total_steps))
    while training.steps < options.total_steps:
        training.advance(max(options.total_steps // ROUNDS, 1))
        present = training.oracle()
        value = score(present)
        if best is None or value >= best_score:
            best, best_score = (present, training.steps), value
        _keep(training, folder, fingerprint, best, best_score)
        figures = {"mean reward": value, "best": best_score}
        progress.emit(progress.Advance(name, training.steps, figures))
    assert best is not None
    return best[0], _card(task, options, best[1], seed)


def _card(task: Task, options: Any, steps: int, seed: int) -> Card:
    chosen = json.loads(json.dumps(asdict(options)))
    today = date.today().isoformat()
    return Card(task.name, options.algorithm, chosen, steps, seed, today)


def _keep(
    training: Training,
    folder: Path | None,
    fingerprint: dict[str, Any],
    best: tuple[Trained, int],
    best_score: float,
) -> None:
    if folder is None:
        return
    card = Card(fingerprint["task"], "", {}, best[1], fingerprint["seed"], "")
    save_oracle(best[0], card, folder / "best.npz")
    buffer = io.BytesIO()
    label = json.dumps({"fingerprint": fingerprint, "best_score": best_score})
    np.savez(buffer, label=np.array(label), **training.state())
    write_atomically(folder / "checkpoint.npz", buffer.getvalue())


def _resume(
    training: Training, folder: Path | None, fingerprint: dict[str, Any]
) -> tuple[tuple[Trained, int] | None, float]:
    if folder is None or not (folder / "checkpoint.npz").exists():
        return None, -np.inf
    try:
        state = read_arrays(folder / "checkpoint.npz")
        label = json.loads(str(state.pop("label")[()]))
        same = label["fingerprint"] == json.loads(json.dumps(fingerprint))
    except (ValueError, KeyError) as error:
        raise OracleError(f"the checkpoint in {folder} is damaged ({error}); delete it") from None
    if not same:
        raise OracleError(
            f"{folder} holds a training with another task, seed or options; choose another --out"
        )
    training.restore(state)
    oracle, card = read_oracle(folder / "best.npz")
    return (oracle, card.steps), float(label["best_score"])
