"""The paper's figures, drawn anew from the trees of the tables."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from glasstree.episodes import Purpose, episode_seeds, play
from glasstree.oracles import load_oracle
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Policy
from glasstree.report import Episode, charts, maps, sketch
from glasstree.report.figures import Drawing
from glasstree.studies.measures import tree_of
from glasstree.studies.recipes import best, imitations, median
from glasstree.studies.study import Bench, Plan, Work
from glasstree.studies.tables import table3, table6, table8
from glasstree.tasks import get_task

DEPTH = 3  # of the paper's tree for LunarLander
WANTED_GAP = {"safe": 30}  # in m


def works(plan: Plan) -> dict[str, Work]:
    """Return how each figure comes from cells, by the name of its file."""
    makers: dict[str, Any] = {
        "map_mountaincar": mountaincar_map,
        "tree_cartpole": cartpole_tree,
        "tree_carfollowing": carfollowing_tree,
        "distance_carfollowing": distance,
        "tree_lunarlander": partial(lunarlander_tree, recipe="paper"),
        "tree_lunarlander_glasstree": partial(lunarlander_tree, recipe="glasstree"),
        "training_lunarlander": training,
        "actions_psm5": partial(actions, arm="5-link", number="9"),
        "actions_psm10": partial(actions, arm="10-link", number="S-7"),
        "reengineering_open_loop": partial(arm_tree, stage="open loop"),
        "reengineering_before": partial(arm_tree, stage="before"),
        "reengineering_after": partial(arm_tree, stage="after"),
    }
    return {f"figures/{name}": partial(make, plan=plan, name=name) for name, make in makers.items()}


def mountaincar_map(bench: Bench, plan: Plan, name: str) -> Drawing:
    """Fig. 1: the actions of the oracle and of a tree over all states."""
    tree = tree_of(median(bench(*imitations(plan, "mountaincar", "paper", depth=2)))["tree"])
    policies: dict[str, Policy] = {"oracle": load_oracle("mountaincar"), "NLDT": tree}
    cut = maps.Slice(0, 1, tree.scaling.minimum, tree.scaling)

    def paint(figure: Any) -> None:
        maps.paint(figure, tree, policies, cut)

    return Drawing(name, "MountainCar", "MountainCar (Fig. 1)", paint, (9.4, 3.6), wide=True)


def cartpole_tree(bench: Bench, plan: Plan, name: str) -> Drawing:
    """Fig. 4: the rules for CartPole."""
    tree = median(bench(*imitations(plan, "cartpole", "paper", depth=2)))["tree"]
    return drawn_tree(name, "CartPole, NLDT_OL from 10,000 states (Fig. 4)", tree_of(tree))


def carfollowing_tree(bench: Bench, plan: Plan, name: str) -> Drawing:
    """Fig. S-4: the rules for CarFollowing."""
    tree = tree_of(table3.papers_tree(bench, plan))
    return drawn_tree(name, "CarFollowing, NLDT_OL (Fig. S-4)", tree)


def distance(bench: Bench, plan: Plan, name: str) -> Drawing:
    """Fig. 5: the gap between the cars over time."""
    task = "carfollowing"
    before, after = table3.papers_tree(bench, plan), table3.papers_final(bench, plan)
    trees = {"open loop": tree_of(before), "NLDT*": tree_of(after)}
    start = episodes(task, {"oracle": load_oracle(task), **trees})

    def paint(figure: Any) -> None:
        charts.variable(figure, start, trees["NLDT*"], 0, WANTED_GAP)

    return Drawing(name, "Relative distance", "CarFollowing, relative distance (Fig. 5)", paint)


def lunarlander_tree(bench: Bench, plan: Plan, name: str, recipe: str) -> Drawing:
    """Fig. 6: the final NLDT*-3 for LunarLander."""
    if recipe == "paper":
        tree = tree_of(table6.papers_cut(bench, plan, DEPTH)["tree"])
    else:
        tree = tree_of(table6.ours(bench, plan, DEPTH))
    return drawn_tree(name, f"LunarLander, NLDT*-3, `{recipe}` (Fig. 6)", tree)


def training(bench: Bench, plan: Plan, name: str) -> Drawing:
    """Fig. 7: the closed-loop training of NLDT*-3."""
    curve = table6.papers_cut(bench, plan, DEPTH)["curve"]

    def paint(figure: Any) -> None:
        charts.training(figure, curve)

    return Drawing(name, "Training", "LunarLander, closed-loop training of NLDT*-3 (Fig. 7)", paint)


def actions(bench: Bench, plan: Plan, name: str, arm: str, number: str) -> Drawing:
    """Figs. 9 and S-7: action against time."""
    task = table8.ARMS[arm]
    trees = {
        f"NLDT* ({solver})": tree_of(table8.papers_final(bench, plan, task, solver))
        for solver in table8.SOLVERS
    }
    start = episodes(task, {"oracle": load_oracle(task), **trees})

    def paint(figure: Any) -> None:
        charts.actions(figure, start, get_task(task).action_names)

    caption = f"{arm} arm, action against time from one start (Fig. {number})"
    return Drawing(name, f"Actions, {arm}", caption, paint, (6.5, 3.2))


def arm_tree(bench: Bench, plan: Plan, name: str, stage: str) -> Drawing:
    """Figs. 10 and 11: the 5-link arm's tree before and after re-engineering."""
    if stage == "open loop":
        tree = best(table8.open_loops(bench, plan, "psm5", "paper", "SQP"))["tree"]
        return drawn_tree(name, "5-link arm, NLDT_OL (SQP) (Fig. 10a)", tree_of(tree))
    found = table8.papers_one_rule(bench, plan)
    if stage == "before":
        words = "5-link arm, NLDT* with the states that it visits (Fig. 10b)"
        return drawn_tree(name, words, tree_of(found["before"]))
    return drawn_tree(name, "5-link arm, NLDT* re-engineered (Fig. 11)", tree_of(found["tree"]))


def drawn_tree(name: str, caption: str, tree: PolicyTree) -> Drawing:
    """Return the drawing of a tree."""

    def paint(figure: Any) -> None:
        sketch.tree(figure, tree)

    return Drawing(name, caption, caption, paint, sketch.size_of(tree), wide=True)


def episodes(task: str, players: Mapping[str, Policy]) -> list[Episode]:
    """Play the same unseen episode with each player."""
    found = []
    for name, policy in players.items():
        seeds = episode_seeds(Purpose.FINAL, 0, 1)
        ends, seen = play(policy, get_task(task), seeds, record=True)
        assert seen is not None
        found.append(Episode(name, seen.states, seen.actions, float(ends.rewards[0])))
    return found
