"""Commands that learn: rules from a task or a table, oracles, the paper's tables."""
