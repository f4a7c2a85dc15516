"""Table 5: the open loop on LunarLander, regular and balanced data, depth 3 and 6."""

from glasstree.studies.recipes import CONTROL, OPEN_LOOP, open_loop_row
from glasstree.studies.study import Plan, Row, Study
from glasstree.studies.tables.table4 import DATA


def rows(plan: Plan) -> list[Row]:
    """Return one row a depth and kind of data."""
    return [
        open_loop_row(plan, f"{name} {depth}", "lunarlander", depths=(depth, depth), data=data)
        for depth in (3, 6)
        for name, data in DATA.items()
    ]


STUDY = Study(
    name="table5",
    title="LunarLander: the open loop on regular and balanced data",
    setting="data, depth",
    columns=(*OPEN_LOOP, *CONTROL),
    rows=rows,
    notes="Control is the open loop's. Test states are as the oracle meets them in all rows.",
)
