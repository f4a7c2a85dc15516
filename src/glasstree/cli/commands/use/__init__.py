"""Commands about what is there: policies, oracles and tasks, runs and their pages."""
