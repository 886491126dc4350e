"""Summaries, their length, and notes about them."""
