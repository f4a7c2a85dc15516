"""Files that are read strictly and written whole: JSON, arrays, anything else."""
