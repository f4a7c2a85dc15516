"""What the states of a policy are made from: the columns of a table, or an environment."""
