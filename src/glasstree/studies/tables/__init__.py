"""One file a table of the paper."""
