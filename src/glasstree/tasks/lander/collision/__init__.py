"""Where and when a polygon meets an edge."""
