"""Try environments of others, one command each, and write the table of docs/tasks.md.

    python benchmarks/plants/tried.py --minutes 2 --runs RUNS [--only Taxi-v4,Blackjack-v1]

With --minutes 0 runs have the usual budgets.
Needs minigrid, highway-env and gymnasium[mujoco,box2d]. A run that RUNS holds already is read, one
that was stopped goes on, and cells in docs/results/tried.json of other environments stay.
"""

import argparse
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import glasstree as gt  # noqa: E402
from glasstree.closedloop.front.choice import RandomActions  # noqa: E402
from glasstree.errors import GlasstreeError  # noqa: E402
from glasstree.oracles.library import usual_oracle  # noqa: E402

CELLS = ROOT / "docs" / "results" / "tried.json"
PAGE = ROOT / "docs" / "tasks.md"
BEGIN, END = "<!-- tried: begin -->", "<!-- tried: end -->"
FUNCTIONS = "benchmarks.plants.oracles:"
RANDOM_EPISODES = 100


@dataclass(frozen=True)
class Try:
    """An environment, its oracle and what else is said on the command line."""

    task: str
    oracle: str | None = None
    words: dict = field(default_factory=dict)


TRIES = (
    *(Try(name) for name in ("CartPole-v1", "MountainCar-v0", "Acrobot-v1", "LunarLander-v3")),
    Try("Pendulum-v1"),
    Try("MountainCarContinuous-v0"),
    Try("LunarLanderContinuous-v3", FUNCTIONS + "throttles", {"pick": "best"}),
    Try("BipedalWalker-v3", words={"levels": 16, "rules": 15}),
    Try("InvertedPendulum-v5", FUNCTIONS + "inverted_pendulum"),
    Try("InvertedDoublePendulum-v5"),
    Try("Hopper-v5"),
    Try("Reacher-v5", FUNCTIONS + "reacher"),
    Try("Taxi-v4", FUNCTIONS + "taxi", {"rules": 60, "pick": "best"}),
    Try("FrozenLake-v1", FUNCTIONS + "frozenlake"),
    Try("FrozenLake8x8-v1", FUNCTIONS + "frozenlake8x8", {"rules": 24, "pick": "best"}),
    Try("CliffWalking-v1", FUNCTIONS + "cliffwalking"),
    Try("CliffWalkingSlippery-v1", FUNCTIONS + "cliffwalking_slippery"),
    Try("Blackjack-v1", FUNCTIONS + "blackjack", {"rules": 8, "pick": "best"}),
    Try("MiniGrid-Empty-5x5-v0", FUNCTIONS + "minigrid"),
    Try("MiniGrid-Empty-8x8-v0", FUNCTIONS + "minigrid"),
    Try("MiniGrid-Empty-16x16-v0", FUNCTIONS + "minigrid"),
    Try("MiniGrid-Empty-Random-5x5-v0", FUNCTIONS + "minigrid"),
    Try("MiniGrid-Empty-Random-6x6-v0", FUNCTIONS + "minigrid"),
    Try("MiniGrid-LavaGapS5-v0", FUNCTIONS + "minigrid"),
    Try("MiniGrid-Unlock-v0", FUNCTIONS + "minigrid", {"rules": 16}),
    Try("MiniGrid-DoorKey-5x5-v0", FUNCTIONS + "minigrid", {"rules": 16}),
    Try("MiniGrid-DoorKey-6x6-v0", FUNCTIONS + "minigrid", {"rules": 16}),
    Try("highway-fast-v0", FUNCTIONS + "highway"),
    Try("merge-v1", FUNCTIONS + "highway"),
    Try("CarRacing-v3", FUNCTIONS + "highway"),
    Try("intersection-multi-agent-v0", FUNCTIONS + "highway"),
    Try("ALE/Pong-v5"),
    Try("FetchReach-v3"),
    Try("phys2d/CartPole-v1"),
)


def command(one: Try, minutes: float) -> str:
    """Return what a user types."""
    oracle = f" --oracle {one.oracle}" if one.oracle else ""
    words = "".join(f" --{name} {value}" for name, value in one.words.items())
    return f"glasstree run {one.task}{oracle}{words}" + (f" --minutes {minutes:g}" * bool(minutes))


