"""Several policies on one page, with their rewards against their sizes, to choose from."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from glasstree.formats.shared.names import visible
from glasstree.policy.document import write_atomically
from glasstree.report.colours import policy_colour
from glasstree.report.content import Content
from glasstree.report.data import embedded
from glasstree.report.figures import Drawing
from glasstree.report.page import assemble, asset, figures_section, template
from glasstree.report.sections import numbers_in, percent, switchable_rules

UNITS_SCRIPT = "base"


def write_comparison(contents: Sequence[tuple[str, Content]], path: Path) -> None:
    """Write one page of several (name, content) pairs."""
    write_atomically(path, comparison(contents).encode())


def comparison(contents: Sequence[tuple[str, Content]]) -> str:
    """Put the page of several policies together."""
    tasks = list(dict.fromkeys(visible(content.name) for _, content in contents))
    sections = template("comparison.html").substitute(
        title=escape(", ".join(tasks)),
        count=len(contents),
        rows="\n".join(_row(n, *pair) for n, pair in enumerate(contents, 1)),
        figures=figures_section(
            [
                _plot(
                    task,
                    [(n, s) for n, (_, s) in enumerate(contents, 1) if visible(s.name) == task],
                )
                for task in tasks
            ],
            "Reward against size",
        ),
        policies="\n".join(_policy(n, *pair) for n, pair in enumerate(contents, 1)),
    )
    parts = {"choose": "Choose", "figures": "Reward against size", "policies": "Policies"}
    script = (
        f'<script type="application/json" id="data">{embedded({})}</script>\n'
        f"<script>\n(() => {{\n{asset(f'{UNITS_SCRIPT}.js')}\n}})();\n</script>"
    )
    return assemble(f"{len(contents)} policies", sections, parts, script)


def _row(number: int, name: str, content: Content) -> str:
    found, tree = content.final.figures, content.policy
    success = found.get("success_rate")
    cells = [
        escape(visible(content.name)),
        f"{found['mean_reward']:,.2f}" if found else "–",
        "{:,.2f} to {:,.2f}".format(*found["ci95"]) if found else "–",
        "–" if success is None else percent(success),
        *(str(tree.n_rules), str(tree.n_terms), str(tree.depth), str(numbers_in(tree))),
    ]
    data = "".join(f"<td>{cell}</td>" for cell in cells)
    link = f'<a href="#policy-{number}">{number}. {escape(visible(name))}</a>'
    return f'<tr><th scope="row">{link}</th>{data}</tr>'


def _policy(number: int, name: str, content: Content) -> str:
    return (
        f'<div class="card" id="policy-{number}"><h3>{number}. {escape(visible(name))}</h3>'
        f"{switchable_rules(content.policy)}</div>"
    )


def _plot(task: str, contents: Sequence[tuple[int, Content]]) -> Drawing:
    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for number, content in contents:
            found = content.final.figures
            if not found:
                continue
            mean, (low, high) = found["mean_reward"], found["ci95"]
            size = numbers_in(content.policy)
            bars = [[mean - low], [high - mean]]
            axes.errorbar([size], [mean], yerr=bars, fmt="o", color=policy_colour(""), capsize=3)
            axes.annotate(str(number), (size, mean), xytext=(6, 5), textcoords="offset points")
        rows = [content.oracle_stage for _, content in contents]
        oracles = {row.figures["mean_reward"] for row in rows if row is not None and row.figures}
        for mean in sorted(oracles):
            axes.axhline(mean, color=policy_colour("oracle"), ls="--", lw=1.2)
            axes.annotate(
                "oracle",
                (1.0, mean),
                xycoords=("axes fraction", "data"),
                ha="right",
                va="bottom",
                fontsize=8,
            )
        axes.set(xlabel="size: numbers in the rules", ylabel="mean reward")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.margins(x=0.1, y=0.12)

    words = f"{task}: mean reward with its 95 % interval against size; up and left is better."
    return Drawing(
        f"choice-{contents[0][0]}", f"Reward against size, {task}", words, paint, (7, 3.6), True
    )
