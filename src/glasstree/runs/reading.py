"""What the folder of a run holds, read as data: nothing that a file names is executed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from glasstree.errors import RunError
from glasstree.files.archive import read_archive
from glasstree.policy import PolicyTree, load
from glasstree.policy.arrays import Floats
from glasstree.runs.shapes import (
    Config,
    Curve,
    FrontFigures,
    Metrics,
    checked,
    read_config,
    read_json,
)
from glasstree.runs.store import CONFIG, CURVE, FRONT, FRONT_FIGURES, METRICS, REWARDS

if TYPE_CHECKING:
    from glasstree.episodes import Performance

STAGES = {
    "open loop": "open_loop.json",
    "closed loop": "closed_loop.json",
    "re-engineered": "reengineered.json",
    "chosen": "policy.json",
}


def config_of(folder: Path) -> Config:
    """Return what a run is about."""
    config = read_config(folder / CONFIG)
    if config is None:
        raise RunError(f"{folder} holds no run; make one with glasstree run TASK --out {folder}")
    return checked(config, Config, folder / CONFIG)


def policies_of(folder: Path) -> dict[str, PolicyTree]:
    """Return the policy of each stage that is finished."""
    found = {name: load(folder / file) for name, file in STAGES.items() if (folder / file).exists()}
    if not (folder / FRONT_FIGURES).exists():
        found.pop("chosen", None)  # it is the stage before, where no front was asked for
    return found


def metrics_of(folder: Path) -> dict[str, Any]:
    """Return the figures of a finished run; none if it has not come to its end."""
    path = folder / METRICS
    found: dict[str, Any] = _intact(path, Metrics) if path.exists() else {}
    return found


def front_of(folder: Path) -> tuple[dict[str, Any], list[PolicyTree]] | None:
    """Return the figures of the front and its policies; nothing if there is none yet."""
    path = folder / FRONT_FIGURES
    if not path.exists():
        return None
    figures: dict[str, Any] = _intact(path, FrontFigures)
    sizes = [row["complexity"] for row in figures["policies"]]
    return figures, [load(folder / f"{FRONT}/{size:03d}.json") for size in sizes]


def curve_of(folder: Path) -> dict[str, list[float]]:
    """Return the best and the mean reward of each closed-loop generation."""
    path = folder / CURVE
    found: dict[str, list[float]] = _intact(path, Curve) if path.exists() else {}
    return {"best": [], "mean": [], **found}


def rewards_of(folder: Path) -> dict[str, Floats]:
    """Return the rewards of the single episodes behind the figures of each stage."""
    path = folder / REWARDS
    if not path.exists():
        return {}
    try:
        arrays = read_archive(path)
        if not all(array.ndim == 1 and array.dtype.kind in "fiu" for array in arrays.values()):
            raise ValueError("it holds other things than rows of numbers")
    except (OSError, ValueError) as error:
        raise RunError(_way_out(f"{path} is damaged: {error}", path)) from None
    return {name: array.astype(np.float64) for name, array in arrays.items()}


def finished(
    folder: Path | None, names: Sequence[str], sizes: Mapping[str, Any]
) -> "tuple[dict[str, Performance], float] | None":
    """Return the figures of a finished run and its seconds, if it scored these and no others.

    sizes are those of its final policy. Rewards of single episodes are those behind the figures; of
    a policy that was picked later there are none.
    """
    from glasstree.episodes import Performance

    if folder is None or not (folder / METRICS).exists():
        return None
    metrics, rewards = metrics_of(folder), rewards_of(folder)
    stages, known = metrics.get("stages", {}), set(rewards)
    same = all(metrics.get(name) == value for name, value in sizes.items())
    if (
        list(stages) != list(names)
        or not set(names) <= known
        or "seconds" not in metrics
        or not same
    ):
        return None
    found = {}
    for name, figures in stages.items():
        kept = rewards[name]
        kept = kept if float(kept.mean()) == figures["mean_reward"] else np.empty(0)
        found[name] = Performance(**{**figures, "ci95": tuple(figures["ci95"])}, rewards=kept)
    return found, float(metrics["seconds"])


def _intact(path: Path, shape: Any) -> Any:
    try:
        return read_json(path, shape)
    except RunError as error:
        raise RunError(_way_out(str(error), path)) from None


def _way_out(what: str, path: Path) -> str:
    return f"{what}; remove {path} and go on with --resume"
