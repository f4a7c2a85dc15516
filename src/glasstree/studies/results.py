"""The page of results: stored tables and figures, what holds of them, and how to read them."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from glasstree import __version__
from glasstree.policy.document import write_atomically
from glasstree.report.figures import Drawing, saved
from glasstree.studies import FIGURES, TABLES
from glasstree.studies.checks import SPEED, Finding, accuracies, compared, speeds, successes
from glasstree.studies.layout import Table, markdown
from glasstree.studies.runner import code
from glasstree.studies.study import Plan

MADE = "made.json"
WHY = """\
Where we differ, these are the reasons that we know of:

- **Labels.** The paper's PPO networks drew their actions, so its labels are noisy. The `paper`
  lines draw them too on CartPole and for the arms. Our LunarLander network is less sure of itself
  than the paper's must have been: labels drawn from it are noisier than the paper's accuracies
  allow, so there, and in all `glasstree` lines, the likeliest action is the label.
- **Oracles.** The paper's networks are not public. Ours were trained anew and control better or
  worse (the DNN rows), so that accuracies of imitation are not those of the same teacher.
- **Masses.** The paper does not give the masses of the arms' links; 10 and 20 come closest to its
  rewards. A constant torque is a strong policy there, and has its own rows.
- **Test states.** They are as the oracle meets them, also where training states are balanced; the
  paper does not say which it used.
- **One tree of ten.** Control is that of a single tree, and re-optimisation a single search. On
  LunarLander trees of nearly the same accuracy control very differently, and so do their cut tops
  and what the genetic algorithm makes of them: completion there is a draw, the paper's and ours.
  The columns *all runs* tell how wide the draw is.
- **Programs.** Depth, population sizes and stopping are the paper's; the operators of its authors'
  program are followed where the paper leaves them open. Training times are of compiled code. SQP
  spares the call of SciPy where all differences of the impurity are zero, which returns its start.
"""


def store(
    folder: Path, tables: Sequence[Table], drawings: Sequence[Drawing], plan: Plan, command: str
) -> None:
    """Keep tables, figures and what made them, as compact files.

    Where the same code measures the same tables again, when and where they were made stays.
    """
    known = _read(folder / MADE, {})
    same = all(_is_kept(folder, table) for table in tables)
    for table in tables:
        write_table(folder, table)
    for drawing in drawings:
        write_atomically(folder / f"{drawing.name}.svg", saved(drawing, "svg"))
    figures = [[drawing.name, drawing.caption] for drawing in drawings]
    origin = machine()
    made: dict[str, Any] = {**origin, "command": command, "runs": plan.runs, "quick": plan.quick}
    names = [table["study"] for table in tables] + ([FIGURES] if drawings else [])
    made["code"] = {**known.get("code", {}), **dict.fromkeys(names, code())}
    made["figures"] = figures or known.get("figures", [])
    _write(folder / MADE, known if same and made == {**known, **origin} else made)


def _is_kept(folder: Path, table: Table) -> bool:
    """Tell whether a folder holds the same table."""
    path = folder / f"{table['study']}.json"
    return path.exists() and path.read_text(encoding="utf-8") == _text(table)


def write_table(folder: Path, table: Table) -> None:
    """Keep a table."""
    _write(folder / f"{table['study']}.json", table)


def tables_in(folder: Path) -> list[Table]:
    """Return the tables that are kept in a folder."""
    return [found for name in TABLES if (found := _read(folder / f"{name}.json", None))]


def page(folder: Path) -> str:
    """Write the page from what is stored in a folder that lies beside it."""
    made = _read(folder / MADE, {})
    tables = tables_in(folder)
    parts = [
        "# The paper's tables and figures, measured again",
        first_paragraph(tables),
        how_made(made),
        origins(made, tables),
        "## What holds",
        held(tables),
        "## How to read it",
        reading(tables),
        WHY,
        *(markdown(table) for table in tables),
    ]
    if made.get("figures"):
        parts.append("## Figures")
        parts += [f"{words}:\n\n![{words}]({folder.name}/{n}.svg)" for n, words in made["figures"]]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def first_paragraph(tables: Sequence[Table]) -> str:
    """Count our figures that are better or worse than the paper's, and name every worse one."""
    found = compared(tables)
    better, worse = _apart(found)
    alike = len(found) - len(better) - len(worse)
    words = (
        f"Of {len(found)} `glasstree` figures that the paper has too (accuracy on test states, "
        f"rule length, reward in control), better than the paper's are {len(better)}, worse "
        f"{len(worse)}, and neither {alike}: the 95 % interval of their difference holds 0."
    )
    return f"{words} Worse: {listed(worse)}." if worse else words


