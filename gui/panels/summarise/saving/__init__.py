"""Saving, copying and exporting summaries."""
