"""Table 2: the open loop on CarFollowing."""

from glasstree.studies.recipes import CONTROL, OPEN_LOOP, open_loop_row
from glasstree.studies.study import Plan, Row, Study

TASK, DEPTH = "carfollowing", 2


def rows(plan: Plan) -> list[Row]:
    """Return the only row."""
    return [open_loop_row(plan, "CarFollowing", TASK, depths=(DEPTH, None))]


STUDY = Study(
    name="table2",
    title="CarFollowing: the open loop",
    setting="problem",
    columns=(*OPEN_LOOP, *CONTROL),
    rows=rows,
    notes="Control is the open loop's.",
)
