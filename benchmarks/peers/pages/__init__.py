"""The page of the comparison, written from stored cells."""
