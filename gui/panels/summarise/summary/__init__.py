"""The summary: its length and model, its sentences, what it is compared with."""
