"""Jobs that score systems and show comparisons."""
