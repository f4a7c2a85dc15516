"""One HTML file a run that opens from disk without a network."""

from collections.abc import Iterator
from pathlib import Path

from markupsafe import Markup

from glasstree.formats.javascript import to_javascript
from glasstree.formats.shared.names import visible
from glasstree.policy.document import write_atomically
from glasstree.report.content import Content
from glasstree.report.data import page_data
from glasstree.report.figures import drawings
from glasstree.report.sections import figures_section, rules, stage_rows
from glasstree.report.templating import percent, render

SCRIPTS = ("base", "model", "tree", "try", "scenes", "arms", "replay", "main")
PARTS = {
    "policy": "Policy",
    "proved": "What is proved",
    "tree": "Tree",
    "try": "Try a state",
    "watch": "Watch",
}


def write_report(content: Content, path: Path) -> None:
    """Write the page of a policy."""
    write_atomically(path, page(content).encode())


def page(content: Content) -> str:
    """Put the page of a policy together."""
    shown = [drawn for drawn in drawings(content) if drawn.in_page]
    empty = {"watch": not content.starts, "proved": not content.claims}
    parts = {part: title for part, title in PARTS.items() if not empty.get(part)}
    found = content.final.figures
    return render(
        "run.html",
        name=visible(content.name),
        title=visible(content.title),
        tree=content.policy,
        rules=rules,
        found={**found, "success_rate": found.get("success_rate")} if found else None,
        oracle_parameters=content.oracle_parameters,
        rows=list(stage_rows(content)),
        episodes=next((s.figures["episodes"] for s in content.stages[::-1] if s.figures), None),
        notes=list(_notes(content)),
        claims=content.claims,
        watchable=bool(content.starts),
        figures=figures_section(shown),
        parts={**parts, **({"figures": "Figures"} if shown else {})},
        data=page_data(content),
        policy_script=Markup(to_javascript(content.policy)),
        scripts=SCRIPTS,
    )


def _notes(content: Content) -> Iterator[str]:
    if content.agreement is not None:
        share = percent(content.agreement)
        yield f"The imitating tree does what the oracle does in {share} of held-back states"
    if content.seconds is not None:
        yield f"the whole run took {content.seconds:,.0f} s"
