"""Charts: lines, histograms, scatter plots."""
