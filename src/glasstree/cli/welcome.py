"""What `glasstree` alone says: what to do next, given the runs of this folder."""

from collections.abc import Iterator
from pathlib import Path

from glasstree.cli.console import program

RUNS = Path("runs")
MOST = 3  # runs that are told of, the latest
COMMANDS = {
    "run cartpole": "to see it work, on a network that balances a pole",
    "tasks": "what else can be controlled",
    "run MyEnv-v0 --import my_plant --oracle agent.zip --trust": "your own environment and agent",
    "fit table.csv --target label": "rules of a table",
    "--help": "all commands, each with its own --help",
}


def welcome(runs: Path = RUNS) -> str:
    """Return a few commands, those for the latest runs first."""
    found = list(last_steps(runs))
    known = COMMANDS if not found else {k: v for k, v in COMMANDS.items() if k != "run cartpole"}
    rows = [*found, *((f"{program()} {words}", why) for words, why in known.items())]
    lines = [f"{why}:\n    {words}" for words, why in rows]
    return "\n".join(["glasstree turns a black-box controller into a few rules.\n", *lines])


def last_steps(runs: Path) -> Iterator[tuple[str, str]]:
    """Yield what can be done with the latest runs of a folder: look at them, or finish them."""
    places = ("*/config.toml", "*/*/config.toml")  # an environment may be called mine/Tank-v0
    configs = [path for place in places for path in runs.glob(place) if path.is_file()]
    for config in sorted(configs, key=lambda path: -path.stat().st_mtime)[:MOST]:
        if (config.parent / "report.html").exists():
            yield f"{program()} report {config.parent} --open", "to look at a finished run"
        else:
            yield (
                f"{program()} run --resume --out {config.parent}",
                "to go on with a run that was stopped",
            )
