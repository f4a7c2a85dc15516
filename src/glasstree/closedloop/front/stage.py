"""The stage that makes the front: search, choose on fresh episodes, round, choose again.

docs/algorithm.md, section 11.
"""

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic

from glasstree import progress
from glasstree.closedloop.front.archive import Entry, front_of
from glasstree.closedloop.front.choice import Front, RandomActions, Row, bar, front_from, worth
from glasstree.closedloop.front.exploration import Exploration
from glasstree.closedloop.front.pairs import find_lines
from glasstree.closedloop.front.plainer import merged, without_idle_sides
from glasstree.closedloop.front.rounding import rounded
from glasstree.closedloop.front.tuning import Games
from glasstree.closedloop.options import FrontOptions, ReoptimisationOptions
from glasstree.closedloop.reengineering import recount
from glasstree.data.collection import visited_states
from glasstree.data.dataset import Dataset
from glasstree.episodes.evaluation import Performance, evaluate
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.errors import RunError
from glasstree.formats.text import first_rule
from glasstree.openloop.pruning import simplify
from glasstree.policy.arrays import Policy
from glasstree.policy.tree import PolicyTree
from glasstree.runs.store import ARCHIVE, FRONT, FRONT_FIGURES, ROUNDED, RunStore
from glasstree.tasks.base import Task

STAGE = "front"
SETTLED = "the best policy succeeds in every episode with the same reward: the search ends early"
SECONDS = 2.0  # between two checkpoints, at least
VISITED = 4000  # states, at least, that show which branches a tree never takes
PERCENT = 100  # the budget is steps: far more than progress can show


def explore(
    first: Callable[[], Sequence[PolicyTree]],
    data: Dataset,
    task: Task,
    oracle: Policy,
    options: FrontOptions,
    search: ReoptimisationOptions,
    episodes: int,
    seed: int,
    store: RunStore | None = None,
    more: Callable[[], Sequence[PolicyTree]] = tuple,
) -> Front:
    """Return the best policy of each complexity, scored on choosing and on unseen episodes.

    first makes the trees to begin with, where nothing is kept yet, more those that must not be
    behind them. data are states with the oracle's actions: where a tree differs from it, it may be
    split.
    """
    store = store or RunStore()
    known = store.checkpoint(FRONT_FIGURES)
    if known is not None:
        sizes = [row["complexity"] for row in known["policies"]]
        return front_from(known, [store.policy(_file(size), _missing) for size in sizes])
    games = Games(task.for_training, options, search, seed)
    found = search_front(first, data, games, store, more)
    kept = [store.policy(_file(tree.complexity), partial(_same, tree)) for tree in found]
    front = scored(kept, oracle, task, games, episodes)
    store.document(FRONT_FIGURES, front.figures())
    return front


def search_front(
    first: Callable[[], Sequence[PolicyTree]],
    data: Dataset,
    games: Games,
    store: RunStore,
    more: Callable[[], Sequence[PolicyTree]] = tuple,
) -> list[PolicyTree]:
    """Return the best policy of each complexity over choosing episodes, its numbers rounded."""
    exploration = Exploration(games, data, games.options, games.seed)
    _go_on(exploration, first, more, store)
    progress.emit(progress.Stage(STAGE, total=PERCENT))
    due = 0.0
    while not exploration.done:
        exploration.advance()
        _tell(exploration)
        if monotonic() >= due:
            store.document(ARCHIVE, exploration.state())
            due = monotonic() + SECONDS
    if exploration.settled and exploration.steps < games.options.steps:
        progress.emit(progress.Note(SETTLED))
    store.document(ARCHIVE, exploration.state())
    archive = exploration.archive
    held = [entry.tree for entry in archive.contenders()]
    chosen = choose([*held, *(trimmed(entry.tree, games) for entry in archive.front())], games)
    shorter = [
        store.policy(f"{ROUNDED}/{number:02d}.json", partial(rounded, entry.tree, games))
        for number, entry in enumerate(chosen)
    ]
    return [entry.tree for entry in choose(shorter, games)]


def choose(trees: Sequence[PolicyTree], games: Games) -> list[Entry]:
    """Return the trees that are on the front over choosing episodes."""
    seeds = episode_seeds(Purpose.CHOOSE, games.seed, games.options.choosing_episodes)

    def entry(tree: PolicyTree) -> Entry:
        return Entry(tree, games.scores(tree, seeds)[0], tree.complexity)

    return front_of(games.side_by_side(entry, trees))


def trimmed(tree: PolicyTree, games: Games) -> PolicyTree:
    """Return the tree without what its own control never visits."""
    states = visited_states(tree, games.task, games.seed, VISITED)
    visited = merged(simplify(recount(tree, states), 1.0))
    return without_idle_sides(visited, states)


def scored(
    trees: Sequence[PolicyTree], oracle: Policy, task: Task, games: Games, episodes: int
) -> Front:
    """Score the front on choosing and on unseen episodes, and set the bar for the choice."""
    seed, search = games.seed, games.search

    def chosen(policy: Policy) -> Performance:
        count = games.options.choosing_episodes
        return evaluate(policy, games.task, episodes=count, seed=seed, purpose=Purpose.CHOOSE)

    def row(tree: PolicyTree) -> Row:
        choosing = chosen(tree)
        unseen = evaluate(tree, task, episodes=episodes, seed=seed)
        return Row(tree, choosing, unseen, worth(choosing, search))

    rows = tuple(games.side_by_side(row, trees))
    best = max(rows, key=lambda row: row.worth).choosing
    random = chosen(RandomActions(task.n_actions, seed))
    return Front(rows, bar(best, chosen(oracle), random, search), search.objective)


def _go_on(
    exploration: Exploration,
    first: Callable[[], Sequence[PolicyTree]],
    more: Callable[[], Sequence[PolicyTree]],
    store: RunStore,
) -> None:
    games = exploration.games
    with store.restoring(ARCHIVE) as saved:
        if saved is not None:
            exploration.restore(saved)
            return
    trees = first()
    lines: list[PolicyTree] = []
    if games.options.lines and trees[0].n_rules:
        wanted = games.options.lines
        lines = find_lines(trees[0], games.task, games.search, games.seed, wanted, store)
    exploration.begin(trees, lines)
    exploration.offer(more())


def _tell(exploration: Exploration) -> None:
    front, budget = exploration.archive.front(), exploration.options.steps
    figures = {"policies": float(len(front)), "best reward": front[-1].mean}
    done = min(PERCENT, PERCENT * exploration.steps // budget)
    progress.emit(progress.Advance(STAGE, done, figures))
    if progress.anybody_listens():
        rows = ((entry.complexity, entry.mean, first_rule(entry.tree)) for entry in front)
        progress.emit(progress.Found(tuple(rows)))


def _file(complexity: int) -> str:
    return f"{FRONT}/{complexity:03d}.json"


def _same(tree: PolicyTree) -> PolicyTree:
    return tree


def _missing() -> PolicyTree:
    raise RunError("a policy of the front is missing; remove front.json and go on with --resume")
