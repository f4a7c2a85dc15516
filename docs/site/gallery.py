"""Write the gallery from finished runs: python docs/site/gallery.py RUNS, with one folder a task.

Of each run that is there: a page with the policy, a film, the front, proofs and the run's own page.
The grid of all tasks goes to the gallery's first page and into the README.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

from films import write_duel

from glasstree.episodes import Purpose, episode_seeds
from glasstree.formats import to_text
from glasstree.prove import facts_of
from glasstree.report import write_report
from glasstree.report.content import Content
from glasstree.report.figures import drawings, saved
from glasstree.tasks import get_task, task_names
from glasstree.workflows.run import Run, open_run

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "docs" / "gallery"
NAMES = {
    "cartpole": "CartPole",
    "carfollowing": "CarFollowing",
    "mountaincar": "MountainCar",
    "lunarlander": "LunarLander",
    "psm5": "Manipulator, 5 links",
    "psm10": "Manipulator, 10 links",
    "acrobot": "Acrobot",
}
GRID = re.compile(r"(?<=<!-- gallery -->\n).*?(?=<!-- end of gallery -->)", re.DOTALL)
FEW_LINES = 8  # of a policy in the grid


def main(runs: Path) -> None:
    """Write the pages of all runs that are there, then the grid of all pages that are there."""
    missing = []
    for task in task_names():
        run = open_run(runs / task) if (runs / task / "metrics.json").exists() else None
        if run is None:
            missing.append(f"glasstree run {task} --out {runs / task}")
        else:
            print(f"{task}: {write(run, GALLERY)}")
    for page, lines in ((GALLERY / "index.md", cells), (ROOT / "README.md", rows)):
        grid = "\n".join(lines(summaries(GALLERY))) + "\n"
        page.write_text(GRID.sub(lambda _, grid=grid: grid, page.read_text()))
    if missing:
        print("\n".join(["these runs are missing or not finished; make them by", *missing]))


def write(run: Run, gallery: Path) -> Path:
    """Write the page of one run, and all that it shows."""
    folder = gallery / run.task
    folder.mkdir(parents=True, exist_ok=True)
    content = run.content()
    write_report(content, folder / "report.html")
    film(run, content, folder / "film.gif")
    (folder / "front.svg").write_bytes(front_picture(content))
    copyfile(run.folder / "policy.json", folder / "policy.json")
    (folder / "summary.json").write_text(json.dumps(summary(run, content), indent=1) + "\n")
    page = gallery / f"{run.task}.md"
    page.write_text("\n\n".join(parts(run, content)) + "\n")
    return page


def film(run: Run, content: Content, path: Path) -> None:
    """Film the first episode of the page, played by the rules and by the oracle."""
    assert content.oracle is not None
    seed = int(episode_seeds(Purpose.FINAL, run.options.seed, 1)[0])
    steps = max(len(content.starts[0][0].actions), len(shown_episode(content).actions))
    players = {"rules": content.policy, "oracle": content.oracle}
    write_duel(players, get_task(run.task), seed, steps, path)


def shown_episode(content: Content) -> Any:
    """Return the first episode of the policy that is shown."""
    return next(found for found in content.starts[0] if found.policy == content.shown.name)


def summary(run: Run, content: Content) -> dict[str, Any]:
    """Return what the grid says of a run."""
    oracle = content.oracle_stage
    assert oracle is not None
    return {
        "rules": run.policy.n_rules,
        "symbols": run.policy.complexity,
        "reward": run.metrics["mean_reward"],
        "success": run.metrics["success_rate"],
        "oracle_parameters": content.oracle_parameters,
        "oracle_reward": oracle.figures["mean_reward"],
        "oracle_success": oracle.figures["success_rate"],
        "claims": {claim.text: claim.verdict for claim in content.claims},
        "policy": to_text(run.policy, units="original").split("\n\n")[0].strip(),
    }


def parts(run: Run, content: Content) -> Iterator[str]:
    """Yield the parts of a page."""
    task, found = run.task, run.metrics
    oracle, rules = content.starts[0][0], shown_episode(content)
    yield f"# {NAMES[task]}"
    size = f"{counted(found['rules'], 'rule')} instead of {source(content)}"
    yield f"The task: {content.title}. {size}:"
    yield f"```text\n{to_text(run.policy).strip()}\n```"
    yield (
        f"![The rules on the left, the oracle on the right]({task}/film.gif)\n\n"
        f"*The same unseen episode: the rules on the left, reward {rules.reward:,.2f}; "
        f"the oracle on the right, {oracle.reward:,.2f}.*"
    )
    yield "\n".join(figures(content, found))
    yield "## The front"
    yield f"![Mean reward over the number of symbols]({task}/front.svg)"
    yield "\n".join(front_rows(run))
    yield "## What is proved"
    yield "\n".join(proofs(run, content))
    yield "## Its page"
    yield (
        f'<iframe class="page" src="{task}/report.html" title="The page of {NAMES[task]}" '
        'loading="lazy"></iframe>'
    )
    yield f"[The page alone]({task}/report.html), [the policy as a file]({task}/policy.json)."
    yield "## Make it again"
    told = f"--seed {run.options.seed} --episodes {run.options.episodes}"
    yield f"```sh\nglasstree run {task} {told}\n```"


def counted(count: int, word: str) -> str:
    """Write a number of things.

    >>> counted(1, "rule"), counted(4610, "weight")
    ('1 rule', '4,610 weights')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def source(content: Content) -> str:
    """Say what the rules stand for."""
    size = content.oracle_parameters
    return "the oracle" if size is None else f"an oracle with {counted(size, 'number')}"


