"""How policies hold up where things are not as they were: heat maps and tables for the page."""

from glasstree.report.conditions.heat import comparisons, shown

__all__ = ["comparisons", "shown"]
