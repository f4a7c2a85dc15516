"""The stage that makes the front: search, choose on fresh episodes, round, choose again."""

from collections.abc import Sequence
from functools import partial
from time import monotonic

from glasstree import progress
from glasstree.closedloop.front.archive import Entry, front_of
from glasstree.closedloop.front.exploration import Exploration
from glasstree.closedloop.front.rounding import rounded
from glasstree.closedloop.front.tuning import Games
from glasstree.closedloop.options import FrontOptions, ReoptimisationOptions
from glasstree.data.dataset import Dataset
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.errors import RunError
from glasstree.parallel import threaded_map
from glasstree.policy.tree import PolicyTree
from glasstree.runs import RunStore
from glasstree.runs.store import ARCHIVE, ROUNDED
from glasstree.tasks.base import Task

STAGE = "front"
SECONDS = 2.0


def explore(
    trees: Sequence[PolicyTree],
    data: Dataset,
    task: Task,
    options: FrontOptions,
    search: ReoptimisationOptions,
    seed: int,
    store: RunStore | None = None,
    workers: int = 1,
) -> list[PolicyTree]:
    """Return the best policy of each complexity, the least complex first.

    data are states with the oracle's actions: where a tree differs from it, it may be split.
    """
    store = store or RunStore()
    games = Games(task, options, search, seed, workers)
    exploration = Exploration(games, data, options, seed)
    _go_on(exploration, trees, store)
    progress.emit(progress.Stage(STAGE, total=options.steps))
    due = 0.0
    while not exploration.done:
        exploration.advance()
        best = max(entry.mean for entry in exploration.archive.entries())
        figures = {"policies": float(len(exploration.archive.front())), "best reward": best}
        progress.emit(progress.Advance(STAGE, min(exploration.steps, options.steps), figures))
        if monotonic() >= due:
            store.document(ARCHIVE, exploration.state())
            due = monotonic() + SECONDS
    store.document(ARCHIVE, exploration.state())
    chosen = choose([entry.tree for entry in exploration.archive.entries()], games)
    shorter = [
        store.policy(f"{ROUNDED}/{number:02d}.json", partial(rounded, entry.tree, games))
        for number, entry in enumerate(chosen)
    ]
    return [entry.tree for entry in choose(shorter, games)]


def choose(trees: Sequence[PolicyTree], games: Games) -> list[Entry]:
    """Return what is on the front over choosing episodes."""
    seeds = episode_seeds(Purpose.CHOOSE, games.seed, games.options.choosing_episodes)

    def entry(tree: PolicyTree) -> Entry:
        return Entry(tree, games.scores(tree, seeds)[0], tree.complexity)

    threads = 1 if games.task.simulator is None else games.threads
    return front_of(threaded_map(entry, trees, threads))


def _go_on(exploration: Exploration, trees: Sequence[PolicyTree], store: RunStore) -> None:
    saved = store.checkpoint(ARCHIVE)
    try:
        if saved is None:
            exploration.begin(trees)
        else:
            exploration.restore(saved)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise RunError(
            f"{store.folder}/{ARCHIVE} does not fit its run ({type(error).__name__}: {error}); "
            "remove it and go on with --resume"
        ) from None
