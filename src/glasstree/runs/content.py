"""Gather what a report tells: from a result at hand, or from the folder of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glasstree import progress
from glasstree.errors import GlasstreeError, RunError
from glasstree.runs.measured import held_in
from glasstree.runs.picking import CHOSEN, picked
from glasstree.runs.reading import config_of, front_of, metrics_of, policies_of, rewards_of
from glasstree.runs.shapes import Chosen, checked
from glasstree.runs.store import CONFIG

if TYPE_CHECKING:
    from glasstree.episodes import Performance
    from glasstree.policy import PolicyTree
    from glasstree.policy.arrays import Floats, Policy
    from glasstree.report import Claim, Content, Episode, Stage
    from glasstree.tasks import Task

    Front = Sequence[tuple[PolicyTree, Mapping[str, Any]]]

STARTS = 3  # of episodes on a page, the same for all policies
FEW_EPISODES = 200  # that score an unfinished run for its page
SCENES: dict[str, dict[str, Any]] = {
    "CartPole-v1": {"kind": "cartpole", "rate": 50},
    "glasstree/CarFollowing-v0": {"kind": "cars", "safe": 30, "rate": 20},
    "MountainCar-v0": {"kind": "hill", "rate": 30},
    "LunarLander-v3": {"kind": "lander", "rate": 50},
    "glasstree/Manipulator-v0": {"kind": "arm", "rate": 60},
    "Acrobot-v1": {"kind": "acrobot", "rate": 15},
}


def content_of(
    task: "Task",
    policies: "Mapping[str, PolicyTree]",
    performances: "Mapping[str, Performance]",
    oracle: "Policy",
    metrics: Mapping[str, Any],
    front: "Front" = (),
) -> "Content":
    """Tell a result that is at hand; front holds its policies and their figures."""
    from glasstree.report import Stage

    stages = tuple(
        Stage(name, policies.get(name), found.figures(), found.rewards)
        for name, found in performances.items()
    )
    return tell(task, stages, oracle, int(metrics["seed"]), metrics, front)


def read_content(folder: Path, module: str | None = None, trust: bool = False) -> "Content":
    """Tell the run of a folder, as far as it has come."""
    from glasstree.episodes.evaluation import check_fit
    from glasstree.tasks import task_in_file

    config, trees = config_of(folder), policies_of(folder)
    chosen = checked(config.options, Chosen, folder / CONFIG)
    if not trees:
        raise RunError(f"{folder} has no policy yet; continue it with --resume")
    words = config.words() | ({"module": module} if module else {})
    task = task_in_file(config.task, trust or bool(module), **words)
    first = next(iter(trees.values()))
    if first.state_names != task.state_names:
        task = task.with_names(first.state_names)
    for tree in trees.values():
        check_fit(tree, task)
    oracle = _oracle(config.oracle, task, trust)
    metrics = metrics_of(folder)
    stages = _known_stages(rewards_of(folder), metrics, trees)
    if not any(stage.tree for stage in stages):
        episodes = min(FEW_EPISODES, chosen.episodes)
        stages = _scored(task, {"oracle": oracle, **trees}, episodes, chosen.seed)
    front = _front(folder) if CHOSEN in trees else ()
    taken = _taken(folder, chosen.pick)
    told = tell(task, stages, oracle, chosen.seed, metrics, front, taken)
    return replace(told, held=held_in(folder))


def tell(
    task: "Task",
    stages: "tuple[Stage, ...]",
    oracle: "Policy | None",
    seed: int,
    metrics: Mapping[str, Any],
    front: "Front" = (),
    taken: "PolicyTree | None" = None,
) -> "Content":
    """Record episodes and put a content together.

    taken is the policy that the run itself took, of which claims are proved; the final one if
    nothing is said.
    """
    from glasstree.report import Content, View

    if task.bounds is not None:
        stages, front, taken = _side_by_side(task, stages, front, taken)
    trees = [stage for stage in stages if stage.tree is not None]
    final = trees[-1].tree
    assert final is not None
    proved = taken or final
    players: dict[str, Any] = {} if oracle is None else {"oracle": oracle}
    views = tuple(View(_symbols(tree), tree, figures) for tree, figures in front)
    players |= {stage.name: stage.tree for stage in (trees[0], *(views or trees[-1:]))}
    return Content(
        name=task.name,
        title=task.title,
        policy=final,
        stages=stages,
        front=views,
        curve=metrics.get("closed_loop", {}),
        starts=_recorded(task, players, seed),
        scene=scene_of(task),
        oracle=oracle,
        oracle_parameters=getattr(oracle, "n_parameters", None),
        step_limit=task.step_limit,
        agreement=metrics.get("test_accuracy"),
        seconds=metrics.get("seconds"),
        claims=_claims(proved, task),
        claimed=proved.complexity,
    )


def _symbols(tree: "PolicyTree") -> str:
    return f"{tree.complexity} symbol{'' if tree.complexity == 1 else 's'}"


def _front(folder: Path) -> "Front":
    known = front_of(folder)
    return () if known is None else tuple(zip(known[1], known[0]["policies"], strict=True))


def _taken(folder: Path, which: str) -> "PolicyTree | None":
    """Return the policy that the run took before somebody picked another."""
    known = front_of(folder)
    if known is None:
        return None
    figures, policies = known
    rows = figures["policies"]
    sizes, worths = ([row[name] for row in rows] for name in ("complexity", "worth"))
    return policies[picked(sizes, worths, figures["bar"], which)]


def _claims(tree: "PolicyTree", task: "Task") -> "tuple[Claim, ...]":
    """Return what is proved of the loop, for tasks of which that is known."""
    from glasstree.prove import region_of, summary
    from glasstree.report import Claim, Region

    claims = []
    for found in summary(tree) if tree.task == task.name else ():
        shown = region_of(found, tree)
        region = None if shown is None else Region(**vars(shown))
        claims.append(Claim(found.claim, found.verdict, found.sentence, region))
    return tuple(claims)


def scene_of(task: "Task") -> dict[str, Any]:
    """Return how to draw a task: by its environment, any other one as needles."""
    scene = dict(SCENES.get(task.environment.id, {"kind": "generic"}))
    if scene["kind"] == "arm":
        options = task.environment.options
        scene |= {name: options[name] for name in ("links", "height")}
        scene["motors"] = list(options["motors"])
    return scene


def _side_by_side(
    task: "Task", stages: "tuple[Stage, ...]", front: "Front", taken: "PolicyTree | None"
) -> "tuple[tuple[Stage, ...], Front, PolicyTree | None]":
    """Return the same policies with one list of levels, the task's own first."""
    from glasstree.runs.levels import shared_levels, with_shared

    trees = [stage.tree for stage in stages if stage.tree is not None]
    trees += [tree for tree, _ in front] + ([] if taken is None else [taken])
    levels = shared_levels(task.environment.choices or (), trees)
    shown = tuple(
        replace(stage, tree=None if stage.tree is None else with_shared(stage.tree, levels))
        for stage in stages
    )
    rows = [(with_shared(tree, levels), figures) for tree, figures in front]
    return shown, rows, None if taken is None else with_shared(taken, levels)