def figures(content: Content, found: Any) -> Iterator[str]:
    """Yield a table of the rules and the oracle beside them."""
    episodes = f"over {found['episodes']:,} unseen episodes"
    yield f"| {episodes} | size | mean reward | 95 % interval | success |"
    yield "|---|---|---|---|---|"
    size = f"{counted(found['complexity'], 'symbol')}, {counted(found['rules'], 'rule')}"
    oracle = content.oracle_stage
    assert oracle is not None
    parameters = content.oracle_parameters
    theirs = "unknown" if parameters is None else counted(parameters, "number")
    for name, much, row in (("these rules", size, found), ("the oracle", theirs, oracle.figures)):
        low, high = row["ci95"]
        yield (
            f"| {name} | {much} | {row['mean_reward']:,.2f} | {low:,.2f} to {high:,.2f} "
            f"| {100 * row['success_rate']:.2f} % |"
        )


def front_picture(content: Content) -> bytes:
    """Return the front as SVG on white paper, which can be read in the dark too."""
    drawing = next(drawing for drawing in drawings(content) if drawing.name == "front")
    return saved(drawing, "svg").replace(b"<svg ", b'<svg style="background: #ffffff" ', 1)


def front_rows(run: Run) -> Iterator[str]:
    """Yield a table of the front."""
    assert run.front is not None
    yield "| symbols | mean reward | ± 95 % | success | rules | first rule |"
    yield "|---|---|---|---|---|---|"
    for row in run.front:
        half = row.unseen.ci95[1] - row.unseen.mean_reward
        mark = " (taken)" if row.policy == run.policy else ""
        yield (
            f"| {row.complexity}{mark} | {row.unseen.mean_reward:,.2f} | {half:,.2f} "
            f"| {100 * (row.unseen.success_rate or 0.0):.2f} % | {row.policy.n_rules} "
            f"| `{row.first_rule.replace('|', chr(92) + '|')}` |"
        )


def proofs(run: Run, content: Content) -> Iterator[str]:
    """Yield what is certain of the policy."""
    told = [f"- {claim.verdict}: {claim.text} ({claim.reason})" for claim in content.claims]
    told += [f"- {sentence}" for sentence in facts_of(run.policy).sentences()]
    yield from told or [
        "Nothing of the loop: the task's dynamics are not known to the program as intervals. "
        "Claims about decisions can be proved of every policy; see [proving](../proving.md)."
    ]


def summaries(gallery: Path) -> dict[str, Any]:
    """Return what is kept of each task whose page is there, in the order of the tasks."""
    kept = {task: gallery / task / "summary.json" for task in task_names()}
    return {task: json.loads(path.read_text()) for task, path in kept.items() if path.exists()}


def cells(kept: dict[str, Any]) -> Iterator[str]:
    """Yield what the gallery's first page shows of each task: film, policy and one line."""
    for task, told in kept.items():
        policy = told["policy"].splitlines()
        shown = policy if len(policy) <= FEW_LINES else [*policy[: FEW_LINES - 1], "..."]
        yield f"## [{NAMES[task]}]({task}.md)\n"
        yield f"[![{NAMES[task]}: rules and oracle]({task}/film.gif)]({task}.md)\n"
        yield "```text\n" + "\n".join(shown) + "\n```\n"
        yield sentence(told) + "\n"


def rows(kept: dict[str, Any]) -> Iterator[str]:
    """Yield the table of the README: a film and one line for each task."""
    yield "| the rules on the left, their oracle on the right | |"
    yield "|---|---|"
    for task, told in kept.items():
        page = f"docs/gallery/{task}.md"
        film = f"[![{NAMES[task]}](docs/gallery/{task}/film.gif)]({page})"
        yield f"| {film} | **[{NAMES[task]}]({page})**: {sentence(told)} |"


def sentence(told: Any) -> str:
    """Say in one line what became of the oracle."""
    size = told["oracle_parameters"]
    theirs = "the oracle" if size is None else f"the oracle's {counted(size, 'number')}"
    words = (
        f"{counted(told['symbols'], 'symbol')} instead of {theirs}: mean reward "
        f"{told['reward']:,.2f} (oracle {told['oracle_reward']:,.2f}), success "
        f"{100 * told['success']:.1f} % ({100 * told['oracle_success']:.1f} %)"
    )
    claims = (f"; {verdict}: {claim}" for claim, verdict in told["claims"].items())
    return words + "".join(claims) + "."


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "runs")
