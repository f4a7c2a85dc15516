"""Logs instead of a simulator: states and actions from Minari, CSV, Parquet or NPZ files."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from glasstree.data.levels import grouped
from glasstree.errors import DataError, MissingExtraError
from glasstree.files.archive import read_archive
from glasstree.policy.arrays import Floats, Ints, checked_states
from glasstree.policy.sources.levels import level_names
from glasstree.policy.sources.plant import Plant
from glasstree.tables.reading import read_content
from glasstree.tasks.own.actions import nearest
from glasstree.tasks.own.observations import layout_of

MINARI = "minari:"
KINDS = ("dagger", "regular", "balanced")  # of states that are collected
SUFFIXES = (".csv", ".parquet", ".pq", ".npz")
EPISODE = "episode"
CONTROL = re.compile(r"action[\[_. ]?(.+?)\]?")  # a column of a continuous action
LEVELS = 5  # of continuous actions, where nothing is said: no episode tells how many pay
MOST_LABELS = 50  # different numbers in one column of actions that are still labels


@dataclass(frozen=True, eq=False)
class Log:
    """States (n, variables), what was done in each (n,) by number, and the episode of each (n,)."""

    states: Floats
    actions: Ints
    episodes: Ints
    state_names: tuple[str, ...]
    action_names: tuple[str, ...]
    units: tuple[str, ...] = ()
    task: str | None = None
    plant: Plant | None = None

    def held_back(self, share: int, seed: int) -> tuple["Log", "Log"]:
        """Part whole episodes, or rows where there is one episode: most, and one of so many."""
        names = np.unique(self.episodes)
        parts = self.episodes if len(names) >= 2 * share else np.arange(len(self.states))
        names = np.unique(parts)
        chosen = np.random.default_rng(seed).permutation(names)[: max(1, len(names) // share)]
        apart = np.isin(parts, chosen)
        return self._of(~apart), self._of(apart)

    def _of(self, rows: Any) -> "Log":
        kept = (self.states[rows], self.actions[rows], self.episodes[rows])
        return replace(self, states=kept[0], actions=kept[1], episodes=kept[2])


def is_log(data: str | None) -> bool:
    """Tell whether training data are a log, by name.

    A folder that is called like a kind of data is none.

    >>> is_log("minari:D4RL/door/human-v2"), is_log("log.csv"), is_log("dagger"), is_log(None)
    (True, True, False, False)
    """
    if data is None or data in KINDS:
        return False
    return data.startswith(MINARI) or Path(data).suffix.lower() in SUFFIXES or Path(data).is_dir()


def read_log(spec: str, levels: int | None = None) -> Log:
    """Read a log: minari:ID, a folder of Minari, or a CSV, Parquet or NPZ file."""
    path = Path(spec)
    if spec.startswith(MINARI) or path.is_dir():
        return _minari(spec, levels)
    if path.suffix.lower() == ".npz":
        return _arrays(path, levels)
    return _table(path, levels)


def made(
    states: Any,
    actions: Any,
    names: tuple[str, ...],
    levels: int | None,
    *,
    labels: tuple[str, ...] | None = None,
    controls: tuple[str, ...] | None = None,
    **words: Any,
) -> Log:
    """Return a log of states and actions: labels by number, or vectors that are grouped."""
    array = checked_states(states, len(names))
    done = np.asarray(actions)
    if len(done) != len(array) or len(array) < 2:
        raise DataError(f"{len(array)} states came with {len(done)} actions")
    if done.dtype.kind in "biu" and done.ndim == 1:
        numbers, codes = np.unique(done, return_inverse=True)
        known = labels or tuple(map(str, numbers.tolist()))
        if labels is not None and not 0 <= numbers.min() <= numbers.max() < len(labels):
            raise DataError(f"actions go to {numbers.max()}, but {len(labels)} are named")
        return Log(array, codes if labels is None else done.astype(np.int64), action_names=known,
                   state_names=names, **words)  # fmt: skip
    vectors = done.reshape(len(done), -1).astype(np.float64)
    if not np.isfinite(vectors).all():
        raise DataError("an action of the log is not finite; take its row out")
    low, high = vectors.min(axis=0), vectors.max(axis=0)
    bounds = (tuple(low.tolist()), tuple(np.where(high > low, high, low + 1.0).tolist()))
    found = grouped(vectors, levels or LEVELS, bounds)
    chosen = nearest(vectors, found, np.ptp(np.array(bounds), axis=0))
    plant = Plant(
        levels=found.tolist(),
        bounds=[list(end) for end in bounds],
        controls=list(controls) if controls else None,
    )
    called = level_names(found.tolist(), controls)
    return Log(array, chosen, state_names=names, action_names=called, plant=plant, **words)


def _arrays(path: Path, levels: int | None) -> Log:
    try:
        arrays = read_archive(path)
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {str(path)!r}: {error}") from None
    states = arrays.get("states", arrays.get("observations"))
    if states is None or "actions" not in arrays:
        raise DataError(f"{path} needs the arrays 'states' (or 'observations') and 'actions'")
    states = states.reshape(len(states), -1)
    names = arrays.get("state_names", np.array([f"x{j}" for j in range(states.shape[1])]))
    labels = arrays.get("action_names")
    episodes = arrays.get("episodes", np.zeros(len(states), dtype=np.int64))
    called = None if labels is None else tuple(map(str, labels))
    whole = arrays["actions"].dtype.kind in "biu"
    named = {"labels" if whole else "controls": called}
    return made(
        states, arrays["actions"], tuple(map(str, names)), levels, episodes=episodes, **named
    )


def _table(path: Path, levels: int | None) -> Log:
    """Read a CSV or Parquet file: columns action or action[...], perhaps episode, and the state."""
    content = read_content(path)
    alone = "action" in content.names
    parts = {
        name: found[1]
        for name in content.names
        if not alone and (found := CONTROL.fullmatch(name)) is not None
    }
    if not alone and not parts:
        raise DataError(
            f"{path} has no column 'action', nor columns such as 'action[torque]'; name what was "
            "done so"
        )
    taken = ("action", EPISODE, *parts)
    names = tuple(name for name in content.names if name not in taken)
    if not names:
        raise DataError(f"{path} has no column for the state beside {', '.join(taken)}")
    states = np.column_stack([_numbers(path, content, name) for name in names])
    episodes = np.zeros(len(states), dtype=np.int64)
    if EPISODE in content.names:
        episodes = np.unique(content.texts(EPISODE), return_inverse=True)[1]
    if parts:
        vectors = np.column_stack([_numbers(path, content, name) for name in parts])
        controls = tuple(parts.values())
        return made(states, vectors, names, levels, controls=controls, episodes=episodes)
    words = content.labels("action")
    labels, codes = np.unique(words, return_inverse=True)
    if len(labels) > MOST_LABELS:
        values = _numbers(path, content, "action")
        return made(states, values, names, levels, controls=("action",), episodes=episodes)
    called = tuple(map(str, labels))
    return made(states, codes, names, levels, labels=called, episodes=episodes)


def _numbers(path: Path, content: Any, name: str) -> Floats:
    column = content.column(name, "number")
    values = np.asarray(column.values, dtype=np.float64)
    if not np.isfinite(values).all():
        raise DataError(f"{path}: column {name!r} has a gap; fill it in, or take the row out")
    return values


def _minari(spec: str, levels: int | None) -> Log:
    try:
        import minari
    except ImportError:
        raise MissingExtraError("a Minari dataset", "minari") from None
    try:
        if spec.startswith(MINARI):
            dataset = minari.load_dataset(spec.removeprefix(MINARI), download=True)
        else:
            place = Path(spec)
            dataset = minari.MinariDataset(place / "data" if (place / "data").is_dir() else place)
    except Exception as error:
        raise DataError(f"cannot read the Minari dataset {spec!r}: {error}") from None
    layout = layout_of(dataset.observation_space)
    states, actions, episodes = [], [], []
    for number, episode in enumerate(dataset.iterate_episodes()):
        count = len(episode.actions)
        rows = (_row(episode.observations, at) for at in range(count))
        states += [layout.vector(row) for row in rows]
        actions.append(np.asarray(episode.actions))
        episodes += [number] * count
    spec_of = getattr(dataset, "env_spec", None)
    return made(
        np.array(states),
        np.concatenate(actions),
        layout.names,
        levels,
        episodes=np.array(episodes, dtype=np.int64),
        units=layout.units,
        task=None if spec_of is None else spec_of.id,
    )


def _row(observations: Any, at: int) -> Any:
    """Return one observation of an episode, whose parts Minari keeps one beside the other."""
    if isinstance(observations, dict):
        return {name: _row(part, at) for name, part in observations.items()}
    if isinstance(observations, tuple):
        return tuple(_row(part, at) for part in observations)
    return observations[at]