class Anything:
    """Random continuous actions."""

    def __init__(self, bounds) -> None:
        self.bounds, self.generator = bounds, np.random.default_rng(0)

    def vectors(self, states):
        low, high = self.bounds
        return self.generator.uniform(low, high, (len(states), len(low)))

    actions = vectors


def measure(one: Try, minutes: float, runs: Path) -> dict:
    """Return the cell of an environment: figures of its run, or why there is none."""
    cell = {"task": one.task, "command": command(one, minutes)}
    folder = runs / one.task.replace("/", "_")
    try:
        task = gt.Task.of(one.task)
        if not (folder / "metrics.json").exists():
            words = {"resume": True} if (folder / "config.toml").exists() else {
                **one.words, "minutes": minutes or None, "task": one.task,
            }  # fmt: skip
            gt.distill(oracle=one.oracle, out=folder, **words)
    except GlasstreeError as error:
        return {**cell, "refused": str(error)}
    metrics = json.loads((folder / "metrics.json").read_text())
    anything = Anything(task.bounds) if task.bounds else RandomActions(task.n_actions, 0)
    random = gt.evaluate(anything, task.free, episodes=RANDOM_EPISODES)
    return {
        **cell,
        "oracle": one.oracle or usual_oracle(task),
        "variables": task.n_variables,
        "oracle_reward": metrics["stages"]["oracle"]["mean_reward"],
        "random_reward": random.mean_reward,
        **{name: metrics[name] for name in ("mean_reward", "episodes", "rules", "complexity")},
        "minutes": metrics["seconds"] / 60,
        **({"front": front(folder)} if task.bounds else {}),
    }


def front(folder: Path) -> list[list[float]]:
    """Return symbols and reward of each policy of a run's front."""
    rows = json.loads((folder / "front.json").read_text())["policies"]
    return [[row["complexity"], row["mean_reward"]] for row in rows]


def fronts(cells: list[dict]) -> list[str]:
    """Return a line for each front that is kept."""
    lines = [
        f"- {cell['task']}: "
        + ", ".join(f"{symbols}: {reward:,.2f}" for symbols, reward in cell["front"])
        for cell in cells
        if "front" in cell
    ]
    return ["", "Fronts where actions are continuous, symbols and reward:", "", *lines]


def table(cells: list[dict]) -> str:
    """Return both tables: what ran, and what was refused."""
    head = (
        "| environment | variables | oracle | random | oracle's reward | rules' reward | rules "
        "| symbols | episodes | minutes |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    lines = [head]
    for cell in cells:
        if "refused" not in cell:
            rewards = (cell[f"{kind}_reward"] for kind in ("random", "oracle", "mean"))
            figures = " | ".join(f"{reward:,.2f}" for reward in rewards)
            oracle = cell["oracle"].removeprefix(FUNCTIONS)
            lines.append(
                f"| {cell['task']} | {cell['variables']} | {oracle} | {figures} | {cell['rules']} "
                f"| {cell['complexity']} | {cell['episodes']:,} | {cell['minutes']:.1f} |"
            )
    lines += fronts(cells)
    refused = [cell for cell in cells if "refused" in cell]
    lines += ["", "Refused, with the sentence that is printed:", "", "| environment | sentence |"]
    lines += ["|---|---|", *(f"| {cell['task']} | {cell['refused']} |" for cell in refused)]
    return "\n".join(lines)


def known_cells() -> dict[str, dict]:
    """Return the cells that are kept, which another process may have added to."""
    known = json.loads(CELLS.read_text()) if CELLS.exists() else []
    return {cell["task"]: cell for cell in known}


def write(cells: dict[str, dict]) -> None:
    """Write the cells, and the page from them."""
    ordered = [cells[one.task] for one in TRIES if one.task in cells]
    CELLS.write_text(json.dumps(ordered, indent=1) + "\n")
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{table(ordered)}\n{END}{after}")


def main() -> None:
    """Measure what is missing or asked for, one after the other."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--runs", type=Path, default=ROOT / "runs")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    only = [name for name in options.only.split(",") if name]
    for one in TRIES:
        if one.task in only or (not only and one.task not in known_cells()):
            cell = measure(one, options.minutes, options.runs)
            print(json.dumps(cell), flush=True)
            write({**known_cells(), one.task: cell})
    write(known_cells())


if __name__ == "__main__":
    main()
