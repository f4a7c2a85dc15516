"""Tables and figures from cells: measured where missing, written as Markdown, CSV and one page."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from glasstree.policy.document import write_atomically
from glasstree.report.figures import Drawing, saved
from glasstree.report.sections import figures_section
from glasstree.report.templating import render
from glasstree.studies import ALL, FIGURES, TABLES, figures, get_study, results
from glasstree.studies.layout import Table, csv_text, heading, markdown, tabulated, web_table, works
from glasstree.studies.runner import settle
from glasstree.studies.study import Plan

PAGE = "index.html"


@dataclass(frozen=True)
class Outcome:
    """What a reproduction found."""

    tables: list[Table]
    drawings: list[Drawing]


def reproduce(name: str, folder: Path, plan: Plan, workers: int = 1) -> Outcome:
    """Measure what is missing in a folder for a table, the figures or all, and write it."""
    wanted = TABLES if name == ALL else () if name == FIGURES else (name,)
    studies = [get_study(one) for one in wanted]
    work = {key: part for study in studies for key, part in works(study, plan).items()}
    if name in (FIGURES, ALL):
        work |= figures.works(plan)
    found = settle(work, folder, workers)
    outcome = Outcome(
        [tabulated(study, plan, found) for study in studies],
        [drawing for drawing in found.values() if isinstance(drawing, Drawing)],
    )
    write(outcome, folder)
    return outcome


def write(outcome: Outcome, folder: Path) -> None:
    """Write each table as Markdown and CSV, each figure as SVG, and the page of all so far."""
    for table in outcome.tables:
        results.write_table(folder, table)
        write_atomically(folder / f"{table['study']}.md", markdown(table).encode())
        write_atomically(folder / f"{table['study']}.csv", csv_text(table).encode())
    for drawing in outcome.drawings:
        write_atomically(folder / FIGURES / f"{drawing.name}.svg", saved(drawing, "svg"))
    section = folder / FIGURES / "section.html"
    if outcome.drawings:
        write_atomically(section, figures_section(outcome.drawings).encode())
    shown = Markup(section.read_text(encoding="utf-8") if section.exists() else "")
    write_atomically(folder / PAGE, web_page(results.tables_in(folder), shown).encode())


def web_page(tables: Sequence[Table], drawings: Markup) -> str:
    """Return one HTML page that needs nothing else."""
    parts = {table["study"]: heading(table).partition(":")[0] for table in tables}
    return render(
        "tables.html",
        name="reproduction",
        title="The paper's tables and figures, measured again",
        parts={**parts, **({FIGURES: "Figures"} if drawings else {})},
        summary=_plain(results.first_paragraph(tables)),
        checks=[_plain(line.removeprefix("- ")) for line in results.held(tables).splitlines()],
        tables=[web_table(table) for table in tables],
        figures=drawings,
    )


def _plain(words: str) -> str:
    return words.replace("`", "").replace(r"\*", "*")


def write_docs(outcome: Outcome, path: Path, plan: Plan, command: str) -> None:
    """Store results in the folder beside a page and write the page from them."""
    folder = path.with_suffix("")
    results.store(folder, outcome.tables, outcome.drawings, plan, command)
    write_atomically(path, results.page(folder).encode())
