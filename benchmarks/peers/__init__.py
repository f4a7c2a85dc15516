"""glasstree and its peers on the same tasks, the same data and the same episodes."""
