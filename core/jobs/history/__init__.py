"""Jobs on the history of summaries."""
