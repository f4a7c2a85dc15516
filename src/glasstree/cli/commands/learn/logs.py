"""`glasstree run --data LOG`: rules from a log, where nothing can be played."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from glasstree.cli.console import (
    console,
    percent,
    print_json,
    print_table,
    program,
    showing_progress,
)
from glasstree.cli.groups import option_of

if TYPE_CHECKING:
    from glasstree.workflows.logs import Logged

# what a log has a use for; all else that a run is told is about playing, or how rules are found
TAKEN = ("depth", "levels", "pick", "seed", "state_names", "units", "overwrite")


def run_log(data: str, out: Path | None, words: dict[str, Any], as_json: bool) -> None:
    """Learn from a log, and show what came out."""
    from glasstree.errors import OptionError

    useless = [name for name, value in words.items() if name not in TAKEN and value]
    if useless:
        shown = ", ".join(map(option_of, useless))
        raise OptionError(f"nothing is played with a log, so leave out {shown}")
    words = {name: value for name, value in words.items() if name in TAKEN}
    folder = out or Path("runs") / (Path(data.replace(":", "/")).stem or "log")
    with showing_progress(quiet=as_json):
        from glasstree.workflows.logs import distill_log

        found = distill_log(data, folder, **words)
    if as_json:
        print_json({**found.figures, "policy": str(folder / "policy.json")})
        return
    show(found, folder)


def show(found: "Logged", folder: Path) -> None:
    """Write the front and the rules, and what nobody knows of them."""
    from glasstree.formats import to_text

    rows = [
        [
            *("*" if row.tree == found.policy else "", str(row.complexity)),
            *(percent(row.accuracy), str(row.rules), row.first_rule),
        ]
        for row in found.front
    ]
    print_table(
        "the front: the most accurate policy of each complexity",
        ["", "symbols", "accuracy", "rules", "first rule"],
        rows,
        text="first rule",
    )
    share = percent(found.figures["test_accuracy"])
    console.print(
        f"does what was done in {share} of {found.figures['held_back_states']:,} held-back states\n"
    )
    console.print(to_text(found.policy, "original"), soft_wrap=True)
    console.print(f"unknown: {found.unknown}.\n", soft_wrap=True)
    policy = folder / "policy.json"
    console.print(f"policy: {policy}\nreport: {folder / 'report.html'}", soft_wrap=True)
    console.print(f"next:   {program()} export {policy} --to c", soft_wrap=True)
