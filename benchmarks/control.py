"""How well the default run controls: each task, the best of a few seeds, unseen episodes.

    python benchmarks/control.py --runs DIR [--tasks cartpole,...] [--seeds 3] [--recipe paper]

The best seed is chosen on choosing episodes; its figures are those of 5,000 final ones. Runs
are kept in DIR: a second call goes on where the first stopped.
"""

import argparse
from pathlib import Path

from glasstree.episodes import Purpose, evaluate
from glasstree.options import Options
from glasstree.oracles import load_oracle
from glasstree.parallel import using_workers
from glasstree.pipeline import run_stages
from glasstree.policy import PolicyTree, load
from glasstree.runs.store import open_store
from glasstree.tasks import get_task, task_names
from glasstree.workflows.config import config_for

EPISODES = 5000
CHOOSING = 1000


def policy_of(folder: Path, name: str, seed: int, recipe: str) -> tuple[PolicyTree, float]:
    """Run, or load what an earlier call has run: the final policy and the seconds it took."""
    task = get_task(name)
    options = Options.for_task(task, seed=seed, recipe=recipe)
    config = config_for(task, None, options)
    place = folder / f"{name}-{recipe}-{seed}"
    keep = open_store(place, config, resume=(place / "config.toml").exists())
    if not (place / "metrics.json").exists():
        with using_workers(0):
            run_stages(task, None, options, keep)
    return load(place / "policy.json"), keep.checkpoint("metrics.json")["seconds"]


def main() -> None:
    """Read the words, run, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--tasks", default=",".join(task_names()))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--recipe", default="default")
    words = parser.parse_args()
    print(
        "| task | seed | reward | episode sd | batch sd | success | rules | length | seconds ",
        end="",
    )
    print("| oracle | its success |\n|" + "---|" * 11)
    for name in words.tasks.split(","):
        found = [policy_of(words.runs, name, seed, words.recipe) for seed in range(words.seeds)]
        rewards = [
            evaluate(tree, name, episodes=CHOOSING, purpose=Purpose.CHOOSE, workers=0).mean_reward
            for tree, _ in found
        ]
        best = max(range(len(found)), key=rewards.__getitem__)
        tree, seconds = found[best]
        final = evaluate(tree, name, episodes=EPISODES, workers=0)
        oracle = evaluate(load_oracle(name, get_task(name)), name, episodes=EPISODES, workers=0)
        print(
            f"| {name} | {best} | {final.mean_reward:,.2f} | {final.episode_sd:.2f} "
            f"| {final.batch_sd:.2f} | {100 * (final.success_rate or 0):.2f} % | {tree.n_rules} "
            f"| {tree.rule_length:.1f} | {seconds:.0f} | {oracle.mean_reward:,.2f} "
            f"| {100 * (oracle.success_rate or 0):.2f} % |",
            flush=True,
        )


if __name__ == "__main__":
    main()
