"""The text of a summary: trimmed sentences, spelt-out abbreviations, questions and notes."""
