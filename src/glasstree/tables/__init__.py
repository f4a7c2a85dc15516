"""What tables hold: numbers, categories, dates and gaps, read from frames and files."""

from glasstree.tables.frame import Column, Frame
from glasstree.tables.frames import as_frame, is_frame
from glasstree.tables.reading import Table, read_frame, read_table

__all__ = ["Column", "Frame", "Table", "as_frame", "is_frame", "read_frame", "read_table"]
