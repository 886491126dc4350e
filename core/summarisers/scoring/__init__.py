"""Predictions for candidates: importance, defects and dependency on earlier sentences."""
