"""What people look at: figures, one self-contained page per run, and pages that compare runs."""

from glasstree.report.comparison import write_comparison
from glasstree.report.content import Claim, Content, Episode, Held, Region, Stage, View
from glasstree.report.figures import write_figures
from glasstree.report.page import write_report

__all__ = [
    "Claim",
    "Content",
    "Episode",
    "Held",
    "Region",
    "Stage",
    "View",
    "write_comparison",
    "write_figures",
    "write_report",
]
