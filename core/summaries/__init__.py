"""A summary, its length, and what is said of it."""
