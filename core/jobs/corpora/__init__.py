"""Jobs that prepare, measure and show corpora."""
