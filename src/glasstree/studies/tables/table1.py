"""Table 1: how much data the open loop needs on CartPole."""

from glasstree.studies.recipes import CONTROL, OPEN_LOOP, open_loop_row
from glasstree.studies.study import Plan, Row, Study

SIZES = (100, 500, 1000, 5000, 10_000)  # of training sets, as in the paper
QUICK_SIZES = (100,)


def rows(plan: Plan) -> list[Row]:
    """Return one row a training size."""
    return [
        open_loop_row(plan, f"{size:,}", "cartpole", depths=(2, None), samples=size)
        for size in (QUICK_SIZES if plan.quick else SIZES)
    ]


STUDY = Study(
    name="table1",
    title="CartPole: training data and the open loop",
    setting="training states",
    columns=(*OPEN_LOOP, *CONTROL),
    rows=rows,
    notes="Reward: 200 at most. Control is the open loop's, before any closed-loop work.",
)
