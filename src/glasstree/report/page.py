"""One HTML file per run that opens from disk without a network."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from glasstree.formats.javascript import to_javascript
from glasstree.formats.shared.names import visible
from glasstree.policy.document import write_atomically
from glasstree.report.conditions import comparisons, shown
from glasstree.report.content import Content
from glasstree.report.data import page_data
from glasstree.report.figures import drawings
from glasstree.report.sections import figures_section, rules, stage_rows
from glasstree.report.templating import counted, percent, render

SCRIPTS = (
    *("base", "views", "model", "front", "tree", "try"),
    *("scenes", "arms", "replay", "maps", "main"),
)
PARTS = {
    "policy": "Policy",
    "front": "Front",
    "proved": "What is proved",
    "conditions": "How it holds up",
    "tree": "Tree",
    "try": "Try a state",
    "watch": "Watch",
    "maps": "Maps",
    "figures": "Figures",
}


def write_report(content: Content, path: Path) -> None:
    """Write the page of a policy."""
    write_atomically(path, page(content).encode())


def page(content: Content) -> str:
    """Put the page of a policy together."""
    shown = [drawn for drawn in drawings(content) if drawn.in_page]
    data = page_data(content)
    missing = {
        *(() if content.front else ("front",)),
        *(() if content.claims else ("proved",)),
        *(() if content.held else ("conditions",)),
        *(() if content.starts else ("watch",)),
        *(() if data["maps"] else ("maps",)),
        *(() if shown else ("figures",)),
    }
    return render(
        "run.html",
        name=visible(content.name),
        title=visible(content.title),
        views=content.views,
        chosen=content.shown.key,
        rules=rules,
        oracle_parameters=content.oracle_parameters,
        rows=list(stage_rows(content)),
        episodes=next((s.figures["episodes"] for s in content.stages[::-1] if s.figures), None),
        notes=list(_notes(content)),
        claims=content.claims,
        proved_symbols=content.claimed,
        conditions=comparisons(content.held),
        figures=figures_section(shown),
        parts={part: title for part, title in PARTS.items() if part not in missing},
        data=data,
        script_of=lambda view: Markup(to_javascript(view.tree, by_number=True)),
        scripts=SCRIPTS,
    )


def _notes(content: Content) -> Iterator[str]:
    if content.agreement is not None:
        share = percent(content.agreement)
        yield f"The imitating tree does what the oracle does in {share} of held-back states"
    if content.unknown is not None:
        yield content.unknown
    vary = content.policy.plant and content.policy.plant.train_vary
    if vary:
        values = ", ".join(f"{visible(name)} {_values(of)}" for name, of in vary.items())
        yield f"policies were tuned over {values}; these figures are those of the plain plant"
    if content.seconds is not None:
        yield f"the whole run took {content.seconds:,.0f} s"


def _values(values: Sequence[Any]) -> str:
    """Say which values an argument had."""
    return f"from {shown(values[0])} to {shown(values[-1])} ({counted(len(values), 'value')})"
