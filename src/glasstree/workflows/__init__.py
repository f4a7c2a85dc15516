"""What a command does, as one call in Python: from names and folders to results and files."""
