"""Rules for single sentences: damage, fragments, discourse markers."""
