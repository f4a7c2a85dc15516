"""What people look at: figures, and one self-contained page a run."""

from glasstree.report.page import write_report

__all__ = ["write_report"]
