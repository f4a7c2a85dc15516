"""The upper level: structures of a rule, and how they are searched."""