def _recorded(
    task: "Task", players: Mapping[str, Any], seed: int
) -> "tuple[tuple[Episode, ...], ...]":
    """Play a few unseen episodes with every player, from the same starts."""
    from glasstree.episodes import Purpose, episode_seeds, play
    from glasstree.report import Episode

    starts: list[list[Episode]] = [[] for _ in range(STARTS)]
    for name, policy in players.items():
        ends, seen = play(policy, task, episode_seeds(Purpose.FINAL, seed, STARTS), record=True)
        successes = task.success(ends).tolist() if task.success else [None] * STARTS
        assert seen is not None
        for number, start in enumerate(starts):
            rows = seen.episodes == number
            reward = float(ends.rewards[number])
            states, actions = seen.states[rows], seen.actions[rows]
            start.append(Episode(name, states, actions, reward, successes[number]))
    return tuple(tuple(start) for start in starts)


def _oracle(spec: str, task: "Task", trust: bool) -> "Policy | None":
    from glasstree.oracles.library import oracle_in_file

    try:
        return oracle_in_file(spec, task, trust)
    except GlasstreeError as error:
        progress.emit(progress.Note(f"the page has no oracle: {error}"))
        return None


def _known_stages(
    kept: "Mapping[str, Floats]", metrics: Mapping[str, Any], trees: "Mapping[str, PolicyTree]"
) -> "tuple[Stage, ...]":
    from glasstree.report import Stage

    stages = []
    for name, figures in metrics.get("stages", {}).items():
        if name != "oracle" and name not in trees:
            continue
        rewards = kept.get(name)
        same = (
            rewards is not None
            and len(rewards) > 0
            and float(rewards.mean()) == figures["mean_reward"]
        )
        stages.append(Stage(name, trees.get(name), figures, rewards if same else None))
    return tuple(stages)


def _scored(
    task: "Task", policies: "Mapping[str, Policy | None]", episodes: int, seed: int
) -> "tuple[Stage, ...]":
    from glasstree.episodes import evaluate
    from glasstree.policy import PolicyTree
    from glasstree.report import Stage

    stages = []
    for name, policy in policies.items():
        if policy is None:
            continue
        found = evaluate(policy, task, episodes=episodes, seed=seed)
        tree = policy if isinstance(policy, PolicyTree) and name != "oracle" else None
        stages.append(Stage(name, tree, found.figures(), found.rewards))
    return tuple(stages)
