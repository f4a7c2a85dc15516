"""Attack for some minutes and tell what became of it; exit code 1 if anything was unexpected."""

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

# imported before the forks, which would each do it again
import glasstree.cli
import glasstree.export
import glasstree.pipeline
import glasstree.report
from attack import behaviour, exports, files
from attack.trials import LARGEST_BYTES, LONGEST_SECONDS, Tally, attempt, outcome_of

Kind = Callable[[random.Random, Path], Iterator[files.Attack]]
KINDS: dict[str, Kind] = {
    "policy files": files.policies,
    "folders of runs": files.runs,
    "oracle files": files.oracles,
    "names in exports": exports.names,
    "states not finite": exports.states,
    "flags of compilers": exports.flags,
    "environments": behaviour.environments,
    "oracles": behaviour.oracles,
    "kills": behaviour.kills,
}
# these begin processes of their own, which need more than one attack may take
UNBOUNDED = ("kills",)
SHOWN = 12


def attack(name: str, seconds: float, seed: int) -> Tally:
    """Make attacks of one kind until they or the time are at their end."""
    tally = Tally()
    chance = random.Random(f"{seed} {name}")
    end = monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        for label, call in KINDS[name](chance, Path(folder)):
            if name in UNBOUNDED:
                tally.add(label, outcome_of(call), 0.0, 0.0)
            else:
                tally.add(label, *attempt(call))
            if monotonic() > end:
                break
    return tally


def ready() -> None:
    """Import the commands and compile the kernels before the forks."""
    glasstree.cli.register()
    policy = glasstree.load(files.POLICIES[0])
    glasstree.evaluate(policy, policy.task, episodes=2)


def main() -> int:
    """Attack, print the table and what was unexpected."""
    parser = argparse.ArgumentParser(prog="attack", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--minutes", type=float, default=5.0, help="shared by the kinds; 5")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    unknown = set(given.kinds) - set(KINDS)
    if unknown:
        parser.error(f"unknown {', '.join(sorted(unknown))}; known: {', '.join(KINDS)}")
    kinds = given.kinds or list(KINDS)
    ready()
    print(f"{'kind':20}{'tried':>8}{'refused':>9}{'worked':>8}{'unexpected':>12}{'s':>7}{'MB':>7}")
    bad = False
    troubles = []
    for name in kinds:
        tally = attack(name, 60 * given.minutes / len(kinds), given.seed)
        figures = f"{tally.tried:8}{tally.refused:9}{tally.worked:8}{len(tally.unexpected):12}"
        print(f"{name:20}{figures}{tally.seconds:7.1f}{tally.megabytes:7.0f}", flush=True)
        too_much = tally.megabytes > LARGEST_BYTES / 1024**2 or tally.seconds > LONGEST_SECONDS + 5
        bad = bad or bool(tally.unexpected) or too_much
        troubles += [f"{name}: {trouble}" for trouble in tally.unexpected[:SHOWN]]
    for trouble in troubles:
        print(trouble.replace("\n", " "))
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
