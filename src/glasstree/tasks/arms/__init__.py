"""Planar serial manipulators of any number of links."""
