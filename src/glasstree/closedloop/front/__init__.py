"""The front: the best policy of each complexity."""
