"""Jobs that summarise."""
