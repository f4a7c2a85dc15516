"""A small run of MountainCar with aggregation and a front; as a script, it tells its events.

python small_run.py FOLDER
"""

import sys
from pathlib import Path

from glasstree import progress
from glasstree.closedloop import FrontOptions, ReoptimisationOptions
from glasstree.closedloop.front import stage
from glasstree.data import AggregationOptions
from glasstree.openloop import GrowthOptions
from glasstree.pipeline import Result, run_stages
from glasstree.runs.store import CONFIG, open_store
from glasstree.tasks import get_task
from toys import little

OPTIONS = little(
    samples=200,
    episodes=20,
    rules=2,
    growth=GrowthOptions(max_depth=2),
    aggregation=AggregationOptions(rounds=2, first=300, added=150, episodes=5),
    closed_loop=ReoptimisationOptions(
        generations=6,
        trial_generations=2,
        trees=3,
        population=4,
        episodes=2,
        racing_episodes=3,
        choosing_episodes=10,
        wide=True,
    ),
    front=FrontOptions(
        steps=600_000,
        lines=1,
        trial_generations=1,
        generations=2,
        longest=3,
        population=4,
        episodes=4,
        racing_episodes=20,
        choosing_episodes=20,
        rounding_episodes=20,
    ),
)


def small_run(folder: Path) -> Result:
    """Begin the run in a folder, or go on with it; the archive is saved at every step."""
    stage.SECONDS = 0.0
    config = {"task": "mountaincar", "oracle": "mountaincar", "options": {}}
    resume = (folder / CONFIG).exists()
    return run_stages(
        get_task("mountaincar"), None, OPTIONS, open_store(folder, config, resume=resume)
    )


if __name__ == "__main__":
    with progress.listening(lambda event: print(event, flush=True)):
        small_run(Path(sys.argv[1]))
