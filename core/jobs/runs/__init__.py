"""Jobs that list, follow, compare and report runs."""
