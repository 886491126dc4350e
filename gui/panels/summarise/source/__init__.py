"""The source of a summary: its text, its language, and why it cannot be read."""
