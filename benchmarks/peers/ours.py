"""glasstree as a contender: the front of one default run a seed, and what it has after seconds."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from glasstree.episodes import Purpose, evaluate
from glasstree.episodes.compiled import CompiledEpisodes
from glasstree.parallel import using_workers
from glasstree.pipeline import run_stages
from glasstree.policy import PolicyTree
from glasstree.policy.document import loads
from glasstree.runs.reading import metrics_of
from glasstree.runs.store import ARCHIVE, RunStore
from glasstree.tasks import Task, get_task
from glasstree.workflows.distillation import Plan, distill, make_plan
from glasstree.workflows.run import Run, open_run

from .cells import Contest, Figures
from .measure import counting, looks, worth
from .notes import is_noted
from .origins import run_code
from .readable import Readable
from .rivals import CONTINUOUS

MOMENTS = (1, 3, 10, 30, 100)  # seconds of the processor
JUDGED = 300  # choosing episodes that tell which policy of a moment is the best
GIVEN = "own"  # the kind of data of a run: it makes its own


@dataclass(frozen=True)
class Found:
    """A finished run; known: whether it is by this code; seconds of the processor, if known."""

    run: Run
    known: bool
    seconds: float | None = None


def run_of(folders: Sequence[Path], name: str, seed: int, anew: bool = False) -> Found:
    """Return a finished default run.

    A finished run in any of the folders will do, but anew only one with a note of this code; else
    it is made, or resumed, below the last folder.
    """
    folder = f"{name}-default-{seed}"
    for place in (given / folder for given in folders[:-1]):
        if (place / "metrics.json").exists() and (is_noted(place, name) or not anew):
            return Found(open_run(place), is_noted(place, name))
    place = folders[-1] / run_code(name) / folder
    if (place / "metrics.json").exists():
        return Found(open_run(place), True)
    begun, started = (place / "config.toml").exists(), process_time()
    words: dict[str, Any] = {"resume": True} if begun else said(name, seed)
    distill(out=place, workers=1, progress=False, **words)
    return Found(open_run(place), True, None if begun else process_time() - started)


def said(name: str, seed: int) -> dict[str, Any]:
    """Return what a user says; where Gymnasium plays, a tenth of the usual steps must do."""
    words: dict[str, Any] = {"task": name, "seed": seed}
    return {**words, "effort": "quick"} if name in CONTINUOUS else words


def front(cell: Contest, folders: Sequence[Path], anew: bool = False) -> Figures:
    """Return every policy of the front of a run as a mark, and the tree before its closed loop."""
    found, task = run_of(folders, cell.task, cell.seed, anew), get_task(cell.task)
    run, rows = found.run, found.run.front
    assert rows is not None
    marks = [{**mark(row.policy, task, cell.seed), "choosing": row.worth} for row in rows]
    figures: Figures = {
        "front": marks,
        "imitation": mark(run.policies["open loop"], task, cell.seed),
        "chosen": run.policy.complexity,
        "seconds": found.seconds or metrics_of(run.folder)["seconds"],
        "clock": found.seconds is None,
        "steps": steps_of(run.folder),
    }
    return figures if found.known else {**figures, "code": None}


def mark(tree: PolicyTree, task: Task, seed: int) -> Figures:
    """Return the figures of one policy over unseen episodes, and its text."""
    policy = Readable(tree)
    seen = {**worth(tree, task, seed), **looks(policy, task, seed)}
    return {**seen, "text": policy.text()}


def steps_of(folder: Path) -> int:
    """Return the steps of the environment that the search for the front took."""
    kept = RunStore(folder).checkpoint(ARCHIVE)
    return int(kept["steps"]) if kept else 0


class Enough(Exception):
    """The last moment has passed."""


class Diary(RunStore):
    """Keeps nothing, but notes what is there at which second; it changes no result."""

    def __init__(self, last: float = MOMENTS[-1]) -> None:
        super().__init__()
        self.last, self.steps, self.began = last, 0, process_time()
        self.pages: list[tuple[float, int, list[PolicyTree] | list[str]]] = []

    def note(self, trees: Any) -> None:
        """Write down what there is; the run ends where nobody asks for more."""
        seconds = process_time() - self.began
        if seconds > self.last:
            raise Enough
        self.pages.append((seconds, self.steps, trees))

    def policy(self, name: str, make: Any) -> PolicyTree:
        """Note a policy that a stage made."""
        tree = super().policy(name, make)
        self.note([tree])
        return tree

    def document(self, name: str, value: Any) -> None:
        """Note the archive of the front."""
        super().document(name, value)
        if name == ARCHIVE:
            self.note([cell[0] for cell in value["cells"]])


def trace(cell: Contest, moments: Sequence[float] = MOMENTS) -> Figures:
    """Return the reward of the best policy that a default run has after some seconds.

    Seconds and steps are all that the run takes, on one core. Which policy of a moment is the best
    is told by choosing episodes, after the run; the reward is over unseen ones.
    """
    task = get_task(cell.task)
    plan = make_plan(task, None, options_for(task, cell.seed))
    diary, ended = Diary(moments[-1]), False
    counted, played = counting(plan.task)
    with using_workers(1), counting_trees(diary, played):
        try:
            run_stages(counted, plan.oracle, plan.options, diary)
            ended = True
        except Enough:
            pass
    total = process_time() - diary.began
    points = []
    for moment in moments:
        pages = [page for page in diary.pages if page[0] <= moment]
        if not pages:
            continue
        trees = {id(tree): tree for _, _, some in last_of(pages) for tree in some}
        best = best_of([as_tree(tree) for tree in trees.values()], plan, cell.seed)
        figures = worth(best, plan.task, cell.seed)
        kept = {"reward": figures["reward"], "sd": figures["sd"], "complexity": best.complexity}
        points.append({"seconds": moment, "steps": pages[-1][1], **kept})
        if ended and moment >= total:
            break
    return {"moments": points, "ended": ended, "seconds": total}


def last_of(pages: list[tuple[float, int, Any]]) -> list[tuple[float, int, Any]]:
    """Return the last archive, which holds what came before, or all trees so far."""
    archives = [page for page in pages if page[2] and isinstance(page[2][0], str)]
    return archives[-1:] or pages


def as_tree(tree: PolicyTree | str) -> PolicyTree:
    """Return the tree of a text."""
    return loads(tree) if isinstance(tree, str) else tree


def best_of(trees: list[PolicyTree], plan: Plan, seed: int) -> PolicyTree:
    """Return the tree with most reward over choosing episodes, the simplest of equals."""

    def score(tree: PolicyTree) -> tuple[float, int]:
        task = plan.task.for_training
        found = evaluate(tree, task, episodes=JUDGED, seed=seed, purpose=Purpose.CHOOSE)
        return found.mean_reward, -tree.complexity

    return max(trees, key=score)


def options_for(task: Task, seed: int) -> Any:
    """Return the default options."""
    from glasstree.options import Options

    return Options.for_task(task, seed=seed)


class counting_trees:
    """Add the steps that trees play in compiled code to a diary, while the block runs."""

    def __init__(self, diary: Diary, played: Any) -> None:
        self.diary, self.played, self.usual = diary, played, CompiledEpisodes.play

    def __enter__(self) -> None:
        diary, usual, total = self.diary, self.usual, [0]

        def play(episodes: CompiledEpisodes, tree: PolicyTree, candidates: Any) -> Any:
            ends = usual(episodes, tree, candidates)
            total[0] += int(ends.steps.sum())
            diary.steps = total[0] + self.played()
            return ends

        CompiledEpisodes.play = play  # type: ignore[method-assign]

    def __exit__(self, *_: object) -> None:
        CompiledEpisodes.play = self.usual  # type: ignore[method-assign]
