"""Tables and figures from cells: measured where missing, written as Markdown, CSV and one page."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from glasstree import progress
from glasstree.parallel import cores
from glasstree.policy.document import write_atomically
from glasstree.report.figures import Drawing, saved
from glasstree.report.sections import figures_section
from glasstree.report.templating import render
from glasstree.studies import ALL, FIGURES, TABLES, figures, get_study, results
from glasstree.studies.forecast import forecast
from glasstree.studies.layout import Table, csv_text, heading, markdown, tabulated, web_table, works
from glasstree.studies.runner import settle
from glasstree.studies.study import Plan

PAGE = "index.html"


RUNS, QUICK_RUNS = 10, 2  # of each setting: the paper's number, and enough for a deviation


@dataclass(frozen=True)
class Outcome:
    """What a reproduction found, also in files below its folder."""

    folder: Path
    plan: Plan
    tables: list[Table]
    drawings: list[Drawing]

    @property
    def page(self) -> Path:
        """The page of all tables and figures in the folder."""
        return self.folder / PAGE

    @property
    def figures(self) -> dict[str, Path]:
        """The file of each figure by its name."""
        return {one.name: self.folder / FIGURES / f"{one.name}.svg" for one in self.drawings}


def reproduce(
    name: str,
    out: str | Path = "runs/reproduce",
    *,
    runs: int | None = None,
    quick: bool = False,
    docs: str | Path | None = None,
    workers: int = 0,
) -> Outcome:
    """Measure a table of the paper again, its figures, or all of them, and write the results.

    What a folder holds already is not measured again. Each setting has 10 runs, or 2 if quick,
    which means small budgets too. docs is a page of results to write, its data in a folder beside
    it. All cores work unless workers says how many.
    """
    plan = Plan(runs=(QUICK_RUNS if quick else RUNS) if runs is None else runs, quick=quick)
    outcome = measured(name, Path(out), plan, cores(workers))
    write(outcome)
    if docs is not None:
        command = f"glasstree reproduce {name} --runs {plan.runs}{' --quick' if quick else ''}"
        write_docs(outcome, Path(docs), command)
    return outcome


def measured(name: str, folder: Path, plan: Plan, workers: int) -> Outcome:
    """Measure what is missing in a folder for a table, the figures or all."""
    wanted = TABLES if name == ALL else () if name == FIGURES else (name,)
    studies = [get_study(one) for one in wanted]
    work = {key: part for study in studies for key, part in works(study, plan).items()}
    outlook = forecast(work.values(), folder, workers, plan.quick)
    if outlook:
        progress.emit(progress.Note(outlook))
    if name in (FIGURES, ALL):
        work |= figures.works(plan)
    found = settle(work, folder, workers)
    return Outcome(
        folder,
        plan,
        [tabulated(study, plan, found) for study in studies],
        [drawing for drawing in found.values() if isinstance(drawing, Drawing)],
    )


def write(outcome: Outcome) -> None:
    """Write each table as Markdown and CSV, each figure as SVG, and the page of all so far."""
    folder = outcome.folder
    for table in outcome.tables:
        results.write_table(folder, table)
        write_atomically(folder / f"{table['study']}.md", markdown(table).encode())
        write_atomically(folder / f"{table['study']}.csv", csv_text(table).encode())
    for drawing in outcome.drawings:
        write_atomically(outcome.figures[drawing.name], saved(drawing, "svg"))
    section = folder / FIGURES / "section.html"
    if outcome.drawings:
        write_atomically(section, figures_section(outcome.drawings).encode())
    shown = Markup(section.read_text(encoding="utf-8") if section.exists() else "")
    write_atomically(outcome.page, web_page(results.tables_in(folder), shown).encode())


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


def write_docs(outcome: Outcome, path: Path, command: str) -> None:
    """Store results in the folder beside a page and write the page from them."""
    folder = path.with_suffix("")
    results.store(folder, outcome.tables, outcome.drawings, outcome.plan, command)
    write_atomically(path, results.page(folder).encode())
