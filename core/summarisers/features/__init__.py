"""What can be seen of a sentence without understanding it: the numbers that the ranker reads."""
