"""The fronts of default runs beside the rivals' joint front, on the axis that people read.

    python benchmarks/hypervolumes.py --runs DIR [--seeds 3]

DIR holds runs of benchmarks/control.py; the rivals' rewards and printed symbols are those that
`make peers` stored. Cells from before symbols were counted get an estimate from their variables: a
split over k variables prints 4 k - 1 symbols, and each leaf one; an expression prints at least
2 k + 1 and two actions. Hypervolume: reward between a random policy and the ceiling, complexity to
200 symbols, as a share of that box. Both play the same 1,000 unseen episodes of a seed.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from fronts import EPISODES, MOST, hypervolume

from glasstree.closedloop.front.choice import RandomActions
from glasstree.episodes import evaluate
from glasstree.tasks import get_task, task_names
from glasstree.workflows.run import open_run

STORED = Path(__file__).parent / "peers" / "results.jsonl"
OURS, NETWORKS = ("glasstree", "imitation", "trace"), ("network", "oracle", "random")
EXPRESSIONS = ("gplearn",)

Points = list[tuple[int, float]]


def rivals(task: str, seed: int) -> dict[str, Points]:
    """Return complexity and reward of each rival's policies on a task."""
    found: dict[str, Points] = {}
    for line in STORED.read_text().splitlines():
        cell = json.loads(line)
        if (cell["task"], cell["seed"]) != (task, seed) or "reward" not in cell:
            continue
        if cell["rival"] not in (*OURS, *NETWORKS):
            found.setdefault(cell["rival"], []).append((symbols(cell), cell["reward"]))
    return found


def symbols(cell: dict[str, Any]) -> int:
    """Return the printed symbols of a cell: counted, or else estimated from its variables."""
    if "complexity" in cell:
        return int(cell["complexity"])
    used = cell["occurrences"]
    return int(2 * used + 3 if cell["rival"] in EXPRESSIONS else 4 * used + 1)


def main() -> None:
    """Print the table, then every point of a rival that ours do not reach."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--tasks", default=",".join(task_names()))
    parser.add_argument("--seeds", type=int, default=3)
    words = parser.parse_args()
    print("| task | seed | glasstree | rivals together | best rival alone |\n|" + "---|" * 5)
    ahead = []
    for name in words.tasks.split(","):
        task = get_task(name)
        for seed in range(words.seeds):
            folder = words.runs / f"{name}-default-{seed}"
            front = open_run(folder).front if (folder / "front.json").exists() else None
            if front is None:
                continue
            mine = [
                (
                    row.complexity,
                    evaluate(row.policy, task, episodes=EPISODES, seed=seed).mean_reward,
                )
                for row in front
            ]
            theirs = rivals(name, seed)
            joint = [point for points in theirs.values() for point in points]
            low = evaluate(RandomActions(task.n_actions, seed), task, seed=seed).mean_reward
            high = max(reward for _, reward in [*mine, *joint])
            alone = {rival: hypervolume(points, low, high) for rival, points in theirs.items()}
            best = max(alone, key=alone.__getitem__)
            shares = (hypervolume(mine, low, high), hypervolume(joint, low, high))
            print(f"| {name} | {seed} | {shares[0]:.4f} | {shares[1]:.4f} ", end="")
            print(f"| {best} {alone[best]:.4f} |", flush=True)
            for rival, points in theirs.items():
                for size, reward in points:
                    reached = max((r for s, r in mine if s <= size), default=low)
                    if reward > reached and size <= MOST:
                        what = f"{reward:,.2f} with {size} symbols, ours {reached:,.2f}"
                        ahead.append(f"- {name}, seed {seed}: {rival} {what}")
    print("\nRivals' points above our front:\n")
    print("\n".join(ahead) or "none")


if __name__ == "__main__":
    main()
