"""Table 7: the two manipulators, as the tasks have them."""

from functools import partial

from glasstree.studies.study import Bench, Column, Figures, Plan, Row, Study
from glasstree.tasks import get_task

ARMS = {"5-Link PSM": "psm5", "10-Link PSM": "psm10"}


def details(task: str, bench: Bench) -> Figures:
    """Return what a task says about itself."""
    found = get_task(task)
    options = found.environment.options
    return {
        "torque": [options["torque"]],
        "height": [options["height"]],
        "variables": [found.n_variables],
        "mass": [options["mass"]],
    }


def rows(plan: Plan) -> list[Row]:
    """Return one row an arm."""
    return [Row(name, {"paper": partial(details, task)}) for name, task in ARMS.items()]


STUDY = Study(
    name="table7",
    title="Planar serial manipulators: the environments",
    setting="environment",
    columns=(
        Column("torque", "motor torque", 0),
        Column("height", "height", 0),
        Column("variables", "state variables", 0),
        Column("mass", "mass of a link", 0),
    ),
    rows=rows,
    notes="The paper does not say what a link weighs; ours come closest to its rewards.",
)
