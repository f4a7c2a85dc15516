"""What the formats share: the walk over a tree, formulas, names and colours."""
