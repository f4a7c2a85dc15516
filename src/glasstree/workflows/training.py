"""`train_oracle`: train a black box, score it on unseen episodes, and write it."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec

from glasstree.episodes import Purpose, evaluate
from glasstree.errors import OptionError
from glasstree.oracles import Card, Score
from glasstree.oracles.choosing import choosing
from glasstree.oracles.files import save_oracle
from glasstree.oracles.training import Options, recipe, train
from glasstree.policy.arrays import Policy
from glasstree.tasks import Task, get_task

CHOICE_EPISODES = 200  # on which the rounds of a training are compared


def train_oracle(
    task: str | Task,
    out: str | Path | None = None,
    *,
    steps: int | None = None,
    options: Options | None = None,
    episodes: int = 1000,
    seed: int = 0,
    overwrite: bool = False,
) -> tuple[Path, Card]:
    """Train an oracle by its task's recipe; return where it was written, and its card.

    The same call goes on with a training that was stopped.
    """
    task = get_task(task).free
    path = Path(out) if out is not None else usual_path(task)
    if path.suffix != ".npz":
        raise OptionError(f"{path}: oracles are written as .npz")
    if path.exists() and not overwrite:
        raise OptionError(f"{path} exists; choose another --out, or replace it with --overwrite")
    options = options or recipe(task)
    if steps is not None and steps < 1:
        raise OptionError(f"at least 1 step is needed, got {steps}")
    if steps is not None:
        options = replace(options, total_steps=steps)  # type: ignore[type-var]

    def choose(policy: Policy) -> float:
        purpose = Purpose.CHOOSE
        count = CHOICE_EPISODES if task.simulator else CHOICE_EPISODES // 4
        found = evaluate(choosing(policy, task), task, episodes=count, seed=seed, purpose=purpose)
        return found.mean_reward

    folder = path.with_suffix(".training")
    oracle, card = train(task, choose, seed=seed, options=options, folder=folder)
    found = evaluate(choosing(oracle, task), task, episodes=episodes, seed=seed)
    score = Score(found.mean_reward, found.episode_sd, found.success_rate, found.episodes)
    card = msgspec.structs.replace(card, score=score)
    save_oracle(oracle, card, path)
    shutil.rmtree(folder)
    return path, card


def usual_path(task: Task) -> Path:
    """Return the default file of a task's oracle."""
    return Path("oracles") / (re.sub(r"[^-.\w]+", "_", task.name) + ".npz")
