"""Claims about the loop of a policy and a task, one file a technique or task."""
