"""How well default runs control: each task, several seeds, what is chosen and the whole front.

    python benchmarks/control.py --runs DIR [--tasks cartpole,...] [--seeds 5] [--recipe paper]
                                 [--finished] [--page docs/closed_loop.md]

A row a seed: the policy that the run takes, and the best of its front, over 5,000 unseen episodes.
Then the fronts: for each task and seed the reward of every complexity. Runs are kept in DIR: a
second call goes on where the first stopped, and --finished shows what is there and runs nothing.
With --page, tables and fronts take their place in a page. A
note beside each run has the digest of its code, so that `make peers WORDS="--runs DIR"` reads it.
"""

import argparse
from pathlib import Path
from typing import Any

from peers.notes import begin

from glasstree.options import Options
from glasstree.parallel import using_workers
from glasstree.pipeline import run_stages
from glasstree.runs.store import open_store
from glasstree.tasks import get_task, task_names
from glasstree.workflows.run import Run, open_run
from glasstree.workflows.settings.config import config_for

EPISODES = 5000
BEGIN, END = "<!-- control: begin -->", "<!-- control: end -->"
COLUMNS = "task | seed | policy | symbols | rules | reward | ± (95 %) | episode sd | success"


def run_of(folder: Path, name: str, seed: int, recipe: str, finished: bool = False) -> Run | None:
    """Run, or open what an earlier call has run; nothing where only finished ones are wanted."""
    task = get_task(name)
    options = Options.for_task(task, seed=seed, recipe=recipe, episodes=EPISODES)
    place = folder / f"{name}-{recipe}-{seed}"
    resume = (place / "config.toml").exists()
    if not (place / "metrics.json").exists():
        if finished:
            return None
        begin(place, name)
        store = open_store(place, config_for(task, None, options), resume=resume)
        with using_workers(0):
            run_stages(task, None, options, store)
    return open_run(place)


def row(name: str, seed: int | str, policy: str, figures: dict[str, Any], size: Any) -> str:
    """Write one row."""
    half = figures["ci95"][1] - figures["mean_reward"]
    return " | ".join(
        [
            *(f"| {name}", str(seed), policy, *map(str, size)),
            *(f"{figures['mean_reward']:,.2f}", f"{half:.2f}", f"{figures['episode_sd']:.2f}"),
            f"{100 * (figures['success_rate'] or 0):.2f} % |",
        ]
    )


def put(page: Path, lines: list[str]) -> None:
    """Write lines between the marks of a page."""
    before, _, rest = page.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text("\n".join([f"{before}{BEGIN}", "", *lines, "", f"{END}{after}"]))


def words() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--tasks", default=",".join(task_names()))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--recipe", default="default")
    parser.add_argument("--finished", action="store_true")
    parser.add_argument("--page", type=Path)
    return parser.parse_args()


def main() -> None:
    """Run, print the tables, and put them into a page."""
    chosen = words()
    lines = [f"| {COLUMNS} |", "|" + "---|" * (COLUMNS.count("|") + 1)]
    print("\n".join(lines), flush=True)
    fronts = []

    def tell(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    for name in chosen.tasks.split(","):
        for seed in range(chosen.seeds):
            run = run_of(chosen.runs, name, seed, chosen.recipe, chosen.finished)
            if run is None:
                continue
            figures, tree, front = run.metrics, run.policy, run.front
            if seed == 0:
                tell(row(name, "", "oracle", figures["stages"]["oracle"], ("", "")))
            tell(row(name, seed, "chosen", figures, (tree.complexity, tree.n_rules)))
            if front is not None:
                best = front.pick("best")
                size = (best.complexity, best.policy.n_rules)
                tell(row(name, seed, "best", best.unseen.figures(), size))
                marks = [f"{one.complexity}: {one.unseen.mean_reward:,.2f}" for one in front]
                fronts.append(f"- {name}, seed {seed}: {', '.join(marks)}")
    fronts = ["", "The fronts, symbols and reward:", "", *fronts] if fronts else []
    print("\n".join(fronts))
    if chosen.page is not None:
        put(chosen.page, [*lines, *fronts])


if __name__ == "__main__":
    main()
