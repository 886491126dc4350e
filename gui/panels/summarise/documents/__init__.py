"""The open documents: opened, listed, switched."""
