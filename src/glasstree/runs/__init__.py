"""What is kept: the folder of a run, which can be killed at any moment and resumed."""

from glasstree.runs.store import CONFIG, RunStore, open_run

__all__ = ["CONFIG", "RunStore", "open_run"]
