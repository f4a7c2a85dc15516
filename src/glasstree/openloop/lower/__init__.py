"""The lower level: weights and biases of one structure, and the impurity that they reach."""
