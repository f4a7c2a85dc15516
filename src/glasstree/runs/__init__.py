"""What is kept: the folder of a run, which can be killed at any moment and resumed."""

from glasstree.runs.store import CONFIG, REWARDS, RunStore, open_store

__all__ = ["CONFIG", "REWARDS", "RunStore", "open_store"]
