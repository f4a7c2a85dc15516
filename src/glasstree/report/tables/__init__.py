"""The page of a table's rules."""

from glasstree.report.tables.content import TableContent
from glasstree.report.tables.page import table_page, write_table_page

__all__ = ["TableContent", "table_page", "write_table_page"]
