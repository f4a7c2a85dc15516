"""The paper's own lower levels, to compare with: a real-coded GA and SQP, from mixed dipoles."""
