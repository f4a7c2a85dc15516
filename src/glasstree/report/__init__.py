"""What people look at: figures, one self-contained page a run, and pages that compare runs."""

from glasstree.report.comparison import write_comparison
from glasstree.report.figures import write_figures
from glasstree.report.page import write_report
from glasstree.report.story import Episode, Stage, Story

__all__ = ["Episode", "Stage", "Story", "write_comparison", "write_figures", "write_report"]
