"""Many small tables, and those who learn them: the parts of benchmarks/classification.py."""
