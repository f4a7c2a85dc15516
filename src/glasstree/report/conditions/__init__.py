"""How policies hold up where things are not as they were: heat maps and tables for the page."""

from glasstree.report.conditions.heat import comparisons

__all__ = ["comparisons"]
