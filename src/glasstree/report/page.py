"""One HTML file a run that opens from disk without a network."""

from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from glasstree.formats.javascript import to_javascript
from glasstree.formats.shared.names import visible
from glasstree.policy.document import write_atomically
from glasstree.report.content import Content
from glasstree.report.data import embedded, page_data
from glasstree.report.figures import Drawing, drawings, svg_of
from glasstree.report.sections import outcome, percent, stage_table, switchable_rules

ASSETS = files("glasstree.report") / "assets"
SCRIPTS = ("base", "model", "tree", "try", "scenes", "arms", "replay", "main")
PARTS = {"policy": "Policy", "tree": "Tree", "try": "Try a state", "watch": "Watch"}


def write_report(content: Content, path: Path) -> None:
    """Write the page of a policy."""
    write_atomically(path, page(content).encode())


def page(content: Content) -> str:
    """Put the page of a policy together."""
    shown = [drawn for drawn in drawings(content) if drawn.in_page]
    sections = template("run.html").substitute(
        name=escape(visible(content.name)),
        title=escape(visible(content.title)),
        outcome=outcome(content),
        rules=switchable_rules(content.policy),
        table=stage_table(content),
        note=_note(content),
        watch=asset("watch.html") if content.starts else "",
        figures=figures_section(shown),
    )
    parts = {part: title for part, title in PARTS.items() if part != "watch" or content.starts}
    if shown:
        parts["figures"] = "Figures"
    scripts = "\n".join(asset(f"{name}.js") for name in SCRIPTS)
    return assemble(
        visible(content.name),
        sections,
        parts,
        f'<script type="application/json" id="data">{embedded(page_data(content))}</script>\n'
        f"<script>\n{to_javascript(content.policy)}</script>\n"
        f"<script>\n(() => {{\n{scripts}\n}})();\n</script>",
    )


def assemble(name: str, sections: str, parts: dict[str, str], scripts: str = "") -> str:
    """Put sections into the frame that all pages share."""
    links = " ".join(f'<a href="#{part}">{escape(title)}</a>' for part, title in parts.items())
    return template("page.html").substitute(
        name=escape(name),
        style=asset("page.css"),
        navigation=f'<nav aria-label="Sections">{links}</nav>',
        sections=sections,
        scripts=scripts,
    )


def figures_section(shown: list[Drawing], title: str = "Figures") -> str:
    """Show drawings, each with what it says."""
    if not shown:
        return ""
    figures = "\n".join(
        f'<figure class="card{" wide" if drawn.wide else ""}">'
        f"<figcaption>{escape(drawn.caption)}</figcaption>"
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(drawn.title)}">'
        f"{svg_of(drawn)}</div></figure>"
        for drawn in shown
    )
    return (
        '<section id="figures" aria-labelledby="figures-title">'
        f'<h2 id="figures-title">{title}</h2><div class="figures">{figures}</div></section>'
    )


def asset(name: str) -> str:
    """Read one of the files that a page is made of."""
    return (ASSETS / name).read_text(encoding="utf-8").rstrip("\n")


def template(name: str) -> Template:
    """Read a file with places to fill in."""
    return Template(asset(name))


def _note(content: Content) -> str:
    words = []
    if content.agreement is not None:
        words.append(
            f"The imitating tree does what the oracle does in {percent(content.agreement)} "
            "of held-back states"
        )
    if content.seconds is not None:
        words.append(f"the whole run took {content.seconds:,.0f} s")
    return f'<p class="note">{"; ".join(words)}.</p>' if words else ""