def _apart(found: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Return what is better and what is worse, outside the noise."""
    sure = [one for one in found if one.sure and one.ours != one.printed]
    return [one for one in sure if one.good], [one for one in sure if not one.good]


def how_made(made: Mapping[str, Any]) -> str:
    """Say with what command, where and when the results were made."""
    return (
        "In each row, the line *printed* is what the paper prints (in bold what it prints so); "
        "`paper` is its algorithm with its settings, its search over weights and its kind of data; "
        "`glasstree` is what this program does by default. Open-loop figures are mean and "
        f"deviation over {made.get('runs', '?')} runs; control is that of the run of median test "
        "accuracy (in table 8 the best, as in the paper), mean and deviation over 50 batches of "
        "100 unseen episodes, with the deviation of single episodes beside; under *all runs*, mean "
        "and deviation over the trees of all runs. Intervals of differences are by the runs where "
        "figures are over runs, and by the batches for reward: they say how sure the reward of "
        "this tree is, not which tree is drawn. Symbols are those of the printed rules. Made by "
        f"`{made.get('command', '?')}`, glasstree {made.get('version', '?')}, commit "
        f"{made.get('commit', '?')}, {made.get('date', '?')}, on {made.get('machine', '?')}."
    )


def origins(made: Mapping[str, Any], tables: Sequence[Table]) -> str:
    """Say by the digest of which code each table and the figures were made."""
    known = made.get("code", {})
    groups: dict[str, list[str]] = {}
    for name in [
        *(table["study"] for table in tables),
        *([FIGURES] if made.get("figures") else []),
    ]:
        origin = f"code {known[name]}" if name in known else "earlier code, without a digest"
        groups.setdefault(origin, []).append(name.replace("table", "table "))
    words = "; ".join(f"By {origin}: {', '.join(names)}" for origin, names in groups.items()) + "."
    if len(groups) > 1:
        words += " Parts by different code were not measured together: compare within one part."
    return words


def held(tables: Sequence[Table]) -> str:
    """Write the computed checks."""
    near, done = accuracies(tables), successes(tables)
    lines = [
        f"- `paper` accuracies within the paper's mean ± 3 deviations: {share(near)}.",
        "- `paper` completion at least the paper's minus 3 points, where that is printed in bold: "
        f"{share(done)}.",
    ]
    for arm, ratio in speeds(tables).items():
        verdict = "as wanted, at least" if ratio >= SPEED else "but wanted are"
        lines.append(
            f"- {arm} arm: SQP is {ratio:.0f} times as fast as RGA, {verdict} {SPEED:.0f} times."
        )
    return "\n".join(lines)


def reading(tables: Sequence[Table]) -> str:
    """Say where we reproduce, exceed and fall short, by count."""
    near, (better, worse) = accuracies(tables), _apart(compared(tables))
    higher = [found for found in near if not found.good and found.ours > found.printed]
    lower = [found for found in near if not found.good and found.ours < found.printed]
    words = [
        f"With the paper's method, {sum(found.good for found in near)} of {len(near)} accuracies "
        f"are reproduced, {len(higher)} are higher and {len(lower)} lower than three deviations "
        f"allow. With our defaults, better than the paper's outside the noise are {len(better)} "
        f"figures, worse {len(worse)}."
    ]
    if lower:
        words.append(f"Lower: {listed(lower)}.")
    return " ".join(words)


def share(found: Sequence[Finding]) -> str:
    """Count what passes, and name what does not."""
    failed = [finding for finding in found if not finding.good]
    text = f"{len(found) - len(failed)} of {len(found)}"
    return f"{text}; not {listed(failed)}" if failed else text


def listed(found: Sequence[Finding]) -> str:
    """Name findings in one sentence."""
    return "; ".join(map(str, found)).replace("*", r"\*")


def machine() -> dict[str, str]:
    """Describe what measures: no names, no paths."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    kind = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return {
        "version": __version__,
        "commit": _commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {memory:.0f} GiB of memory, {kind}",
    }


def _commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    here = Path(__file__).parent
    try:
        done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def _write(path: Path, value: Any) -> None:
    write_atomically(path, _text(value).encode())


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"


def _read(path: Path, default: Any) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else default
