"""What is kept: the folder of a run, which can be killed at any moment and resumed."""
