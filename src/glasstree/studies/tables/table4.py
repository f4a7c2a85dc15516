"""Table 4: the open loop on MountainCar, regular and balanced data."""

from glasstree.studies.recipes import CONTROL, OPEN_LOOP, open_loop_row
from glasstree.studies.study import Plan, Row, Study

DATA = {"Reg.": "regular", "Bal.": "balanced"}
DEPTH = 2


def rows(plan: Plan) -> list[Row]:
    """Return one row per kind of data."""
    return [
        open_loop_row(plan, name, "mountaincar", depths=(DEPTH, None), data=data)
        for name, data in DATA.items()
    ]


STUDY = Study(
    name="table4",
    title="MountainCar: the open loop on regular and balanced data",
    setting="data",
    columns=(*OPEN_LOOP, *CONTROL),
    rows=rows,
    notes="Control is the open loop's. Test states are as the oracle meets them in both rows.",
)
