"""Widgets that only show something."""
